/**
 * The `Store` port in memory, with snapshot, fork and access to the ledger's entries.
 * Source: architecture, "The Store port" (Memory).
 */
import { type Caller, CurrentCaller, tenant } from "@countersign/core"
import { sandboxOnly, WallTime } from "@countersign/core/ports"
import {
  type ChangeSet,
  ChangeSignal,
  type Claim,
  type ClaimRequest,
  type ClockChange,
  type CommitOutcome,
  Operator,
  type Queue,
  queues,
  type ReadQuery,
  type ReadResult,
  StateGate,
  StateImages,
  Store,
  sees,
  topicsOf,
  WorkSignal,
} from "@countersign/core/store"
import { Clock, Context, Effect, Layer } from "effect"
import * as BusinessTime from "./BusinessTime.ts"
import * as Claiming from "./Claiming.ts"
import * as Claims from "./Claims.ts"
import * as Commit from "./Commit.ts"
import * as Counters from "./Counters.ts"
import * as DueJobs from "./DueJobs.ts"
import * as Events from "./Events.ts"
import * as Images from "./Images.ts"
import * as Jobs from "./Jobs.ts"
import * as Ledger from "./Ledger.ts"
import * as PlatformBooks from "./PlatformBooks.ts"
import * as Receipts from "./Receipts.ts"
import * as Records from "./Records.ts"
import * as Snapshot from "./Snapshot.ts"
import * as SortedMap from "./SortedMap.ts"
import * as State from "./State.ts"

/** A store in memory: the port and direct access to its state. */
export interface Memory {
  readonly store: Store["Service"]
  /** Replaces the state of `store`, between its calls. */
  readonly images: StateImages
  readonly generation: (typeof StateGate.Generation)["Service"]
  /** All ledger accounts of all tenants with their entries, for tests of the books. */
  readonly ledger: () => ReadonlyArray<Ledger.Book>
  /** The complete state as plain JSON data. */
  readonly snapshot: () => Snapshot.Snapshot
  /** Returns the earliest wall time (ms) after `after` at which a back-off, a lease or the hold of a lane ends; `undefined`: none does. */
  readonly nextAlarm: (after: number) => number | undefined
  /**
   * Returns another store that continues from the present state, with its identifiers, counters, jobs and stored responses.
   * The state is shared and not copied, and neither store sees the other's writes. Business time is Effect's `Clock` of the
   * fiber; wall time is `wall`, or that of the parent.
   */
  readonly fork: (wall?: WallTime["Service"]) => Memory
}

/** Live mode refuses a store that forgets its data at the end of the process. */
const onlyInMemory = sandboxOnly("the store in memory")

/** Throws if a caller uses a value that its query does not name: a database would not have read it. */
const requireQueried = (isQueried: boolean, what: string) => {
  if (!isQueried) throw new Error(`${what} was not asked for in this read`)
}

/** The record that holds a global unique key. */
const holderOf = (state: State.State, claim: Claim) => {
  const holder = Claims.holderOf(state.claims, claim)
  return holder === undefined ? undefined : Records.current(state.records, holder)
}

const read = (state: State.State, caller: Caller, query: ReadQuery, wallNow: number): ReadResult => ({
  record: (kind, id) => {
    requireQueried(query.records?.some((ref) => ref.kind === kind && ref.id === id) === true, `${kind} ${id}`)
    return Records.findOfKind(state.records, caller, kind, id)
  },
  owner: ({ id, kind }) => {
    requireQueried(query.ownersOf?.some((ref) => ref.kind === kind && ref.id === id) === true, `the owner of ${id}`)
    const customerId = Records.findOfKind(state.records, caller, kind, id)?.customerId ?? undefined
    return customerId === undefined ? undefined : Records.findOfKind(state.records, caller, "Customer", customerId)
  },
  platform:
    query.platform === true
      ? Records.findOfKind(state.records, tenant(caller.platformId), "Platform", caller.platformId)
      : undefined,
  balance: (account) => {
    requireQueried(query.balances?.includes(account) === true, `the balance of ${account}`)
    return Ledger.balanceOf(state.ledger, caller, account)
  },
  counter: (key) => {
    requireQueried(query.counters?.includes(key) === true, `the counter ${key}`)
    return Counters.counterOf(state.counters, caller, key)
  },
  replay: query.replay === undefined ? undefined : Receipts.answerOf(state.receipts, caller, query.replay, wallNow),
  holder: query.holder === undefined ? undefined : holderOf(state, { scope: "global", key: query.holder }),
})

