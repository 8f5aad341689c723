/**
 * A seed determines a simulated run, and each check of the auditor finds its problem in a run that was corrupted for it; the checks of
 * further areas are in AreaAudits.test.ts. The runs themselves are in FirstSeeds.test.ts and SecondSeeds.test.ts.
 */
import type { Send } from "@countersign/test"
import { describe, expect, it } from "vitest"
import type { Body } from "./Answers.ts"
import { answering, finds, rich, withBody, withData, withEvents } from "./Corruptions.ts"
import { replay, simulate } from "./Simulation.ts"
import type { Pay } from "./World.ts"

describe("a simulated run", { timeout: 120_000 }, () => {
  it("repeats with the same seed and differs with another", async () => {
    const [first, again, other] = [await simulate(77), await simulate(77), await simulate(78)]
    expect({ ...again, faults: [...again.faults] }).toEqual({ ...first, faults: [...first.faults] })
    expect([...again.actionCounts]).toEqual([...first.actionCounts])
    expect(other.trace).not.toBe(first.trace)
  })

  it("reports a failure with its seed and the command that repeats it", async () => {
    const change = () => {
      throw new Error("it cannot be played")
    }
    const { problems: found } = await simulate(5, { change })
    expect(found.join()).toContain("it cannot be played")
    expect(replay(5)).toBe("seed 5: npm run simulate -- --from 5 --runs 1")
  })
})

