/**
 * The cells of a store: schemas that are complete in themselves, and the cell of each name.
 * Source: D-514.
 */
import { createHash } from "node:crypto"
import type { Caller } from "@countersign/core"
import { slotCount, slotOf } from "@countersign/core/store"

/** The most cells that a store may have. */
export const cellsMax = 256

/** The schema of a cell. It names the number of cells, which never changes; that of a store of one cell is `countersign`. */
export const schemaOf = (cell: number, count: number): string =>
  count === 1 ? "countersign" : `countersign_cell_${cell}_of_${count}`

const ofCell = "_cell_[0-9]+_of_[0-9]+"

/** The schemas of stores of any number of cells, and of several, as regular expressions of the database. */
export const anySchema = `^countersign(${ofCell})?$`
export const dividedSchema = `^countersign${ofCell}$`

/** Reads the schemas of the cells that exist. */
export const schemasText = `select n.nspname::text from pg_namespace as n
  join pg_class as c on c.relnamespace = n.oid and c.relname = 'schema_version' where n.nspname ~ '${anySchema}'`

/** The number of cells of a store with this schema. */
export const countOf = (schema: string): number => Number(schema.split("_of_")[1] ?? 1)

/** The cell of a name, in a store of a number of cells. */
export type CellOf = (name: string) => number

/** A name without an identifier belongs to no owner: its own value places it. */
const slotOfValue = (name: string): number => createHash("sha256").update(name).digest().readUInt16BE(0) % slotCount

/** An identifier, or a name that contains one, is in the cell of its slot; any other name in that of its own value. */
export const placedIn =
  (count: number): CellOf =>
  (name) =>
    (slotOf(name) ?? slotOfValue(name)) % count

/** The name by which a unique key is placed. `scope`: of a platform, or `""` for a global key. */
export const keyName = (key: string, scope: string): string => `key:${slotless(scope)}:${slotless(key)}`

/** The name by which a stored response is placed. That of an agent is where its customer is, so that its requests need one cell. */
export const replayName = (key: string, caller: Caller): string =>
  caller._tag === "Agent" ? caller.customerId : `replay:${slotless(key)}`

/** A key is placed by its whole value: a key that contains an identifier must not lead the keys of one owner to one cell. */
const slotless = (text: string): string => createHash("sha256").update(text).digest("hex")
