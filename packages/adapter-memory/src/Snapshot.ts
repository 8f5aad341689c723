/**
 * Encodes a state as plain JSON data and decodes it. Decoding validates the data, because it may come from any file.
 * Source: architecture, "Layers are folders" (adapter-memory: dump, load, fork).
 */
import { CurrencyCode } from "@countersign/core/models"
import {
  type AnyStored,
  type Template as ChangeSetTemplate,
  DeliveryAttempt,
  type Kind,
  Kinds,
  queues,
  type StoredEvent,
} from "@countersign/core/store"
import { Data, Effect, Schema } from "effect"
import * as BusinessTime from "./BusinessTime.ts"
import * as Events from "./Events.ts"
import { frozen } from "./Frozen.ts"
import * as Jobs from "./Jobs.ts"
import * as Ledger from "./Ledger.ts"
import * as Receipts from "./Receipts.ts"
import * as Records from "./Records.ts"
import * as SortedMap from "./SortedMap.ts"
import type * as State from "./State.ts"

/** The data is not a valid snapshot. */
export class SnapshotInvalid extends Data.TaggedError("SnapshotInvalid")<{ readonly message: string }> {}

const owner = { platformId: Schema.String, customerId: Schema.NullOr(Schema.String) }
const KindName = Schema.Literals(Kinds.keys)
const QueueName = Schema.Literals(queues)

const Facts = Schema.Struct({
  balances: Schema.Record(Schema.String, Schema.Struct({ balance: Schema.Int, sequence: Schema.Int })),
  counters: Schema.Record(Schema.String, Schema.Int),
})

/** A snapshot stores the placeholders of a template under `holes`, as snapshots of earlier releases do. */
const Template = Schema.Struct({
  body: Schema.Json,
  placeholders: Schema.Array(
    Schema.Struct({
      path: Schema.Array(Schema.Union([Schema.String, Schema.Int])),
      balances: Schema.optionalKey(Schema.Array(Schema.String)),
      counter: Schema.optionalKey(Schema.String),
    }),
  ),
}).pipe(Schema.encodeKeys({ placeholders: "holes" }))

const encodeTemplate = ({ body, placeholders }: ChangeSetTemplate): typeof Template.Encoded => ({
  body,
  holes: placeholders,
})

const Version = Schema.Struct({
  kind: KindName,
  id: Schema.String,
  ...owner,
  version: Schema.Int,
  createdAt: Schema.Int,
  updatedAt: Schema.Int,
  data: Schema.Json,
})

const Book = Schema.Struct({
  id: Schema.String,
  ...owner,
  currency: CurrencyCode,
  floor: Schema.NullOr(Schema.Literal(0)),
  balance: Schema.Int,
  sequence: Schema.Int,
  entries: Schema.Array(
    Schema.Struct({
      sequence: Schema.Int,
      amount: Schema.Int,
      balanceAfter: Schema.Finite,
      reference: Schema.String,
      operationId: Schema.String,
      transfer: Schema.Int,
      at: Schema.Int,
    }),
  ),
})

const Event = Schema.Struct({
  id: Schema.String,
  type: Schema.String,
  ...owner,
  subject: Schema.String,
  data: Template,
  createdAt: Schema.Int,
  facts: Facts,
})

/** Absent in snapshots of earlier releases. */
const Attempts = Schema.optionalKey(Schema.Array(Schema.Struct({ ...DeliveryAttempt.fields, number: Schema.Int })))

const Job = Schema.Struct({
  id: Schema.String,
  queue: QueueName,
  kind: Schema.String,
  ...owner,
  lane: Schema.optionalKey(Schema.String),
  laneHoldMillis: Schema.optionalKey(Schema.Int),
  dueAt: Schema.Int,
  payload: Schema.Json,
  sequence: Schema.Int,
  attempt: Schema.Int,
  state: Schema.Literals(["waiting", "running", "overdue", "parked"]),
  notBefore: Schema.Int,
  firstClaimedAt: Schema.optionalKey(Schema.Int),
  worker: Schema.optionalKey(Schema.String),
  error: Schema.optionalKey(Schema.String),
})

const Answer = Schema.Struct({ fingerprint: Schema.String, status: Schema.Int, answer: Template, facts: Facts })

const named = <A extends Schema.Constraint>(value: A) => Schema.Array(Schema.Tuple([Schema.String, value]))