describe("the auditor", { timeout: 120_000 }, () => {
  it("finds nothing in uncorrupted runs", async () => {
    for (const seed of rich) expect((await simulate(seed)).problems).toEqual([])
  })

  it("finds what was done twice", async () => {
    await finds((pay) => {
      const { send } = pay
      Object.assign(pay, {
        send: async (...[method, path, options]: Parameters<typeof send>) => {
          if (method === "POST" && path === "/transfer-in")
            await send(method, path, { body: options?.body }).catch(() => 0)
          return send(method, path, options)
        },
      })
    }, /Transaction:\S+ exists without a request/u)
  })

  it("finds what was answered and does not exist", async () => {
    const lost = (path: string, body: Body) => (pay: Pay) => {
      const { send } = pay
      Object.assign(pay, {
        send: async (...[method, asked, options]: Parameters<typeof send>) =>
          method === "POST" && asked.endsWith(path)
            ? { status: 201, headers: new Headers(), body }
            : send(method, asked, options),
      })
    }
    await finds(lost("/transfer-in", { id: "Transaction:never" }), /Transaction:never was answered and does not exist/u)
    const account = { id: "ExternalAccount:never" }
    await finds(lost("/customers/external-accounts", account), /ExternalAccount:never was answered and does not exist/u)
    await finds(lost("/cards", { id: "Card:never" }), /Card:never was answered and does not exist/u)
    await finds(
      lost("/simulate/authorization", { issuerTransactionToken: "never" }),
      /never was approved and does not exist/u,
    )
  })

  it("finds a key with two different responses", async () => {
    const isKeyed = (_method: string, _path: string, options?: Send) =>
      options?.headers?.["idempotency-key"] !== undefined
    const corrupted = answering(isKeyed, (reply, times) => withBody(reply, { note: times }))
    await finds(corrupted, /-\d was answered \d+ .*, then \d+/u)
  })

  it("finds books that do not balance, and a hold without an owner", async () => {
    const corrupted = (change: (book: Awaited<ReturnType<Pay["books"]>>[number]) => object) => (pay: Pay) => {
      const { books } = pay
      Object.assign(pay, { books: async () => (await books()).map((book) => ({ ...book, ...change(book) })) })
    }
    await finds(
      corrupted(({ balance, id }) => (id.startsWith("held:") ? { balance: balance + 1 } : {})),
      /the ledger of \w+ sums to \d/u,
      /is not the sum of its entries/u,
      /\d+ is held, and \d+ of it by cards/u,
      /has \d+ of \d+, and should have \d+/u,
    )
    const one = (amount: number) => amount + 1
    await finds(
      corrupted(({ entries, id }) =>
        id.startsWith("available:")
          ? { entries: entries.map((entry) => ({ ...entry, amount: one(entry.amount) })) }
          : {},
      ),
      /what Transaction:\S+ moved does not balance/u,
      /CardTransaction:\S+ is \w+: the settled amount differs from the ledger entries/u,
      /CardTransaction:\S+ holds \d+, which was not taken from its account/u,
    )
  })

  it("finds a missing event, and one that arrived too early", async () => {
    await finds(
      withEvents(() => []),
      /is (?:COMPLETED|FAILED|EXPIRED) after: $/mu,
      /Card:\S+ is \w+ after: $/mu,
      /CardTransaction:\S+ is \w+ after: $/mu,
    )
    await finds(
      withEvents((all) => all.toReversed()),
      /after: \w+ .*\bPENDING$/mu,
      /CardTransaction:\S+ is \w+ after: \w+ .*\bAUTHORIZED$/mu,
    )
  })

  it("finds a quote that has changed, or that differs from its transaction", async () => {
    const ofQuote = (method: string, path: string) => method === "GET" && path.startsWith("/quotes/")
    const dearer = answering(ofQuote, (reply) => withBody(reply, { totalSendingAmount: 1 }))
    await finds(dearer, /Quote:\S+ was given as /u)
    const open = answering(ofQuote, (reply) => withBody(reply, { status: "PENDING" }))
    await finds(open, /Quote:\S+ is PENDING, its transaction \w+/u, /Quote:\S+ is still PENDING/u)
    const ofTransactions = (method: string, path: string) => method === "GET" && path.startsWith("/transactions?limit")
    const unlike = withData((data) =>
      data.map((each) => (each["quoteId"] === undefined ? each : { ...each, sentAmount: { amount: 1 } })),
    )
    await finds(answering(ofTransactions, unlike), /Quote:\S+ has other amounts/u)
  })

  it("finds a card that contradicts its events, and one that exists twice", async () => {
    const ofCards = (method: string, path: string) => method === "GET" && path.startsWith("/cards?limit")
    const states = withData((data) => data.map((each) => ({ ...each, state: "FROZEN" })))
    await finds(answering(ofCards, states), /Card:\S+ is FROZEN after: /u)
    const twice = withData((data) => [...data, ...data.map((each) => ({ ...each, id: "Card:twin" }))])
    await finds(answering(ofCards, twice), /two cards have one name/u, /Card:twin exists without a request/u)
  })

  it("finds an external account that was added twice, or that was never verified", async () => {
    const ofAccounts = (method: string, path: string) =>
      method === "GET" && path.startsWith("/customers/external-accounts?") && path.includes("&limit=100")
    const twice = withData((data) => [...data, ...data.map((each) => ({ ...each, id: "ExternalAccount:twin" }))])
    await finds(answering(ofAccounts, twice), /one account outside was added twice/u)
    const waiting = withData((data) => data.map((each) => ({ ...each, status: "PENDING" })))
    await finds(answering(ofAccounts, waiting), /ExternalAccount:\S+ is still looked at/u)
  })

  it("finds an outcome that contradicts a port", async () => {
    const lists = (name: string) => (method: string, path: string) =>
      method === "GET" && path.startsWith(`/${name}?limit`)
    const called = (name: string, value: string) =>
      withData((data) => data.map((each) => (each[name] === undefined ? each : { ...each, [name]: value })))
    await finds(answering(lists("transactions"), called("status", "FAILED")), /is FAILED, whatever its bank said/u)
    await finds(answering(lists("cards"), called("platformCardId", "other-001")), /whatever its issuer said/u)
    const ofAccounts = (method: string, path: string) =>
      method === "GET" && path.startsWith("/customers/external-accounts?") && path.includes("&limit=100")
    const gone = called("platformAccountId", "other-105")
    await finds(answering(ofAccounts, gone), /other-105 is ACTIVE, whatever its bank said/u)
  })

  it("finds a budget that omits spending", async () => {
    const ofAgent = (method: string, path: string) => method === "GET" && path.startsWith("/agents/Agent:")
    const uncounted = answering(ofAgent, (reply) => withBody(reply, { usage: { monthlySpend: 0 } }))
    await finds(uncounted, /Agent:\S+ spent \d+, and 0 is counted/u)
  })

  it("finds unfinished work", async () => {
    await finds((pay) => {
      const { run } = pay
      Object.assign(pay, {
        run: async (...asked: Parameters<typeof run>) => {
          const answer: unknown = await run(...asked)
          return Array.isArray(answer) ? [{ kind: "transfer.push", state: "parked", dueAt: 0 }] : answer
        },
      })
    }, /a job is not done: transfer.push is parked/u)
  })

  it("finds a held action without an event, and a rejected one that was executed", async () => {
    const mine = (method: string, path: string) => method === "GET" && path.startsWith("/agents/me/actions?")
    const held = withData((data) => data.map((each) => ({ ...each, status: "PENDING_APPROVAL" })))
    await finds(answering(mine, held), /AgentAction:\S+ is held without an event/u)
    const rejected = withData((data) => data.map((each) => ({ ...each, status: "REJECTED" })))
    await finds(answering(mine, rejected), /AgentAction:\S+ was rejected and executed/u)
  })
})
