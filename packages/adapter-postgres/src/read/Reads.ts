/**
 * The read-only part of the `Store` port.
 * Source: ports/Store.ts.
 */
import { CurrentCaller, tenant } from "@countersign/core"
import { WallTime } from "@countersign/core/ports"
import { type AnyStored, Operator, type Store, StoreUnavailable, type Workload } from "@countersign/core/store"
import { Effect } from "effect"
import type { Connection, Statement } from "../connection/Connection.ts"
import { failureOf } from "../connection/Failure.ts"
import { functions } from "../functions/Functions.ts"
import type * as BusinessTime from "../schema/BusinessTime.ts"
import * as BookReading from "./BookReading.ts"
import * as EventReading from "./EventReading.ts"
import * as GroupReads from "./GroupReads.ts"
import * as JobRows from "./JobRows.ts"
import * as KeyLookups from "./KeyLookups.ts"
import * as Listing from "./Listing.ts"
import * as PlatformBooks from "./PlatformBooks.ts"
import * as Reading from "./Reading.ts"
import * as RootReading from "./RootReading.ts"

type Port = Store["Service"]

const parsed = <A>(rows: ReadonlyArray<string | null>): ReadonlyArray<A> =>
  rows.flatMap((row) => (row === null ? [] : [JSON.parse(row) as A]))

type Rows = ReadonlyArray<string | null>

/** Runs a statement whose failure leaves nothing unknown: it changes nothing, or may safely run twice. */
export const repeatable = <A>(run: () => Promise<A>): Effect.Effect<A, StoreUnavailable> =>
  Effect.tryPromise(run).pipe(
    Effect.catch(({ cause }) => {
      const failure = failureOf(cause)
      return failure === "defect" || failure === "mistake"
        ? Effect.die(cause)
        : Effect.fail(new StoreUnavailable({ unknown: false, cause }))
    }),
  )

export const query = (connection: Connection, statement: Statement): Effect.Effect<Rows, StoreUnavailable> =>
  repeatable(() => connection.query(statement))

export type StoreReads = Omit<Port, "commit" | "claim" | "attend" | "awaitWork" | "watch" | "moveTime">

/** The reads of one cell, with those that a store of several cells puts together. */
export interface ReadPort extends StoreReads {
  /** Returns the name of the record that holds a global unique key, and refreshes the offset of business time. */
  readonly keyHolder: (key: string) => Effect.Effect<Reading.KeyHolder | undefined, StoreUnavailable>
  /** The postings of a reference: of a platform, or with `null` of all. */
  readonly numberedPostings: (
    reference: string,
    platformId: string | null,
  ) => Effect.Effect<ReadonlyArray<BookReading.NumberedPosting>, StoreUnavailable>
  /** Returns a record for any caller. */
  readonly recordOf: (holder: Reading.KeyHolder) => Effect.Effect<AnyStored | undefined, StoreUnavailable>
}

/** Fails on a read-only server and on one without this release's functions: neither can serve a request. */
export const readyStatement: Statement = {
  name: "countersign_ready",
  text: `select ${functions.readPoints}('{}') from (select count(*) from (select from countersign.job where false for update) j) w`,
  values: [],
}

export const readyIf = (ask: () => Promise<unknown>): Effect.Effect<void, StoreUnavailable> =>
  Effect.tryPromise({ try: ask, catch: (cause) => new StoreUnavailable({ unknown: false, cause }) }).pipe(Effect.asVoid)

/** Reads the books of the caller's platform; an agent has none. */
const ofPlatform = <A>(none: A, read: (platformId: string) => Effect.Effect<A, StoreUnavailable>) =>
  CurrentCaller.use((caller) => (caller._tag === "Agent" ? Effect.succeed(none) : read(caller.platformId)))

