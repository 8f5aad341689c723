/**
 * The commit: a pure function from a state and a change set to an outcome and the next state. It applies part after part
 * to a new state, which is discarded unless every part succeeds.
 * Source: architecture, "A change set is the only way to write"; ports/ChangeSet.ts.
 */
import type { Caller } from "@countersign/core"
import { assertValid, type ChangeSet, type CommitFacts, type CommitOutcome } from "@countersign/core/store"
import { Result } from "effect"
import * as Claims from "./Claims.ts"
import * as Counters from "./Counters.ts"
import * as Events from "./Events.ts"
import { frozen } from "./Frozen.ts"
import * as Jobs from "./Jobs.ts"
import * as Ledger from "./Ledger.ts"
import * as Receipts from "./Receipts.ts"
import * as Records from "./Records.ts"
import type { State } from "./State.ts"

/** Business time and wall time (ms) of one commit. */
export interface Times {
  readonly businessNow: number
  readonly wallNow: number
}

export interface CommitResult {
  readonly outcome: CommitOutcome
  /** The state afterwards: the same object unless the set was committed now. */
  readonly state: State
}

/** The facts that only the commit knows: accounts that the set moves or observes, and its counters, after the commit. */
const factsOf = (state: Pick<State, "ledger" | "counters">, set: ChangeSet, caller: Caller): CommitFacts => {
  const accounts = new Set([...set.transfers.flatMap(({ from, to }) => [from, to]), ...set.observes])
  const counters = new Set(set.counters.map(({ key }) => key))
  return frozen({
    balances: Object.fromEntries([...accounts].map((id) => [id, Ledger.balanceOf(state.ledger, caller, id)])),
    counters: Object.fromEntries([...counters].map((key) => [key, Counters.counterOf(state.counters, caller, key)])),
  })
}

/** Applies the parts in the order of their refusals: records, jobs, unique keys, money, counters, and the rest. */
const applyParts = (state: State, set: ChangeSet, caller: Caller, { businessNow, wallNow }: Times) =>
  Result.gen(function* () {
    const records = yield* Records.apply(state.records, set, caller)
    const claimedJobs = yield* Jobs.applyFences(state.jobs, set, caller, wallNow)
    const claims = yield* Claims.apply(state.claims, records, set, caller)
    const ledger = yield* Ledger.apply(state.ledger, set, caller)
    const counters = yield* Counters.apply(state.counters, set, caller)
    const facts = factsOf({ ledger, counters }, set, caller)
    const jobs = yield* Jobs.append(claimedJobs, set, caller)
    const retained = Events.sweep(state.events, jobs, businessNow)
    const events = Events.attempt(yield* Events.append(retained, set, caller, facts), set, caller)
    const receipts = Receipts.add(state.receipts, set, caller, facts, wallNow)
    return { facts, state: { ...state, records, claims, ledger, counters, events, jobs, receipts } }
  })

/** Applies a change set completely or not at all. Throws, without any change, for a set that no decision may make. */
export const commit = (state: State, set: ChangeSet, caller: Caller, times: Times): CommitResult => {
  assertValid(set, caller)
  const facts = Receipts.factsOf(state.receipts, caller, set, times.wallNow)
  if (facts !== undefined) return { outcome: { _tag: "Committed", facts }, state }
  const stored = set.replay && Receipts.answerOf(state.receipts, caller, set.replay.key, times.wallNow)
  if (stored !== undefined) return { outcome: { _tag: "Replayed", stored }, state }
  if (set.validUntil !== undefined && times.businessNow >= set.validUntil) {
    return { outcome: { _tag: "Conflict", on: "validUntil" }, state }
  }
  const applied = applyParts(state, set, caller, times)
  return Result.isFailure(applied)
    ? { outcome: applied.failure, state }
    : { outcome: { _tag: "Committed", facts: applied.success.facts }, state: applied.success.state }
}
