/** Applies a change set in one transaction, completely or not at all. */
import type { Caller } from "@countersign/core"
import { assertValid, type ChangeSet, type CommitFacts, type CommitOutcome } from "@countersign/core/store"
import * as Counters from "./Counters.ts"
import type { Database } from "./Database.ts"
import * as Events from "./Events.ts"
import * as Jobs from "./Jobs.ts"
import * as Ledger from "./Ledger.ts"
import * as Receipts from "./Receipts.ts"
import * as Records from "./Records.ts"
import { conflict, Refusal } from "./Refusal.ts"
import * as UniqueKeys from "./UniqueKeys.ts"

/** Business time and wall time (ms). */
export interface Times {
  readonly businessNow: number
  readonly wallNow: number
}

/** What only the commit knows: the balances that the set moves or observes and its counters, after it. */
const factsOf = (db: Database, set: ChangeSet, caller: Caller): CommitFacts => {
  const accounts = [...set.transfers.flatMap(({ from, to }) => [from, to]), ...set.observes]
  return {
    balances: Object.fromEntries(accounts.map((id) => [id, Ledger.balanceOf(db, caller, id)])),
    counters: Object.fromEntries(set.counters.map(({ key }) => [key, Counters.counterOf(db, caller, key)])),
  }
}

const apply = (db: Database, set: ChangeSet, caller: Caller, { businessNow, wallNow }: Times): CommitOutcome => {
  const before = Receipts.factsOf(db, caller, set, wallNow)
  if (before !== undefined) return { _tag: "Committed", facts: before }
  const stored = set.replay && Receipts.answerOf(db, caller, set.replay.key, wallNow)
  if (stored !== undefined) return { _tag: "Replayed", stored }
  if (set.validUntil !== undefined && businessNow >= set.validUntil) conflict("validUntil")
  Records.write(db, set, caller)
  Jobs.settle(db, set, caller, wallNow)
  UniqueKeys.write(db, set, caller)
  Ledger.write(db, set, caller)
  Counters.write(db, set, caller)
  const facts = factsOf(db, set, caller)
  Jobs.append(db, set, caller)
  Events.append(db, set, caller, facts)
  Events.attempt(db, set, caller)
  Receipts.add(db, set, caller, facts, wallNow)
  Counters.sweep(db, set, caller)
  Events.sweep(db, businessNow)
  Receipts.sweep(db, wallNow)
  return { _tag: "Committed", facts }
}

/** Throws for a set that no decision may make: a defect of the caller. */
export const commit = (db: Database, set: ChangeSet, caller: Caller, times: Times): CommitOutcome => {
  assertValid(set, caller)
  try {
    return db.transaction(() => apply(db, set, caller, times))
  } catch (cause) {
    if (cause instanceof Refusal) return cause.outcome
    throw cause
  }
}