const Format = Schema.Struct({
  format: Schema.Literal(4),
  /** All versions of each record, oldest first. */
  records: Schema.Array(Schema.Array(Version)),
  claims: named(Schema.Struct({ kind: KindName, id: Schema.String, ...owner })),
  ledger: Schema.Array(Book),
  counters: named(Schema.Int),
  events: Schema.Array(Schema.Struct({ event: Event, expiresAt: Schema.Int, attempts: Attempts })),
  jobs: Schema.Array(Job),
  queues: Schema.Struct({
    sequence: Schema.Int,
    claims: Schema.Int,
    wallNow: Schema.Int,
    served: named(Schema.Struct({ queue: QueueName, platformId: Schema.String, served: Schema.Int })),
  }),
  operations: named(Schema.Struct({ value: Facts, expiresAt: Schema.Int })),
  answers: named(Schema.Struct({ value: Answer, expiresAt: Schema.Int, operationId: Schema.String })),
  /** Absent if time was never moved. */
  time: Schema.optionalKey(Schema.Struct({ aheadMillis: Schema.Int, mover: Schema.String, heldUntil: Schema.Int })),
})

/** The complete state of a store as plain data. */
export type Snapshot = typeof Format.Encoded

/** Encodes a state. */
export const dump = (state: State.State): Snapshot => ({
  format: 4,
  records: Records.dump(state.records),
  claims: SortedMap.entries(state.claims),
  ledger: Ledger.books(state.ledger),
  counters: SortedMap.entries(state.counters),
  events: SortedMap.values(state.events.byId).map(({ attempts, event, expiresAt }) => ({
    event: { ...event, data: encodeTemplate(event.data) },
    expiresAt,
    ...(attempts.length === 0 ? {} : { attempts }),
  })),
  jobs: SortedMap.values(state.jobs.byId),
  queues: {
    sequence: state.jobs.sequence,
    claims: state.jobs.claims,
    wallNow: state.jobs.wallNow,
    served: SortedMap.entries(state.jobs.lines).map(([name, { platformId, queue, served }]) => [
      name,
      { queue, platformId, served },
    ]),
  },
  operations: SortedMap.entries(state.receipts.operations),
  answers: SortedMap.entries(state.receipts.answers).map(([name, { value, ...receipt }]) => [
    name,
    { ...receipt, value: { ...value, answer: encodeTemplate(value.answer) } },
  ]),
  ...(state.time === BusinessTime.empty ? {} : { time: state.time }),
})

const mapOf = <V>(named: ReadonlyArray<readonly [string, V]>): SortedMap.SortedMap<string, V> =>
  named.reduce(
    (map, [name, value]) => SortedMap.set(map, name, frozen(value)),
    SortedMap.empty<string, V>(SortedMap.natural),
  )

const decodeFormat = Schema.decodeUnknownEffect(Format)
const decodeData = new Map(
  Kinds.keys.map((kind) => [
    kind,
    Schema.decodeUnknownEffect(Kinds.get(kind).schema as Schema.Codec<unknown, unknown>),
  ]),
)

const invalid = (error: Schema.SchemaError) => new SnapshotInvalid({ message: error.message })

const record = Effect.fnUntraced(function* (version: typeof Version.Type) {
  const decode = decodeData.get(version.kind satisfies Kind)
  const data = decode === undefined ? version.data : yield* decode(version.data)
  return frozen({ ...version, data } as AnyStored)
})

const restoreJobs = ({ jobs, queues }: typeof Format.Type): Jobs.Jobs => {
  const { claims, sequence, served, wallNow } = queues
  const lines = mapOf<Jobs.Line>(served.map(([name, line]) => [name, { ...line, running: 0 }]))
  const inOrder = [...jobs].sort((a, b) => a.sequence - b.sequence)
  return inOrder.reduce<Jobs.Jobs>((all, job) => Jobs.add(all, frozen(Jobs.released(job))), {
    ...Jobs.empty,
    lines,
    claims,
    sequence,
    wallNow,
  })
}

/** Decodes a snapshot. */
export const restore = Effect.fnUntraced(function* (snapshot: unknown) {
  const decoded = yield* decodeFormat(snapshot)
  const versions = yield* Effect.forEach(decoded.records.flat(), record)
  const answers = decoded.answers.reduce(
    (receipts, [name, retained]) => Receipts.addAnswer(receipts, name, frozen(retained)),
    Receipts.empty,
  )
  const state: State.State = {
    records: versions.reduce((records, version) => Records.put(records, version), Records.empty),
    claims: mapOf(decoded.claims),
    ledger: Ledger.restore(decoded.ledger),
    counters: mapOf(decoded.counters),
    events: decoded.events.reduce(
      (events, { attempts = [], event, expiresAt }) =>
        Events.add(events, { event: frozen(event) as StoredEvent, attempts: attempts.map(frozen), expiresAt }),
      Events.empty,
    ),
    jobs: restoreJobs(decoded),
    receipts: decoded.operations.reduce(
      (receipts, [name, retained]) => Receipts.addOperation(receipts, name, frozen(retained)),
      answers,
    ),
    time: decoded.time ?? BusinessTime.empty,
  }
  return state
}, Effect.mapError(invalid))
