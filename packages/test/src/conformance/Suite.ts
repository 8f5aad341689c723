/**
 * The context of every section of the store's conformance suite, and the functions that its tests call.
 * Source: architecture, "The Store port".
 */

import assert from "node:assert/strict"
import { type Caller, CurrentCaller } from "@countersign/core"
import {
  type ChangeSet,
  type ClaimRequest,
  type CommitFacts,
  type CommitOutcome,
  type DueJobsPage,
  type EntriesPage,
  type EventFilter,
  type JobCountQuery,
  type Kind,
  type LedgerAccountsPage,
  Operator,
  type Page,
  type ParkedJobsPage,
  type Queue,
  type ReadQuery,
  type RecordRef,
  Store,
  type Where,
} from "@countersign/core/store"
import { Cause, Effect, Exit, type Fiber } from "effect"
import { alpha } from "./Examples.ts"

export interface Suite {
  /** Registers a test, which runs on a new, empty store. Its title is the law of the port that it checks. */
  readonly test: (title: string, body: (seed: number) => Effect.Effect<void, unknown, Store>) => void
  /** Sets business time and wall time (ms) of the adapter. They start at 0. */
  readonly moveTo: (millis: number) => Effect.Effect<void>
}

export const as = (caller: Caller) => Effect.provideService(CurrentCaller, caller)

export const commit = (set: ChangeSet, caller: Caller = alpha) =>
  Store.use((store) => store.commit(set)).pipe(as(caller))

/** Commits a change set, requires the outcome `Committed`, and returns its facts. */
export const committed = Effect.fnUntraced(function* (set: ChangeSet, caller: Caller = alpha) {
  const outcome = yield* commit(set, caller)
  if (outcome._tag !== "Committed") assert.fail(`not committed: ${JSON.stringify(outcome)}`)
  return outcome.facts satisfies CommitFacts
})

/** Asserts the exact outcome of a change set. */
export const meets = Effect.fnUntraced(function* (set: ChangeSet, expected: CommitOutcome, caller: Caller = alpha) {
  assert.deepStrictEqual(yield* commit(set, caller), expected)
})

/** Asserts that a change set is a conflict, for any reason. */
export const conflicts = Effect.fnUntraced(function* (set: ChangeSet, caller: Caller = alpha) {
  assert.strictEqual((yield* commit(set, caller))._tag, "Conflict")
})

/** Asserts that an effect dies: a defect of the caller. */
export const dies = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const exit = yield* Effect.exit(effect)
  assert.strictEqual(Exit.isFailure(exit) && Cause.hasDies(exit.cause), true, "expected a defect")
})

export const read = (query: ReadQuery, caller: Caller = alpha) =>
  Store.use((store) => store.read(query)).pipe(as(caller))

export const record = <K extends Kind>(kind: K, id: string, caller: Caller = alpha) =>
  Effect.map(read({ records: [{ kind, id }] }, caller), (found) => found.record(kind, id))

export const balance = (account: string, caller: Caller = alpha) =>
  Effect.map(read({ balances: [account] }, caller), (found) => found.balance(account))

export const counter = (key: string, caller: Caller = alpha) =>
  Effect.map(read({ counters: [key] }, caller), (found) => found.counter(key))

export const replay = (key: string, caller: Caller = alpha) =>
  Effect.map(read({ replay: key }, caller), (found) => found.replay)

export const list = <K extends Kind>(kind: K, where: Where, page: Page.PageRequest, caller: Caller = alpha) =>
  Store.use((store) => store.list(kind, where, page)).pipe(as(caller))

export const history = (ref: RecordRef, caller: Caller = alpha, latest?: number) =>
  Store.use((store) => store.history(ref, latest)).pipe(as(caller))

export const event = (id: string, caller: Caller = alpha) => Store.use((store) => store.event(id)).pipe(as(caller))

export const eventsPage = (filter: EventFilter, page: Page.PageRequest, caller: Caller = alpha) =>
  Store.use((store) => store.events(filter, page)).pipe(as(caller))

export const delivery = (eventId: string, caller: Caller = alpha) =>
  Store.use((store) => store.delivery(eventId)).pipe(as(caller))

const asOperator = Effect.provideService(Operator, { _tag: "Operator" })

/** The trial balance of all tenants. */
export const trialBalance = asOperator(Store.use((store) => store.trialBalance))

/** What depends on each root of wallet keys, of all tenants. */
export const rootUses = asOperator(Store.use((store) => store.rootUses))

export const postings = (reference: string) => asOperator(Store.use((store) => store.postings(reference)))

export const jobs = (caller: Caller = alpha) => Store.use((store) => store.jobs).pipe(as(caller))

export const countJobs = (query: JobCountQuery, caller: Caller = alpha) =>
  Store.use((store) => store.countJobs(query)).pipe(as(caller))
export const parkedJobs = (page: ParkedJobsPage, caller: Caller = alpha) =>
  Store.use((store) => store.parkedJobs(page)).pipe(as(caller))

export const dueJobs = (page: DueJobsPage, caller: Caller = alpha) =>
  Store.use((store) => store.dueJobs(page)).pipe(as(caller))

export const balanceTotals = (caller: Caller = alpha) => Store.use((store) => store.balanceTotals).pipe(as(caller))

export const accountBalances = (page: LedgerAccountsPage, caller: Caller = alpha) =>
  Store.use((store) => store.accountBalances(page)).pipe(as(caller))

export const accountEntries = (page: EntriesPage, caller: Caller = alpha) =>
  Store.use((store) => store.accountEntries(page)).pipe(as(caller))

/** The postings of a reference in the caller's books. */
export const ownPostings = (reference: string, caller: Caller = alpha) =>
  Store.use((store) => store.ownPostings(reference)).pipe(as(caller))

/** Claims jobs; by default up to 100 of the queue `work` at time 1000, with a lease of 1000 ms. */
export const claim = (request: Partial<ClaimRequest> = {}) =>
  Store.use((store) =>
    store.claim({
      queue: "work",
      worker: "worker",
      businessNow: 1000,
      wallNow: 1000,
      limit: 100,
      leavesReserve: false,
      leaseMillis: 1000,
      ...request,
    }),
  )

/** A store that wakes no worker in the time of this number of calls never does. */
const wakingCallsMax = 2000

/** Requires a worker to be woken, before or after it began to wait. */
export const woken = Effect.fnUntraced(function* (waiting: Fiber.Fiber<void>) {
  const { nextDue } = yield* Store
  for (let calls = 0; waiting.pollUnsafe() === undefined; calls++) {
    if (calls === wakingCallsMax) assert.fail("the worker still waits")
    yield* nextDue(0)
    yield* Effect.yieldNow
  }
})

export const waitForWork = (queue: Queue) =>
  Store.use((store) => Effect.forkChild(store.awaitWork(queue), { startImmediately: true }))

/** Counts the outcomes by tag. */
export const tally = (outcomes: ReadonlyArray<CommitOutcome>): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { _tag } of outcomes) counts[_tag] = (counts[_tag] ?? 0) + 1
  return counts
}
