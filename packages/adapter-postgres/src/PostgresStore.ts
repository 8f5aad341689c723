/**
 * The `Store` port on PostgreSQL: on a server, on PGlite, and inside a transaction that somebody else began.
 * Source: architecture, "The Store port" (PostgreSQL).
 */
import {
  type ChangeSet,
  type ClaimedJob,
  CurrentCaller,
  type JobView,
  Store,
  type StoredEvent,
  StoreUnavailable,
  WallTime,
} from "@countersign/core"
import { Clock, Effect, Layer } from "effect"
import { encode } from "./ChangeSetCode.ts"
import * as Commits from "./Commits.ts"
import type { Connection, Statement } from "./connection/Connection.ts"
import { failureOf } from "./connection/Failure.ts"
import { functions } from "./functions/Functions.ts"
import * as GroupCommit from "./GroupCommit.ts"
import * as Listing from "./Listing.ts"
import * as Migrations from "./migrations/Migrations.ts"
import * as Reading from "./Reading.ts"
import * as WorkSignal from "./WorkSignal.ts"

export interface StoreOptions {
  readonly connection: Connection
  /** `run` (the default): bring the schema to this release at start. `check`: fail at start unless it is. */
  readonly migrations?: "run" | "check"
  /** How many change sets one trip may carry. */
  readonly batchMax?: number
}

const parsed = <A>(rows: ReadonlyArray<string | null>): ReadonlyArray<A> =>
  rows.flatMap((row) => (row === null ? [] : [JSON.parse(row) as A]))

