/**
 * Reads a record as of now: with the state that time alone has given it, even if that is not stored yet.
 * Source: architecture, "The Store port" (`asOf`).
 */
import type { Stored } from "./ChangeSet.ts"
import { type DataOf, type Kind, Kinds } from "./Kinds.ts"

export const asOf = <K extends Kind>(stored: Stored<K>, now: number): Stored<K> => {
  const row: { readonly asOf?: (data: never, now: number) => unknown } = Kinds.get(stored.kind)
  const of = row.asOf as ((data: DataOf<K>, now: number) => DataOf<K>) | undefined
  return of === undefined ? stored : { ...stored, data: of(stored.data, now) }
}
