/**
 * The names of the advisory locks and rows that the commit of a change set locks.
 * Source: `EncodedChangeSet.ts`; `sql/functions/find_locked.sql`; D-318.
 */
import { kindTable } from "../schema/KindTables.ts"
import { type EncodedChangeSet, scopeOf } from "./EncodedChangeSet.ts"

export type LockPart = "locks" | "accounts" | "counters" | "records" | "jobs" | "keys"

export interface LockName {
  /** Different for different locks. */
  readonly name: string
  readonly part: LockPart
  /** The kind of a record, by number. */
  readonly kind?: number
  /** What the function looks it up by. */
  readonly row: ReadonlyArray<string | boolean>
}

const lockName = (part: LockPart, row: LockName["row"], kind?: number): LockName => ({
  name: `${part} ${kind ?? ""} ${row.join(" ")}`,
  part,
  row,
  ...(kind === undefined ? {} : { kind }),
})

export const lockNamesOf = ({ caller, exclusiveLocks, set, shared }: EncodedChangeSet): ReadonlyArray<LockName> => {
  const { platformId } = caller
  const accounts = new Set([
    ...set.transfers.flatMap(({ from, to }) => [from, to]),
    ...set.assertions.map(({ account }) => account),
  ])
  return [
    ...exclusiveLocks.map((name) => lockName("locks", [name, true])),
    ...shared.map((name) => lockName("locks", [name, false])),
    ...[...accounts].map((id) => lockName("accounts", [platformId, id])),
    ...set.counters.map(({ key }) => lockName("counters", [platformId, key])),
    ...set.updates.map(({ id, kind }) => lockName("records", [platformId, id], kindTable(kind).number)),
    ...[...set.finishes, ...set.returns].map(({ id }) => lockName("jobs", [id])),
    ...[...set.claims, ...set.releases].map(({ key, scope }) => lockName("keys", [key, scopeOf(scope, platformId)])),
  ]
}

/** The argument of the function. The numbers are the indexes of the names. */
export const encodeLockNames = (names: ReadonlyArray<LockName>): string => {
  const request: { [part in LockPart]?: Array<unknown> } = {}
  const records = new Map<number, Array<unknown>>()
  for (const [number, { kind, part, row }] of names.entries()) {
    if (kind === undefined) {
      request[part] ??= []
      request[part].push([number, ...row])
    } else records.set(kind, [...(records.get(kind) ?? []), [number, ...row]])
  }
  return JSON.stringify({ ...request, records: [...records] })
}
