/**
 * The table of maximum lengths of request fields, and the checks that apply them. A length is checked before a pattern, so that no
 * pattern runs over a long text. Fields whose length the wire contract gives state it themselves; `docs/limits.md` lists all.
 * Source: D-311.
 */
import { Schema } from "effect"
import type { Json } from "./CanonicalJson.ts"
import * as Table from "./Table.ts"

/** Characters (UTF-16 code units), except for `list` (items), `members` (members of an object) and `json` (characters of JSON). */
export const Lengths = Table.make("Lengths", {
  code: { max: 64, what: "Codes, dates, times, durations, numbers in a query" },
  id: { max: 128, what: "Identifiers in bodies and queries" },
  pathId: { max: 512, what: "Identifiers in paths, and signatures' request ids" },
  text: { max: 255, what: "Names, lines of an address, filters" },
  accountDetail: { max: 512, what: "Account numbers, addresses and telephone numbers that have a pattern" },
  invoice: { max: 4100, what: "Lightning invoices and offers" },
  address: { max: 8192, what: "The path and query of a request together" },
  cursor: { max: 1024, what: "Cursors of lists" },
  signature: { max: 8192, what: "Wallet signatures (stamps) in headers" },
  list: { max: 200, what: "Accounts and account rules of a policy" },
  countries: { max: 300, what: "Lists of countries" },
  members: { max: 100, what: "Free objects: members of the object itself" },
  json: { max: 16_384, what: "Free objects: characters of their JSON" },
})
export type LengthName = (typeof Lengths.keys)[number]

/** The check of a maximum length of a string or a list. Later checks run only within it. */
export const atMost = (name: LengthName) => Schema.isMaxLength(Lengths.get(name).max).abort()

/** A text that matches a pattern, which must have the `u` flag. `expected` completes "must be". */
export const Matching = (name: LengthName, pattern: RegExp, expected: string) =>
  Schema.String.check(atMost(name), Schema.isPattern(pattern, { expected }))

const jsonMaxKey = "countersign/jsonMax"

/** Returns the maximum number of characters in the annotations of a free object's check; `undefined` for any other check. */
export const jsonMaxOf = (annotations: unknown): number | undefined => {
  const max = (annotations as { readonly [jsonMaxKey]?: unknown } | undefined)?.[jsonMaxKey]
  return typeof max === "number" ? max : undefined
}

const isShortJson = Schema.makeFilter(
  (value: { readonly [name: string]: Json }) => JSON.stringify(value).length <= Lengths.rows.json.max,
  { expected: `an object of at most ${Lengths.rows.json.max} characters of JSON`, [jsonMaxKey]: Lengths.rows.json.max },
)

/** An object in a request whose members the interface does not define. */
export const FreeObject = Schema.Record(Schema.String, Schema.Json).check(
  Schema.isMaxProperties(Lengths.rows.members.max).abort(),
  isShortJson,
)
