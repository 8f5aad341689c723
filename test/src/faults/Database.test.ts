/**
 * A database that breaks under load: whoever asks is answered or told that nobody can be served now; nothing acknowledged is lost,
 * nothing counts twice, and everything goes on by itself.
 * Source: issue "PostgreSQL", item 8; ports/Store.ts (StoreUnavailable).
 */
import { Store } from "@countersign/core/store"
import { Effect, ManagedRuntime } from "effect"
import type pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { eventually } from "../e2e/Deadline.ts"
import { cableTo } from "./Cable.ts"
import { audit, isReady, open, setOn, storm, told } from "./CommitStorm.ts"
import { type FaultDatabase, type FaultServer, faultServer, liveStoreOn } from "./FaultServer.ts"

let server: FaultServer
beforeAll(async () => {
  server = await faultServer(["deadlock_timeout=10ms"])
}, 60_000)
afterAll(() => server[Symbol.asyncDispose]())

interface Process extends AsyncDisposable {
  readonly store: Store["Service"]
  readonly pool: pg.Pool
}

/** A store over a pool of its own, as a process has it. */
const processOn = async (database: FaultDatabase, options: pg.PoolConfig = {}): Promise<Process> => {
  const pool = database.pool(options)
  const runtime = ManagedRuntime.make(liveStoreOn(pool))
  const store = await runtime.runPromise(Effect.map(Store, (found) => found))
  return { store, pool, [Symbol.asyncDispose]: () => runtime.dispose() }
}

const terminateAll = (outside: pg.Pool) =>
  outside.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  )

const times = <A>(count: number, value: A): ReadonlyArray<A> => Array.from({ length: count }, () => value)

describe("under load", { timeout: 120_000 }, () => {
  it("connections that are dropped lose nothing", async () => {
    const database = await server.create()
    const outside = database.pool({ max: 1 })
    await using one = await processOn(database)
    await using two = await processOn(database)
    await open(one.store)
    const drop = async () => {
      await terminateAll(outside)
    }
    const stores = [one.store, two.store]
    const written = await storm({ stores, callers: 24, rounds: 25, faults: times(15, drop), everySets: 40 })
    expect(written.answers.get("unknown") ?? 0).toBeGreaterThan(0)
    await audit(outside, written)
    expect(await isReady(one.store)).toBe(true)
  })

  it("a server that crashes, or is shut down, and comes back loses nothing", async () => {
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
      everySets: 150,
    })
    expect(written.answers.get("unknown") ?? 0).toBeGreaterThan(0)
    expect(written.answers.get("unavailable") ?? 0).toBeGreaterThan(0)
    await audit(database.pool({ max: 1 }), written)
    for (const store of stores) expect(await isReady(store)).toBe(true)
  })

  it("serialization failures are tried again", async () => {
    const database = await server.create()
    const outside = database.pool({ max: 1 })
    await using one = await processOn(database)
    await using two = await processOn(database)
    await using three = await processOn(database)
    await open(one.store)
    // READ COMMITTED, on which commits rest, knows them from what other software does in the same transaction, as here.
    await outside.query(`
      create function public.fail() returns trigger language plpgsql as $$
      begin
        if random() < 0.02 then raise exception 'could not serialize access' using errcode = 'serialization_failure'; end if;
        return new;
      end $$;
      create trigger fail before update on countersign.ledger_account for each row execute function public.fail()`)
    const stores = [one.store, two.store, three.store]
    const written = await storm({ stores, callers: 12, rounds: 12, faults: [], everySets: 0 })
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

  it("deadlocks are tried again", async () => {
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
    // Somebody who takes the accounts in the other order.
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
    const written = await storm({ stores: [one.store], callers: 24, rounds: 20, faults: [], everySets: 0 })
    await eventually("a deadlock", deadlocks, (found) => found > 0)
    isOver = true
    await contending
    expect([...written.answers.keys()]).toEqual(["Committed"])
    await audit(outside, written)
  })
})

