/**
 * What is read by name: how the reads of many go to the database together, and how each gets its own answer.
 * Source: architecture, "The Store port" (read: many in one trip); `functions/ReadPoints.ts`.
 */

import type { Caller } from "@countersign/core"
import type { AnyStored, ReadQuery, StoredEvent } from "@countersign/core/store"
import { Parts } from "../commit/Parts.ts"
import { keptFacts, type Shown } from "../commit/Sums.ts"
import { kindTable, kindTables } from "../schema/KindTables.ts"
import { decodeTemplate, type StoredTemplate } from "../schema/StoredTemplate.ts"
import type { Found } from "./Reading.ts"
import { tenantOf } from "./Reading.ts"

/** One read. */
export type Point =
  | { readonly _tag: "Query"; readonly caller: Caller; readonly query: ReadQuery; readonly wallNow: number }
  /** The event with this id. */
  | { readonly _tag: "Event"; readonly caller: Caller; readonly id: string }
  /** The record that holds this global key. */
  | { readonly _tag: "Holder"; readonly key: string }

type Row = ReadonlyArray<string | number | null>

/** Everything that the reads ask for, by part; each row begins with the number of its read. */
export const asking = (points: ReadonlyArray<Point>): string => {
  const parts = new Parts<Row>()
  const records = new Parts<Row>()
  for (const [number, point] of points.entries()) {
    if (point._tag === "Holder") {
      parts.add("holders", [number, point.key])
      continue
    }
    const tenant = tenantOf(point.caller)
    const [platformId] = tenant
    if (point._tag === "Event") {
      parts.add("events", [number, ...tenant, point.id])
      continue
    }
    const { balances = [], counters = [], records: refs = [], replay } = point.query
    for (const { id, kind } of refs) records.add(kindTable(kind).number, [number, ...tenant, id])
    for (const account of balances) parts.add("balances", [number, ...tenant, account])
    for (const key of counters) parts.add("counters", [number, platformId, key])
    if (replay !== undefined) parts.add("replays", [number, platformId, replay, point.wallNow])
  }
  return JSON.stringify({ ...parts.rows, records: Object.entries(records.rows) })
}

interface Answer {
  readonly ahead: number
  /** By the number of their kind. */
  readonly records: ReadonlyArray<
    readonly [
      kind: number,
      rows: ReadonlyArray<
        readonly [
          read: number,
          id: string,
          platformId: string,
          customerId: string | null,
          version: number,
          createdAt: number,
          updatedAt: number,
          data: unknown,
        ]
      >,
    ]
  >
  readonly balances: ReadonlyArray<readonly [read: number, account: string, balance: number, sequence: number]>
  readonly counters: ReadonlyArray<readonly [read: number, key: string, value: number]>
  readonly replays: ReadonlyArray<
    readonly [
      read: number,
      fingerprint: string,
      status: number,
      answer: StoredTemplate,
      shown: Shown | null,
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
      shown: Shown | null,
      sums: string | null,
    ]
  >
}

/** What each of so many reads found. */
export const answers = (count: number, text: string | null | undefined): ReadonlyArray<Found> => {
  if (text === null || text === undefined) throw new TypeError("the database answered a read with nothing")
  const { ahead, balances, counters, events, records, replays } = JSON.parse(text) as Answer
  const all = Array.from(
    { length: count },
    (): Found => ({
      records: [],
      balances: new Map(),
      counters: new Map(),
      replay: undefined,
      event: undefined,
      ahead,
    }),
  )
  for (const [number, rows] of records) {
    const kind = kindTables[number]?.kind
    for (const [read, id, platformId, customerId, version, createdAt, updatedAt, data] of rows) {
      const stored = { kind, id, platformId, customerId, version, createdAt, updatedAt, data } as AnyStored
      all[read]?.records.push(stored)
    }
  }
  for (const [read, account, balance, sequence] of balances) all[read]?.balances.set(account, { balance, sequence })
  for (const [read, key, value] of counters) all[read]?.counters.set(key, value)
  for (const [read, fingerprint, status, answer, shown, sums] of replays) {
    const found = all[read]
    if (found !== undefined)
      found.replay = { fingerprint, status, answer: decodeTemplate(answer), facts: keptFacts({ shown, sums }) }
  }
  for (const [read, id, platformId, customerId, type, subject, data, createdAt, shown, sums] of events) {
    const found = all[read]
    const facts = keptFacts({ shown, sums })
    if (found !== undefined)
      found.event = { id, type, platformId, customerId, subject, data: decodeTemplate(data), createdAt, facts }
  }
  return all
}
