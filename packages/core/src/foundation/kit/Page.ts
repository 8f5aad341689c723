/**
 * Pages of a list: newest first, ties broken by id, with a cursor that is bound to its filters.
 * Source: wire contract 0.3 and 11 (34).
 */
import { Result } from "effect"
import { Base64Url } from "effect/encoding"
import * as CanonicalJson from "./CanonicalJson.ts"
import * as Outside from "./Outside.ts"

/** The length of a page if the caller asks for none. */
export const limitDefault = 20
/** The greatest length of a page that a caller can ask for. */
export const limitMax = 100

/** The largest total count that a list states: counting more would read as many rows. */
export const totalCountMax = 10_000

/** `desc`: newest first. */
export type SortOrder = "asc" | "desc"

/** The position after which the next page begins: the last record's creation time (ms) and id. */
export interface Position {
  readonly createdAt: number
  readonly id: string
}

/** Which records of a list a page has: those behind `after`, or the first ones. */
export interface PageRequest {
  readonly limit: number
  readonly order: SortOrder
  readonly after?: Position
}

export interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly hasMore: boolean
  readonly nextCursor?: string
  /** Absent above `totalCountMax`. */
  readonly totalCount?: number
}

/** The member of a page for this number of records. */
export const totalCountOf = (count: number): Pick<Page<unknown>, "totalCount"> =>
  count > totalCountMax ? {} : { totalCount: count }

/** A checksum of the filters (FNV-1a, 32 bits). It detects mistakes, not attacks. */
const filterChecksum = (filters: unknown): string => {
  let hash = 0x811c9dc5
  for (const char of CanonicalJson.stringify(filters)) {
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0
  }
  return hash.toString(36)
}

/** Returns an opaque cursor for the page after `position` of the list with these filters. */
export const encodeCursor = (position: Position, filters: unknown): string =>
  Base64Url.encode(JSON.stringify([position.createdAt, position.id, filterChecksum(filters)]))

/** Returns the position of a cursor, or `undefined` when it is malformed or belongs to other filters. */
export const decodeCursor = (cursor: string, filters: unknown): Position | undefined => {
  const text = Base64Url.decodeString(cursor)
  if (Result.isFailure(text)) return undefined
  const decoded = Outside.parseStorable(text.success)
  if (Result.isFailure(decoded) || !Array.isArray(decoded.success) || decoded.success.length !== 3) return undefined
  const [createdAt, id, checksum] = decoded.success as ReadonlyArray<unknown>
  if (typeof id !== "string" || checksum !== filterChecksum(filters)) return undefined
  if (typeof createdAt !== "number" || !Number.isSafeInteger(createdAt)) return undefined
  return { createdAt, id }
}

/** Compares two positions in the list's order. */
export const compare =
  (order: SortOrder) =>
  (a: Position, b: Position): number => {
    const ascending = a.createdAt - b.createdAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
    return order === "asc" ? ascending : -ascending
  }
