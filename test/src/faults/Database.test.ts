/**
 * A database that fails under load: every caller gets a result or the error that the store is unavailable, nothing acknowledged is lost,
 * nothing is applied twice, and service resumes by itself.
 * Source: ports/Store.ts (StoreUnavailable).
 */
import { Store } from "@countersign/core/store"
import { Effect, ManagedRuntime } from "effect"
import type pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { eventually } from "../e2e/Deadline.ts"
import { audit, isReady, open, resultOf, setOn, storm } from "./CommitStorm.ts"
import { type FaultDatabase, type FaultServer, faultServer, liveStoreOn } from "./FaultServer.ts"
import { networkTo } from "./Network.ts"
import { nextReport } from "./NextReport.ts"

let server: FaultServer
beforeAll(async () => {
  server = await faultServer(["deadlock_timeout=10ms"])
}, 60_000)
afterAll(() => server[Symbol.asyncDispose]())

interface Process extends AsyncDisposable {
  readonly store: Store["Service"]
  readonly pool: pg.Pool
}

/** A store on its own pool, as of one process. */
const processOn = async (
  database: FaultDatabase,
  options: pg.PoolConfig = {},
  lockWaitMillis = 25_000,
): Promise<Process> => {
  const pool = database.pool(options)
  const runtime = ManagedRuntime.make(liveStoreOn(pool, { lockWaitMillis }))
  const store = await runtime.runPromise(Effect.map(Store, (found) => found))
  return { store, pool, [Symbol.asyncDispose]: () => runtime.dispose() }
}

const terminateAll = (outside: pg.Pool) =>
  outside.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  )

const times = <A>(count: number, value: A): ReadonlyArray<A> => Array.from({ length: count }, () => value)

describe("under load", { timeout: 120_000 }, () => {
  it("dropped connections lose nothing", async () => {
    const database = await server.create()
    const outside = database.pool({ max: 1 })
    await using one = await processOn(database)
    await using two = await processOn(database)
    await open(one.store)
    const drop = async () => {
      await terminateAll(outside)
    }
    const stores = [one.store, two.store]
    const written = await storm({ stores, callers: 24, rounds: 25, faults: times(15, drop), setsPerFault: 40 })
    expect(written.answers.get("unknown") ?? 0).toBeGreaterThan(0)
    await audit(outside, written)
    expect(await isReady(one.store)).toBe(true)
  })

  it("a server that crashes or shuts down and restarts loses nothing", async () => {
    const database = await server.create()
    await using one = await processOn(database)
    await using two = await processOn(database)
    await open(one.store)
    const whileDown = async () => {
      expect(await isReady(one.store)).toBe(false)
    }
    const stores = [one.store, two.store]
    const written = await storm({
      stores,
      callers: 24,
      rounds: 25,
      faults: [
        () => server.restart("immediate", whileDown),
        () => server.restart("fast", whileDown),
        () => server.restart("immediate"),
        () => server.restart("immediate"),
      ],
      setsPerFault: 150,
    })
    expect(written.answers.get("unknown") ?? 0).toBeGreaterThan(0)
    expect(written.answers.get("unavailable") ?? 0).toBeGreaterThan(0)
    await audit(database.pool({ max: 1 }), written)
    for (const store of stores) expect(await isReady(store)).toBe(true)
  })

  it("serialization failures are retried", async () => {
    const database = await server.create()
    const outside = database.pool({ max: 1 })
    await using one = await processOn(database)
    await using two = await processOn(database)
    await using three = await processOn(database)
    await open(one.store)
    // Under READ COMMITTED they arise only from other software in the same transaction, such as this trigger.
    await outside.query(`
      create function public.fail() returns trigger language plpgsql as $$
      begin
        if random() < 0.02 then raise exception 'could not serialize access' using errcode = 'serialization_failure'; end if;
        return new;
      end $$;
      create trigger fail before update on countersign.ledger_account for each row execute function public.fail()`)
    const stores = [one.store, two.store, three.store]
    const written = await storm({ stores, callers: 12, rounds: 12, faults: [], setsPerFault: 0 })
    expect(written.refused).toEqual([])
    expect([...written.answers.keys()]).toEqual(["Committed"])
    const rollbacks = async () => {
      const { rows } = await outside.query<{ readonly n: number }>(
        "select xact_rollback::int as n from pg_stat_database where datname = $1",
        [database.name],
      )
      return rows[0]?.n ?? 0
    }
    await eventually("a serialization failure", rollbacks, (found) => found > 0)
    await audit(outside, written)
  })

  it("deadlocks are retried", async () => {
    const database = await server.create()
    const outside = database.pool({ max: 2 })
    await using one = await processOn(database)
    await open(one.store)
    const deadlocks = async () => {
      const { rows } = await outside.query<{ readonly n: number }>(
        "select deadlocks::int as n from pg_stat_database where datname = $1",
        [database.name],
      )
      return rows[0]?.n ?? 0
    }
    // Another transaction locks the accounts in the opposite order.
    let isOver = false
    const contender = async () => {
      const client = await outside.connect()
      while (!isOver) {
        await client.query("begin")
        try {
          for (const name of [7, 6, 5, 4, 3, 2, 1, 0]) {
            await client.query("select 1 from countersign.ledger_account where id = $1 for update", [`account ${name}`])
          }
        } catch (error) {
          expect(error).toMatchObject({ code: "40P01" })
        }
        await client.query("rollback")
      }
      client.release()
    }
    const contending = contender()
    const written = await storm({ stores: [one.store], callers: 24, rounds: 20, faults: [], setsPerFault: 0 })
    await eventually("a deadlock", deadlocks, (found) => found > 0)
    isOver = true
    await contending
    expect([...written.answers.keys()]).toEqual(["Committed"])
    await audit(outside, written)
  })
})

