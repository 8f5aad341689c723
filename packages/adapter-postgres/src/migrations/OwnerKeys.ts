/**
 * The primary keys by owner that tables of records had beside the unique index of their identifiers. They are dropped table by table: one
 * transaction that locks many tables and commits that lock them in another order would wait for each other.
 * Source: D-512.
 */
import type { Session } from "../connection/Connection.ts"
import { quoted } from "../schema/KindTables.ts"
import { inShortTransaction, readColumn } from "./Steps.ts"

const tablesWithOwnerKey = `
select class.relname::text
from pg_class as class
join pg_constraint as by_owner on by_owner.conrelid = class.oid and by_owner.contype = 'p'
  and pg_get_constraintdef(by_owner.oid) = 'PRIMARY KEY (owner_id, id)'
join pg_constraint as by_id on by_id.conrelid = class.oid and by_id.contype = 'u'
  and pg_get_constraintdef(by_id.oid) = 'UNIQUE (id)' and by_id.conname = class.relname || '_id_key'
where class.relnamespace = 'countersign'::regnamespace and by_owner.conname = class.relname || '_pkey' and not class.relispartition
order by class.relname`

export const exist = async (session: Session): Promise<boolean> =>
  (await readColumn(session, tablesWithOwnerKey)).length > 0

/** Without a primary key logical replication has to be given the index by which it finds a row. */
export const drop = async (session: Session): Promise<void> => {
  for (const table of await readColumn(session, tablesWithOwnerKey)) {
    await inShortTransaction(session, () =>
      session.script(`alter table ${quoted(table)} drop constraint ${quoted(`${table}_pkey`)};
        alter table ${quoted(table)} replica identity using index ${quoted(`${table}_id_key`)}`),
    )
  }
}
