/**
 * The books of a platform over HTTP: its trial balance, the entries of a ledger account, and the transfers of a transaction.
 * Source: D-454.
 */
import { PlatformBooks, Platforms } from "@countersign/core"
import type {
  LedgerAccountListResponse,
  LedgerEntryListResponse,
  LedgerTransfersResponse,
  TrialBalanceResponse,
} from "@countersign/core/models"
import { Effect, Redacted } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import type { Harness } from "../../../packages/test/src/harness/Harness.ts"
import { fund, pullFrom, pushTo } from "../../../packages/test/src/harness/TransferCalls.ts"

const read = async <A>(pay: Harness, path: string): Promise<A> => {
  const reply = await pay.send("GET", `/operator/books/${path}`)
  expect([path, reply.status]).toEqual([path, 200])
  return reply.body as A
}
const trialBalance = (pay: Harness) => read<TrialBalanceResponse>(pay, "trial-balance")
const entries = (pay: Harness, account: string, query = "") =>
  read<LedgerEntryListResponse>(pay, `accounts/${encodeURIComponent(account)}/entries${query}`)
const transfers = (pay: Harness, reference: string) => read<LedgerTransfersResponse>(pay, `transfers/${reference}`)

/** All entries of an account, in pages of three. */
const allEntries = async (pay: Harness, account: string) => {
  const found: Array<LedgerEntryListResponse["data"][number]> = []
  for (let query = "?limit=3"; ; ) {
    const page = await entries(pay, account, query)
    found.push(...page.data)
    if (page.nextCursor === undefined) return found
    query = `?limit=3&cursor=${page.nextCursor}`
  }
}

/** The path of an account of another platform, as that platform may read it. */
const other = async (pay: Harness) => {
  const credentials = { clientId: "other", clientSecret: Redacted.make("other-secret"), name: "Other", currencies: [] }
  await pay.run(Platforms.use((platforms) => platforms.setUp(credentials)))
  const headers = { authorization: `Basic ${btoa("other:other-secret")}` }
  return (path: string) => pay.send("GET", `/operator/books/${path}`, { as: "nobody", headers })
}

