/**
 * The records of a platform for its operator: listed by type, found by an id or a key, and read with their states and versions.
 * Source: D-467.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { RecordTypes } from "../../decision/record/RecordTypes.ts"
import { toRecordDetail, toRecordSummary } from "../../decision/record/RecordView.ts"
import { invalidInput, notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { Page } from "../../foundation/kit/Page.ts"
import { umaAddressIs } from "../../model/customer/UmaAddress.ts"
import {
  type FoundRecords,
  foundRecordsMax,
  type RecordDetail,
  type RecordSummary,
  type RecordTypeName,
  shownVersionsMax,
} from "../../model/record/RecordResource.ts"
import { between, type ListQuery, listOf, where } from "../../operation/Listing.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { asOf } from "../../store/AsOf.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { AnyStored, Stored } from "../../store/ChangeSet.ts"
import type { Kind } from "../../store/Kinds.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"

type Reply<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

/** Filters of the records of a type, all of which must hold. */
export interface RecordsQuery extends ListQuery {
  readonly type: RecordTypeName
  readonly state?: string
  /** The id of another record. */
  readonly relatedTo?: string
  /** Inclusive bounds on `createdAt`, Unix milliseconds. */
  readonly from?: number
  readonly to?: number
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u

const typeOfId = (id: string): RecordTypeName | undefined => {
  const [prefix = ""] = id.split(":", 1)
  return RecordTypes.has(prefix) ? prefix : undefined
}

/** The record with the state that time has given it. */
const present = (record: Stored<Kind>, now: number) => asOf(record, now) as AnyStored

const invalid = (field: string, message: string) => new ServiceError(invalidInput([{ field, message }]))

export class Records extends Context.Service<
  Records,
  {
    /** Lists the records of a type, the newest first. */
    readonly list: (query: RecordsQuery) => Reply<Page<RecordSummary>>
    /** Finds records by an id, with or without its type, or by the exact value of a key. */
    readonly find: (text: string) => Reply<FoundRecords>
    /** Errors: 404. */
    readonly get: (recordId: string) => Reply<RecordDetail>
  }
>()("@countersign/core/Records") {
  static readonly layer = Layer.effect(
    Records,
    Effect.gen(function* () {
      const store = yield* Store

      const list = Effect.fnUntraced(
        function* ({ from, relatedTo, state, to, type, ...query }: RecordsQuery) {
          const { kind, relations, state: stateField } = RecordTypes.get(type)
          if (state !== undefined && stateField === undefined) {
            return yield* invalid("state", `cannot filter records of type ${type}`)
          }
          const relation = relatedTo === undefined ? undefined : typeOfId(relatedTo)
          const fields = relation === undefined ? undefined : relations[relation]
          if (relatedTo !== undefined && fields === undefined) {
            return yield* invalid("relatedTo", `must be the id of a record that lists records of type ${type}`)
          }
          const shared = { createdAt: between(from, to), ...(stateField === undefined ? {} : { [stateField]: state }) }
          const filters = (fields ?? [undefined]).map((field) =>
            where(field === undefined ? shared : { ...shared, [field]: relatedTo }),
          )
          const binding = { records: type, from, relatedTo, state, to }
          const page = yield* listOf(
            filters.map((each) => [kind, each] as const),
            binding,
            query,
          )
          const now = yield* Clock.currentTimeMillis
          return { ...page, data: page.data.map((record) => toRecordSummary(type, present(record, now))) }
        },
        platformOnly,
        Effect.provideService(Store, store),
      )

      const find = Effect.fnUntraced(function* (text: string) {
        const now = yield* Clock.currentTimeMillis
        const type = typeOfId(text)
        if (type !== undefined || uuid.test(text)) {
          const asked = type === undefined ? RecordTypes.keys : [type]
          const refs = asked.map((each) => ({
            type: each,
            kind: RecordTypes.get(each).kind,
            id: type === undefined ? `${each}:${text}` : text,
          }))
          const found = yield* store.read({ records: refs })
          const data = refs.flatMap(({ id, kind, type: each }) => {
            const record = found.record(kind, id)
            return record === undefined ? [] : [toRecordSummary(each, present(record, now))]
          })
          return { data }
        }
        const keys = RecordTypes.entries.flatMap(([each, row]) => row.keys.map((key) => [each, row.kind, key] as const))
        const pages = yield* Effect.forEach(
          keys,
          ([each, kind, key]) =>
            store
              .list(
                kind,
                { [key]: key === "umaAddress" ? umaAddressIs(text) : { eq: text } },
                { limit: foundRecordsMax, order: "desc" },
              )
              .pipe(Effect.map(({ data }) => data.map((record) => toRecordSummary(each, present(record, now))))),
          { concurrency: keys.length },
        )
        return { data: pages.flat().slice(0, foundRecordsMax) }
      }, platformOnly)

      const get = Effect.fnUntraced(function* (recordId: string) {
        const type = typeOfId(recordId)
        if (type === undefined) return yield* new ServiceError(notFound("record"))
        const { kind } = RecordTypes.get(type)
        const versions = yield* store.history({ kind, id: recordId }, shownVersionsMax)
        const record = versions.at(-1)
        if (record === undefined) return yield* new ServiceError(notFound("record"))
        return toRecordDetail(type, present(record, yield* Clock.currentTimeMillis), versions)
      }, platformOnly)

      return Records.of({ list, find, get })
    }),
  )
}
