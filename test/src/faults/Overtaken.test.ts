/**
 * A connection that breaks while its commit still waits for somebody: what it carried may be sent again before the server has given the
 * first one up, and is answered after it, or told that nobody knows. What is told is so for good.
 * Source: issue "PostgreSQL", item 8; ports/Store.ts (StoreUnavailable).
 */
import { type ChangeSet, Store } from "@countersign/core/store"
import { Effect, ManagedRuntime } from "effect"
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
import { cableTo } from "./Cable.ts"
import { told } from "./CommitStorm.ts"
import { type FaultServer, faultServer, liveStoreOn } from "./FaultServer.ts"

let server: FaultServer
beforeAll(async () => {
  server = await faultServer()
}, 60_000)
afterAll(() => server[Symbol.asyncDispose]())

const record = `record ${alpha.platformId} Customer ${ann}`

it("a set that is refused when it is sent again is not applied afterwards", { timeout: 60_000 }, async () => {
  const database = await server.create()
  const outside = database.pool({ max: 3 })
  await using cable = await cableTo(server.folder)
  // All in one batch.
  const runtimes = [database.pool({ host: cable.folder }), database.pool()].map((pool) =>
    ManagedRuntime.make(liveStoreOn(pool, { concurrentBatches: 1 })),
  )
  const [store, another] = await Promise.all(
    runtimes.map((each) => each.runPromise(Effect.map(Store, (found) => found))),
  )
  if (store === undefined || another === undefined) throw new Error("no stores")
  const accounts = [account("outside", { floor: null }), account("a")]
  expect(await told(store, changeSet({ inserts: [customer(1)], ledgerAccounts: accounts }))).toBe("Committed")

  // Somebody reads Ann's record for long.
  const holder = await outside.connect()
  await using _letGo = { [Symbol.asyncDispose]: async () => holder.release(true) }
  await holder.query("begin")
  await holder.query("select pg_advisory_xact_lock_shared(hashtextextended($1, 0))", [record])

  // The locks of these sets would be taken after that one, were they not taken first of all.
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
    [changeSet({ updates: [customerUpdate(1, 1)] }), ...spending].map((set) => told(store, set)),
  )
  const count = async () => (await waits()).rowCount
  await eventually("a batch that waits", count, (waiting) => waiting === 1)
  cable.pull()
  expect(new Set(await answers)).toEqual(new Set(["unknown"]))

  // The account is empty now. The money comes while they wait, and lets the first ones be committed.
  const again = Promise.all(spending.map((set) => told(store, set)))
  const first = await Promise.race([again, eventually("they wait, too", count, (waiting) => (waiting ?? 0) > 1)])
  expect(first).not.toContain("BoundViolated")
  expect(await told(another, changeSet({ transfers: [transfer("outside", "a", 8)] }))).toBe("Committed")
  await holder.query("commit")
  expect(await again).toEqual(Array(4).fill("Committed"))
  const { rows } = await outside.query("select balance::int from countersign.ledger_account where id = 'a'")
  expect(rows).toEqual([{ balance: 4 }])
  await Promise.all(runtimes.map((each) => each.dispose()))
})