describe("the books of a platform", () => {
  it("are empty before money has moved", async () => {
    await using pay = await agentHarness()
    const { data } = await trialBalance(pay)
    expect(data.map(({ debitBalance, isBalanced }) => [debitBalance, isBalanced])).toEqual(data.map(() => ["0", true]))
    expect(data.flatMap(({ lines }) => lines).every(({ entries: count }) => count === 0)).toBe(true)
  })

  it("have a trial balance by currency and role", async () => {
    await using pay = await agentHarness({}, { suffixes: ["000"] })
    await fund(pay, 1000)
    await pushTo(pay, "000", { amount: 400 })
    const before = await trialBalance(pay)
    const dollars = ({ data }: TrialBalanceResponse) => data.find(({ currency }) => currency.code === "USD")
    const roles = (all: TrialBalanceResponse) =>
      (dollars(all)?.lines ?? [])
        .filter(({ entries: count }) => count > 0)
        .map(({ creditBalance, debitBalance, role }) => [role, debitBalance, creditBalance])
    expect(roles(before)).toEqual([
      ["available", "0", "600"],
      ["held", "0", "400"],
      ["outside", "1000", "0"],
    ])
    expect(dollars(before)).toMatchObject({
      currency: { code: "USD", decimals: 2 },
      debitBalance: "1000",
      creditBalance: "1000",
      isBalanced: true,
    })
    expect(before.asOf).toBe("2026-11-21T12:00:00Z")
    await pay.settle()
    expect(roles(await trialBalance(pay))).toEqual([
      ["available", "0", "600"],
      ["held", "0", "0"],
      ["outside", "600", "0"],
      ["transit", "0", "0"],
    ])
    for (const { meaning } of dollars(before)?.lines ?? []) expect(meaning).toMatch(/\.$/u)
  })

  it("show the entries of an account newest first, and the transfers of a transaction in order", async () => {
    await using pay = await agentHarness({}, { suffixes: ["000"] })
    await fund(pay, 1000)
    const { id } = await pushTo(pay, "000", { amount: 400 })
    await pay.settle()
    const account = `available:${pay.accountId}`
    const shown = await entries(pay, account)
    expect(shown).toMatchObject({
      ledgerAccount: account,
      role: "available",
      customerId: pay.customerId,
      currency: { code: "USD" },
      balance: 600,
      totalCount: 2,
      hasMore: false,
      data: [
        { sequence: 2, amount: -400, balanceAfter: 600, counterAccount: `held:${pay.accountId}`, reference: id },
        { sequence: 1, amount: 1000, balanceAfter: 1000, counterAccount: `outside:${pay.customerId}:USD` },
      ],
    })
    const moved = await transfers(pay, id)
    expect(moved.reference).toBe(id)
    expect(moved.data.map(({ amount, from, to }) => [from.role, to.role, amount])).toEqual([
      ["available", "held", 400],
      ["held", "transit", 400],
      ["transit", "outside", 400],
    ])
    expect(moved.data[0]).toMatchObject({
      currency: { code: "USD" },
      from: { ledgerAccount: account, sequence: 2, balanceAfter: 600 },
      to: { ledgerAccount: `held:${pay.accountId}`, sequence: 1, balanceAfter: 400 },
    })
  })

  it("do not exist for another platform, nor for an agent", async () => {
    await using pay = await agentHarness({}, { suffixes: ["000"] })
    await fund(pay, 1000)
    const { id } = await pushTo(pay, "000", { amount: 400 })
    const asOther = await other(pay)
    const account = encodeURIComponent(`available:${pay.accountId}`)
    const unknown = encodeURIComponent(`available:${pay.customerId}`)
    const theirs = await asOther(`accounts/${account}/entries`)
    expect(theirs).toMatchObject({ status: 404, body: { code: "REFERENCE_NOT_FOUND" } })
    expect(await asOther(`accounts/${unknown}/entries`)).toMatchObject({ status: 404, body: theirs.body })
    expect((await asOther(`transfers/${id}`)).status).toBe(404)
    expect((await asOther("trial-balance")).body).toMatchObject({ data: [] })
    expect((await pay.send("GET", `/operator/books/accounts/${unknown}/entries`)).status).toBe(404)
    expect((await pay.send("GET", "/operator/books/transfers/Transaction:none")).status).toBe(404)
    for (const path of ["trial-balance", `accounts/${account}/entries`, `transfers/${id}`]) {
      expect((await pay.send("GET", `/operator/books/${path}`, { as: { token: pay.accessToken } })).status).toBe(401)
    }
  })

  it("are closed to an agent of an embedding program, too", async () => {
    await using pay = await agentHarness()
    const reads = [
      PlatformBooks.use((books) => Effect.asVoid(books.trialBalance)),
      PlatformBooks.use((books) => Effect.asVoid(books.accounts({}))),
      PlatformBooks.use((books) => Effect.asVoid(books.entries(`available:${pay.accountId}`, {}))),
      PlatformBooks.use((books) => Effect.asVoid(books.transfers("Transaction:none"))),
    ]
    for (const read of reads) {
      expect(await pay.run(Effect.flip(read), pay.agent)).toMatchObject({ code: "FORBIDDEN" })
    }
  })

  it("list the ledger accounts that have entries, in pages, by role and currency", async () => {
    await using pay = await agentHarness({}, { suffixes: ["000"] })
    await fund(pay, 1000)
    await pushTo(pay, "000", { amount: 400 })
    const list = (query: string) => read<LedgerAccountListResponse>(pay, `accounts${query}`)
    const first = await list("?limit=2")
    expect(first.data).toMatchObject([
      { ledgerAccount: `available:${pay.accountId}`, role: "available", balance: 600, entries: 2 },
      { ledgerAccount: `held:${pay.accountId}`, customerId: pay.customerId, currency: { code: "USD" }, balance: 400 },
    ])
    const second = await list(`?limit=2&cursor=${first.nextCursor}`)
    expect(second).toMatchObject({ hasMore: false, data: [{ role: "outside", balance: -1000 }] })
    expect((await list("?role=held&currency=USD")).data).toHaveLength(1)
    expect((await list("?currency=EUR")).data).toEqual([])
    const asOther = await other(pay)
    expect((await asOther("accounts")).body).toEqual({ data: [], hasMore: false })
    // The cursor belongs to the list without filters.
    expect((await pay.send("GET", `/operator/books/accounts?role=held&cursor=${first.nextCursor}`)).status).toBe(400)
  })

  it("reject a cursor of another account", async () => {
    await using pay = await agentHarness()
    await fund(pay, 10)
    await fund(pay, 20)
    const { nextCursor } = await entries(pay, `available:${pay.accountId}`, "?limit=1")
    expect(nextCursor).toBeDefined()
    const outside = encodeURIComponent(`outside:${pay.customerId}:USD`)
    const path = `/operator/books/accounts/${outside}/entries?cursor=${nextCursor}`
    expect(await pay.send("GET", path)).toMatchObject({ status: 400, body: { code: "INVALID_INPUT" } })
  })

  it("balance after any movements, and the entries of each account sum to its balance", async () => {
    const suffixes = ["000", "001", "002", "003", "004", "005"]
    const step = fc.record({
      does: fc.constantFrom("fund", "pull", "push", "advance"),
      suffix: fc.constantFrom(...suffixes),
      amount: fc.integer({ min: 1, max: 500 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        await using pay = await agentHarness({}, { suffixes, tape: false })
        for (const { amount, does, suffix } of steps) {
          if (does === "fund") await fund(pay, amount)
          // What the account does not have is refused, and moves nothing.
          if (does === "push") await pushTo(pay, suffix, { amount }).catch(() => undefined)
          if (does === "pull") await pullFrom(pay, suffix, amount).catch(() => undefined)
          if (does === "advance") await pay.clock.advance("1 minute")
        }
        await pay.settle()
        const { data } = await trialBalance(pay)
        const owned = ["outside", "transit", "receivable"].map((role) => `${role}:${pay.customerId}:USD`)
        const accounts = [`available:${pay.accountId}`, `held:${pay.accountId}`, ...owned]
        const counted: Array<bigint> = []
        for (const account of accounts) {
          const reply = await pay.send("GET", `/operator/books/accounts/${encodeURIComponent(account)}/entries`)
          if (reply.status === 404) continue
          const { balance, totalCount } = reply.body as LedgerEntryListResponse
          const all = await allEntries(pay, account)
          expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, n) => totalCount - n))
          expect(all.reduce((total, { amount }) => total + amount, 0)).toBe(balance)
          for (const [n, { amount, balanceAfter }] of all.entries()) {
            expect(balanceAfter - amount).toBe(all[n + 1]?.balanceAfter ?? 0)
          }
          for (const { amount, counterAccount, reference } of all) {
            const [from, to] = amount < 0 ? [account, counterAccount] : [counterAccount, account]
            expect(
              (await transfers(pay, reference)).data.some(
                (each) =>
                  each.from.ledgerAccount === from && each.to.ledgerAccount === to && each.amount === Math.abs(amount),
              ),
            ).toBe(true)
          }
          counted.push(BigInt(balance))
        }
        const dollars = data.find(({ currency }) => currency.code === "USD")
        expect(dollars?.isBalanced).toBe(true)
        expect(counted.reduce((total, balance) => total + balance, 0n)).toBe(0n)
        const credit = counted.reduce((total, balance) => (balance > 0n ? total + balance : total), 0n)
        expect(dollars?.creditBalance).toBe(String(credit))
      }),
      { numRuns: 12 },
    )
  })
})
