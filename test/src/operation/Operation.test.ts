/** The write path: idempotency keys, conflicts, rejections and unknown outcomes. architecture, "Load, ask, decide, commit". */
import { AgentActions, Agents } from "@countersign/core"
import { Store, StoreUnavailable } from "@countersign/core/store"
import { Effect, Layer, Result } from "effect"
import { describe, expect, it } from "vitest"
import * as Operation from "../../../packages/core/src/operation/Operation.ts"
import { type AgentWorld, addAgent, agentWorld, policy } from "../../../packages/test/src/harness/AgentWorld.ts"

const keyedSubmit = (
  pay: AgentWorld,
  key: string,
  amount: number,
  patch: Partial<Operation.Keyed> = {},
  as = pay.agent,
) => {
  const request = { sourceAccountId: pay.sources["000"] ?? "", destinationAccountId: pay.accountId, amount }
  const keyed: Operation.Keyed = { key, method: "POST", path: "/agents/me/transfer-in", body: { amount }, ...patch }
  return pay.run(Effect.result(AgentActions.use((actions) => actions.submitTransferIn(request, keyed))), as)
}

const succeeded = <A, E>(result: Result.Result<A, E>): A => Result.getOrThrow(result)
const refused = <A, E>(result: Result.Result<A, E>): E => Result.getOrThrow(Result.flip(result))

const count = async (pay: AgentWorld) =>
  (
    await pay.run(
      AgentActions.use((actions) => actions.mine({})),
      pay.agent,
    )
  ).totalCount

describe("an idempotency key", () => {
  it("replays the first response unchanged for 24 hours", async () => {
    await using pay = await agentWorld()
    const first = succeeded(await keyedSubmit(pay, "k", 5))
    await pay.clock.advance("86399 seconds")
    const again = succeeded(await keyedSubmit(pay, "k", 5))
    expect(again).toEqual({ ...first, replayed: true })
    expect(await count(pay)).toBe(1)
    await pay.clock.advance("1 second")
    const anew = succeeded(await keyedSubmit(pay, "k", 5))
    expect(anew.replayed).toBe(false)
    expect(anew.body.id).not.toBe(first.body.id)
  })

  it("replays a refusal even if the request would be allowed now", async () => {
    await using pay = await agentWorld({ spendingLimits: { currency: "USD", perTransactionLimit: 4 } })
    const first = refused(await keyedSubmit(pay, "k", 5))
    expect(first).toMatchObject({ code: "FORBIDDEN", replayed: false })
    await pay.run(
      Agents.use((agents) => agents.updatePolicy(pay.agentId, { spendingLimits: { perTransactionLimit: 9 } })),
    )
    const again = refused(await keyedSubmit(pay, "k", 5))
    expect(again).toMatchObject({ code: "FORBIDDEN", replayed: true })
    expect(again).toMatchObject({ message: (first as { message: string }).message })
    expect(succeeded(await keyedSubmit(pay, "other", 5)).body.status).toBe("APPROVED")
  })

  it("is rejected with another body and a reason", async () => {
    await using pay = await agentWorld()
    succeeded(await keyedSubmit(pay, "k", 5))
    expect(refused(await keyedSubmit(pay, "k", 6))).toMatchObject({
      code: "CONFLICT",
      details: { reason: "IDEMPOTENCY_KEY_REUSED" },
    })
    expect(await count(pay)).toBe(1)
  })

  it("applies to one caller, method and path", async () => {
    await using pay = await agentWorld()
    const { agent } = await addAgent(pay, pay.customerId, policy())
    const ids = [
      succeeded(await keyedSubmit(pay, "k", 5)).body.id,
      succeeded(await keyedSubmit(pay, "k", 5, { path: "/agents/me/transfer-out" })).body.id,
      succeeded(await keyedSubmit(pay, "k", 5, { method: "PUT" })).body.id,
      succeeded(await keyedSubmit(pay, "k", 5, {}, agent)).body.id,
    ]
    expect(new Set(ids).size).toBe(4)
  })

  it("executes concurrent requests once and gives them the same response", async () => {
    await using pay = await agentWorld({}, { interleave: 11 })
    const results = await Promise.all(Array.from({ length: 20 }, () => keyedSubmit(pay, "k", 5)))
    const answers = results.map(succeeded)
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1)
    expect(await count(pay)).toBe(1)
    await pay.settle()
    expect(pay.inbox.ofType("INCOMING_PAYMENT.COMPLETED")).toHaveLength(1)
  })
})

/** Returns a store whose first `times` commits are applied but have no answer. */
const losingAnswers = (times: number) =>
  Layer.effect(
    Store,
    Effect.gen(function* () {
      const store = yield* Store
      let remaining = times
      return Store.of({
        ...store,
        commit: (set) =>
          Effect.flatMap(store.commit(set), (outcome) => {
            if (remaining <= 0) return Effect.succeed(outcome)
            remaining -= 1
            return Effect.fail(new StoreUnavailable({ unknown: true, cause: "the connection broke" }))
          }),
      })
    }),
  )

