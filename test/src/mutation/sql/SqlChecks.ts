/**
 * Everything that must notice a fault in a database function, as plain functions: the conformance suite, in batches and one set after another,
 * concurrent commits beside the reference in memory, histories, shared queues, claims and commits beside locks, single calls of functions, and callers that compete for accounts.
 */
import assert from "node:assert/strict"
import { MemoryStore } from "@countersign/adapter-memory"
import { type Connection, PostgresStore } from "@countersign/adapter-postgres"
import { CurrentCaller } from "@countersign/core"
import { WallTime } from "@countersign/core/ports"
import { Store } from "@countersign/core/store"
import { Effect, Layer, ManagedRuntime, type Scope } from "effect"
import { TestClock } from "effect/testing"
import type pg from "pg"
import { changeSet } from "../../../../packages/test/src/conformance/ChangeSets.ts"
import {
  account,
  alpha,
  customer,
  job,
  newEvent,
  transfer,
} from "../../../../packages/test/src/conformance/Examples.ts"
import { storeChecks } from "../../../../packages/test/src/conformance/storeChecks.ts"
import { runBursts } from "../../adapter-postgres/Bursts.ts"
import { runClaimHistory } from "../../adapter-postgres/ClaimHistories.ts"
import { functionChecks } from "../../adapter-postgres/FunctionChecks.ts"
import type { FunctionCheck } from "../../adapter-postgres/FunctionParts.ts"
import { historyOf, runHistory } from "../../adapter-postgres/Histories.ts"
import { emptyStore } from "../../adapter-postgres/TestDatabase.ts"
import { audit, open, storm } from "../../faults/CommitStorm.ts"

const Memory = Layer.provide(MemoryStore.layer, WallTime.layerClock)

const inTestWorld = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>): Promise<A> =>
  effect.pipe(Effect.provide(TestClock.layer()), Effect.scoped, Effect.runPromise)

const historySeeds = [1, 2, 3, 4, 5, 6]
const claimSeeds = Array.from({ length: 12 }, (_, n) => n + 1)
const burstSeeds = [1, 2, 3, 9123, 9150]

export const sqlChecks = (connection: Connection, pool: pg.Pool): ReadonlyArray<FunctionCheck> => {
  const store = emptyStore(async () => connection)
  const serial: Connection = { ...connection, isTransaction: true }
  const serialStore = emptyStore(async () => serial)
  const conformance = (how: string, layer: Layer.Layer<Store>): ReadonlyArray<FunctionCheck> =>
    storeChecks(layer, { seed: 1 }).map(({ run, section, title }) => ({ title: `${how}: ${section}: ${title}`, run }))
  const asHistory = (seed: number): FunctionCheck => ({
    title: `history ${seed}`,
    run: async () => {
      const history = historyOf(seed)
      const run = <E>(layer: Layer.Layer<Store, E>) =>
        runHistory(history).pipe(Effect.provide(layer, { local: true }), inTestWorld)
      assert.deepStrictEqual(await run(store), await run(Memory))
    },
  })
  const asClaims = (seed: number): FunctionCheck => ({
    title: `claims ${seed}`,
    run: async () => {
      const run = <E>(layer: Layer.Layer<Store, E>) =>
        runClaimHistory(seed).pipe(Effect.provide(layer, { local: true }), inTestWorld)
      assert.deepStrictEqual(await run(store), await run(Memory))
    },
  })
  const asBursts = (seed: number): FunctionCheck => ({
    title: `bursts ${seed}`,
    run: () =>
      Effect.gen(function* () {
        const { expected, finalState, problems } = yield* runBursts(seed)
        assert.deepStrictEqual(problems, [])
        assert.deepStrictEqual(finalState, expected)
      }).pipe(Effect.provide(store, { local: true }), inTestWorld),
  })
  /** As two processes: what one batch of a process would put in order, locks must. */
  const competing = (how: string, first: Layer.Layer<Store>, of: Connection): FunctionCheck => ({
    title: `callers of two processes compete ${how}`,
    run: async () => {
      const other = Layer.orDie(PostgresStore.layer({ connection: of })).pipe(Layer.provide(WallTime.layerClock))
      const runtimes = [ManagedRuntime.make(first), ManagedRuntime.make(other)]
      const stores: Array<Store["Service"]> = []
      for (const runtime of runtimes) stores.push(await runtime.runPromise(Effect.map(Store, (found) => found)))
      const [one] = stores
      if (one === undefined) throw new Error("there is no store")
      await open(one)
      await audit(pool, await storm({ stores, callers: 8, rounds: 12, faults: [], setsPerFault: 1 }))
      for (const runtime of runtimes) await runtime.dispose()
    },
  })
  /** A batch that fails for no reason is committed set by set: that is right, and several times as slow. */
  const inBatches: FunctionCheck = {
    title: "sets without a conflict are committed in batches alone",
    run: async () => {
      let alone = 0
      const counting: Connection = {
        ...connection,
        query: (statement) => {
          if (statement.name === "countersign_commit_serial") alone += 1
          return connection.query(statement)
        },
      }
      const runtime = ManagedRuntime.make(emptyStore(async () => counting))
      const own = await runtime.runPromise(Effect.map(Store, (found) => found))
      const names = Array.from({ length: 48 }, (_, n) => `own ${n}`)
      const opened = [account("outside", { floor: null }), ...names.map((name) => account(name))]
      const asAlpha = Effect.provideService(CurrentCaller, alpha)
      await Effect.runPromise(asAlpha(own.commit(changeSet({ ledgerAccounts: opened }))))
      // What opens accounts is always committed set by set.
      alone = 0
      const sets = Array.from({ length: 48 }, (_, n) =>
        changeSet({
          inserts: [customer(n)],
          transfers: [transfer("outside", `own ${n}`, 1 + n)],
          counters: [{ key: `own ${n}`, delta: 1 }],
          events: [newEvent(n)],
          jobs: [job(n, { lane: `own ${n}` })],
        }),
      )
      const commitAll = Effect.forEach(sets, (set) => own.commit(set), { concurrency: 6 })
      const outcomes = await Effect.runPromise(asAlpha(commitAll))
      assert.deepEqual(new Set(outcomes.map(({ _tag }) => _tag)), new Set(["Committed"]))
      assert.equal(alone, 0)
      await runtime.dispose()
    },
  }
  return [
    ...functionChecks({ connection, pool, store }),
    ...conformance("in batches", store),
    ...conformance("one by one", serialStore),
    ...historySeeds.map(asHistory),
    ...claimSeeds.map(asClaims),
    ...burstSeeds.map(asBursts),
    competing("in batches", store, connection),
    competing("one by one", serialStore, serial),
    inBatches,
  ]
}
