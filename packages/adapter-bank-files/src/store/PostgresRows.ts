/** The rows of a transaction in PostgreSQL. Each call is one statement. Source: D-530; orders/BankFileStore.ts. */
import { Effect } from "effect"
import type { BankBatch, BankLine } from "../orders/BankFile.ts"
import { BankFilesUnavailable, type BankRows } from "../orders/BankFileStore.ts"
import type { BankOrder } from "../orders/BankOrder.ts"
import { schemaName } from "./Schema.ts"

type Parameter = string | number | null | ReadonlyArray<string>

/** The part of a client of the driver `pg` that this store uses. */
export interface BankFileClient {
  readonly query: (text: string, values?: Array<Parameter>) => Promise<{ readonly rows: ReadonlyArray<unknown> }>
  readonly on: (event: "error", listener: () => void) => unknown
  readonly removeListener: (event: "error", listener: () => void) => unknown
}

/** The columns of an order beside its data, from a list of orders in JSON. */
const orderColumns = `select each->>'reference', each->>'bank', each->>'state', (each->>'acceptedAt')::bigint,
  (each->>'settlesAt')::bigint, each->>'endToEndId', each->>'individualId', each->>'traceNumber', each->>'batchId',
  (each->>'isReported')::boolean, each
  from jsonb_array_elements($1::jsonb) as each order by each->>'reference'`

const insertOrders = `insert into ${schemaName}.bank_order (reference, bank, state, accepted_at, settles_at, end_to_end_id, individual_id,
  trace_number, batch_id, is_reported, data) ${orderColumns}`

const updateOrder = `on conflict (reference) do update set state = excluded.state, settles_at = excluded.settles_at, trace_number = excluded.trace_number,
  batch_id = excluded.batch_id, is_reported = excluded.is_reported, data = excluded.data`

const orders = `select data::text as data from ${schemaName}.bank_order`

const textOf = (row: unknown): string =>
  typeof row === "object" && row !== null && "data" in row ? String(row.data) : ""

