/** Where the books of a sandbox show a record. Source: D-467. */
import { hashOf } from "./Hash.ts"
import type { RecordDetail } from "./Wire.ts"

/** The place of an account's entries, or of what a transaction moved; `undefined` for what has no entries. */
export const booksOf = ({ id, type }: Pick<RecordDetail, "id" | "type">): string | undefined => {
  if (type === "InternalAccount") return hashOf("books", "account", `available:${id}`)
  return type === "Transaction" || type === "CardTransaction" ? hashOf("books", "transfers", id) : undefined
}