/** The queues of which a change set adds, finishes or returns a job. */
const queuesOf = (jobs: Jobs.Jobs, set: ChangeSet): ReadonlySet<Queue> => {
  const claimed = [...set.finishes, ...set.returns].flatMap(({ id }) => SortedMap.get(jobs.byId, id)?.queue ?? [])
  return new Set([...set.jobs.map(({ queue }) => queue), ...claimed])
}

/** A store that continues from a state. Business time is Effect's `Clock`, wall time is `wall`. */
const storeFrom = (initial: State.State, wall: WallTime["Service"]): Memory => {
  let state = initial
  const signal = WorkSignal.make(SortedMap.size(initial.jobs.byId) > 0)
  const changes = ChangeSignal.make()

  // These functions contain no effect, so that no other fiber runs between their checks and their writes.
  const commitNow = (set: ChangeSet, caller: Caller, times: Commit.Times): CommitOutcome => {
    const before = state
    const { outcome, state: after } = Commit.commit(before, set, caller, times)
    state = after
    if (after !== before) {
      for (const queue of queuesOf(before.jobs, set)) signal.changed(queue)
      changes.changed(caller.platformId, topicsOf(set))
    }
    return outcome
  }
  const claimNow = (request: ClaimRequest) => {
    const drained = signal.claiming(request.queue)
    const { claimed, jobs } = Claiming.claim(state.jobs, request)
    state = { ...state, jobs }
    if (claimed.filter(({ behind }) => behind === undefined).length < request.limit) drained()
    return claimed
  }
  const moveNow = (change: ClockChange) => {
    const time = BusinessTime.move(state.time, change)
    if (time === undefined) return undefined
    const isForward = time.aheadMillis > state.time.aheadMillis
    state = { ...state, time }
    if (isForward) {
      for (const queue of queues) signal.changed(queue)
      changes.changed(undefined, new Set(["clock"]))
    }
    return time.aheadMillis
  }

  const gate = StateGate.make()
  const unguarded = Store.of({
    read: (query) =>
      Effect.gen(function* () {
        const caller = yield* CurrentCaller
        const wallNow = yield* wall.now
        return read(state, caller, query, wallNow)
      }),
    list: (kind, where, page) =>
      CurrentCaller.useSync((caller) => Records.page(state.records, caller, kind, where, page)),
    commit: (set) =>
      Effect.gen(function* () {
        const caller = yield* CurrentCaller
        const times = { businessNow: yield* Clock.currentTimeMillis, wallNow: yield* wall.now }
        return commitNow(set, caller, times)
      }),
    history: (ref, latest) => CurrentCaller.useSync((caller) => Records.history(state.records, caller, ref, latest)),
    event: (id) =>
      CurrentCaller.useSync((caller) => {
        const event = Events.find(state.events, id)
        return event !== undefined && sees(caller, event) ? event : undefined
      }),
    events: (filter, page) =>
      Effect.gen(function* () {
        const caller = yield* CurrentCaller
        const wallNow = yield* wall.now
        return Events.page(state.events, state.jobs, caller, filter, page, wallNow)
      }),
    delivery: (eventId) =>
      Effect.gen(function* () {
        const caller = yield* CurrentCaller
        const wallNow = yield* wall.now
        return Events.delivery(state.events, state.jobs, caller, eventId, wallNow)
      }),
    resolve: (claim) => Effect.sync(() => holderOf(state, claim)),
    claim: (request) => Effect.sync(() => claimNow(request)),
    attend: Effect.void,
    nextDue: (after) => Effect.sync(() => Jobs.nextDue(state.jobs, after)),
    jobs: Effect.gen(function* () {
      const caller = yield* CurrentCaller
      const wallNow = yield* wall.now
      return Jobs.views(state.jobs, caller, wallNow)
    }),
    countJobs: (query) => Effect.map(CurrentCaller, (caller) => Jobs.count(state.jobs, caller, query)),
    parkedJobs: (page) => Effect.map(CurrentCaller, (caller) => Jobs.parked(state.jobs, caller, page)),
    dueJobs: (page) =>
      Effect.gen(function* () {
        const caller = yield* CurrentCaller
        return DueJobs.page(state.jobs, caller, page, yield* wall.now)
      }),
    awaitWork: signal.wait,
    watch: changes.watch,
    workload: (wallNow) =>
      Effect.sync(() => ({
        running: Jobs.running(Claiming.advanceWallTime(state.jobs, wallNow)),
        claims: state.jobs.claims,
      })),
    aheadMillis: () => state.time.aheadMillis,
    moveTime: (change) => Effect.sync(() => moveNow(change)),
    platformCount: Effect.sync(() => Records.countOf(state.records, "Platform")),
    trialBalance: Operator.useSync(() => Ledger.trialBalance(state.ledger)),
    postings: (reference) => Operator.useSync(() => Ledger.postings(state.ledger, reference)),
    balanceTotals: CurrentCaller.useSync((caller) => PlatformBooks.balanceTotals(state.ledger, caller)),
    accountBalances: (page) =>
      CurrentCaller.useSync((caller) => PlatformBooks.accountBalances(state.ledger, caller, page)),
    accountEntries: (page) =>
      CurrentCaller.useSync((caller) => PlatformBooks.accountEntries(state.ledger, caller, page)),
    ownPostings: (reference) =>
      CurrentCaller.useSync((caller) => PlatformBooks.postings(state.ledger, caller, reference)),
    rootUses: Operator.useSync(() => Records.rootUses(state.records)),
    ready: Effect.void,
  })

  return {
    store: gate.guard(unguarded),
    generation: gate.generation,
    images: Images.make({
      gate,
      state: () => state,
      setState: (next) => {
        state = next
        for (const queue of queues) signal.changed(queue)
      },
    }),
    ledger: () => Ledger.books(state.ledger),
    snapshot: () => Snapshot.dump(state),
    nextAlarm: (after) => Jobs.nextAlarm(state.jobs, after),
    fork: (other = wall) => storeFrom(state, other),
  }
}