export const rowsOf = (client: BankFileClient): BankRows => {
  const query = (text: string, values: Array<Parameter>) =>
    Effect.tryPromise({
      try: () => client.query(text, values),
      catch: (cause) => new BankFilesUnavailable({ cause }),
    })
  const texts = (text: string, values: Array<Parameter>) =>
    Effect.map(query(text, values), ({ rows }) => rows.map(textOf))
  const listed = <A>(text: string, values: Array<Parameter>): Effect.Effect<ReadonlyArray<A>, BankFilesUnavailable> =>
    // The rows are the store's own.
    Effect.map(texts(text, values), (found) => found.map((each): A => JSON.parse(each)))
  const findOrders = (condition: string, values: Array<Parameter>) =>
    listed<BankOrder>(`${orders} where ${condition} for update`, values)
  const putBatch = (batch: BankBatch) => [
    batch.id,
    batch.bank,
    batch.cutOff,
    batch.kind,
    batch.part,
    batch.state,
    JSON.stringify(batch),
  ]

  return {
    lock: (name) =>
      Effect.andThen(
        query(`insert into ${schemaName}.lock (name) values ($1) on conflict do nothing`, [name]),
        Effect.asVoid(query(`select name from ${schemaName}.lock where name = $1 for update`, [name])),
      ),
    numbers: (name, count) =>
      Effect.map(
        texts(
          `insert into ${schemaName}.sequence as known (name, last) values ($1, $2)
           on conflict (name) do update set last = known.last + excluded.last returning last::text as data`,
          [name, count],
        ),
        ([last]) => Array.from({ length: count }, (_, n) => Number(last) - count + n + 1),
      ),
    addOrder: (order) =>
      // Of any index: of two that arrive at once, the second may meet the first in another one than that of references.
      query(`${insertOrders} on conflict do nothing`, [JSON.stringify([order])]).pipe(
        Effect.andThen(findOrders("reference = $1", [order.reference])),
        Effect.flatMap(([known]) =>
          known === undefined ? Effect.die(new Error("an order that was kept is gone")) : Effect.succeed(known),
        ),
      ),
    orders: (references) => findOrders("reference = any($1) order by reference", [references]),
    ordersById: (bank, ids) =>
      findOrders(
        "bank = $1 and (end_to_end_id = any($2) or individual_id = any($2) or trace_number = any($2)) order by reference",
        [bank, ids],
      ),
    ordersOfBatch: (batchId) => findOrders("batch_id = $1 order by accepted_at, reference", [batchId]),
    waiting: (bank, before, limit) =>
      findOrders("bank = $1 and state = 'ACCEPTED' and accepted_at < $2 order by accepted_at, reference limit $3", [
        bank,
        before,
        limit,
      ]),
    settling: (bank, at, limit) =>
      findOrders("bank = $1 and state = 'BATCHED' and settles_at <= $2 order by accepted_at, reference limit $3", [
        bank,
        at,
        limit,
      ]),
    putOrders: (changed) =>
      changed.length === 0
        ? Effect.void
        : Effect.asVoid(query(`${insertOrders} ${updateOrder}`, [JSON.stringify(changed)])),
    addBatch: (batch) =>
      Effect.asVoid(
        query(
          `insert into ${schemaName}.batch (id, bank, cut_off, kind, part, state, data) values ($1, $2, $3, $4, $5, $6, $7)`,
          putBatch(batch),
        ),
      ),
    batch: (id) =>
      Effect.map(
        listed<BankBatch>(`select data::text as data from ${schemaName}.batch where id = $1 for update`, [id]),
        ([batch]) => batch,
      ),
    putBatch: (batch) =>
      Effect.asVoid(
        query(`update ${schemaName}.batch set state = $2, data = $3 where id = $1`, [
          batch.id,
          batch.state,
          JSON.stringify(batch),
        ]),
      ),
    lastPart: (bank, cutOff, kind) =>
      Effect.map(
        texts(
          `select coalesce(max(part), 0)::text as data from ${schemaName}.batch where bank = $1 and cut_off = $2 and kind = $3`,
          [bank, cutOff, kind],
        ),
        ([last]) => Number(last),
      ),
    addFile: (file) =>
      Effect.map(
        texts(
          `insert into ${schemaName}.file (bank, digest, data) values ($1, $2, $3) on conflict do nothing returning digest as data`,
          [file.bank, file.digest, JSON.stringify(file)],
        ),
        (added) => added.length > 0,
      ),
    addLines: (lines) =>
      lines.length === 0
        ? Effect.succeed([])
        : listed<BankLine>(
            `insert into ${schemaName}.line (key, bank, booked_on, data)
             select each->>'key', each->>'bank', each->>'bookedOn', each from jsonb_array_elements($1::jsonb) as each
             on conflict do nothing returning data::text as data`,
            [JSON.stringify(lines)],
          ),
    listUnwritten: (bank) =>
      listed(
        `select data::text as data from ${schemaName}.batch where bank = $1 and state <> 'WRITTEN' order by cut_off, id`,
        [bank],
      ),
    listUnreported: (limit) =>
      listed(`${orders} where not is_reported order by accepted_at, reference limit $1`, [limit]),
    listOrders: (bank, from, to) =>
      listed(`${orders} where bank = $1 and accepted_at >= $2 and accepted_at < $3 order by accepted_at, reference`, [
        bank,
        from,
        to,
      ]),
    listLines: (bank, from, to) =>
      listed(
        `select data::text as data from ${schemaName}.line where bank = $1 and booked_on >= $2 and booked_on <= $3 order by booked_on, key`,
        [bank, from, to],
      ),
    hasFile: (bank, digest) =>
      Effect.map(
        texts(`select digest as data from ${schemaName}.file where bank = $1 and digest = $2`, [bank, digest]),
        (found) => found.length > 0,
      ),
  }
}
