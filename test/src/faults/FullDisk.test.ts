/**
 * A full disk: a commit that needs space is refused and not applied, one that needs none succeeds, and service resumes with free space.
 *
 * A small file system needs a mount, and a quota an administrator. The device /dev/full needs neither: it refuses every write with
 * ENOSPC, so that a table whose file it replaces is full for PostgreSQL. On a system without this device the fault layer gives the
 * server's answer. The responses that a client receives are in ClientResponses.test.ts.
 */
import { existsSync } from "node:fs"
import { chown, lstat, rename, rm, symlink } from "node:fs/promises"
import { join } from "node:path"
import { PoolConnection, PostgresStore } from "@countersign/adapter-postgres"
import { WallTime } from "@countersign/core/ports"
import { type ChangeSet, Store } from "@countersign/core/store"
import { Effect, Layer, ManagedRuntime } from "effect"
import type pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { newEvent } from "../../../packages/test/src/conformance/Examples.ts"
import { isReady, open, resultOf, setOn } from "./CommitStorm.ts"
import { type FaultServer, faultServer, liveStoreOn } from "./FaultServer.ts"
import { faultyConnection } from "./FaultyConnection.ts"

const device = "/dev/full"

/** The sets that were applied, of those that were sent. */
const applied = async (pool: pg.Pool, sets: ReadonlyArray<ChangeSet>) => {
  const { rows } = await pool.query<{ readonly id: string }>("select id from countersign.operation")
  return sets.filter(({ operationId }) => rows.some(({ id }) => id === operationId))
}

let server: FaultServer
beforeAll(async () => {
  server = await faultServer()
}, 60_000)
afterAll(() => server[Symbol.asyncDispose]())

const onTheDevice = () => {
  /** Replaces the file of a table by the device while the server is down, and restores it. */
  const fill = async (file: string) => {
    const { gid, uid } = await lstat(file)
    await server.restart("fast", async () => {
      await rename(file, `${file}.aside`)
      await symlink(device, file)
    })
    return () =>
      server.restart("fast", async () => {
        await rm(file)
        await rename(`${file}.aside`, file)
        await chown(file, uid, gid)
      })
  }

  it("refuses commits that need space and serves those that need none", async () => {
    const database = await server.create()
    const outside = database.pool({ max: 1 })
    const pool = database.pool()
    await using runtime = Object.assign(ManagedRuntime.make(liveStoreOn(pool)), {
      [Symbol.asyncDispose]: () => runtime.dispose(),
    })
    const store = await runtime.runPromise(Effect.map(Store, (found) => found))
    await open(store)
    const { rows } = await outside.query<{ readonly path: string }>(
      "select pg_relation_filepath('countersign.event') as path",
    )
    const free = await fill(join(server.folder, "data", rows[0]?.path ?? ""))

    const events = Array.from({ length: 24 }, (_, n): ChangeSet => ({ ...setOn(n % 8), events: [newEvent(n)] }))
    const others = Array.from({ length: 24 }, (_, n) => setOn(n % 8))
    expect(await resultOf(store, others[0] ?? setOn(0))).toBe("Committed")
    expect(await resultOf(store, events[0] ?? setOn(0))).toBe("unavailable")
    await expect(
      outside.query(
        "insert into countersign.event (owner_id, platform_id, id, type, subject, data, created_at, expires_at) select 'p', 'p', 'e', 't', 's', '{}', 0, 0",
      ),
    ).rejects.toMatchObject({
      code: "53100",
    })
    // All at once, so that both kinds share a batch: its other sets may be refused, too, but every result is true.
    const answers = await Promise.all([...events, ...others].map((set) => resultOf(store, set)))
    expect(new Set(answers.slice(0, 24))).toEqual(new Set(["unavailable"]))
    const committed = [...events, ...others].filter((_, n) => answers[n] === "Committed")
    expect(await applied(outside, [...events, ...others])).toEqual(committed)
    for (const set of others) expect(await resultOf(store, set)).toBe("Committed")
    expect(await isReady(store)).toBe(true)

    await free()
    for (const set of events) expect(await resultOf(store, set)).toBe("Committed")
    expect(await applied(outside, [...events, ...others])).toEqual([...events, ...others])
    const sums = await outside.query(
      "select sum(amount)::int as total, count(*)::int as n from countersign.ledger_entry",
    )
    expect(sums.rows).toEqual([{ total: 0, n: 2 * (8 + 48) }])
  })
}

const onTheFaultLayer = () => {
  it("is reported as an unavailable store", async () => {
    const database = await server.create()
    const { connection, failAll } = faultyConnection(PoolConnection.make(database.pool()))
    const runtime = ManagedRuntime.make(
      Layer.orDie(PostgresStore.layer({ connection })).pipe(Layer.provide(WallTime.layerClock)),
    )
    const store = await runtime.runPromise(Effect.map(Store, (found) => found))
    await open(store)
    const set = setOn(0)
    failAll({ code: "53100" })
    expect(await resultOf(store, set)).toBe("unavailable")
    failAll(undefined)
    expect(await resultOf(store, set)).toBe("Committed")
    await runtime.dispose()
  })
}

describe("a full disk", { timeout: 60_000 }, existsSync(device) ? onTheDevice : onTheFaultLayer)
