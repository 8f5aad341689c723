/**
 * What an operation asks once, what of an attempt the next one knows, and which answers an idempotency key keeps, for how long and for which
 * requests.
 * Source: wire contract 0.4 and 11 (1); D-322.
 */
import { tenant } from "@countersign/core"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import * as Decision from "../../../packages/core/src/decision/Decision.ts"
import { AskedAnswers, askOnce } from "../../../packages/core/src/operation/AskedAnswers.ts"
import * as Idempotency from "../../../packages/core/src/operation/Idempotency.ts"

describe("a question of an operation", () => {
  const asking = () => {
    let asked = 0
    return Effect.sync(() => {
      asked += 1
      return asked
    })
  }

  it("is asked once, and each question has its own answer", async () => {
    const [first, second] = [asking(), asking()]
    const answers = Effect.all([askOnce("a", first), askOnce("a", first), askOnce("b", second), askOnce("a", first)])
    const known = new Map<string, unknown>()
    expect(await Effect.runPromise(Effect.provideService(answers, AskedAnswers, known))).toEqual([1, 1, 1, 1])
    expect([...known]).toEqual([
      ["a", 1],
      ["b", 1],
    ])
  })

  it("is asked each time outside of an operation, and again after a failure", async () => {
    const question = asking()
    expect(await Effect.runPromise(Effect.all([askOnce("a", question), askOnce("a", question)]))).toEqual([1, 2])
    const failing = Effect.flatMap(question, (count) => (count === 3 ? Effect.fail("no") : Effect.succeed(count)))
    const twice = Effect.all([Effect.flip(askOnce("a", failing)), askOnce("a", failing)])
    expect(await Effect.runPromise(Effect.provideService(twice, AskedAnswers, new Map()))).toEqual(["no", 4])
  })

  it("may have the answer undefined", async () => {
    let asked = 0
    const nothing = Effect.sync(() => {
      asked += 1
    })
    const twice = Effect.all([askOnce("a", nothing), askOnce("a", nothing)])
    await Effect.runPromise(Effect.provideService(twice, AskedAnswers, new Map()))
    expect(asked).toBe(1)
  })
})

describe("the rejections of earlier attempts", () => {
  const counter = (key: string) => ({ _tag: "Bound", bound: { _tag: "Counter", key, max: 1 } }) as never
  const others = [
    { _tag: "Taken", claim: { key: "a" } },
    { _tag: "Bound", bound: { _tag: "Floor", account: "a", key: "a" } },
  ] as never

  it("say which counter has reached its maximum", () => {
    expect(Decision.hasReached([], "a")).toBe(false)
    expect(Decision.hasReached(others, "a")).toBe(false)
    expect(Decision.hasReached([counter("b")], "a")).toBe(false)
    expect(Decision.hasReached([counter("b"), counter("a")], "a")).toBe(true)
  })

  it("exceed the volume of a day only by its counters", () => {
    expect(Decision.exceededVolume({ now: 0, rejections: [] })).toBeUndefined()
    expect(Decision.exceededVolume({ now: 0, rejections: others })).toBeUndefined()
    expect(Decision.exceededVolume({ now: 0, rejections: [counter("spend:x")] })).toBeUndefined()
  })
})

describe("a decision", () => {
  it("has no changes and no placeholders unless it names them", () => {
    expect(Decision.answer(201, "a")).toEqual({ _tag: "Answer", status: 201, body: "a", placeholders: [], changes: {} })
    expect(Decision.interim("a")).toEqual({ _tag: "Answer", status: 202, body: "a", changes: {}, isInterim: true })
    const refusal = { code: "CONFLICT", message: "no" } as const
    expect(Decision.refuse(refusal)).toEqual({ _tag: "Refuse", refusal, changes: {} })
    const changes = { counters: [{ key: "a", delta: 1 }] }
    expect([Decision.interim("a", changes).changes, Decision.refuse(refusal, changes).changes]).toEqual([
      changes,
      changes,
    ])
  })
})

describe("the answer of an idempotency key", () => {
  it.each([
    [200, true],
    [201, true],
    [400, true],
    [401, false],
    [403, true],
    [404, true],
    [409, true],
    [428, true],
    [429, false],
    [430, true],
    [499, true],
    [500, false],
    [503, false],
  ])("of status %i is stored or not", (status, isStored) => {
    expect(Idempotency.isStored(status)).toBe(isStored)
  })

  it("is stored for 24 hours, or for as long as the operation says", () => {
    expect(Idempotency.expiryAt(5)).toBe(86_400_005)
    expect(Idempotency.expiryAt(5, {})).toBe(86_400_005)
    expect(Idempotency.expiryAt(5, { keptMillis: 7 })).toBe(12)
  })

  it("belongs to one caller, method, path and key, and its fingerprint to the body", () => {
    const keyed = { key: "k", method: "POST", path: "/x", body: { a: 1, b: 2 } }
    const agent = { _tag: "Agent", agentId: "Agent:a", platformId: "p", customerId: "c", budget: "" } as const
    const first = Idempotency.replayKeyOf(tenant("p"), keyed)
    expect(Idempotency.replayKeyOf(tenant("p"), { ...keyed, body: { b: 2, a: 1 } })).toEqual(first)
    expect(Idempotency.replayKeyOf({ ...tenant("p"), tokenId: "t" }, keyed)).toEqual(first)
    const keys = [
      Idempotency.replayKeyOf(tenant("q"), keyed),
      Idempotency.replayKeyOf(agent, keyed),
      Idempotency.replayKeyOf({ ...agent, agentId: "Agent:b" }, keyed),
      Idempotency.replayKeyOf(tenant("p"), { ...keyed, key: "l" }),
      Idempotency.replayKeyOf(tenant("p"), { ...keyed, method: "PUT" }),
      Idempotency.replayKeyOf(tenant("p"), { ...keyed, path: "/y" }),
      first,
    ]
    expect(new Set(keys.map(({ key }) => key)).size).toBe(keys.length)
    const other = Idempotency.replayKeyOf(tenant("p"), { ...keyed, body: { a: 2, b: 2 } })
    expect([other.key === first.key, other.fingerprint === first.fingerprint]).toEqual([true, false])
    const without = Idempotency.replayKeyOf(tenant("p"), { ...keyed, body: undefined })
    expect(without).toEqual(Idempotency.replayKeyOf(tenant("p"), { ...keyed, body: {} }))
  })
})
