/**
 * Sign-ins that the first read of a request confirms: whatever has happened to the credential since an earlier request, the answer is that
 * of a sign-in before the request, and nothing is committed for a caller who is refused.
 * Source: D-495.
 */
import { AgentPermissions } from "@countersign/core/models"
import { type ReadQuery, Store } from "@countersign/core/store"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import * as KnownCallers from "../../../packages/core/src/operation/KnownCallers.ts"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import type { Reply } from "../../../packages/test/src/harness/Harness.ts"

const noBearer = /^Bearer$/u

/** A service whose agent has sent a transfer, with the calls of the store since then. */
const signedIn = async () => {
  const calls: Array<string> = []
  const queries: Array<ReadQuery> = []
  let ahead: number | undefined
  const around = Layer.effect(
    Store,
    Effect.map(Store, (store) => {
      const note = (call: string) => Effect.sync(() => void calls.push(call))
      return Store.of({
        ...store,
        read: (query) =>
          Effect.suspend(() => {
            queries.push(query)
            if (query.holder !== undefined && ahead !== undefined) ahead = 5
            return Effect.andThen(note("read"), store.read(query))
          }),
        resolve: (claim) => Effect.andThen(note("resolve"), store.resolve(claim)),
        commit: (set) => Effect.andThen(note("commit"), store.commit(set)),
        aheadMillis: () => ahead ?? store.aheadMillis(),
      })
    }),
  )
  const pay = await agentHarness({ permissions: [...AgentPermissions.keys] }, { around, tape: false })
  const body = {
    source: { accountId: pay.sources["000"] },
    destination: { accountId: pay.accountId },
    amount: 100,
  }
  const agent = { token: pay.accessToken }
  const pull = (key?: string, sent: unknown = body): Promise<Reply> =>
    pay.send("POST", "/agents/me/transfer-in", {
      as: agent,
      body: sent,
      headers: key === undefined ? {} : { "idempotency-key": key },
    })
  const first = await pull("first")
  if (first.status !== 201) throw new Error(`the first transfer was answered with ${first.status}`)
  const patchPolicy = (policy: object) => pay.send("PATCH", `/agents/${pay.agentId}/policy`, { body: policy })
  const patch = (change: object) => pay.send("PATCH", `/agents/${pay.agentId}`, { body: change })
  const callsOf = async (request: () => Promise<Reply>) => {
    calls.length = 0
    queries.length = 0
    const reply = await request()
    return { reply, calls: [...calls], queries: [...queries] }
  }
  const advanceElsewhere = () => {
    ahead = 0
  }
  return Object.assign(pay, { first, pull, patch, patchPolicy, callsOf, agentSender: agent, advanceElsewhere })
}

describe("an agent that an earlier request has signed in", () => {
  it("is confirmed by the read that loads, which reads its record once", async () => {
    await using pay = await signedIn()
    const { calls, queries, reply } = await pay.callsOf(() => pay.pull("second"))
    expect([reply.status, calls]).toEqual([201, ["read", "commit"]])
    const [query] = queries
    expect(query?.holder).toMatch(/^agent-token:/u)
    expect(query?.replay).toBeDefined()
    expect(query?.records?.map(({ kind }) => kind).toSorted()).toEqual([
      "Customer",
      "ExternalAccount",
      "InternalAccount",
    ])
  })

  it("is refused once its token is replaced, and nothing is committed", async () => {
    await using pay = await signedIn()
    expect((await pay.send("POST", `/agents/${pay.agentId}/token`, { body: { overlapSeconds: 0 } })).status).toBe(201)
    const { calls, reply } = await pay.callsOf(() => pay.pull("second"))
    expect(calls).toEqual(["read"])
    expect(reply).toMatchObject({ status: 401, body: { reason: "Invalid agent token" } })
    expect(reply.headers.get("www-authenticate")).toMatch(noBearer)
    // From now on the token is one that no earlier request had.
    expect((await pay.callsOf(() => pay.pull("second"))).calls).toEqual(["resolve"])
  })

  it("receives no stored answer with a token that is not valid any more", async () => {
    await using pay = await signedIn()
    await pay.send("DELETE", `/agents/${pay.agentId}`)
    expect((await pay.pull("first")).status).toBe(401)
  })

  it.each([
    ["a body that does not decode", { amount: "much" }],
    [
      "accounts that do not exist",
      { source: { accountId: "ExternalAccount:0" }, destination: { accountId: "x" }, amount: 1 },
    ],
  ])("is refused before %s is", async (_what, body) => {
    await using pay = await signedIn()
    const before = await pay.pull(undefined, body)
    expect(before.status).toBeGreaterThanOrEqual(400)
    expect(before.status).not.toBe(401)
    await pay.send("DELETE", `/agents/${pay.agentId}`)
    expect((await pay.pull(undefined, body)).status).toBe(401)
  })

  it("is refused while it is paused, except for the stored answer of its key", async () => {
    await using pay = await signedIn()
    await pay.patch({ isPaused: true })
    const refused = await pay.callsOf(() => pay.pull("second"))
    expect(refused.reply).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } })
    expect(refused.calls).not.toContain("commit")
    const replayed = await pay.pull("first")
    expect([replayed.status, replayed.body]).toEqual([201, pay.first.body])
    expect(replayed.headers.get("idempotency-replayed")).toBe("true")
    expect((await pay.pull("first", { amount: "much" })).status).toBe(400)
    await pay.patch({ isPaused: false })
    expect((await pay.pull("second")).status).toBe(201)
  })

  it("is refused without the permission, also before its body is checked", async () => {
    await using pay = await signedIn()
    await pay.patchPolicy({ permissions: ["VIEW_TRANSACTIONS"] })
    const expected = { status: 403, body: { details: { permission: "CREATE_TRANSFERS" } } }
    expect(await pay.pull(undefined, { amount: "much" })).toMatchObject(expected)
    expect(await pay.pull()).toMatchObject(expected)
  })

  it("sees nothing of a lists' records once its token is not valid", async () => {
    await using pay = await signedIn()
    const list = () => pay.send("GET", "/agents/me/internal-accounts", { as: pay.agentSender })
    expect((await list()).status).toBe(200)
    await pay.send("DELETE", `/agents/${pay.agentId}`)
    expect(await list()).toMatchObject({ status: 401, body: { code: "UNAUTHORIZED" } })
  })

  it("loads again if the trip learned that another process has advanced business time", async () => {
    await using pay = await signedIn()
    pay.advanceElsewhere()
    const { calls, reply } = await pay.callsOf(() => pay.pull("second"))
    expect([reply.status, calls]).toEqual([201, ["read", "read", "commit"]])
  })
})

