/**
 * A change set: everything that one operation changes and depends on. It is the only way to write, and is applied completely or not
 * at all.
 * Source: architecture, "A change set is the only way to write".
 */

import type { Json } from "../foundation/kit/CanonicalJson.ts"
import type { CurrencyCode } from "../foundation/money/Currencies.ts"
import type { DeliveryAttempt } from "../model/event/DeliveryAttempt.ts"
import type { EventType } from "../model/event/EventTypes.ts"
import type { Claim, Owner, RecordOf } from "../model/record/Record.ts"
import type { DataOf, Kind } from "./Kinds.ts"

/** A stored record of a kind. */
export interface Stored<K extends Kind> extends RecordOf<K, DataOf<K>> {
  readonly kind: K
}

/** A stored record of any kind, discriminated by `kind`. */
export type AnyStored = { readonly [K in Kind]: Stored<K> }[Kind]

/** The address of a record. */
export interface RecordRef<K extends Kind = Kind> {
  readonly kind: K
  readonly id: string
}

/** A record to create, with the tenant that owns it. */
export type RecordInsert = {
  readonly [K in Kind]: Owner & { readonly kind: K; readonly id: string; readonly data: DataOf<K> }
}[Kind]

/** The new data of a record, whole. A conflict results if its version is no longer this one. */
export type RecordUpdate = {
  readonly [K in Kind]: {
    readonly kind: K
    readonly id: string
    readonly version: number
    readonly data: DataOf<K>
    /** The update deletes all earlier versions permanently. */
    readonly erasesHistory?: true
  }
}[Kind]

/** A record that the decision depends on without writing it; locked shared until the commit ends. */
export interface Guard extends RecordRef {
  readonly version: number
}

/** A unique key that a record claims or releases. */
export interface ClaimChange extends Claim {
  readonly record: RecordRef
}

/** A ledger account. `floor` 0: its balance is never negative; `null`: unbounded (an external counterpart). */
export interface LedgerAccount extends Owner {
  readonly id: string
  readonly currency: CurrencyCode
  readonly floor: 0 | null
}

/** One balanced movement: `amount` (at least 1, smallest unit) leaves `from` and enters `to`, both of one currency. */
export interface LedgerTransfer {
  readonly from: string
  readonly to: string
  readonly amount: number
  readonly currency: CurrencyCode
  /** The id of the transaction that it belongs to. */
  readonly reference: string
}

/** Asserts that a balance has not changed since it was read. */
export interface BalanceAssertion {
  readonly account: string
  readonly sequence: number
}

/** A bounded delta. The bound is checked only for a delta towards it. */
export interface CounterChange {
  readonly key: string
  /** The owner of the counter, the same in every change of it; absent: the platform. */
  readonly customerId?: string | null
  readonly delta: number
  /** The largest value that the counter may have afterwards; absent: unbounded. */
  readonly max?: number
  /** The value that the decision depends on; another one is a conflict. */
  readonly expected?: number
}

/** A number in a body that only the commit knows: a sum of balances, or a counter, at this path. */
export interface Placeholder {
  readonly path: ReadonlyArray<string | number>
  readonly balances?: ReadonlyArray<string>
  readonly counter?: string
}

/** A JSON body with its placeholders. */
export interface Template {
  readonly body: Json
  readonly placeholders: ReadonlyArray<Placeholder>
}

/** An event, delivered to the platform by webhook. */
export interface NewEvent {
  readonly id: string
  readonly type: EventType
  readonly customerId: string | null
  /** The record of the event. Events of one record are delivered in order. */
  readonly subject: string
  readonly data: Template
}

/** An attempt to deliver an event. The store numbers the attempts of an event from 1 and keeps the latest `deliveryAttemptsMax`. */
export interface NewDeliveryAttempt {
  readonly eventId: string
  readonly attempt: DeliveryAttempt
}

/** The queues of jobs; each has its own workers, so that slow webhooks never delay money. */
export const queues = ["work", "webhook"] as const
/** The name of a queue. */
export type Queue = (typeof queues)[number]

/** Deferred work of the tenant that commits it. */
export interface NewJob {
  readonly id: string
  readonly queue: Queue
  readonly kind: string
  readonly customerId: string | null
  /** Jobs of one lane and one owner run one at a time, in commit order; absent: no order. A lane of several owners has none in cells (D-514). */
  readonly lane?: string
  /** The same change set inserts the lane's record, so that no other job can be in the lane yet. */
  readonly opensLane?: true
  /** How long a failing head of the lane blocks the jobs behind it (wall ms); absent: until it ends. */
  readonly laneHoldMillis?: number
  /** Business time (ms) from which it may run. */
  readonly dueAt: number
  readonly payload: Json
}

