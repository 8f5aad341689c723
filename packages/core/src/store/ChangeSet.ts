/**
 * Everything that one operation changes, and on what it rests: the one way to write. It is applied whole or not at all.
 * Source: architecture, "A change set is the one way to write".
 */

import type { Json } from "../foundation/kit/CanonicalJson.ts"
import type { CurrencyCode } from "../foundation/money/Currencies.ts"
import type { EventType } from "../model/event/EventTypes.ts"
import type { Claim, Owner, RecordOf } from "../model/record/Record.ts"
import type { DataOf, Kind } from "./Kinds.ts"

/** A stored record of a kind. */
export interface Stored<K extends Kind> extends RecordOf<K, DataOf<K>> {
  readonly kind: K
}

/** A stored record of any kind, discriminated by `kind`. */
export type AnyStored = { readonly [K in Kind]: Stored<K> }[Kind]

export interface RecordRef<K extends Kind = Kind> {
  readonly kind: K
  readonly id: string
}

export type RecordInsert = {
  readonly [K in Kind]: Owner & { readonly kind: K; readonly id: string; readonly data: DataOf<K> }
}[Kind]

export type RecordUpdate = {
  readonly [K in Kind]: {
    readonly kind: K
    readonly id: string
    readonly version: number
    readonly data: DataOf<K>
    /** All earlier versions go for good with this update: what they held is nowhere afterwards. */
    readonly erasesHistory?: true
  }
}[Kind]

/** A record that the decision rests on without writing it; held shared until the commit ends. */
export interface Guard extends RecordRef {
  readonly version: number
}

/** A unique key that a record takes, or gives back. */
export interface ClaimChange extends Claim {
  readonly record: RecordRef
}

/** A ledger account. `floor` 0: its balance is never negative; `null`: unbounded (the counterpart outside). */
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
  /** What moved it: the transaction's id. */
  readonly reference: string
}

/** Asserts that a whole balance is the one that was read. */
export interface BalanceAssertion {
  readonly account: string
  readonly sequence: number
}

/** A bounded delta. The bound is tested only for a delta towards it. */
export interface CounterChange {
  readonly key: string
  /** Whose counter it is, the same in every change of it; absent: the platform's. */
  readonly customerId?: string | null
  readonly delta: number
  /** The largest value that the counter may have afterwards; absent: none. */
  readonly max?: number
  /** The value that the decision rests on; another one is a conflict. */
  readonly expected?: number
}

/** A number in a body that only the commit knows: the sum of balances, or a counter, at this path. */
export interface Placeholder {
  readonly path: ReadonlyArray<string | number>
  readonly balances?: ReadonlyArray<string>
  readonly counter?: string
}

/** A JSON body with its holes. */
export interface Template {
  readonly body: Json
  readonly placeholders: ReadonlyArray<Placeholder>
}

/** An event, told to the platform by webhook. */
export interface NewEvent {
  readonly id: string
  readonly type: EventType
  readonly customerId: string | null
  /** The record whose events are delivered in order. */
  readonly subject: string
  readonly data: Template
}

/** The queues of jobs; each has its own workers, so that slow webhooks never delay money. */
export const queues = ["work", "webhook"] as const
export type Queue = (typeof queues)[number]

/** Work for later, of the tenant that commits it. */
export interface NewJob {
  readonly id: string
  readonly queue: Queue
  readonly kind: string
  readonly customerId: string | null
  /** Jobs of one lane run one after another, in the order of their commits; absent: no order. */
  readonly lane?: string
  /** Nobody else knows the lane yet: it is of a record that the same set inserts. */
  readonly opensLane?: true
  /** How long a lane's head that keeps failing holds the jobs behind it (wall ms); absent: until it ends. */
  readonly laneHoldMillis?: number
  /** Business time (ms) from which it may run. */
  readonly dueAt: number
  readonly payload: Json
}

/** The fence of a claimed job: the attempt that was counted at its claim. */
export interface JobFence {
  readonly id: string
  readonly attempt: number
}

/** A claimed job goes back: tried again at `notBefore` (wall ms), or parked until somebody resumes it. */
export interface JobReturn extends JobFence {
  readonly outcome: "retry" | "parked"
  readonly notBefore: number
  readonly error: string
  readonly payload?: Json
}

/** What an idempotency key remembers. */
export interface ReplayRecord {
  /** Hash of caller, method, path and key. */
  readonly key: string
  /** Hash of the request's body. */
  readonly fingerprint: string
  readonly status: number
  readonly answer: Template
  /** Wall ms until which it is kept. */
  readonly expiresAt: number
}

export interface ChangeSet {
  /**
   * Sent again, the set counts once: for 8 days, or with `replay` for as long as that is kept. It is told the same facts; with
   * `replay` those that the answer's holes are filled from, and none where it has no holes.
   */
  readonly operationId: string
  /** Business time (ms) of the decision: `createdAt` and `updatedAt` of what it writes. */
  readonly at: number
  /** Business time (ms) from which the decision no longer holds: later it is a conflict. */
  readonly validUntil?: number
  readonly inserts: ReadonlyArray<RecordInsert>
  readonly updates: ReadonlyArray<RecordUpdate>
  readonly guards: ReadonlyArray<Guard>
  readonly claims: ReadonlyArray<ClaimChange>
  readonly releases: ReadonlyArray<ClaimChange>
  /** Opened when absent; opening one again with other properties is a defect. */
  readonly ledgerAccounts: ReadonlyArray<LedgerAccount>
  readonly transfers: ReadonlyArray<LedgerTransfer>
  readonly assertions: ReadonlyArray<BalanceAssertion>
  /** Ledger accounts whose balance the facts must show though nothing moves on them. */
  readonly observes: ReadonlyArray<string>
  readonly counters: ReadonlyArray<CounterChange>
  readonly events: ReadonlyArray<NewEvent>
  readonly jobs: ReadonlyArray<NewJob>
  readonly finishes: ReadonlyArray<JobFence>
  readonly returns: ReadonlyArray<JobReturn>
  readonly replay?: ReplayRecord
}

/** What only the commit knows: balances and sequences of the touched and observed ledger accounts, counters after it. */
export interface CommitFacts {
  readonly balances: { readonly [account: string]: { readonly balance: number; readonly sequence: number } }
  readonly counters: { readonly [key: string]: number }
}

/** A finished operation's answer, as an idempotency key remembers it. */
export interface StoredAnswer {
  readonly fingerprint: string
  readonly status: number
  readonly answer: Template
  /** For the holes of the answer; none where it has no holes. */
  readonly facts: CommitFacts
}

/** Which bound a change set would pass: a ledger account's floor, the range of exact sums, or a counter's maximum. */
export type Bound =
  | { readonly _tag: "Floor"; readonly account: string }
  | { readonly _tag: "Range"; readonly account: string }
  | { readonly _tag: "Counter"; readonly key: string }

export type CommitOutcome =
  | { readonly _tag: "Committed"; readonly facts: CommitFacts }
  /** The idempotency key was used before: nothing of this change set was applied. */
  | { readonly _tag: "Replayed"; readonly stored: StoredAnswer }
  /** Something the decision rests on has changed: load and decide again. */
  | { readonly _tag: "Conflict"; readonly on: string }
  | { readonly _tag: "Taken"; readonly claim: Claim }
  | { readonly _tag: "BoundViolated"; readonly bound: Bound }
