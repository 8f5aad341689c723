/** The `Store` port on a file of SQLite, for one process. */
import { type Caller, CurrentCaller } from "@countersign/core"
import { WallTime } from "@countersign/core/ports"
import {
  type ChangeSet,
  ChangeSignal,
  type ClaimRequest,
  type ClockChange,
  Operator,
  queues,
  Store,
  StoreUnavailable,
  topicsOf,
  WorkSignal,
} from "@countersign/core/store"
import { Clock, Data, Effect, Layer, type Scope } from "effect"
import * as Books from "./Books.ts"
import * as Claiming from "./Claiming.ts"
import { commit, type Times } from "./Commit.ts"
import { type Database, isUnavailable, open } from "./Database.ts"
import * as Events from "./Events.ts"
import * as JobLists from "./JobLists.ts"
import * as Jobs from "./Jobs.ts"
import * as Lists from "./Lists.ts"
import { read } from "./Reads.ts"
import * as Records from "./Records.ts"
import * as UniqueKeys from "./UniqueKeys.ts"

/** Runs a function on the database. What fails outside of it is `StoreUnavailable`; anything else is a defect. */
const attempt = <A>(body: () => A, unknown = false): Effect.Effect<A, StoreUnavailable> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(body())
    } catch (cause) {
      return isUnavailable(cause) ? Effect.fail(new StoreUnavailable({ unknown, cause })) : Effect.die(cause)
    }
  })

/** SQLite answers at once, so that no other fiber runs within a call. */
const storeOf = (db: Database, wall: WallTime["Service"]): Store["Service"] => {
  const work = WorkSignal.make(true)
  const changes = ChangeSignal.make()
  let aheadMillis = db.get<{ readonly aheadMillis: number }>("select aheadMillis from state")?.aheadMillis ?? 0

  const times = Effect.map(
    Effect.all([Clock.currentTimeMillis, wall.now]),
    ([businessNow, wallNow]): Times => ({ businessNow, wallNow }),
  )
  /** A call for the current caller. */
  const asCaller = <A>(body: (caller: Caller, times: Times) => A, unknown = false) =>
    Effect.flatMap(CurrentCaller, (caller) => Effect.flatMap(times, (now) => attempt(() => body(caller, now), unknown)))
  const asOperator = <A>(body: () => A) => Effect.andThen(Operator, attempt(body))

  const commitNow = (set: ChangeSet, caller: Caller, now: Times) => {
    const outcome = commit(db, set, caller, now)
    if (outcome._tag !== "Committed") return outcome
    // A job that ends may unblock its lane.
    const changed = set.finishes.length + set.returns.length > 0 ? queues : set.jobs.map(({ queue }) => queue)
    for (const queue of changed) work.changed(queue)
    changes.changed(caller.platformId, topicsOf(set))
    return outcome
  }
  const claimNow = (request: ClaimRequest) => {
    const drained = work.claiming(request.queue)
    const claimed = db.transaction(() => Claiming.claim(db, request))
    if (claimed.filter(({ behind }) => behind === undefined).length < request.limit) drained()
    return claimed
  }
  /** One process at a time moves time, and never back. */
  const moveTime = ({ aheadMillis: target, heldUntil, mover, wallNow }: ClockChange) => {
    const isMoved = db.run(
      `update state set aheadMillis = max(aheadMillis, $target), mover = $mover, heldUntil = $heldUntil
       where mover = $mover or heldUntil <= $wallNow`,
      { target, mover, heldUntil, wallNow },
    )
    if (isMoved === 0) return undefined
    if (target > aheadMillis) {
      aheadMillis = target
      for (const queue of queues) work.changed(queue)
      changes.changed(undefined, new Set(["clock"]))
    }
    return aheadMillis
  }

  return Store.of({
    read: (query) => asCaller((caller, { wallNow }) => read(db, caller, query, wallNow)),
    list: (kind, where, page) => asCaller((caller) => Lists.list(db, caller, kind, where, page)),
    // A commit that fails may be in the file: its caller sends it again.
    commit: (set) => asCaller((caller, now) => commitNow(set, caller, now), true),
    history: (ref, latest) => asCaller((caller) => Records.history(db, caller, ref, latest)),
    event: (id) => asCaller((caller) => Events.find(db, caller, id)),
    events: (filter, page) => asCaller((caller, { wallNow }) => Events.page(db, caller, filter, page, wallNow)),
    delivery: (id) => asCaller((caller, { wallNow }) => Events.delivery(db, caller, id, wallNow)),
    resolve: (claim) => attempt(() => UniqueKeys.resolve(db, claim)),
    claim: (request) => attempt(() => claimNow(request)),
    attend: Effect.void,
    nextDue: (after) => attempt(() => JobLists.nextDue(db, after)),
    jobs: asCaller((caller, { wallNow }) => JobLists.all(db, caller, wallNow)),
    countJobs: (query) => asCaller((caller) => JobLists.count(db, caller, query)),
    parkedJobs: (page) => asCaller((caller) => JobLists.parked(db, caller, page)),
    dueJobs: (page) => asCaller((caller, { wallNow }) => JobLists.due(db, caller, page, wallNow)),
    awaitWork: work.wait,
    watch: changes.watch,
    workload: (wallNow) => attempt(() => JobLists.workload(db, wallNow)),
    aheadMillis: () => aheadMillis,
    moveTime: (change) => attempt(() => moveTime(change)),
    platformCount: attempt(() => Records.count(db, "Platform")),
    trialBalance: asOperator(() => Books.trialBalance(db)),
    postings: (reference) => asOperator(() => Books.postings(db, reference)),
    balanceTotals: asCaller((caller) => Books.balanceTotals(db, caller)),
    accountBalances: (page) => asCaller((caller) => Books.accountBalances(db, caller, page)),
    accountEntries: (page) => asCaller((caller) => Books.accountEntries(db, caller, page)),
    ownPostings: (reference) => asCaller((caller) => Books.ownPostings(db, caller, reference)),
    rootUses: asOperator(() => Records.rootUses(db)),
    ready: attempt(() => void db.get("select 1 from state")),
  })
}

/** The file cannot be opened: it is locked by another process, or cannot be written. */
export class FileUnusable extends Data.TaggedError("FileUnusable")<{ readonly message: string }> {}

const make = ({
  file,
}: {
  readonly file: string
}): Effect.Effect<Store["Service"], FileUnusable, WallTime | Scope.Scope> =>
  Effect.gen(function* () {
    const wall = yield* WallTime
    const db = yield* Effect.acquireRelease(
      attempt(() => open(file)),
      (opened) => Effect.sync(() => opened.close()),
    )
    yield* attempt(() => {
      // A worker of an earlier process may have been killed within its lease.
      Jobs.release(db)
      Records.deriveFields(db)
    })
    return storeOf(db, wall)
  }).pipe(Effect.mapError(({ cause }) => new FileUnusable({ message: `${file}: ${cause}` })))

/** A store in a file, or in memory with `:memory:`. Only one process at a time can have the file open. */
export const SqliteStore = {
  layer: (options: { readonly file: string }): Layer.Layer<Store, FileUnusable, WallTime> =>
    Layer.effect(Store, make(options)),
}
