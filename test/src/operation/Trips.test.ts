/**
 * How often the operations that are called most go to the store: a table of trips and commits, by operation. A change of it is a change
 * of what each request costs.
 * Source: D-495.
 */
import { AgentPermissions } from "@countersign/core/models"
import { Store } from "@countersign/core/store"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import type { Reply, Send } from "../../../packages/test/src/harness/Harness.ts"
import { between } from "../../../packages/test/src/harness/QuoteHarness.ts"

interface Cost {
  /** Calls of the store that the request waits for, with its commits. */
  readonly trips: number
  readonly commits: number
}

/** Counts the calls of the store by the effects that make a trip to a database. */
const counting = () => {
  let cost: Cost = { trips: 0, commits: 0 }
  const count = (commits: number) =>
    Effect.sync(() => {
      cost = { trips: cost.trips + 1, commits: cost.commits + commits }
    })
  const layer = Layer.effect(
    Store,
    Effect.map(Store, (store) =>
      Store.of({
        ...store,
        read: (query) => Effect.andThen(count(0), store.read(query)),
        list: (kind, where, page) => Effect.andThen(count(0), store.list(kind, where, page)),
        resolve: (claim) => Effect.andThen(count(0), store.resolve(claim)),
        commit: (set) => Effect.andThen(count(1), store.commit(set)),
        history: (ref, latest) => Effect.andThen(count(0), store.history(ref, latest)),
        event: (id) => Effect.andThen(count(0), store.event(id)),
        events: (filter, page) => Effect.andThen(count(0), store.events(filter, page)),
        countJobs: (query) => Effect.andThen(count(0), store.countJobs(query)),
      }),
    ),
  )
  const costOf = async (request: () => Promise<unknown>): Promise<Cost> => {
    cost = { trips: 0, commits: 0 }
    await request()
    return cost
  }
  return { layer, costOf }
}

/** Trips and commits of a request whose credential an earlier request of the process had. */
const expected: { readonly [operation: string]: Cost } = {
  "agent: transfer-in": { trips: 2, commits: 1 },
  "agent: transfer-in, repeated key": { trips: 1, commits: 0 },
  "agent: transfer-out": { trips: 2, commits: 1 },
  "agent: action": { trips: 2, commits: 0 },
  "agent: transaction": { trips: 1, commits: 0 },
  "agent: internal accounts": { trips: 2, commits: 0 },
  "agent: quote": { trips: 2, commits: 1 },
  "agent: execution of a quote": { trips: 3, commits: 1 },
  "approval of a transfer": { trips: 3, commits: 1 },
  "rejection of a transfer": { trips: 2, commits: 1 },
  "transfer-in": { trips: 2, commits: 1 },
  "transfer-out": { trips: 2, commits: 1 },
  quote: { trips: 2, commits: 1 },
  "execution of a quote": { trips: 3, commits: 1 },
  "one quote": { trips: 1, commits: 0 },
  "one transaction": { trips: 1, commits: 0 },
  "one customer": { trips: 1, commits: 0 },
  "internal accounts": { trips: 2, commits: 0 },
  "new card": { trips: 2, commits: 1 },
  "one card": { trips: 1, commits: 0 },
  "sign-in to a wallet": { trips: 2, commits: 1 },
}

const bodyOf = ({ body, status }: Reply): { readonly [name: string]: unknown } => {
  if (status >= 400) throw new Error(`${status} ${JSON.stringify(body)}`)
  return Object(body)
}
const textOf = (reply: Reply, name: string): string => String(bodyOf(reply)[name])