const make = Effect.fnUntraced(function* ({ batchMax = 64, connection }: StoreOptions) {
  const wall = yield* WallTime
  const signal = WorkSignal.make()
  const commits = Commits.make(connection)
  const group = GroupCommit.make<Commits.Sent>({ send: commits.send, lanes: connection.lanes, batchMax })

  /** A statement that changes nothing that may be unknown. */
  const query = (statement: Statement): Effect.Effect<ReadonlyArray<string | null>, StoreUnavailable> =>
    Effect.tryPromise({ try: () => connection.query(statement), catch: (cause) => cause }).pipe(
      Effect.catch((cause) => {
        const failure = failureOf(cause)
        return failure === "defect" || failure === "mistake"
          ? Effect.die(cause)
          : Effect.fail(new StoreUnavailable({ unknown: false, cause }))
      }),
    )

  const commit = Effect.fnUntraced(function* (set: ChangeSet) {
    const caller = yield* CurrentCaller
    const clock = yield* Clock.Clock
    const wallNow = yield* wall.now
    const { validUntil } = set
    const code = encode(set, caller, wallNow)
    const isLate = () => validUntil !== undefined && clock.currentTimeMillisUnsafe() >= validUntil
    const result = yield* Effect.callback<Commits.Result>((resume) => {
      const sent: Commits.Sent = { ...code, isLate, settle: (settled) => resume(Effect.succeed(settled)) }
      group.add(sent)
      return Effect.sync(() => {
        group.withdraw(sent)
      })
    })
    if (result._tag === "Unavailable") return yield* result.error
    if (result._tag === "Defect") return yield* Effect.die(result.cause)
    for (const queue of result.queues) signal.changed(queue)
    return result.outcome
  })

  return Store.of({
    read: Effect.fnUntraced(function* (asked) {
      const caller = yield* CurrentCaller
      const wallNow = yield* wall.now
      const [answer] = yield* query(Reading.readStatement(asked, caller, wallNow))
      return Reading.readResult(answer)
    }),
    list: Effect.fnUntraced(function* (kind, where, page) {
      const caller = yield* CurrentCaller
      const [answer] = yield* query(Listing.listStatement(kind, where, page, caller))
      return Listing.listResult(answer, page.limit)
    }),
    commit,
    history: Effect.fnUntraced(function* (ref) {
      const caller = yield* CurrentCaller
      return parsed(yield* query(Reading.historyStatement(ref, caller)))
    }),
    event: Effect.fnUntraced(function* (id) {
      const caller = yield* CurrentCaller
      const [event] = parsed<StoredEvent>(
        yield* query({
          name: "countersign_event",
          text: `select json_build_object('id', v.id, 'type', v.type, 'platformId', v.platform_id, 'customerId', v.customer_id, 'subject', v.subject,
            'data', v.data, 'createdAt', v.created_at, 'facts', v.facts)::text from countersign.event v where ${Reading.seen("v")} and v.id = $3`,
          values: [...Reading.tenantOf(caller), id],
        }),
      )
      return event
    }),
    resolve: Effect.fnUntraced(function* ({ key, scope }) {
      if (scope !== "global") return undefined
      const [holder] = parsed<Effect.Success<ReturnType<Store["Service"]["resolve"]>>>(
        yield* query({
          name: "countersign_resolve",
          text: `select json_build_object('kind', k.kind, 'id', k.id, 'platformId', k.platform_id, 'customerId', k.customer_id)::text
            from countersign.unique_key k where k.key = $1 and k.scope = ''`,
          values: [key],
        }),
      )
      return holder
    }),
    claim: Effect.fnUntraced(function* ({ businessNow, leaseMillis, limit, perPlatform, queue, wallNow, worker }) {
      const drained = signal.claiming(queue)
      const [answer] = yield* query({
        name: "countersign_claim",
        text: `select ${functions.claimJobs}($1, $2, $3::bigint, $4::bigint, $5::int, $6::int, $7::bigint)`,
        values: [queue, worker, businessNow, wallNow, limit, perPlatform, leaseMillis],
      })
      type Row = Omit<ClaimedJob, "payload" | "customerId"> & { readonly payload: string; readonly customerId?: string }
      const rows = JSON.parse(answer ?? "[]") as ReadonlyArray<Row>
      if (rows.length < limit) drained()
      return rows.map(
        ({ customerId = null, payload, ...job }): ClaimedJob => ({ ...job, customerId, payload: JSON.parse(payload) }),
      )
    }),
    nextDue: Effect.fnUntraced(function* (after) {
      const [due] = parsed<number>(
        yield* query({
          name: "countersign_next_due",
          text: "select min(j.due_at)::text from countersign.job j where j.state <> 'parked' and j.due_at > $1::numeric",
          values: [after],
        }),
      )
      return due
    }),
    jobs: Effect.gen(function* () {
      const caller = yield* CurrentCaller
      const wallNow = yield* wall.now
      type Row = Omit<JobView, "payload" | "customerId"> & { readonly payload: string; readonly customerId?: string }
      const rows = parsed<Row>(
        yield* query({
          text: `select json_strip_nulls(json_build_object('id', j.id, 'queue', j.queue, 'kind', j.kind, 'platformId', j.platform_id, 'customerId', j.customer_id,
            'lane', j.lane, 'laneHoldMillis', j.lane_hold_millis, 'dueAt', j.due_at, 'payload', j.payload::text, 'attempt', j.attempt, 'error', j.error,
            'state', case when j.state = 'running' and j.not_before <= $3::bigint then 'waiting' else j.state end))::text
            from countersign.job j where ${Reading.seen("j")} order by j.sequence`,
          values: [...Reading.tenantOf(caller), wallNow],
        }),
      )
      return rows.map(
        ({ customerId = null, payload, ...job }): JobView => ({ ...job, customerId, payload: JSON.parse(payload) }),
      )
    }),
    awaitWork: signal.wait,
    ready: query({ name: "countersign_ready", text: "select 'ready'", values: [] }).pipe(Effect.asVoid),
  })
})

/** A store on a connection. */
const layer = (
  options: StoreOptions,
): Layer.Layer<Store, Migrations.SchemaMismatch | Migrations.MigrationFailed, WallTime> =>
  Layer.effect(
    Store,
    Effect.gen(function* () {
      yield* options.migrations === "check" ? Migrations.check(options.connection) : Migrations.run(options.connection)
      return yield* make(options)
    }),
  )

export const PostgresStore = { layer }
