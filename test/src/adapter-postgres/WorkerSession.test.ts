/**
 * The session by which the database notices the death of a process, and what remains where there is none.
 * Source: D-323, D-324.
 */
import { setTimeout as pause } from "node:timers/promises"
import { type Connection, Migrations, PoolConnection, PostgresStore } from "@countersign/adapter-postgres"
import { WallTime } from "@countersign/core/ports"
import { Store } from "@countersign/core/store"
import { Effect, Layer, type Scope } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { job } from "../../../packages/test/src/conformance/Examples.ts"
import { claim, committed, jobs } from "../../../packages/test/src/conformance/Suite.ts"
import { eventually } from "../e2e/Deadline.ts"
import * as TestDatabase from "./TestDatabase.ts"

let database: TestDatabase.TestDatabase
beforeEach(async () => {
  database = await TestDatabase.create(8)
  await Effect.runPromise(Migrations.run(database.connection))
}, 60_000)
afterEach(() => database.close())

/** Runs a program in a process of its own store on this connection. */
const inProcess = <A>(connection: Connection, program: Effect.Effect<A, unknown, Store | Scope.Scope>): Promise<A> =>
  Effect.runPromise(
    Effect.scoped(Effect.provide(program, Layer.orDie(PostgresStore.layer({ connection })), { local: true })).pipe(
      Effect.provide(WallTime.layerClock),
    ),
  )
const rows = async (text: string) =>
  (await database.pool.query<{ readonly v: number | null }>(text)).rows.map(({ v }) => v)
const add = (...numbers: ReadonlyArray<number>) => committed(changeSet({ jobs: numbers.map((n) => job(n)) }))
const attend = Store.use((store) => store.attend)
/** In real time: the server counts the time of a session. */
const twoBeats = Effect.promise(() => pause(1000))
const live = { wallNow: Date.now(), leaseMillis: 10_000_000 }