describe("the trips of a request", () => {
  it("are those of the table", { timeout: 60_000 }, async () => {
    const { costOf, layer } = counting()
    const permissions = [...AgentPermissions.keys]
    await using pay = await agentHarness({ permissions }, { around: layer, tape: false })
    const { accountId, agentId, customerId, sources } = pay
    const agent: Pick<Send, "as"> = { as: { token: pay.accessToken } }
    const sourceId = sources["000"] ?? ""
    const measured: Record<string, Cost> = {}
    const measure = async (name: string, method: string, path: string, send: Send = {}) => {
      let reply: Reply | undefined
      measured[name] = await costOf(async () => {
        reply = await pay.send(method, path, send)
      })
      if (reply === undefined) throw new Error(`${name} was not sent`)
      bodyOf(reply)
      return reply
    }
    const fund = async (amount: number) => {
      bodyOf(await pay.send("POST", `/sandbox/internal-accounts/${accountId}/fund`, { body: { amount } }))
      await pay.settle()
    }

    const [internal, external] = [{ accountId }, { accountId: sourceId }]
    const pull = { source: external, destination: internal, amount: 100 }
    const push = { source: internal, destination: external, amount: 100 }
    const bought = { body: between(accountId, sourceId, 100) }
    await fund(10_000)

    // The first request of a credential finds out whose it is by a trip of its own.
    expect(await costOf(() => pay.send("POST", "/agents/me/transfer-in", { ...agent, body: pull }))).toEqual({
      trips: 3,
      commits: 1,
    })
    const keyed = { ...agent, body: pull, headers: { "idempotency-key": "pull" } }
    const submitted = await measure("agent: transfer-in", "POST", "/agents/me/transfer-in", keyed)
    await measure("agent: transfer-in, repeated key", "POST", "/agents/me/transfer-in", keyed)
    await measure("agent: transfer-out", "POST", "/agents/me/transfer-out", { ...agent, body: push })
    await measure("agent: action", "GET", `/agents/me/actions/${textOf(submitted, "id")}`, agent)
    const { transaction } = bodyOf(submitted)
    const transactionId = String(Object(transaction).id)
    await measure("agent: transaction", "GET", `/agents/me/transactions/${transactionId}`, agent)
    await measure("agent: internal accounts", "GET", "/agents/me/internal-accounts", agent)
    const own = await measure("agent: quote", "POST", "/agents/me/quotes", { ...agent, ...bought })
    const execution = `/agents/me/quotes/${textOf(own, "id")}/execute`
    await measure("agent: execution of a quote", "POST", execution, agent)

    bodyOf(
      await pay.send("PATCH", `/agents/${agentId}/policy`, { body: { defaultExecutionMode: "APPROVAL_REQUIRED" } }),
    )
    const held = async () => textOf(await pay.send("POST", "/agents/me/transfer-in", { ...agent, body: pull }), "id")
    const approved = `/agents/${agentId}/actions/${await held()}/approve`
    await measure("approval of a transfer", "POST", approved, { body: {} })
    const rejected = `/agents/${agentId}/actions/${await held()}/reject`
    await measure("rejection of a transfer", "POST", rejected, { body: {} })

    await measure("transfer-in", "POST", "/transfer-in", { body: pull })
    await measure("transfer-out", "POST", "/transfer-out", { body: push })
    const quote = await measure("quote", "POST", "/quotes", bought)
    const quotePath = `/quotes/${textOf(quote, "id")}`
    await measure("execution of a quote", "POST", `${quotePath}/execute`, { body: {} })
    await measure("one quote", "GET", quotePath)
    await measure("one transaction", "GET", `/transactions/${transactionId}`)
    await measure("one customer", "GET", `/customers/${customerId}`)
    await measure("internal accounts", "GET", `/customers/internal-accounts?customerId=${customerId}`)
    const card = await measure("new card", "POST", "/cards", {
      body: { cardholderId: customerId, form: "VIRTUAL", fundingSources: [accountId] },
    })
    await measure("one card", "GET", `/cards/${textOf(card, "id")}`)
    const device = await pay.device()
    await device.register("OAUTH")
    measured["sign-in to a wallet"] = await costOf(() => device.signIn("OAUTH"))

    expect(measured).toEqual(expected)
  })
})
