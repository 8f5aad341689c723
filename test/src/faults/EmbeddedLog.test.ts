/**
 * An embedded database that cannot write its log ends in the middle of a statement without an answer. The store reports that it is
 * unavailable, and reopens with everything it had acknowledged once there is space.
 * Source: PostgreSQL manual, "WAL Internals" (a log that cannot be written is a PANIC).
 */
import { mkdir, readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { PgliteFolder, PostgresStore } from "@countersign/adapter-postgres"
import { WallTime } from "@countersign/core/ports"
import { Store } from "@countersign/core/store"
import { Effect, Exit, Layer, ManagedRuntime, Scope } from "effect"
import { expect, it } from "vitest"
import { newFolder } from "../e2e/Folder.ts"
import { isReady, open, resultOf, setOn } from "./CommitStorm.ts"

/** A new log segment is first written under this name, which contains the id of the only process. */
const newSegment = "xlogtemp.42"

it("an embedded database that could not write its log reopens once there is space", { timeout: 120_000 }, async () => {
  await using folder = await newFolder()
  const scope = Scope.makeUnsafe()
  const connection = await Effect.runPromise(Scope.provide(PgliteFolder.open(folder.path), scope))
  const runtime = ManagedRuntime.make(
    Layer.orDie(PostgresStore.layer({ connection })).pipe(Layer.provide(WallTime.layerClock)),
  )
  const store = await runtime.runPromise(Effect.map(Store, (found) => found))
  await open(store)
  expect(await resultOf(store, setOn(0))).toBe("Committed")

  // No log segment is left and none can be created, as on a full disk; this works for every user on every system.
  const log = join(folder.path, "data", "pg_wal")
  await mkdir(join(log, newSegment, "in the way"), { recursive: true })
  const [current] = await connection.query({ text: "select pg_walfile_name(pg_switch_wal())", values: [] })
  const segments = (await readdir(log)).filter((name) => /^[0-9A-F]{24}$/u.test(name) && name > `${current}`)
  for (const name of segments) await rm(join(log, name))

  const lost = setOn(1)
  expect(await resultOf(store, lost)).toBe("unknown")
  expect(await isReady(store)).toBe(false)
  expect(await resultOf(store, setOn(2))).toBe("unavailable")

  await rm(join(log, newSegment), { recursive: true })
  await expect.poll(() => isReady(store), { timeout: 60_000, interval: 500 }).toBe(true)
  expect(await resultOf(store, setOn(3))).toBe("Committed")
  const [remaining] = await connection.query({
    text: "select count(*)::text || ' ' || sum(amount)::text from countersign.ledger_entry",
    values: [],
  })
  expect(remaining).toBe(`${16 + 2 * 2} 0`)
  await runtime.dispose()
  await Effect.runPromise(Scope.close(scope, Exit.void))
})
