/**
 * The wire form of records for the operator. Of a deleted record nothing is shown but its type, its states and its times.
 * Source: D-467.
 */
import { iso } from "../../foundation/kit/Instant.ts"
import { currencyOf } from "../../foundation/money/Currencies.ts"
import { type RecordDetail, type RecordSummary, RecordTypeName } from "../../model/record/RecordResource.ts"
import type { AnyStored } from "../../store/ChangeSet.ts"
import { Kinds } from "../../store/Kinds.ts"
import { statesOf } from "../../store/StateTransitions.ts"
import { RecordTypes } from "./RecordTypes.ts"

const idPattern = new RegExp(`^(?:${RecordTypeName.literals.join("|")}):[0-9a-f-]{36}$`, "u")
const linksMax = 50

/** The ids of records in the data, each with the path of its field. */
const linksIn = (data: unknown, path: ReadonlyArray<string> = []): RecordDetail["links"] => {
  if (typeof data === "string") return idPattern.test(data) ? [{ field: path.join("."), id: data }] : []
  if (typeof data !== "object" || data === null) return []
  return Object.entries(data).flatMap(([name, value]) => linksIn(value, [...path, name]))
}

export const toRecordSummary = (type: RecordTypeName, record: AnyStored): RecordSummary => {
  const { amount, isDeleted = false, name } = RecordTypes.get(type).shown(record)
  const [first] = statesOf(record.kind, record.data)
  return {
    id: record.id,
    type,
    ...(name === undefined || isDeleted ? {} : { name }),
    ...(amount === undefined || isDeleted
      ? {}
      : { amount: { amount: amount.amount, currency: currencyOf(amount.currency) } }),
    ...(first === undefined ? {} : { state: first.state }),
    isDeleted,
    ...(record.customerId === null ? {} : { customerId: record.customerId }),
    createdAt: iso(record.createdAt),
    updatedAt: iso(record.updatedAt),
  }
}

/** `versions`: the latest, oldest first. */
export const toRecordDetail = (
  type: RecordTypeName,
  record: AnyStored,
  versions: ReadonlyArray<AnyStored>,
): RecordDetail => {
  const { isDeleted = false, machines: chosen, path } = RecordTypes.get(type).shown(record)
  const declared: { readonly [path: string]: ReadonlyArray<{ readonly name: string }> } = Kinds.get(record.kind).states
  return {
    ...toRecordSummary(type, record),
    ...(path === undefined || isDeleted ? {} : { resourcePath: path }),
    states: statesOf(record.kind, record.data).map(({ field, state }) => {
      const machine = declared[field]?.find(({ name }) => chosen?.includes(name) ?? true)
      return { field, state, ...(machine === undefined ? {} : { machine: machine.name }) }
    }),
    links: isDeleted ? [] : linksIn(record.data).slice(0, linksMax),
    related: RecordTypes.entries.flatMap(([other, { relations }]) => (Object.hasOwn(relations, type) ? [other] : [])),
    versions: versions.map(({ data, updatedAt, version }) => ({
      version,
      at: iso(updatedAt),
      states: Object.fromEntries(statesOf(record.kind, data).map(({ field, state }) => [field, state])),
    })),
  }
}