/** Holds locks until it is told to let go. */
const blocker = async (outside: pg.Pool, statement: string) => {
  const client = await outside.connect()
  await client.query("begin")
  await client.query(statement)
  return async () => {
    await client.query("rollback")
    client.release()
  }
}

describe("held up", { timeout: 60_000 }, () => {
  it("a commit that waits too long for a row is refused, not applied, and may be sent again", async () => {
    const database = await server.create()
    const outside = database.pool({ max: 2 })
    await using one = await processOn(database, { statement_timeout: 300 })
    await open(one.store)
    const release = await blocker(outside, "select 1 from countersign.ledger_account where id = 'account 0' for update")
    const set = setOn(0)
    expect(await told(one.store, set)).toBe("unavailable")
    expect(await isReady(one.store)).toBe(true)
    const found = () => outside.query("select id from countersign.operation where id = $1", [set.operationId])
    expect((await found()).rows).toEqual([])
    await release()
    expect(await told(one.store, set)).toBe("Committed")
    expect(await told(one.store, set)).toBe("Committed")
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

  it("a store that may only read, as after a failover, or whose functions are gone, is not ready", async () => {
    const database = await server.create()
    const outside = database.pool({ max: 1 })
    const { rows } = await outside.query<{ readonly name: string }>("select current_database() as name")
    const settingOf = (change: string) => outside.query(`alter database ${rows[0]?.name} ${change}`)
    await using made = await processOn(database)
    expect(await isReady(made.store)).toBe(true)

    await settingOf("set default_transaction_read_only = on")
    await using reading = await processOn(database)
    expect(await isReady(reading.store)).toBe(false)
    expect(await told(reading.store, setOn(0))).toBe("unavailable")
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

  it("without a free connection nobody is served, and afterwards everybody", async () => {
    const database = await server.create()
    await using one = await processOn(database, { max: 1, connectionTimeoutMillis: 200 })
    await open(one.store)
    const client = await one.pool.connect()
    const set = setOn(1)
    expect(await told(one.store, set)).toBe("unavailable")
    expect(await isReady(one.store)).toBe(false)
    client.release()
    expect(await isReady(one.store)).toBe(true)
    expect(await told(one.store, set)).toBe("Committed")
  })

  it("whoever has one connection serves, while its workers wait for work", async () => {
    const database = await server.create()
    await using one = await processOn(database, { max: 1, connectionTimeoutMillis: 200 })
    await open(one.store)
    const waiting = new AbortController()
    const woken = Effect.runPromise(one.store.awaitWork("work"), { signal: waiting.signal }).catch(() => "interrupted")
    for (let n = 0; n < 5; n++) expect(await told(one.store, setOn(n))).toBe("Committed")
    expect(await isReady(one.store)).toBe(true)
    waiting.abort()
    await woken
  })

  it("a server that is cut off is given up in time, and what was sent to it counts once", async () => {
    const database = await server.create()
    await using cable = await cableTo(server.folder)
    await using one = await processOn(database, {
      host: cable.folder,
      query_timeout: 300,
      connectionTimeoutMillis: 300,
    })
    await open(one.store)
    const set = setOn(2)
    cable.cut()
    expect(await told(one.store, set)).toBe("unknown")
    expect(await isReady(one.store)).toBe(false)
    expect(await told(one.store, set)).toMatch(/^(?:unknown|unavailable)$/u)
    cable.mend()
    await eventually(
      "an answer",
      () => told(one.store, set),
      (found) => found === "Committed",
    )
    cable.pull()
    await eventually(
      "another answer",
      () => told(one.store, set),
      (found) => found === "Committed",
    )
    expect(await isReady(one.store)).toBe(true)
    const { rows } = await database.pool({ max: 1 }).query("select count(*)::int as n from countersign.operation")
    expect(rows).toEqual([{ n: 2 }])
  })
})