describe("a commit whose outcome is unknown", () => {
  const submit = (pay: AgentWorld, times: number) =>
    pay.run(
      Effect.result(
        AgentActions.use((actions) =>
          actions.submitTransferIn({
            sourceAccountId: pay.sources["000"] ?? "",
            destinationAccountId: pay.accountId,
            amount: 5,
          }),
        ).pipe(
          Effect.provide(Layer.fresh(AgentActions.layer).pipe(Layer.provide(losingAnswers(times))), { local: true }),
        ),
      ),
      pay.agent,
    )

  it("is sent again and applied once", async () => {
    await using pay = await agentWorld()
    expect(succeeded(await submit(pay, 3)).body.status).toBe("APPROVED")
    expect(await count(pay)).toBe(1)
    const { usage } = await pay.run(Agents.use((agents) => agents.get(pay.agentId)))
    expect(usage).toMatchObject({ dailySpend: 5, dailyTransactionCount: 1 })
  })

  it("fails as unknown if it stays unknown, and is not decided twice", async () => {
    await using pay = await agentWorld()
    expect(refused(await submit(pay, 1000))).toMatchObject({ _tag: "StoreUnavailable", unknown: true })
    expect(await count(pay)).toBe(1)
  })
})

describe("an operation", () => {
  const attempts = (decide: (attempt: number) => Operation.Decision<number>) => {
    let attempt = 0
    return Operation.run({
      name: "test",
      load: () => Effect.void,
      decide: () => {
        attempt += 1
        return decide(attempt)
      },
    })
  }
  const conflicting = {
    guards: [{ kind: "Agent", id: "Agent:none", version: 1 }],
    counters: [{ key: "x", delta: 1 }],
  } as const

  it("passes the loaded data to ask, and both to decide", async () => {
    await using pay = await agentWorld()
    const { body } = await pay.run(
      Operation.run({
        name: "test",
        load: () => Effect.succeed({ loaded: 1 }),
        ask: ({ loaded }) => Effect.succeed({ asked: loaded + 1 }),
        decide: ({ asked, loaded }) => Operation.answer(200, { asked, loaded }),
      }),
    )
    expect(body).toEqual({ asked: 2, loaded: 1 })
  })

  it("loads again if a read has learned that business time was advanced, and decides on what it loads then", async () => {
    let ahead = 0
    let advancedBy = 0
    const around = Layer.effect(
      Store,
      Effect.map(Store, (store) =>
        Store.of({
          ...store,
          aheadMillis: () => ahead,
          read: (query) =>
            Effect.tap(store.read(query), () =>
              Effect.sync(() => {
                ahead += advancedBy
                advancedBy = 0
              }),
            ),
        }),
      ),
    )
    await using pay = await agentWorld({}, { around })
    const loads: Array<number> = []
    const decided = () =>
      pay.run(
        Operation.run({
          name: "test",
          load: (read) =>
            Effect.gen(function* () {
              // A load chooses counters by the time at its beginning.
              const chosenAt = ahead
              loads.push(chosenAt)
              yield* read({})
              return { chosenAt }
            }),
          decide: ({ chosenAt }) => Operation.answer(200, chosenAt),
        }),
      )
    expect((await decided()).body).toBe(0)
    advancedBy = 86_400_000
    expect((await decided()).body).toBe(86_400_000)
    expect((await decided()).body).toBe(86_400_000)
    expect(loads).toEqual([0, 0, 86_400_000, 86_400_000])
  })

  it("calls no port when the key has a stored response", async () => {
    await using pay = await agentWorld()
    const keyed: Operation.Keyed = { key: "k", method: "POST", path: "/test", body: {} }
    let asks = 0
    const once = () =>
      pay.run(
        Operation.run({
          name: "test",
          keyed,
          load: (read) => read({}),
          ask: () =>
            Effect.sync(() => {
              asks += 1
              return {}
            }),
          decide: () => Operation.answer(200, "answer"),
        }),
      )
    expect(await once()).toMatchObject({ body: "answer", replayed: false })
    expect(await once()).toMatchObject({ body: "answer", replayed: true })
    expect(asks).toBe(1)
  })

  it("decides again after each conflict with the same identifiers", async () => {
    await using pay = await agentWorld()
    const generated: Array<string> = []
    const result = await pay.run(
      Operation.run({
        name: "test",
        load: () => Effect.void,
        decide: (_loaded, { ids }) => {
          generated.push(ids("Request"))
          return Operation.answer(200, generated.length, generated.length < 10 ? conflicting : {})
        },
      }),
    )
    expect(result.body).toBe(10)
    expect(new Set(generated).size).toBe(1)
  })

  it("fails with 503 when the conflicts never end", async () => {
    await using pay = await agentWorld()
    const error = await pay.run(Effect.flip(attempts(() => Operation.answer(200, 0, conflicting))))
    expect(error).toMatchObject({ code: "SERVICE_UNAVAILABLE" })
  })

  it("passes the violated bound to decide, which chooses the refusal", async () => {
    await using pay = await agentWorld()
    const error = await pay.run(
      Effect.flip(
        Operation.run({
          name: "test",
          load: () => Effect.void,
          decide: (_loaded, { rejections }) =>
            rejections.some((rejection) => rejection._tag === "Bound" && rejection.bound._tag === "Counter")
              ? Operation.refuse({ code: "FORBIDDEN", message: "enough" })
              : Operation.answer(200, null, { counters: [{ key: "x", delta: 2, max: 1 }] }),
        }),
      ),
    )
    expect(error).toMatchObject({ code: "FORBIDDEN" })
  })
})