/** The postings of a platform, and those of all. */
export const postingReads = (read: ReadPort["numberedPostings"]): Pick<Port, "ownPostings" | "postings"> => {
  const plain = Effect.map((postings: ReadonlyArray<BookReading.NumberedPosting>) =>
    postings.map(BookReading.withoutNumber),
  )
  return {
    ownPostings: (reference) => ofPlatform([], (platformId) => plain(read(reference, platformId))),
    postings: (reference) => Operator.use(() => plain(read(reference, null))),
  }
}

export const make = Effect.fnUntraced(function* (
  connection: Connection,
  clockOffset: BusinessTime.ClockOffset,
): Effect.fn.Return<ReadPort, never, WallTime> {
  const wall = yield* WallTime
  const run = (statement: Statement) => query(connection, statement)
  const sendLookup = GroupReads.make({
    send: async (lookups: ReadonlyArray<KeyLookups.KeyLookup>) => {
      const [text] = await connection.query({
        name: "countersign_read",
        text: `select ${functions.readPoints}($1::jsonb)`,
        values: [KeyLookups.encodeRequest(lookups)],
      })
      return KeyLookups.decodeAnswer(lookups.length, text)
    },
    concurrentBatches: connection.concurrentBatches,
  })
  const lookUp = (lookup: KeyLookups.KeyLookup) => repeatable(() => sendLookup(lookup))

  const read: Port["read"] = Effect.fnUntraced(function* (query) {
    const caller = yield* CurrentCaller
    const wallNow = yield* wall.now
    const found = yield* lookUp({ _tag: "Query", caller, query, wallNow })
    if (query.holder !== undefined) clockOffset.update(found.ahead)
    return Reading.readResult(found, query.platform === true ? caller.platformId : undefined)
  })

  const list: Port["list"] = Effect.fnUntraced(function* (kind, where, page) {
    const caller = yield* CurrentCaller
    const [answer] = yield* run(Listing.listStatement(kind, where, page, caller))
    return Listing.listResult(answer, page.limit)
  })

  const history: Port["history"] = Effect.fnUntraced(function* (ref, latest) {
    const caller = yield* CurrentCaller
    return parsed(yield* run(Reading.historyStatement(ref, caller, latest)))
  })

  const event: Port["event"] = Effect.fnUntraced(function* (id) {
    const caller = yield* CurrentCaller
    return (yield* lookUp({ _tag: "Event", caller, id })).event
  })

  const events: Port["events"] = Effect.fnUntraced(function* (filter, page) {
    const caller = yield* CurrentCaller
    const wallNow = yield* wall.now
    const [answer] = yield* run(EventReading.pageStatement(filter, page, caller, wallNow))
    return EventReading.pageOf(answer, page.limit)
  })

  const delivery: Port["delivery"] = Effect.fnUntraced(function* (eventId) {
    const caller = yield* CurrentCaller
    const wallNow = yield* wall.now
    const [answer] = yield* run(EventReading.deliveryStatement(eventId, caller, wallNow))
    return EventReading.deliveryOf(answer)
  })

  const resolve: Port["resolve"] = Effect.fnUntraced(function* ({ key, scope }) {
    if (scope !== "global") return undefined
    const found = yield* lookUp({ _tag: "Holder", key })
    clockOffset.update(found.ahead)
    return found.holder
  })

  const keyHolder: ReadPort["keyHolder"] = Effect.fnUntraced(function* (key) {
    const found = yield* lookUp({ _tag: "KeyHolder", key })
    clockOffset.update(found.ahead)
    return found.keyHolder
  })

  const recordOf: ReadPort["recordOf"] = Effect.fnUntraced(function* ({ platformId, ...ref }) {
    const caller = tenant(platformId)
    const found = yield* lookUp({ _tag: "Query", caller, query: { records: [ref] }, wallNow: yield* wall.now })
    return found.records[0]
  })

  const nextDue: Port["nextDue"] = Effect.fnUntraced(function* (after) {
    return parsed<number>(yield* run(JobRows.nextDueStatement(after)))[0]
  })

  const jobs: Port["jobs"] = Effect.gen(function* () {
    const caller = yield* CurrentCaller
    const wallNow = yield* wall.now
    return JobRows.jobViews(yield* run(JobRows.viewStatement(caller, wallNow)))
  })

  const countJobs: Port["countJobs"] = Effect.fnUntraced(function* (query) {
    const caller = yield* CurrentCaller
    return Number((yield* run(JobRows.countStatement(caller, query)))[0])
  })

  const parkedJobs: Port["parkedJobs"] = Effect.fnUntraced(function* (page) {
    const caller = yield* CurrentCaller
    const found = JobRows.jobViews(yield* run(JobRows.parkedStatement(caller, page)))
    return { jobs: found.slice(0, page.limit), hasMore: found.length > page.limit }
  })

  const dueJobs: Port["dueJobs"] = Effect.fnUntraced(function* (page) {
    const caller = yield* CurrentCaller
    return JobRows.dueJobs(yield* run(JobRows.dueStatement(caller, page, yield* wall.now)), page)
  })

  const balanceTotals: Port["balanceTotals"] = ofPlatform([], (platformId) =>
    Effect.map(run(PlatformBooks.balanceTotalsStatement(platformId)), PlatformBooks.balanceTotals),
  )
  const accountBalances: Port["accountBalances"] = (page) =>
    ofPlatform({ accounts: [], hasMore: false }, (platformId) =>
      Effect.map(run(PlatformBooks.accountBalancesStatement(platformId, page)), (rows) =>
        PlatformBooks.accountBalances(rows, page),
      ),
    )
  const accountEntries: Port["accountEntries"] = (page) =>
    ofPlatform(undefined, (platformId) =>
      Effect.map(run(PlatformBooks.accountEntriesStatement(platformId, page)), (rows) =>
        PlatformBooks.accountEntries(rows, page),
      ),
    )
  const numberedPostings: ReadPort["numberedPostings"] = (reference, platformId) =>
    Effect.map(run(BookReading.postingsStatement(reference, platformId)), (rows) =>
      parsed<BookReading.NumberedPosting>(rows),
    )

  const trialBalance: Port["trialBalance"] = Operator.use(() =>
    Effect.map(run(BookReading.trialBalance), BookReading.trialBalanceLines),
  )
  const { ownPostings, postings } = postingReads(numberedPostings)

  const rootUses: Port["rootUses"] = Operator.use(() => Effect.map(run(RootReading.rootUses), RootReading.rootUsesOf))

  const ready: Port["ready"] = readyIf(() => connection.query(readyStatement))

  const workload: Port["workload"] = Effect.fnUntraced(function* (wallNow) {
    const rows = yield* run({
      name: "countersign_workload",
      text: `select json_build_object(
        'running', (select count(*) from countersign.job j where j.state = 'running' and j.not_before > $1::bigint),
        'claims', (select coalesce(sum(q.served), 0) from (select max(l.served) served from countersign.job_line l group by l.queue) q))::text`,
      values: [wallNow],
    })
    return parsed<Workload>(rows)[0] ?? { running: 0, claims: 0 }
  })

  const platformCount: Port["platformCount"] = Effect.map(
    run({ text: "select count(*)::text from countersign.platform", values: [] }),
    (rows) => parsed<number>(rows)[0] ?? 0,
  )

  return {
    read,
    list,
    history,
    event,
    events,
    delivery,
    resolve,
    keyHolder,
    recordOf,
    nextDue,
    jobs,
    countJobs,
    parkedJobs,
    dueJobs,
    balanceTotals,
    accountBalances,
    accountEntries,
    numberedPostings,
    ownPostings,
    trialBalance,
    postings,
    rootUses,
    workload,
    aheadMillis: clockOffset.aheadMillis,
    platformCount,
    ready,
  }
})
