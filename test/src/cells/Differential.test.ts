/**
 * A store in four cells behaves as the reference in memory: the same histories have the same outcomes and the same final state.
 * Source: D-514.
 */
import { MemoryStore } from "@countersign/adapter-memory"
import { WallTime } from "@countersign/core/ports"
import type { ChangeSet } from "@countersign/core/store"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { afterAll } from "vitest"
import { agentOf, alpha, ann } from "../../../packages/test/src/conformance/Examples.ts"
import { runBursts, withoutReason } from "../adapter-postgres/Bursts.ts"
import { historyOf, runHistory } from "../adapter-postgres/Histories.ts"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"

const database = TestDatabase.create(8)
afterAll(async () => (await database).close())

/**
 * The callers of a history. Their jobs are in one cell: claims go round the cells, so that those of several owners are in another order than
 * in memory. A platform and an agent never share an idempotency key, because its hash has the caller.
 */
const callersOf = (seed: number) => Array.from({ length: 16 }, () => (seed % 2 === 0 ? alpha : agentOf(ann)))

/** A set in several cells is applied once for eight days, however soon its key expires. */
const withLastingKey = ({ replay }: Partial<ChangeSet>): Partial<ChangeSet> =>
  replay === undefined ? {} : { replay: { ...replay, expiresAt: 1e15 } }

/** Besides, an account that a set only observes may change while the set is committed in several cells. */
const changed = (set: Partial<ChangeSet>): Partial<ChangeSet> => ({ ...withLastingKey(set), observes: [] })

interface Named {
  readonly id: string
}

/** Jobs without a lane have no order among concurrent commits, and a response is stored for its caller alone. */
const comparable = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, inner: unknown) => {
    if (name === "replays") return undefined
    return name === "jobs" && Array.isArray(inner)
      ? inner.toSorted((a: Named, b: Named) => (a.id < b.id ? -1 : 1))
      : inner
  })

const Memory = Layer.provide(MemoryStore.layer, WallTime.layerClock)
const Cells = TestDatabase.emptyStore(async () => (await database).connection, 4)

it.effect.prop(
  "a history has the same outcomes and the same final state in four cells as in memory",
  { seed: Schema.Int },
  ({ seed }) =>
    Effect.gen(function* () {
      const history = historyOf(seed)
      const callers = callersOf(seed)
      const expected = yield* runHistory(history, callers, withLastingKey).pipe(Effect.provide(Memory, { local: true }))
      const found = yield* runHistory(history, callers, withLastingKey).pipe(Effect.provide(Cells, { local: true }))
      assert.deepStrictEqual(found.answers.map(withoutReason), expected.answers.map(withoutReason))
      assert.deepStrictEqual(comparable(found.finalState), comparable(expected.finalState))
    }),
  { arbitrary: { runs: 40 }, timeout: 120_000 },
)

it.effect.prop(
  "concurrent commits have a serial order in which the memory store has the same outcomes and the same final state",
  { seed: Schema.Int },
  ({ seed }) =>
    Effect.gen(function* () {
      const { expected, finalState, problems } = yield* runBursts(seed, {
        callers: callersOf(seed),
        changed,
        isAnyReason: true,
      })
      assert.deepStrictEqual(problems, [])
      assert.deepStrictEqual(comparable(finalState), comparable(expected))
    }).pipe(Effect.provide(Cells, { local: true })),
  { arbitrary: { runs: 12 }, timeout: 120_000 },
)