/** The memory adapter. Its layers also provide `Store`, which is enough for code that needs the port only. */
export class MemoryStore extends Context.Service<MemoryStore, Memory>()("@countersign/adapter-memory/MemoryStore") {
  /** An empty store. */
  static readonly make: Effect.Effect<Memory, never, WallTime> = WallTime.useSync((wall) =>
    storeFrom(State.empty, wall),
  )

  /** Loads a snapshot, which may come from another process. */
  static readonly load = Effect.fnUntraced(function* (snapshot: unknown) {
    const wall = yield* WallTime
    return storeFrom(yield* Snapshot.restore(snapshot), wall)
  })

  /** Provides an existing store: a fork or a loaded snapshot. */
  static readonly layerOf = (memory: Memory): Layer.Layer<Store | MemoryStore> =>
    Layer.mergeAll(
      Layer.succeed(MemoryStore, memory),
      Layer.succeed(Store, memory.store),
      Layer.succeed(StateImages, memory.images),
      Layer.succeed(StateGate.Generation, memory.generation),
    ).pipe(onlyInMemory)

  /** Provides an empty store. */
  static readonly layer: Layer.Layer<Store | MemoryStore, never, WallTime> = Layer.unwrap(
    Effect.map(MemoryStore.make, (memory) => MemoryStore.layerOf(memory)),
  ).pipe(onlyInMemory)
}
