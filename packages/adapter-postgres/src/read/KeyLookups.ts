/**
 * Reads by key: how the reads of many callers become one request to the database, and how each gets its own answer.
 * Source: architecture, "The Store port" (read: many in one trip); `sql/functions/read_points.sql`.
 */
import type { Caller } from "@countersign/core"
import type { AnyStored, Kind, ReadQuery, Stored, StoredEvent } from "@countersign/core/store"
import { RowsByKey } from "../commit/RowsByKey.ts"
import { decodeFacts, type SumNames } from "../commit/StoredSums.ts"
import { kindTable, kindTables } from "../schema/KindTables.ts"
import { decodeTemplate, type StoredTemplate } from "../schema/StoredTemplate.ts"
import { type Found, tenantOf } from "./Reading.ts"

/** One read. */
export type KeyLookup =
  | { readonly _tag: "Query"; readonly caller: Caller; readonly query: ReadQuery; readonly wallNow: number }
  /** The event with this id. */
  | { readonly _tag: "Event"; readonly caller: Caller; readonly id: string }
  /** The record that holds this global unique key. */
  | { readonly _tag: "Holder"; readonly key: string }
  /** The name of the record that holds it, which may be in another cell. */
  | { readonly _tag: "KeyHolder"; readonly key: string }

type Row = ReadonlyArray<string | number | null>

/** The number by which the holder of a read's unique key comes back, apart from the records that it names. */
const holderNumber = (read: number): number => -1 - read

/** Everything that the reads ask for, by part. Each row begins with the number of its read. */
export const encodeRequest = (lookups: ReadonlyArray<KeyLookup>): string => {
  const parts = new RowsByKey<Row>()
  const records = new RowsByKey<Row>()
  for (const [number, lookup] of lookups.entries()) {
    if (lookup._tag === "Holder") {
      parts.add("holders", [holderNumber(number), lookup.key])
      continue
    }
    if (lookup._tag === "KeyHolder") {
      parts.add("keys", [number, lookup.key])
      continue
    }
    const tenant = tenantOf(lookup.caller)
    const [platformId] = tenant
    if (lookup._tag === "Event") {
      parts.add("events", [number, ...tenant, lookup.id])
      continue
    }
    const { balances = [], counters = [], holder, ownersOf = [], platform, records: refs = [], replay } = lookup.query
    for (const { id, kind } of refs) records.add(kindTable(kind).number, [number, ...tenant, id])
    // An agent's customer would hide it.
    if (platform === true) records.add(kindTable("Platform").number, [number, platformId, null, platformId])
    for (const { id } of ownersOf) parts.add("owners", [number, ...tenant, id])
    for (const account of balances) parts.add("balances", [number, ...tenant, account])
    for (const key of counters) parts.add("counters", [number, platformId, key])
    if (holder !== undefined) parts.add("holders", [holderNumber(number), holder])
    if (replay !== undefined) parts.add("replays", [number, platformId, replay, lookup.wallNow])
  }
  return JSON.stringify({ ...parts.rows, records: Object.entries(records.rows) })
}

/** A record as the function returns it. */
type RecordRow = readonly [
  read: number,
  id: string,
  platformId: string,
  customerId: string | null,
  version: number,
  createdAt: number,
  updatedAt: number,
  data: unknown,
]

const storedOf = (kind: string | undefined, row: readonly [...RecordRow, ...ReadonlyArray<unknown>]): AnyStored => {
  const [, id, platformId, customerId, version, createdAt, updatedAt, data] = row
  return { kind, id, platformId, customerId, version, createdAt, updatedAt, data } as AnyStored
}

/** The rows that the function returns, each with the number of its read. */
interface Answer {
  readonly ahead: number
  /** By the number of their kind. */
  readonly records: ReadonlyArray<readonly [kind: number, rows: ReadonlyArray<RecordRow>]>
  /** Customers, each with the account that it owns. */
  readonly owners: ReadonlyArray<readonly [...customer: RecordRow, account: string]>
  readonly keys: ReadonlyArray<readonly [read: number, kind: Kind, id: string, platformId: string]>
  readonly balances: ReadonlyArray<readonly [read: number, account: string, balance: number, sequence: number]>
  readonly counters: ReadonlyArray<readonly [read: number, key: string, value: number]>
  readonly replays: ReadonlyArray<
    readonly [
      read: number,
      fingerprint: string,
      status: number,
      answer: StoredTemplate,
      shown: SumNames | null,
      sums: string,
    ]
  >
  readonly events: ReadonlyArray<
    readonly [
      read: number,
      id: string,
      platformId: string,
      customerId: string | null,
      type: StoredEvent["type"],
      subject: string,
      data: StoredTemplate,
      createdAt: number,
      shown: SumNames | null,
      sums: string | null,
    ]
  >
}

/** What each of `count` reads found. */
export const decodeAnswer = (count: number, text: string | null | undefined): ReadonlyArray<Found> => {
  if (text === null || text === undefined) throw new TypeError("the database returned no row for a read")
  const { ahead, balances, counters, events, keys, owners, records, replays } = JSON.parse(text) as Answer
  const all = Array.from(
    { length: count },
    (): Found => ({
      records: [],
      owners: new Map(),
      balances: new Map(),
      counters: new Map(),
      replay: undefined,
      holder: undefined,
      keyHolder: undefined,
      event: undefined,
      ahead,
    }),
  )
  for (const [number, rows] of records) {
    const kind = kindTables[number]?.kind
    for (const row of rows) {
      const [read] = row
      const stored = storedOf(kind, row)
      const found = all[read < 0 ? holderNumber(read) : read]
      if (found === undefined) continue
      if (read < 0) found.holder = stored
      else found.records.push(stored)
    }
  }
  for (const row of owners) {
    all[row[0]]?.owners.set(row[8], storedOf("Customer", row) as Stored<"Customer">)
  }
  for (const [read, kind, id, platformId] of keys) {
    const found = all[read]
    if (found !== undefined) found.keyHolder = { kind, id, platformId }
  }
  for (const [read, account, balance, sequence] of balances) all[read]?.balances.set(account, { balance, sequence })
  for (const [read, key, value] of counters) all[read]?.counters.set(key, value)
  for (const [read, fingerprint, status, answer, shown, sums] of replays) {
    const found = all[read]
    if (found !== undefined)
      found.replay = { fingerprint, status, answer: decodeTemplate(answer), facts: decodeFacts({ shown, sums }) }
  }
  for (const [read, id, platformId, customerId, type, subject, data, createdAt, shown, sums] of events) {
    const found = all[read]
    const facts = decodeFacts({ shown, sums })
    if (found !== undefined)
      found.event = { id, type, platformId, customerId, subject, data: decodeTemplate(data), createdAt, facts }
  }
  return all
}
