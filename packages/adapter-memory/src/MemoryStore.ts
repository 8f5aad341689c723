/**
 * The `Store` port in memory, with what only memory can do: a snapshot, a fork, a look into the books.
 * Source: architecture, "The Store port" (Memory).
 */
import { type Caller, CurrentCaller } from "@countersign/core"
import { WallTime } from "@countersign/core/ports"
import {
  type ChangeSet,
  type ClaimRequest,
  type ClockChange,
  type CommitOutcome,
  Operator,
  type Queue,
  queues,
  type ReadQuery,
  type ReadResult,
  Store,
  sees,
  WorkSignal,
} from "@countersign/core/store"
import { Clock, Context, Effect, Layer } from "effect"
import * as BusinessTime from "./BusinessTime.ts"
import * as Claiming from "./Claiming.ts"
import * as Claims from "./Claims.ts"
import * as Commit from "./Commit.ts"
import * as Counters from "./Counters.ts"
import * as Events from "./Events.ts"
import * as Jobs from "./Jobs.ts"
import * as Ledger from "./Ledger.ts"
import * as Receipts from "./Receipts.ts"
import * as Records from "./Records.ts"
import * as Snapshot from "./Snapshot.ts"
import * as SortedMap from "./SortedMap.ts"
import * as State from "./State.ts"

/** A store in memory: the port, and what lies behind it. */
export interface Memory {
  readonly store: Store["Service"]
  /** All ledger accounts of all tenants with their entries, for proofs about the books. */
  readonly ledger: () => ReadonlyArray<Ledger.Book>
  /** Everything, as plain data that `JSON.stringify` keeps whole. */
  readonly snapshot: () => Snapshot.Snapshot
  /**
   * Another store that goes on from this one's present state, with its identifiers, counters, jobs and answers. The state
   * is shared, not copied, and neither store sees what the other writes. Clocks are the caller's: Effect's `Clock` of the
   * fiber, and this wall time, or the parent's.
   */
  readonly fork: (wall?: WallTime["Service"]) => Memory
}

/** Fails loudly where a caller looks at what it did not ask for: on a database that would not be there. */
const asked = (isAsked: boolean, what: string) => {
  if (!isAsked) throw new Error(`${what} was not asked for in this read`)
}

const read = (state: State.State, caller: Caller, query: ReadQuery, wallNow: number): ReadResult => ({
  record: (kind, id) => {
    asked(query.records?.some((ref) => ref.kind === kind && ref.id === id) === true, `${kind} ${id}`)
    return Records.findOfKind(state.records, caller, kind, id)
  },
  balance: (account) => {
    asked(query.balances?.includes(account) === true, `the balance of ${account}`)
    return Ledger.balanceOf(state.ledger, caller, account)
  },
  counter: (key) => {
    asked(query.counters?.includes(key) === true, `the counter ${key}`)
    return Counters.counterOf(state.counters, caller, key)
  },
  replay: query.replay === undefined ? undefined : Receipts.answerOf(state.receipts, caller, query.replay, wallNow),
})

/** The queues of which a change set adds, finishes or returns a job. */
const queuesOf = (jobs: Jobs.Jobs, set: ChangeSet): ReadonlySet<Queue> => {
  const claimed = [...set.finishes, ...set.returns].flatMap(({ id }) => SortedMap.get(jobs.byId, id)?.queue ?? [])
  return new Set([...set.jobs.map(({ queue }) => queue), ...claimed])
}

/** A store that goes on from a state. Times come from Effect's `Clock` (business) and from `wall`. */
const from = (initial: State.State, wall: WallTime["Service"]): Memory => {
  let state = initial
  const signal = WorkSignal.make(SortedMap.size(initial.jobs.byId) > 0)

  // No effect stands between the checks and the writes of these two, so that nothing can come in between.
  const commitNow = (set: ChangeSet, caller: Caller, times: Commit.Times): CommitOutcome => {
    const before = state
    const { outcome, state: after } = Commit.commit(before, set, caller, times)
    state = after
    if (after !== before) for (const queue of queuesOf(before.jobs, set)) signal.changed(queue)
    return outcome
  }
  const claimNow = (request: ClaimRequest) => {
    const drained = signal.claiming(request.queue)
    const { claimed, jobs } = Claiming.claim(state.jobs, request)
    state = { ...state, jobs }
    if (claimed.length < request.limit) drained()
    return claimed
  }
  const moveNow = (move: ClockChange) => {
    const time = BusinessTime.moved(state.time, move)
    if (time === undefined) return undefined
    const isForward = time.aheadMillis > state.time.aheadMillis
    state = { ...state, time }
    if (isForward) for (const queue of queues) signal.changed(queue)
    return time.aheadMillis
  }

  const store = Store.of({
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
    history: (ref) => CurrentCaller.useSync((caller) => Records.history(state.records, caller, ref)),
    event: (id) =>
      CurrentCaller.useSync((caller) => {
        const event = Events.find(state.events, id)
        return event !== undefined && sees(caller, event) ? event : undefined
      }),
    resolve: (claim) =>
      Effect.sync(() => {
        const holder = Claims.holderOf(state.claims, claim)
        return holder === undefined ? undefined : Records.current(state.records, holder)
      }),
    claim: (request) => Effect.sync(() => claimNow(request)),
    nextDue: (after) => Effect.sync(() => Jobs.nextDue(state.jobs, after)),
    jobs: Effect.gen(function* () {
      const caller = yield* CurrentCaller
      const wallNow = yield* wall.now
      return Jobs.views(state.jobs, caller, wallNow)
    }),
    awaitWork: signal.wait,
    workload: (wallNow) =>
      Effect.sync(() => ({ running: Jobs.running(Claiming.wake(state.jobs, wallNow)), claims: state.jobs.claims })),
    aheadMillis: () => state.time.aheadMillis,
    moveTime: (move) => Effect.sync(() => moveNow(move)),
    platformCount: Effect.sync(() => Records.countOf(state.records, "Platform")),
    trialBalance: Operator.useSync(() => Ledger.trialBalance(state.ledger)),
    postings: (reference) => Operator.useSync(() => Ledger.postings(state.ledger, reference)),
    ready: Effect.void,
  })

  return {
    store,
    ledger: () => Ledger.books(state.ledger),
    snapshot: () => Snapshot.dump(state),
    fork: (other = wall) => from(state, other),
  }
}

/** The memory adapter: whoever needs only the port takes `Store`, which its layers provide beside it. */
export class MemoryStore extends Context.Service<MemoryStore, Memory>()("@countersign/adapter-memory/MemoryStore") {
  /** An empty store. */
  static readonly make: Effect.Effect<Memory, never, WallTime> = WallTime.useSync((wall) => from(State.empty, wall))

  /** The store of a snapshot; it need not have been made by this process. */
  static readonly load = Effect.fnUntraced(function* (snapshot: unknown) {
    const wall = yield* WallTime
    return from(yield* Snapshot.restore(snapshot), wall)
  })

  /** The port of a store that exists: a fork, or a loaded one. */
  static readonly layerOf = (memory: Memory): Layer.Layer<Store | MemoryStore> =>
    Layer.merge(Layer.succeed(MemoryStore, memory), Layer.succeed(Store, memory.store))

  /** An empty store, and its port. */
  static readonly layer: Layer.Layer<Store | MemoryStore, never, WallTime> = Layer.unwrap(
    Effect.map(MemoryStore.make, (memory) => MemoryStore.layerOf(memory)),
  )
}
