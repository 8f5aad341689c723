/**
 * Commits of several tenants on one database, while plain SQL sessions hold locks that some of them need.
 * Source: D-318; ports/Store.ts (StoreUnavailable).
 */
import { CurrentCaller, tenant } from "@countersign/core"
import { type ChangeSet, Store, StoreUnavailable } from "@countersign/core/store"
import { Cause, Effect, Exit, ManagedRuntime } from "effect"
import type pg from "pg"
import { expect } from "vitest"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { account, id, transfer } from "../../../packages/test/src/conformance/Examples.ts"
import { eventually } from "../e2e/Deadline.ts"
import { type FaultServer, liveStoreOn } from "../faults/FaultServer.ts"

/** Two accounts of each tenant: "from" sorts first, so a commit that waits in the database for "to" would hold it. */
export const from = (n: number): string => `account ${n} from`
export const to = (n: number): string => `account ${n} to`
export const platform = (n: number): string => id("PlatformConfig", n)

/** The accounts of the traffic: half of them belong to tenant 1, whose other accounts the tests lock. */
export const traffic = Array.from({ length: 16 }, (_, n) => ({ tenantNumber: n < 8 ? 1 : 2 + n, name: `traffic ${n}` }))

const tenants = 40
const commitsEach = 30
export const usualCommits = traffic.length * commitsEach

export const setOf = (parts: Partial<ChangeSet>): ChangeSet => changeSet({ at: Date.now(), ...parts })
export const move = (n: number, parts: Partial<ChangeSet> = {}): ChangeSet =>
  setOf({ transfers: [transfer(from(n), to(n), 1)], ...parts })

export interface Process extends AsyncDisposable {
  /** The tag of the outcome, or that the store was unavailable or the outcome unknown. */
  readonly commit: (set: ChangeSet, tenantNumber?: number) => Promise<string>
}

export const processOn = async (pool: pg.Pool): Promise<Process> => {
  const runtime = ManagedRuntime.make(liveStoreOn(pool))
  const store = await runtime.runPromise(Effect.map(Store, (found) => found))
  const commit: Process["commit"] = async (set, tenantNumber = 1) => {
    const commits = Effect.provideService(store.commit(set), CurrentCaller, tenant(platform(tenantNumber)))
    const exit = await Effect.runPromiseExit(commits)
    if (Exit.isSuccess(exit)) return exit.value._tag
    const failure = Cause.squash(exit.cause)
    if (!(failure instanceof StoreUnavailable)) throw failure
    return failure.unknown ? "unknown" : "unavailable"
  }
  return { commit, [Symbol.asyncDispose]: () => runtime.dispose() }
}

/** A process on a new database in which the accounts of all tenants are open. */
export const lockedWorld = async (server: FaultServer, max = 6) => {
  const database = await server.create()
  const outside = database.pool({ max: tenants + 4 })
  const process = await processOn(database.pool({ max }))
  const open = (tenantNumber: number, names: ReadonlyArray<string>) => {
    const owner = { platformId: platform(tenantNumber), customerId: null }
    return process.commit(
      setOf({ ledgerAccounts: names.map((name) => account(name, { ...owner, floor: null })) }),
      tenantNumber,
    )
  }
  for (let n = 1; n <= tenants; n++) expect(await open(n, [from(n), to(n)])).toBe("Committed")
  for (const { name, tenantNumber } of traffic) {
    expect(await open(tenantNumber, [`${name} from`, `${name} to`])).toBe("Committed")
  }

  /** Runs SQL in a transaction that stays open. */
  const lock = async (...statements: ReadonlyArray<string>) => {
    const client = await outside.connect()
    client.on("error", () => undefined)
    await client.query("begin")
    for (const statement of statements) await client.query(statement)
    const { rows } = await client.query<{ readonly pid: number }>("select pg_backend_pid() as pid")
    const release = async () => {
      await client.query("rollback")
      client.release()
    }
    return { release, pid: rows[0]?.pid, abandon: () => client.release(true) }
  }

  /**
   * Commits on all 16 accounts, one after another on each, until it has committed so often on each or the time is over. Returns the number
   * of commits.
   */
  const commitTraffic = async (millis: number, each = Number.POSITIVE_INFINITY): Promise<number> => {
    const end = performance.now() + millis
    let commits = 0
    const caller = async ({ name, tenantNumber }: (typeof traffic)[number]) => {
      for (let n = 0; n < each && performance.now() < end; n++) {
        const set = setOf({ transfers: [transfer(`${name} from`, `${name} to`, 1)] })
        expect(await process.commit(set, tenantNumber)).toBe("Committed")
        if (performance.now() < end) commits += 1
      }
    }
    await Promise.all(traffic.map(caller))
    return commits
  }

  /** The commits per second. */
  const trafficRate = async (millis: number): Promise<number> => (await commitTraffic(millis)) / (millis / 1000)

  /** The rate while a transaction is open that locks nothing: it keeps the server from removing old versions, as a lock does. */
  const usualRate = async (millis: number): Promise<number> => {
    const { release } = await lock("select pg_current_xact_id()")
    const rate = await trafficRate(millis)
    await release()
    return rate
  }

  /** Waits in the database. */
  const pause = (millis: number) => outside.query("select pg_sleep($1)", [millis / 1000])

  const blockedSessions = async (): Promise<number> => {
    const { rows } = await outside.query<{ readonly n: number }>(
      "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    return rows[0]?.n ?? 0
  }
  /** Asserts that each set was applied so often, and that entries, balances and sequences agree. */
  const audit = async (sets: ReadonlyArray<ChangeSet>, times: number): Promise<void> => {
    const operations = sets.map(({ operationId }) => operationId)
    const { rows } = await outside.query<{ readonly n: number }>(
      "select count(*)::int as n from countersign.operation where id = any ($1)",
      [operations],
    )
    expect(rows).toEqual([{ n: sets.length * times }])
    const wrong = await outside.query(`select a.id from countersign.ledger_account a left join lateral (
        select count(*) n, coalesce(sum(e.amount), 0) total from countersign.ledger_entry e where e.account_id = a.id) e on true
      where a.sequence <> e.n or a.balance <> e.total`)
    expect(wrong.rows).toEqual([])
  }
  return {
    ...process,
    database,
    outside,
    lock,
    trafficRate,
    usualRate,
    pause,
    /** The commits while others are locked: as many as usual, within a time in which a blocked process has none. */
    usualCommits: () => commitTraffic(10_000, commitsEach),
    audit,
    /** Waits until no session of the store waits for a lock any more. */
    noSessionWaits: () => eventually("no session that waits", blockedSessions, (n) => n === 0),
  }
}