describe("the session of the workers", () => {
  it("is taken before a claim, and its end releases the jobs, whose fence stays until they are claimed again", async () => {
    const fences = await inProcess(
      database.connection,
      Effect.gen(function* () {
        yield* attend
        yield* add(1, 2)
        return yield* claim(live)
      }),
    )
    expect(fences).toHaveLength(2)
    await inProcess(
      database.connection,
      Effect.gen(function* () {
        yield* attend
        const again = yield* Effect.promise(() =>
          eventually(
            "the released jobs",
            () => rows("select not_before::int v from countersign.job where session is null"),
            ({ length }) => length === 2,
          ),
        )
        expect(again).toEqual([0, 0])
        // The first worker may still finish a job that nobody else has claimed.
        yield* committed(changeSet({ finishes: [{ id: job(1).id, attempt: 1 }] }))
        expect((yield* claim(live)).map(({ attempt, id }) => [id, attempt])).toEqual([[job(2).id, 2]])
      }),
    )
  })

  it("keeps the jobs of a process that lives, and forgets sessions that have ended", async () => {
    await inProcess(
      database.connection,
      Effect.gen(function* () {
        yield* attend
        yield* add(1)
        yield* claim(live)
        yield* Effect.promise(() => inProcess(database.connection, Effect.andThen(attend, twoBeats)))
        expect((yield* jobs()).map(({ state }) => state)).toEqual(["running"])
        yield* Effect.promise(() =>
          eventually(
            "the sessions",
            () => rows("select session v from countersign.worker_session"),
            ({ length }) => length === 1,
          ),
        )
      }),
    )
  })

  it("is replaced under the same number when the server ends it", async () => {
    await inProcess(
      database.connection,
      Effect.gen(function* () {
        yield* attend
        yield* add(1)
        yield* claim(live)
        const locks = () => rows("select pid v from pg_locks where locktype = 'advisory' and objsubid = 2 and granted")
        yield* add(2)
        const [before] = yield* Effect.promise(locks)
        yield* Effect.promise(() => rows(`select pg_terminate_backend(${before})::int v`))
        // The claim waits for the replacement: without a number, nobody would notice the death of this process.
        expect(yield* claim(live)).toHaveLength(1)
        expect(yield* Effect.promise(() => rows("select session v from countersign.job"))).not.toContain(null)
        yield* Effect.promise(() =>
          eventually("another session", locks, ([pid]) => pid !== undefined && pid !== before),
        )
        yield* twoBeats
        expect((yield* jobs()).map(({ state }) => state)).toEqual(["running", "running"])
        expect(yield* Effect.promise(() => rows("select session v from countersign.worker_session"))).toHaveLength(1)
      }),
    )
  })

  it("is waited for by claims while it is replaced", async () => {
    const { listen } = database.connection
    let opened = 0
    const slow: Connection = {
      ...database.connection,
      listen: async (...args) => {
        opened += 1
        if (opened > 1) await pause(500)
        if (listen === undefined) throw new Error("no session")
        return listen(...args)
      },
    }
    await inProcess(
      slow,
      Effect.gen(function* () {
        yield* attend
        yield* add(1)
        yield* Effect.promise(() =>
          rows("select pg_terminate_backend(pid)::int v from pg_locks where locktype = 'advisory' and objsubid = 2"),
        )
        yield* Effect.promise(() =>
          eventually(
            "the replacement",
            () => opened,
            (count) => count === 2,
          ),
        )
        expect(yield* claim(live)).toHaveLength(1)
        expect(yield* Effect.promise(() => rows("select session v from countersign.job"))).not.toContain(null)
      }),
    )
  })

  it("is attempted again by a claim after an attempt that failed, as while a database starts", async () => {
    const { listen } = database.connection
    let attempts = 0
    const failing: Connection = {
      ...database.connection,
      listen: async (...args) => {
        attempts += 1
        if (attempts === 1 || listen === undefined) throw new Error("the database system is starting up")
        return listen(...args)
      },
    }
    await inProcess(
      failing,
      Effect.gen(function* () {
        yield* add(1)
        yield* attend
        expect(attempts).toBe(1)
        expect(yield* claim(live)).toHaveLength(1)
        expect(yield* Effect.promise(() => rows("select session v from countersign.job"))).not.toContain(null)
      }),
    )
  })

  it("delays no claim by more than one attempt while it cannot be opened", async () => {
    let attempts = 0
    const refused: Connection = {
      ...database.connection,
      listen: () => {
        attempts += 1
        return Promise.reject(new Error("too many connections"))
      },
    }
    await inProcess(
      refused,
      Effect.gen(function* () {
        yield* add(1, 2)
        yield* attend
        expect(yield* claim({ ...live, limit: 1 })).toHaveLength(1)
        expect(yield* claim({ ...live, limit: 1 })).toHaveLength(1)
        expect(attempts).toBeGreaterThanOrEqual(3)
      }),
    )
  })

  it("has settings by which the server ends it, and leaves those of other sessions alone", async () => {
    const connection = PoolConnection.make(database.pool)
    const listening = connection.listen
    expect(listening).toBeDefined()
    let idle: ReadonlyArray<string | null> = []
    const spied: Connection = {
      ...connection,
      listen: async (channels, onMessage) => {
        const made = await listening?.(channels, onMessage)
        if (made === undefined) throw new Error("no session")
        const query: typeof made.query = async (statement) => {
          const answer = await made.query(statement)
          if (statement.text.includes("register_session"))
            idle = await made.query({ text: "show idle_session_timeout", values: [] })
          return answer
        }
        return { ...made, query }
      },
    }
    await inProcess(spied, attend)
    expect(idle).toEqual(["1500ms"])
    expect(await connection.query({ text: "show idle_session_timeout", values: [] })).toEqual(["0"])
  })
})

describe("where there is no session", () => {
  it.each([
    [
      "a pool with a single connection",
      () => PoolConnection.make(Object.assign(Object.create(database.pool), { options: { max: 1 } })),
    ],
    ["a pooler that shares sessions", () => PoolConnection.make(database.pool, { prepare: false })],
  ])("%s: only the lease ends a claim", async (_, connection) => {
    await inProcess(
      connection(),
      Effect.gen(function* () {
        yield* attend
        yield* add(1)
        yield* claim(live)
      }),
    )
    expect(await rows("select session v from countersign.job")).toEqual([null])
    await inProcess(database.connection, Effect.andThen(attend, twoBeats))
    expect(await rows("select (not_before > 0)::int v from countersign.job")).toEqual([1])
  })

  it("a claim whose answer was lost is released by the next claim of the process", async () => {
    let isLost = true
    const connection: Connection = {
      ...database.connection,
      query: async (statement) => {
        const answer = await database.connection.query(statement)
        if (statement.name !== "countersign_claim" || !isLost) return answer
        isLost = false
        throw Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" })
      },
    }
    const claimed = await inProcess(
      connection,
      Effect.gen(function* () {
        yield* add(1, 2)
        yield* Effect.exit(claim({ ...live, limit: 1 }))
        return yield* claim({ ...live, limit: 1 })
      }),
    )
    expect(claimed.map(({ attempt, id }) => [id, attempt])).toEqual([[job(1).id, 2]])
  })
})