/** The fence of a claimed job: the attempt number of its claim. */
export interface JobFence {
  readonly id: string
  readonly attempt: number
}

/** Returns a claimed job: it is retried at `notBefore` (wall ms), or parked until an operator resumes it. */
export interface JobReturn extends JobFence {
  readonly outcome: "retry" | "parked"
  readonly notBefore: number
  readonly error: string
  readonly payload?: Json
}

/**
 * An operator's decision on a parked job. `resumed`: it is due at once, and its time for retries begins again. `dropped`: it is deleted,
 * as if it had finished. Any other job with this fence is a conflict.
 */
export interface ParkedJobDecision extends JobFence {
  readonly outcome: "resumed" | "dropped"
}

/** Whether the change is an operator's decision on a parked job. */
export const isParkedJobDecision = (change: JobReturn | ParkedJobDecision): change is ParkedJobDecision =>
  change.outcome === "resumed" || change.outcome === "dropped"

/** What is stored under an idempotency key. */
export interface ReplayRecord {
  /** Hash of caller, method, path and key. */
  readonly key: string
  /** Hash of the request's body. */
  readonly fingerprint: string
  readonly status: number
  readonly answer: Template
  /** Wall time (ms) until which it is stored. */
  readonly expiresAt: number
}

export interface ChangeSet {
  /**
   * A repeated set is applied once: for 8 days, or with `replay` as long as that is stored. It returns the same facts; with `replay`
   * only those that the answer's placeholders need.
   */
  readonly operationId: string
  /** Business time (ms) of the decision: `createdAt` and `updatedAt` of what it writes. */
  readonly at: number
  /** Business time (ms) at which the decision becomes invalid: a later commit is a conflict. */
  readonly validUntil?: number
  readonly inserts: ReadonlyArray<RecordInsert>
  readonly updates: ReadonlyArray<RecordUpdate>
  readonly guards: ReadonlyArray<Guard>
  readonly claims: ReadonlyArray<ClaimChange>
  readonly releases: ReadonlyArray<ClaimChange>
  /** Opened if they do not exist; opening one again with other properties is a defect. */
  readonly ledgerAccounts: ReadonlyArray<LedgerAccount>
  readonly transfers: ReadonlyArray<LedgerTransfer>
  readonly assertions: ReadonlyArray<BalanceAssertion>
  /** Ledger accounts that do not change, but whose balance the facts must contain. */
  readonly observes: ReadonlyArray<string>
  readonly counters: ReadonlyArray<CounterChange>
  readonly events: ReadonlyArray<NewEvent>
  /** Of one event at most one. An attempt of an event that does not exist, or of another tenant, is ignored. */
  readonly attempts: ReadonlyArray<NewDeliveryAttempt>
  readonly jobs: ReadonlyArray<NewJob>
  readonly finishes: ReadonlyArray<JobFence>
  readonly returns: ReadonlyArray<JobReturn | ParkedJobDecision>
  readonly replay?: ReplayRecord
}

/** Facts that only the commit knows: balances and sequences of changed and observed ledger accounts, and counters, after it. */
export interface CommitFacts {
  readonly balances: { readonly [account: string]: { readonly balance: number; readonly sequence: number } }
  readonly counters: { readonly [key: string]: number }
}

/** The answer of a finished operation, stored under its idempotency key. */
export interface StoredAnswer {
  readonly fingerprint: string
  readonly status: number
  readonly answer: Template
  /** The facts for the answer's placeholders; empty when it has none. */
  readonly facts: CommitFacts
}

/** The bound that a change set would violate: a ledger account's floor, the range of exact sums, or a counter's maximum. */
export type Bound =
  | { readonly _tag: "Floor"; readonly account: string }
  | { readonly _tag: "Range"; readonly account: string }
  | { readonly _tag: "Counter"; readonly key: string }

/** Whether a change set was applied, and what to do otherwise. */
export type CommitOutcome =
  | { readonly _tag: "Committed"; readonly facts: CommitFacts }
  /** The idempotency key has a stored answer: nothing of this change set was applied. */
  | { readonly _tag: "Replayed"; readonly stored: StoredAnswer }
  /** Something that the decision depends on has changed: load and decide again. */
  | { readonly _tag: "Conflict"; readonly on: string }
  | { readonly _tag: "Taken"; readonly claim: Claim }
  | { readonly _tag: "BoundViolated"; readonly bound: Bound }
