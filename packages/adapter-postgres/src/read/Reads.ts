/**
 * The part of the `Store` port that changes nothing.
 * Source: ports/Store.ts.
 */
import { CurrentCaller } from "@countersign/core"
import { WallTime } from "@countersign/core/ports"
import { Operator, type Posting, type Store, StoreUnavailable, type Workload } from "@countersign/core/store"
import { Effect } from "effect"
import type { Connection, Statement } from "../connection/Connection.ts"
import { failureOf } from "../connection/Failure.ts"
import { functions } from "../functions/Functions.ts"
import type * as BusinessTime from "../schema/BusinessTime.ts"
import * as BookReading from "./BookReading.ts"
import * as GroupReads from "./GroupReads.ts"
import * as JobRows from "./JobRows.ts"
import * as Listing from "./Listing.ts"
import * as Points from "./Points.ts"
import * as Reading from "./Reading.ts"

type Port = Store["Service"]

const parsed = <A>(rows: ReadonlyArray<string | null>): ReadonlyArray<A> =>
  rows.flatMap((row) => (row === null ? [] : [JSON.parse(row) as A]))

type Rows = ReadonlyArray<string | null>

/** Asks for what leaves nothing unknown: it changes nothing, or doing it twice does no harm. */
const asking = <A>(ask: () => Promise<A>): Effect.Effect<A, StoreUnavailable> =>
  Effect.tryPromise(ask).pipe(
    Effect.catch(({ cause }) => {
      const failure = failureOf(cause)
      return failure === "defect" || failure === "mistake"
        ? Effect.die(cause)
        : Effect.fail(new StoreUnavailable({ unknown: false, cause }))
    }),
  )

export const query = (connection: Connection, statement: Statement): Effect.Effect<Rows, StoreUnavailable> =>
  asking(() => connection.query(statement))

export type ReadPort = Omit<Port, "commit" | "claim" | "awaitWork" | "moveTime">

export const make = Effect.fnUntraced(function* (
  connection: Connection,
  { aheadMillis, hear }: BusinessTime.Heard,
): Effect.fn.Return<ReadPort, never, WallTime> {
  const wall = yield* WallTime
  const ask = (statement: Statement) => query(connection, statement)
  const point = GroupReads.make({
    send: async (points: ReadonlyArray<Points.Point>) => {
      const [text] = await connection.query({
        name: "countersign_read",
        text: `select ${functions.readPoints}($1::jsonb)`,
        values: [Points.asking(points)],
      })
      return Points.answers(points.length, text)
    },
    lanes: connection.lanes,
  })
  const find = (asked: Points.Point) => asking(() => point(asked))

  const read: Port["read"] = Effect.fnUntraced(function* (asked) {
    const caller = yield* CurrentCaller
    const wallNow = yield* wall.now
    return Reading.readResult(yield* find({ _tag: "Query", caller, query: asked, wallNow }))
  })

  const list: Port["list"] = Effect.fnUntraced(function* (kind, where, page) {
    const caller = yield* CurrentCaller
    const [answer] = yield* ask(Listing.listStatement(kind, where, page, caller))
    return Listing.listResult(answer, page.limit)
  })

  const history: Port["history"] = Effect.fnUntraced(function* (ref) {
    const caller = yield* CurrentCaller
    return parsed(yield* ask(Reading.historyStatement(ref, caller)))
  })

  const event: Port["event"] = Effect.fnUntraced(function* (id) {
    const caller = yield* CurrentCaller
    return (yield* find({ _tag: "Event", caller, id })).event
  })

  const resolve: Port["resolve"] = Effect.fnUntraced(function* ({ key, scope }) {
    if (scope !== "global") return undefined
    const found = yield* find({ _tag: "Holder", key })
    hear(found.ahead)
    return found.records[0]
  })

  const nextDue: Port["nextDue"] = Effect.fnUntraced(function* (after) {
    const rows = yield* ask({
      name: "countersign_next_due",
      text: "select min(j.due_at)::text from countersign.job j where j.state <> 'parked' and j.due_at > $1::bigint",
      values: [after],
    })
    return parsed<number>(rows)[0]
  })

  const jobs: Port["jobs"] = Effect.gen(function* () {
    const caller = yield* CurrentCaller
    const wallNow = yield* wall.now
    return JobRows.jobViews(yield* ask(JobRows.viewStatement(caller, wallNow)))
  })

  const trialBalance: Port["trialBalance"] = Operator.use(() =>
    Effect.map(ask(BookReading.trialBalance), BookReading.trialBalanceLines),
  )
  const postings: Port["postings"] = (reference) =>
    Operator.use(() => Effect.map(ask(BookReading.postingsStatement(reference)), (rows) => parsed<Posting>(rows)))

  // Not of a server that only reads, nor of one that has lost the functions: whatever is amiss, nobody can be served.
  const ready: Port["ready"] = Effect.tryPromise({
    try: () =>
      connection.query({
        name: "countersign_ready",
        text: `select ${functions.readPoints}('{}') from (select count(*) from (select from countersign.job where false for update) j) w`,
        values: [],
      }),
    catch: (cause) => new StoreUnavailable({ unknown: false, cause }),
  }).pipe(Effect.asVoid)

  const workload: Port["workload"] = Effect.fnUntraced(function* (wallNow) {
    const rows = yield* ask({
      name: "countersign_workload",
      text: `select json_build_object(
        'running', (select count(*) from countersign.job j where j.state = 'running' and j.not_before > $1::bigint),
        'claims', (select coalesce(sum(q.served), 0) from (select max(l.served) served from countersign.job_line l group by l.queue) q))::text`,
      values: [wallNow],
    })
    return parsed<Workload>(rows)[0] ?? { running: 0, claims: 0 }
  })

  const platformCount: Port["platformCount"] = Effect.map(
    ask({ text: "select count(*)::text from countersign.platform", values: [] }),
    (rows) => parsed<number>(rows)[0] ?? 0,
  )

  return {
    read,
    list,
    history,
    event,
    resolve,
    nextDue,
    jobs,
    trialBalance,
    postings,
    workload,
    aheadMillis,
    platformCount,
    ready,
  }
})
