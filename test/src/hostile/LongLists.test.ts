/**
 * A page of a long list reads a bounded number of rows, however many there are.
 * Source: wire contract 0.3 (totalCount); D-320.
 */
import { PoolConnection, PostgresStore } from "@countersign/adapter-postgres"
import { CurrentCaller } from "@countersign/core"
import { WallTime } from "@countersign/core/ports"
import { Store, type Where } from "@countersign/core/store"
import { Effect, Layer, ManagedRuntime } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { AuditOutcome } from "../../../packages/core/src/model/audit/AuditRecord.ts"
import { alpha, alphaId } from "../../../packages/test/src/conformance/Examples.ts"
import { type FaultServer, faultServer } from "../faults/FaultServer.ts"

let server: FaultServer
beforeAll(async () => {
  server = await faultServer()
}, 60_000)
afterAll(() => server[Symbol.asyncDispose]())

const records = 200_000
/** The rows of the count and of the page, each read by an index; nothing else is read. */
const rowsMax = 2 * 10_100

it("a page and its total count read a bounded number of 200,000 rows", { timeout: 120_000 }, async () => {
  const database = await server.create()
  const outside = database.pool({ max: 1 })
  const connection = PoolConnection.make(database.pool({ max: 1 }))
  const runtime = ManagedRuntime.make(
    Layer.orDie(PostgresStore.layer({ connection })).pipe(Layer.provide(WallTime.layerClock)),
  )
  const store = await runtime.runPromise(Effect.map(Store, (found) => found))
  await outside.query(
    `insert into countersign.audit_record (owner_id, platform_id, id, version, created_at, updated_at, outcome, data)
     select $1, $1, 'AuditRecord:' || n, 1, n, n, to_jsonb($2::text[])->(n % 2), '{}' from generate_series(1, ${records}) n`,
    [alphaId, AuditOutcome.literals],
  )
  await outside.query("analyze countersign.audit_record")

  /** The rows that the server has read from the table, in one way or another. */
  const rowsRead = async (): Promise<number> => {
    await outside.query("select pg_stat_clear_snapshot()")
    const { rows } = await outside.query<{ readonly n: number }>(
      "select (seq_tup_read + greatest(idx_tup_fetch, 0))::int as n from pg_stat_user_tables where relname = 'audit_record'",
    )
    return rows[0]?.n ?? 0
  }
  const page = async (where: Where, order: "asc" | "desc") => {
    await connection.query({ text: "select pg_stat_force_next_flush()::text", values: [] })
    const before = await rowsRead()
    const found = await Effect.runPromise(
      Effect.provideService(store.list("AuditRecord", where, { limit: 20, order }), CurrentCaller, alpha),
    )
    await connection.query({ text: "select pg_stat_force_next_flush()::text", values: [] })
    return { ...found, rowsRead: (await rowsRead()) - before }
  }
  const halfOfThem = { outcome: { eq: AuditOutcome.literals[0] } }
  for (const where of [{}, { createdAt: { from: 1 } }, { createdAt: { to: records - 10 } }, halfOfThem]) {
    for (const order of ["asc", "desc"] as const) {
      const found = await page(where, order)
      expect([found.data.length, found.hasMore, "totalCount" in found]).toEqual([20, true, false])
      expect(found.rowsRead).toBeLessThanOrEqual(rowsMax)
    }
  }
  const few = await page({ createdAt: { from: records - 99 } }, "desc")
  expect([few.totalCount, few.rowsRead <= rowsMax]).toEqual([100, true])
  await runtime.dispose()
})
