/**
 * A connection that breaks while its commit is blocked: the set may be sent again before the server has ended the first attempt. The
 * second attempt gets its outcome after the first one, or the answer that the outcome is unknown. An outcome never changes later.
 * Source: ports/Store.ts (StoreUnavailable).
 */
import { PoolConnection, PostgresStore } from "@countersign/adapter-postgres"
import { WallTime } from "@countersign/core/ports"
import { type ChangeSet, Store } from "@countersign/core/store"
import { Effect, Layer, ManagedRuntime } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import {
  account,
  alpha,
  ann,
  customer,
  customerUpdate,
  transfer,
} from "../../../packages/test/src/conformance/Examples.ts"
import { eventually } from "../e2e/Deadline.ts"
import { resultOf } from "./CommitStorm.ts"
import { type FaultServer, faultServer } from "./FaultServer.ts"
import { networkTo } from "./Network.ts"
import { patient } from "./PatientConnection.ts"

let server: FaultServer
beforeAll(async () => {
  server = await faultServer()
}, 60_000)
afterAll(() => server[Symbol.asyncDispose]())

const record = `record ${alpha.platformId} Customer ${ann}`

it("a set that is refused when it is resent is not applied afterwards", { timeout: 120_000 }, async () => {
  const database = await server.create()
  const outside = database.pool({ max: 3 })
  await using network = await networkTo(server.folder)
  // All sets are in one batch.
  const runtimes = [database.pool({ host: network.folder }), database.pool()].map((pool) =>
    ManagedRuntime.make(
      Layer.orDie(
        PostgresStore.layer({ connection: patient(PoolConnection.make(pool, { concurrentBatches: 1 })) }),
      ).pipe(Layer.provide(WallTime.layerClock)),
    ),
  )
  const [store, another] = await Promise.all(
    runtimes.map((each) => each.runPromise(Effect.map(Store, (found) => found))),
  )
  if (store === undefined || another === undefined) throw new Error("no stores")
  const accounts = [account("outside", { floor: null }), account("a")]
  expect(await resultOf(store, changeSet({ inserts: [customer(1)], ledgerAccounts: accounts }))).toBe("Committed")

  // Another transaction holds Ann's record for long.
  const holder = await outside.connect()
  await using _letGo = { [Symbol.asyncDispose]: async () => holder.release(true) }
  await holder.query("begin")
  await holder.query("select pg_advisory_xact_lock_shared(hashtextextended($1, 0))", [record])

  // Locks of operations are taken first; otherwise these sets would lock them after Ann's record.
  const isBehind = async ({ operationId }: ChangeSet) => {
    const names = [`operation ${alpha.platformId} ${operationId}`, record]
    const { rows } = await outside.query("select hashtextextended($1, 0) > hashtextextended($2, 0) as behind", names)
    return rows[0]?.behind === true
  }
  const spending: Array<ChangeSet> = []
  while (spending.length < 4) {
    const set = changeSet({ transfers: [transfer("a", "outside", 1)] })
    if (await isBehind(set)) spending.push(set)
  }
  const waits = () =>
    outside.query("select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()")
  const answers = Promise.all(
    [changeSet({ updates: [customerUpdate(1, 1)] }), ...spending].map((set) => resultOf(store, set)),
  )
  const count = async () => (await waits()).rowCount
  await eventually("a batch that waits", count, (waiting) => waiting === 1)
  network.pull()
  expect(new Set(await answers)).toEqual(new Set(["unknown"]))

  // The account is empty. The deposit arrives while the sets wait, so that the first ones can be committed.
  const again = Promise.all(spending.map((set) => resultOf(store, set)))
  const first = await Promise.race([again, eventually("they wait, too", count, (waiting) => (waiting ?? 0) > 1)])
  expect(first).not.toContain("BoundViolated")
  expect(await resultOf(another, changeSet({ transfers: [transfer("outside", "a", 8)] }))).toBe("Committed")
  await holder.query("commit")
  expect(await again).toEqual(Array(4).fill("Committed"))
  const { rows } = await outside.query("select balance::int from countersign.ledger_account where id = 'a'")
  expect(rows).toEqual([{ balance: 4 }])
  await Promise.all(runtimes.map((each) => each.dispose()))
})