describe("an API token that an earlier request has signed in", () => {
  const withToken = async () => {
    const pay = await signedIn()
    const body = { name: "Reader", permissions: ["VIEW"] }
    const created = (await pay.send("POST", "/tokens", { body })).body as {
      readonly id: string
      readonly clientId: string
      readonly clientSecret: string
    }
    const basic = (secret: string) => `Basic ${btoa(`${created.clientId}:${secret}`)}`
    const customer = (secret = created.clientSecret, id = pay.customerId) =>
      pay.send("GET", `/customers/${id}`, { as: "nobody", headers: { authorization: basic(secret) } })
    expect((await customer()).status).toBe(200)
    const approve = () =>
      pay.send("POST", `/agents/${pay.agentId}/actions/x/approve`, {
        as: "nobody",
        headers: { authorization: basic(created.clientSecret) },
        body: {},
      })
    return Object.assign(pay, { tokenId: created.id, customer, approve })
  }

  it("is confirmed by the read of the record", async () => {
    await using pay = await withToken()
    const { calls, reply } = await pay.callsOf(() => pay.customer())
    expect([reply.status, calls]).toEqual([200, ["read"]])
  })

  it("is refused with a wrong secret as if it were unknown", async () => {
    await using pay = await withToken()
    const { calls, reply } = await pay.callsOf(() => pay.customer("secret_wrong"))
    expect(reply).toMatchObject({ status: 401, body: { reason: "Invalid credentials" } })
    expect(reply.headers.get("www-authenticate")).toMatch(/^Basic realm="/u)
    expect(calls).toEqual(["resolve"])
    expect((await pay.callsOf(() => pay.customer())).calls).toEqual(["read"])
  })

  it("is refused once it is deleted, whether or not the record exists", async () => {
    await using pay = await withToken()
    expect((await pay.send("DELETE", `/tokens/${pay.tokenId}`)).status).toBe(204)
    expect((await pay.customer()).status).toBe(401)
    expect((await pay.customer(undefined, "Customer:00000000-0000-4000-8000-000000000001")).status).toBe(401)
  })

  it("is refused without the permission", async () => {
    await using pay = await withToken()
    expect(await pay.approve()).toMatchObject({ status: 403, body: { details: { permission: "TRANSACT" } } })
  })
})

describe("the known callers", () => {
  const caller = { _tag: "Agent", platformId: "P", customerId: "C", agentId: "A", budget: "USD.0" } as const
  const known = (version: number, generation = 0) => ({ caller, record: { id: "A", version }, generation })

  it("are those of the present state of the store", () => {
    const callers = KnownCallers.make()
    callers.remember("token", known(1))
    expect(callers.find("token", 0)).toEqual(known(1))
    expect(callers.find("token", 1)).toBeUndefined()
    callers.remember("token", known(1, 1))
    expect(callers.find("token", 1)).toEqual(known(1, 1))
  })

  it("have the record as it was confirmed last, until they are forgotten", () => {
    const callers = KnownCallers.make()
    callers.remember("token", known(1))
    callers.remember("token", known(2))
    expect(callers.find("token", 0)?.record.version).toBe(2)
    callers.forget("token")
    expect(callers.find("token", 0)).toBeUndefined()
  })

  it("keep what was confirmed first of one version of one record, and take another record of the same version", () => {
    const callers = KnownCallers.make()
    const first = known(1)
    callers.remember("token", first)
    callers.remember("token", known(1))
    expect(callers.find("token", 0)).toBe(first)
    callers.remember("token", { ...first, record: { id: "B", version: 1 } })
    expect(callers.find("token", 0)?.record.id).toBe("B")
  })

  it("are bounded: the first one makes room", () => {
    const callers = KnownCallers.make()
    for (let index = 0; index <= 10_000; index++) callers.remember(`token ${index}`, known(1))
    expect(callers.find("token 0", 0)).toBeUndefined()
    expect([callers.find("token 1", 0), callers.find("token 10000", 0)]).toEqual([known(1), known(1)])
  })
})
