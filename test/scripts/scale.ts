/**
 * What a transfer leaves in the database: bytes per table and index, and of the write-ahead log. `npm run scale -- --transfers N`.
 * The figures of docs/scale.md come from here: transfers-in of agents through the services, executed, and reported by webhook.
 */
import { parseArgs } from "node:util"
import { AgentActions } from "@countersign/core"
import { addAgent, addCustomer, addSource, policy } from "../../packages/test/src/harness/AgentWorld.ts"
import { world } from "../../packages/test/src/harness/World.ts"
import { faultServer, worldStoreOn } from "../src/faults/FaultServer.ts"

const { values } = parseArgs({
  options: { transfers: { type: "string", default: "10000" }, customers: { type: "string", default: "100" } },
})
const transfers = Number(values.transfers)
const callers = 64

await using server = await faultServer([
  "full_page_writes=on",
  "max_wal_size=4GB",
  "checkpoint_timeout=1h",
  "autovacuum_naptime=5s",
  "shared_buffers=512MB",
])
const database = await server.create()
const aside = database.pool({ max: 1, query_timeout: 600_000 })
await using pay = await world({ store: worldStoreOn(database, database.pool({ max: 10 })) })

const people = await Promise.all(
  Array.from({ length: Number(values.customers) }, async () => {
    const { accountId, customerId } = await addCustomer(pay)
    const sourceAccountId = await addSource(pay, customerId, "000")
    const { agent } = await addAgent(pay, customerId, policy())
    return { agent, request: { sourceAccountId, destinationAccountId: accountId, amount: 5 } }
  }),
)
await pay.settle()

interface Measured {
  readonly lsn: string
  readonly tables: ReadonlyMap<string, { readonly heap: number; readonly indexes: number; readonly rows: number }>
}

const measure = async (): Promise<Measured> => {
  await aside.query("vacuum analyze")
  const { rows } = await aside.query<{ name: string; heap: number; indexes: number; rows: number }>(
    `select relname as name, pg_table_size(oid)::float8 as heap, pg_indexes_size(oid)::float8 as indexes, greatest(reltuples, 0)::float8 as rows
     from pg_class where relnamespace = 'countersign'::regnamespace and relkind = 'r' order by 1`,
  )
  const at = await aside.query<{ lsn: string }>("select pg_current_wal_lsn()::text as lsn")
  return { lsn: at.rows[0]?.lsn ?? "", tables: new Map(rows.map((row) => [row.name, row])) }
}

const walBetween = async (from: string, to: string): Promise<number> => {
  const { rows } = await aside.query<{ bytes: number }>(
    "select pg_wal_lsn_diff($1::pg_lsn, $2::pg_lsn)::float8 as bytes",
    [to, from],
  )
  return rows[0]?.bytes ?? 0
}
const lsnNow = async () =>
  (await aside.query<{ lsn: string }>("select pg_current_wal_lsn()::text as lsn")).rows[0]?.lsn ?? ""
const walStatistics = async () => {
  const { rows } = await aside.query<{ fpi: number }>("select wal_fpi::float8 as fpi from pg_stat_wal")
  return rows[0]?.fpi ?? 0
}

const before = await measure()
await aside.query("checkpoint")
const start = await lsnNow()
const fpiBefore = await walStatistics()

let next = 0
const submitting = Array.from({ length: callers }, async () => {
  for (;;) {
    const number = next
    next += 1
    if (number >= transfers) return
    const person = people[number % people.length]
    if (person === undefined) return
    const keyed = { key: `key ${number}`, method: "POST", path: "/agents/me/transfer-in", body: person.request }
    await pay.run(
      AgentActions.use((actions) => actions.submitTransferIn(person.request, keyed)),
      person.agent,
    )
  }
})
await Promise.all(submitting)
const submitted = await lsnNow()
const drain = async () => {
  let worked = 0
  for (;;) {
    const ran = await pay.settle()
    if (ran === 0) return worked
    worked += ran
  }
}
const jobs = await drain()
const end = await lsnNow()
const fpi = (await walStatistics()) - fpiBefore
const after = await measure()

const per = (bytes: number) => Math.round(bytes / transfers)
const lines = [...after.tables].map(([name, now]) => {
  const then = before.tables.get(name) ?? { heap: 0, indexes: 0, rows: 0 }
  return {
    name,
    heap: per(now.heap - then.heap),
    indexes: per(now.indexes - then.indexes),
    rows: (now.rows - then.rows) / transfers,
  }
})
const total = (key: "heap" | "indexes") => lines.reduce((sum, line) => sum + line[key], 0)
console.log(`${transfers} transfers of ${people.length} customers, ${jobs / transfers} jobs each; bytes per transfer`)
console.log("table                     rows    heap  indexes")
for (const line of lines) {
  if (line.heap + line.indexes === 0) continue
  console.log(
    `${line.name.padEnd(22)} ${line.rows.toFixed(2).padStart(7)} ${String(line.heap).padStart(7)} ${String(line.indexes).padStart(8)}`,
  )
}
console.log(
  `${"all".padEnd(22)} ${"".padStart(7)} ${String(total("heap")).padStart(7)} ${String(total("indexes")).padStart(8)}`,
)
console.log(
  `wal: ${per(await walBetween(start, submitted))} submit, ${per(await walBetween(submitted, end))} execute and tell; full pages ${(fpi / transfers).toFixed(2)} per transfer`,
)
