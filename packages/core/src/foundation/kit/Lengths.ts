/**
 * The table of maximum lengths of request fields, and the checks that apply them. A length is checked before a pattern, so that no
 * pattern runs over a long text. Fields whose length the wire contract gives state it themselves; `docs/limits.md` lists all.
 * Source: D-311.
 */
import { Schema } from "effect"
import type { Json } from "./CanonicalJson.ts"
import * as Table from "./Table.ts"

/** Characters (UTF-16 code units), except for `list` and `countries` (items), `members` (of an object) and `json` (characters of JSON). */
export const Lengths = Table.make("Lengths", {
  /** Codes, dates, times, durations. */
  code: 64,
  /** Identifiers in bodies and queries. */
  id: 128,
  /** Identifiers in paths, as the router limits them. */
  pathId: 512,
  /** Names, lines of an address, filters. */
  text: 255,
  /** Account numbers, addresses and keys that have a pattern. */
  accountDetail: 512,
  /** Lightning invoices and offers. */
  invoice: 4100,
  /** The path and query of a request together. */
  address: 8192,
  cursor: 1024,
  /** Wallet signatures (stamps) in headers. */
  signature: 8192,
  /** Accounts and account rules of a policy. */
  list: 200,
  countries: 300,
  /** Members of a free object itself. */
  members: 100,
  /** A free object as a whole. */
  json: 16_384,
})
/** The name of a row of the table, such as `id` or `cursor`. */
export type LengthName = (typeof Lengths.keys)[number]

/** The check of a maximum length of a string or a list. Later checks run only within it. */
export const atMost = (name: LengthName) => Schema.isMaxLength(Lengths.get(name)).abort()

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
  (value: { readonly [name: string]: Json }) => JSON.stringify(value).length <= Lengths.rows.json,
  { expected: `an object of at most ${Lengths.rows.json} characters of JSON`, [jsonMaxKey]: Lengths.rows.json },
)

/** An object in a request whose members the interface does not define. */
export const FreeObject = Schema.Record(Schema.String, Schema.Json).check(
  Schema.isMaxProperties(Lengths.rows.members).abort(),
  isShortJson,
)
