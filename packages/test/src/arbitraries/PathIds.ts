/**
 * The type of record that `{id}` identifies in a path: the public interface calls several parameters so.
 * Source: wire contract areas 4.
 */
import type { IdType } from "@countersign/core/models"

const rows: ReadonlyArray<readonly [start: string, type: IdType]> = [
  ["/auth/credentials/", "AuthMethod"],
  ["/auth/delegated-keys/", "DelegatedKey"],
  ["/auth/sessions/", "Session"],
  ["/cards/", "Card"],
  ["/internal-accounts/", "InternalAccount"],
  ["/sandbox/cards/", "Card"],
]

/** Returns the type of the parameter `id` of a path. */
export const idTypeOf = (path: string): IdType => {
  const row = rows.find(([start]) => path.startsWith(start))
  if (row === undefined) throw new Error(`unknown type of {id} in ${path}`)
  return row[1]
}
