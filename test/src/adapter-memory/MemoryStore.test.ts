/**
 * The memory adapter conforms to the `Store` port, and its books always balance.
 * Source: architecture, "The Store port" (Memory, Ledger).
 */
import { MemoryStore } from "@countersign/adapter-memory"
import { WallTime } from "@countersign/core/ports"
import { assert, it } from "@effect/vitest"
import { Arbitrary, Effect, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import type * as CanonicalJson from "../../../packages/core/src/foundation/kit/CanonicalJson.ts"
import { changeSet, replayRecord } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { account, job, transfer } from "../../../packages/test/src/conformance/Examples.ts"
import { storeConformance } from "../../../packages/test/src/conformance/index.ts"
import { commit, committed, dies, replay } from "../../../packages/test/src/conformance/Suite.ts"

const Memory = Layer.provide(MemoryStore.layer, WallTime.layerClock)

storeConformance("memory", Memory)

const names = ["outside:USD", "a:USD", "b:USD", "outside:EUR", "a:EUR"] as const
const Transfer = Schema.Struct({
  from: Schema.Literals(names),
  to: Schema.Literals(names),
  amount: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 50 })),
})
const sets = Arbitrary.array(Arbitrary.array(Arbitrary.schema(Transfer), { minLength: 1, maxLength: 3 }), {
  maxLength: 30,
})
const currencyOf = (name: string) => (name.endsWith("EUR") ? "EUR" : "USD")

it.effect.prop(
  "the entries of every currency add up to nothing, and those of an account to its balance",
  { sets },
  ({ sets }) =>
    Effect.gen(function* () {
      const memory = yield* MemoryStore
      yield* committed(
        changeSet({
          ledgerAccounts: names.map((name) =>
            account(name, { currency: currencyOf(name), floor: name.startsWith("outside") ? null : 0 }),
          ),
        }),
      )
      for (const set of sets) {
        const transfers = set
          .filter(({ from, to }) => from !== to && currencyOf(from) === currencyOf(to))
          .map(({ amount, from, to }) => transfer(from, to, amount, currencyOf(from)))
        yield* commit(changeSet({ transfers }))
      }
      const books = memory.ledger()
      for (const currency of ["USD", "EUR"]) {
        const entries = books.filter((book) => book.currency === currency).flatMap((book) => book.entries)
        assert.strictEqual(
          entries.reduce((sum, { amount }) => sum + amount, 0),
          0,
        )
      }
      for (const { balance, entries, floor, sequence } of books) {
        let sum = 0
        for (const [index, entry] of entries.entries()) {
          sum += entry.amount
          assert.deepStrictEqual([entry.sequence, entry.balanceAfter], [index + 1, sum])
        }
        assert.deepStrictEqual([balance, sequence], [sum, entries.length])
        if (floor !== null) assert.isAtLeast(balance, floor)
      }
    }).pipe(Effect.provide(Memory, { local: true })),
)

it.effect("an entry names its reference, its operation and its time", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryStore
    const set = changeSet({
      at: 4000,
      ledgerAccounts: [account("outside", { floor: null }), account("a")],
      transfers: [transfer("outside", "a", 7)],
    })
    yield* committed(set)
    const { operationId } = set
    const { reference } = transfer("outside", "a", 7)
    const entry = { sequence: 1, reference, operationId, transfer: 0, at: 4000 }
    assert.deepStrictEqual(
      memory.ledger().map(({ entries, id }) => [id, entries]),
      [
        ["a", [{ ...entry, amount: 7, balanceAfter: 7 }]],
        ["outside", [{ ...entry, amount: -7, balanceAfter: -7 }]],
      ],
    )
  }).pipe(Effect.provide(Memory)),
)

it.effect("a body keeps every member, even `__proto__`", () =>
  Effect.gen(function* () {
    const body: CanonicalJson.Json = JSON.parse('{"__proto__":{"a":[1]},"constructor":{"b":null}}')
    yield* committed(changeSet({ replay: replayRecord("key", { answer: { body, placeholders: [] } }) }))
    const stored = yield* replay("key")
    assert.strictEqual(JSON.stringify(stored?.answer.body), JSON.stringify(body))
    assert.isTrue(Object.isFrozen(stored?.answer.body))
  }).pipe(Effect.provide(Memory)),
)

it.effect("a job that opens a lane with jobs is rejected", () =>
  Effect.gen(function* () {
    yield* committed(changeSet({ jobs: [job(1, { lane: "lane" })] }))
    yield* dies(commit(changeSet({ jobs: [job(2, { lane: "lane", opensLane: true })] })))
    yield* committed(changeSet({ jobs: [job(2, { lane: "lane", opensLane: true, queue: "webhook" })] }))
  }).pipe(Effect.provide(Memory)),
)

it.effect("operations are deleted after 8 days and stored responses when they expire, a few with each commit", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryStore
    const storedCounts = () => {
      const { answers, operations } = memory.snapshot()
      return [operations.length, answers.length]
    }
    for (let n = 0; n < 10; n++) yield* committed(changeSet())
    for (let n = 0; n < 10; n++) yield* committed(changeSet({ replay: replayRecord(`key ${n}`, { expiresAt: 1000 }) }))
    assert.deepStrictEqual(storedCounts(), [10, 10])
    yield* TestClock.adjust("1 day")
    // Ten responses at four per commit are deleted by three commits, whose own receipts remain.
    for (let n = 0; n < 3; n++) yield* committed(changeSet())
    assert.deepStrictEqual(storedCounts(), [13, 0])
    yield* TestClock.adjust("7 days")
    for (let n = 0; n < 3; n++) yield* committed(changeSet())
    assert.deepStrictEqual(storedCounts(), [6, 0])
  }).pipe(Effect.provide(Memory)),
)