/** Holds locks until the test releases them. */
const blocker = async (outside: pg.Pool, statement: string) => {
  const client = await outside.connect()
  await client.query("begin")
  await client.query(statement)
  return async () => {
    await client.query("rollback")
    client.release()
  }
}

describe("a blocked database", { timeout: 120_000 }, () => {
  it("a commit that waits too long for a row is not applied and can be sent again", async () => {
    const database = await server.create()
    const outside = database.pool({ max: 2 })
    await using one = await processOn(database, {}, 300)
    await open(one.store)
    const release = await blocker(outside, "select 1 from countersign.ledger_account where id = 'account 0' for update")
    const set = setOn(0)
    expect(await resultOf(one.store, set)).toBe("unavailable")
    expect(await isReady(one.store)).toBe(true)
    const found = () => outside.query("select id from countersign.operation where id = $1", [set.operationId])
    expect((await found()).rows).toEqual([])
    await release()
    expect(await resultOf(one.store, set)).toBe("Committed")
    expect(await resultOf(one.store, set)).toBe("Committed")
    expect((await found()).rows).toHaveLength(1)
  })

  it("a store whose tables are locked is not ready", async () => {
    const database = await server.create()
    await using one = await processOn(database, { statement_timeout: 300 })
    const release = await blocker(database.pool({ max: 1 }), "lock table countersign.job")
    expect(await isReady(one.store)).toBe(false)
    await release()
    expect(await isReady(one.store)).toBe(true)
  })

  it("a store on a read-only server or without its functions is not ready", async () => {
    const database = await server.create()
    const outside = database.pool({ max: 1 })
    const { rows } = await outside.query<{ readonly name: string }>("select current_database() as name")
    const settingOf = (change: string) => outside.query(`alter database ${rows[0]?.name} ${change}`)
    await using made = await processOn(database)
    expect(await isReady(made.store)).toBe(true)

    await settingOf("set default_transaction_read_only = on")
    await using reading = await processOn(database)
    expect(await isReady(reading.store)).toBe(false)
    expect(await resultOf(reading.store, setOn(0))).toBe("unavailable")
    await settingOf("reset default_transaction_read_only")

    await using bare = await processOn(database)
    expect(await isReady(bare.store)).toBe(true)
    const functions = await outside.query<{ readonly name: string }>(
      "select oid::regprocedure::text as name from pg_proc where pronamespace = 'countersign'::regnamespace",
    )
    const own = functions.rows.filter(({ name }) => /commit|read_points/u.test(name))
    expect(own).toHaveLength(3)
    for (const { name } of own) await outside.query(`drop function ${name}`)
    expect(await isReady(bare.store)).toBe(false)
  })

  it("requests fail while no connection is free, and succeed afterwards", async () => {
    const database = await server.create()
    await using one = await processOn(database, { max: 1, connectionTimeoutMillis: 200 })
    await open(one.store)
    const client = await one.pool.connect()
    const set = setOn(1)
    expect(await resultOf(one.store, set)).toBe("unavailable")
    expect(await isReady(one.store)).toBe(false)
    client.release()
    expect(await isReady(one.store)).toBe(true)
    expect(await resultOf(one.store, set)).toBe("Committed")
  })

  it("a pool with one connection serves requests while its workers wait for work", async () => {
    const database = await server.create()
    await using one = await processOn(database, { max: 1, connectionTimeoutMillis: 200 })
    await open(one.store)
    const waiting = new AbortController()
    const woken = Effect.runPromise(one.store.awaitWork("work"), { signal: waiting.signal }).catch(() => "interrupted")
    for (let n = 0; n < 5; n++) expect(await resultOf(one.store, setOn(n))).toBe("Committed")
    expect(await isReady(one.store)).toBe(true)
    waiting.abort()
    await woken
  })

  it("calls to an unreachable server end in time, and a resent set is applied once", async () => {
    const database = await server.create()
    await using network = await networkTo(server.folder)
    await using one = await processOn(database, {
      host: network.folder,
      query_timeout: 300,
      connectionTimeoutMillis: 300,
    })
    const outside = database.pool({ max: 2 })
    await using report = await nextReport(outside)
    await open(one.store)
    const set = setOn(2)
    await report.arrived
    expect(await isReady(one.store)).toBe(true)
    network.cut()
    expect(await resultOf(one.store, set)).toBe("unknown")
    expect(await isReady(one.store)).toBe(false)
    expect(await resultOf(one.store, set)).toMatch(/^(?:unknown|unavailable)$/u)
    network.mend()
    await eventually(
      "an answer",
      () => resultOf(one.store, set),
      (found) => found === "Committed",
    )
    network.pull()
    await eventually(
      "another answer",
      () => resultOf(one.store, set),
      (found) => found === "Committed",
    )
    expect(await isReady(one.store)).toBe(true)
    const { rows } = await outside.query("select count(*)::int as n from countersign.operation")
    expect(rows).toEqual([{ n: 2 }])
  })
})
