/**
 * The tables of a world's state, and which rows of them belong to the server.
 * Source: D-470; core/store/StateImages.ts.
 */
import { isKeptByReset, type Kind, Kinds, kindsOfServer } from "@countersign/core/store"
import type { Query, Session } from "../connection/Connection.ts"
import { kindTables, quoted } from "../schema/KindTables.ts"

/** Tables of the process, and of documents' contents: no world has their rows. */
const tablesOfServer: ReadonlyArray<string> = ["schema_version", "worker_session", "vault_chunk", "vault_file"]

/** The tables whose rows name a kind in a column of this name. */
const tablesByKind: ReadonlyArray<string> = ["unique_key", "record_history"]

const kindOfTable = new Map(kindTables.map(({ kind, table }) => [table, kind]))

/** The kind of the records of a table; `undefined` for a table without records. */
export const kindOf = (table: string): Kind | undefined => kindOfTable.get(table)

const isOfServer = (kind: Kind | undefined): boolean => kind !== undefined && kindsOfServer.includes(kind)

/** The tables of a state, in an order in which their rows can be inserted: those of the ledger's entries need its accounts. */
export const worldTables = async (query: Query): Promise<ReadonlyArray<string>> => {
  const found = await query({
    text: "select table_name::text from information_schema.tables where table_schema = 'countersign' order by table_name",
    values: [],
  })
  return found.flatMap((table) =>
    table === null || tablesOfServer.includes(table) || isOfServer(kindOf(table)) ? [] : [table],
  )
}

export const nameOf = (table: string): string => `countersign.${quoted(table)}`

const listOf = (kinds: ReadonlyArray<Kind>): string => kinds.map((kind) => `'${kind}'`).join(", ")

/** The condition of the rows that belong to a world. */
export const worldRows = (table: string): string =>
  tablesByKind.includes(table) ? `kind not in (${listOf(kindsOfServer)})` : "true"

/** Truncates tables. One without rows is left alone: to truncate it takes as long, since it gets new files. */
export const emptyTables = async ({ query, script }: Session, tables: ReadonlyArray<string>): Promise<void> => {
  if (tables.length === 0) return
  const asked = tables.map((table) => `('${table}', exists (select from ${nameOf(table)}))`)
  const used = await query({
    text: `select name from (values ${asked.join(", ")}) as found (name, has_rows) where has_rows`,
    values: [],
  })
  if (used.length > 0) await script(`truncate ${used.map((table) => nameOf(table ?? "")).join(", ")}`)
}

/** Deletes the rows of a world. The ledger refuses single deletions, so whole tables are truncated. */
export const deleteWorld = async (session: Session, tables: ReadonlyArray<string>): Promise<void> => {
  await emptyTables(
    session,
    tables.filter((table) => !tablesByKind.includes(table)),
  )
  await session.script(
    tablesByKind.map((table) => `delete from ${nameOf(table)} where ${worldRows(table)};`).join("\n"),
  )
}

const keptKinds = Kinds.keys.filter((kind) => isKeptByReset({ kind, customerId: null }))
const keptRows = `kind in (${listOf(keptKinds)}) and (customer_id is null or kind in (${listOf(kindsOfServer)}))`

/** Deletes what a reset does not keep. The ledger's accounts of the platform are emptied by a copy without their sums. */
export const deleteAllButPlatform = async (session: Session, tables: ReadonlyArray<string>): Promise<void> => {
  const kept = tables.filter((table) => keptKinds.some((kind) => kindOf(table) === kind))
  const others = tables.filter((table) => !kept.includes(table) && !tablesByKind.includes(table))
  await session.script(`create temporary table kept_account on commit drop as
    select * from countersign.ledger_account where customer_id is null`)
  await emptyTables(session, others)
  await session.script(
    [
      "update kept_account set balance = 0, sequence = 0;",
      "insert into countersign.ledger_account select * from kept_account;",
      ...kept.map((table) => `delete from ${nameOf(table)} where customer_id is not null;`),
      ...tablesByKind.map((table) => `delete from ${nameOf(table)} where not (${keptRows});`),
    ].join("\n"),
  )
}
