/**
 * What every section of the store's conformance suite is given, and the few words in which its tests are written.
 * Source: architecture, "The Store port".
 */

import assert from "node:assert/strict"
import { type Caller, CurrentCaller } from "@countersign/core"
import {
  type ChangeSet,
  type ClaimRequest,
  type CommitFacts,
  type CommitOutcome,
  type Kind,
  Operator,
  type Page,
  type ReadQuery,
  type RecordRef,
  Store,
  type Where,
} from "@countersign/core/store"
import { Cause, Effect, Exit } from "effect"
import { alpha } from "./Examples.ts"

export interface Suite {
  /** Registers a test that runs on an empty store of its own. */
  readonly test: (name: string, body: () => Effect.Effect<void, unknown, Store>) => void
  /** Moves business time and wall time (ms), as the adapter's commits see them. They begin at 0. */
  readonly moveTo: (millis: number) => Effect.Effect<void>
}

const as = (caller: Caller) => Effect.provideService(CurrentCaller, caller)

export const commit = (set: ChangeSet, caller: Caller = alpha) =>
  Store.use((store) => store.commit(set)).pipe(as(caller))

/** Commits what must be committed, and answers its facts. */
export const committed = Effect.fnUntraced(function* (set: ChangeSet, caller: Caller = alpha) {
  const outcome = yield* commit(set, caller)
  if (outcome._tag !== "Committed") assert.fail(`not committed: ${JSON.stringify(outcome)}`)
  return outcome.facts satisfies CommitFacts
})

/** Asserts that a change set meets exactly this outcome. */
export const meets = Effect.fnUntraced(function* (set: ChangeSet, expected: CommitOutcome, caller: Caller = alpha) {
  assert.deepStrictEqual(yield* commit(set, caller), expected)
})

/** Asserts that a change set conflicts, on whatever it is. */
export const conflicts = Effect.fnUntraced(function* (set: ChangeSet, caller: Caller = alpha) {
  assert.strictEqual((yield* commit(set, caller))._tag, "Conflict")
})

/** Asserts that an effect dies: a mistake of the code that asked, never an outcome. */
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

export const history = (ref: RecordRef, caller: Caller = alpha) =>
  Store.use((store) => store.history(ref)).pipe(as(caller))

export const event = (id: string, caller: Caller = alpha) => Store.use((store) => store.event(id)).pipe(as(caller))

const asOperator = Effect.provideService(Operator, { _tag: "Operator" })

/** The books of all tenants. */
export const trialBalance = asOperator(Store.use((store) => store.trialBalance))

export const postings = (reference: string) => asOperator(Store.use((store) => store.postings(reference)))

export const jobs = (caller: Caller = alpha) => Store.use((store) => store.jobs).pipe(as(caller))

/** Claims jobs; unless said otherwise, up to 100 of the queue `work` at time 1000, with a lease of 1000. */
export const claim = (request: Partial<ClaimRequest> = {}) =>
  Store.use((store) =>
    store.claim({
      queue: "work",
      worker: "worker",
      businessNow: 1000,
      wallNow: 1000,
      limit: 100,
      perPlatform: 100,
      leaseMillis: 1000,
      ...request,
    }),
  )

/** How often each outcome came. */
export const tally = (outcomes: ReadonlyArray<CommitOutcome>): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { _tag } of outcomes) counts[_tag] = (counts[_tag] ?? 0) + 1
  return counts
}
