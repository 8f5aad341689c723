/** Processes on a cluster that commit sets over several cells, and the audit of all cells as if they were one. Source: D-517. */
import { type Connection, PostgresStore } from "@countersign/adapter-postgres"
import { WallTime } from "@countersign/core/ports"
import { Store } from "@countersign/core/store"
import { Effect, Layer, ManagedRuntime } from "effect"
import type pg from "pg"
import { schemaOf } from "../../../../packages/adapter-postgres/src/cells/Cells.ts"
import { eventually } from "../../e2e/Deadline.ts"
import { audit, type Written } from "../../faults/CommitStorm.ts"

const cells = 4

interface Process extends AsyncDisposable {
  readonly store: Store["Service"]
}

export const processOn = async (connection: Connection): Promise<Process> => {
  const layer = Layer.orDie(PostgresStore.layer({ connection, cells })).pipe(Layer.provide(WallTime.layerClock))
  const runtime = ManagedRuntime.make(layer)
  const store = await runtime.runPromise(Effect.map(Store, (found) => found))
  return { store, [Symbol.asyncDispose]: () => runtime.dispose() }
}

/** Copies the tables of all cells into one schema, which an audit reads as a store of one cell. */
const collect = async (pool: pg.Pool): Promise<void> => {
  await pool.query("create schema countersign")
  for (const name of ["customer", "event", "job", "counter", "ledger_account", "ledger_entry", "operation"]) {
    await pool.query(`create table countersign.${name} as select * from ${schemaOf(0, cells)}.${name} limit 0`)
    for (let cell = 0; cell < cells; cell++) {
      const { rows } = await pool.query<{ readonly row: string }>(
        `select row_to_json(t)::text as row from ${schemaOf(cell, cells)}.${name} t`,
      )
      await pool.query(
        `insert into countersign.${name} select each.* from unnest($1::text[]) as row, json_populate_record(null::countersign.${name}, row::json) as each`,
        [rows.map(({ row }) => row)],
      )
    }
  }
  await pool.query("delete from countersign.ledger_account where id like 'bridge:%'")
  await pool.query("delete from countersign.ledger_entry where account_id like 'bridge:%'")
  // Each part of a set in several cells has a receipt.
  await pool.query(`delete from countersign.operation as o using countersign.operation as other
    where o.id = other.id and o.ctid > other.ctid or o.id like '% events'`)
}

/** Waits until no transaction is prepared at a node any more. */
export const nonePrepared = (pools: ReadonlyArray<pg.Pool>): Promise<unknown> =>
  eventually(
    "the end of prepared transactions",
    async () => {
      const found = await Promise.all(
        pools.map((pool) => pool.query<{ readonly gid: string }>("select gid from pg_prepared_xacts")),
      )
      return found.flatMap(({ rows }) => rows)
    },
    (found) => found.length === 0,
    10_000,
  )

/** Audits all cells once no transaction is prepared at a node. The first pool is that of the coordinator. */
export const auditCells = async (pools: ReadonlyArray<pg.Pool>, written: Written): Promise<void> => {
  await nonePrepared(pools)
  const [coordinator] = pools
  if (coordinator === undefined) throw new Error("the cluster has no node")
  await collect(coordinator)
  await audit(coordinator, written)
}
