/**
 * Where everything is kept. Two adapters implement it: memory and PostgreSQL.
 * Source: architecture, "The Store port".
 */
import { Context, Data, type Effect } from "effect"
import type { Page, PageRequest } from "../foundation/kit/Page.ts"
import type { Claim } from "../model/record/Record.ts"
import type { Operator, Posting, TrialBalanceLine } from "./Books.ts"
import type { CurrentCaller } from "./Caller.ts"
import type {
  AnyStored,
  ChangeSet,
  CommitFacts,
  CommitOutcome,
  NewEvent,
  NewJob,
  Queue,
  RecordRef,
  Stored,
  StoredAnswer,
} from "./ChangeSet.ts"
import type { FieldValue, Kind } from "./Kinds.ts"

/** What one trip reads. */
export interface ReadQuery {
  readonly records?: ReadonlyArray<RecordRef>
  readonly balances?: ReadonlyArray<string>
  readonly counters?: ReadonlyArray<string>
  /** An idempotency key whose stored answer is wanted. */
  readonly replay?: string
}

/** What one trip found. A ledger account or counter that nothing touched yet reads 0. */
export interface ReadResult {
  readonly record: <K extends Kind>(kind: K, id: string) => Stored<K> | undefined
  readonly balance: (account: string) => { readonly balance: number; readonly sequence: number }
  readonly counter: (key: string) => number
  readonly replay: StoredAnswer | undefined
}

/** A condition on one field; bounds are inclusive. */
export type Condition =
  | { readonly eq: FieldValue }
  | { readonly in: ReadonlyArray<FieldValue> }
  /** A field that is a list, and has this value among others. */
  | { readonly has: FieldValue }
  | { readonly from?: number; readonly to?: number }

/** Conditions by field: those that `Kinds` declares, and `customerId`, `createdAt`, `updatedAt` (ms). All must hold. */
export type Where = { readonly [field: string]: Condition }

/** An event as it is kept. */
export interface StoredEvent extends NewEvent {
  readonly platformId: string
  readonly createdAt: number
  /** The facts of the commit that wrote it, for the holes of its data; none where it has no holes. */
  readonly facts: CommitFacts
}

/** A claimed job: `attempt` is its fence, counted at this claim. */
export interface ClaimedJob extends Omit<NewJob, "laneHoldMillis" | "opensLane"> {
  readonly platformId: string
  readonly attempt: number
  /** Wall time (ms) of the first claim. */
  readonly firstClaimedAt: number
}

/** A job that is not being worked on, for the operator's view. */
export interface JobView extends Omit<NewJob, "opensLane"> {
  readonly platformId: string
  readonly attempt: number
  readonly state: "waiting" | "running" | "parked"
  readonly error?: string
}

export interface ClaimRequest {
  readonly queue: Queue
  readonly worker: string
  /** Business time (ms): what is due by then. */
  readonly businessNow: number
  /** Wall time (ms): leases and back-off. */
  readonly wallNow: number
  /** At the most so many jobs. */
  readonly limit: number
  /** At the most so many jobs of one platform running at once, those already running counted. */
  readonly perPlatform: number
  readonly leaseMillis: number
}

/** Moves business time forward, and keeps everybody else from moving it for a while. */
export interface ClockChange {
  /** Who moves it: the same again goes on. */
  readonly mover: string
  /** How far it shall be ahead of wall time (ms), at the least: it never goes back. */
  readonly aheadMillis: number
  /** Wall time (ms): until when others are kept out. */
  readonly wallNow: number
  readonly heldUntil: number
}

/** What the workers of all processes do, for all platforms. */
export interface Workload {
  /** Jobs that are claimed, with a lease that lasts. */
  readonly running: number
  /** How many jobs were ever claimed: it grows with each claim. */
  readonly claims: number
}

/** The store cannot be reached. `unknown`: a commit was under way and may have been applied; send the same set again. */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{
  readonly unknown: boolean
  readonly cause: unknown
}> {}

export class Store extends Context.Service<
  Store,
  {
    /** Reads records, balances, counters and a stored answer in one trip. What another tenant owns is not there. */
    readonly read: (query: ReadQuery) => Effect.Effect<ReadResult, StoreUnavailable, CurrentCaller>
    /** A page of a kind, newest first unless asked otherwise; `totalCount` counts all pages. */
    readonly list: <K extends Kind>(
      kind: K,
      where: Where,
      page: PageRequest,
    ) => Effect.Effect<Omit<Page<Stored<K>>, "nextCursor">, StoreUnavailable, CurrentCaller>
    /** Applies a change set whole or not at all. A set that reaches into another tenant is a defect. */
    readonly commit: (changeSet: ChangeSet) => Effect.Effect<CommitOutcome, StoreUnavailable, CurrentCaller>
    /** All versions of a record, oldest first: those since its history was last erased. */
    readonly history: (ref: RecordRef) => Effect.Effect<ReadonlyArray<AnyStored>, StoreUnavailable, CurrentCaller>
    /** An event, until it is forgotten: `eventRetentionMillis` after its commit, and not before its delivery is finished. */
    readonly event: (id: string) => Effect.Effect<StoredEvent | undefined, StoreUnavailable, CurrentCaller>
    /**
     * The record that holds a global unique key, in one trip and for any caller: how a credential's hash becomes one. Each
     * request begins with it, and hears with it how far business time is ahead.
     */
    readonly resolve: (claim: Claim) => Effect.Effect<AnyStored | undefined, StoreUnavailable>
    /** Claims due jobs: only the head of each lane, a bounded number per platform, the longest due first. Hears of business time, too. */
    readonly claim: (request: ClaimRequest) => Effect.Effect<ReadonlyArray<ClaimedJob>, StoreUnavailable>
    /** The earliest business time (ms) at which a job that is not yet due falls due; `undefined`: none. */
    readonly nextDue: (after: number) => Effect.Effect<number | undefined, StoreUnavailable>
    /** The jobs of the caller's platform that are not finished. */
    readonly jobs: Effect.Effect<ReadonlyArray<JobView>, StoreUnavailable, CurrentCaller>
    /** Completes when work may have become due in this process: a commit wrote or returned a job of the queue. */
    readonly awaitWork: (queue: Queue) => Effect.Effect<void>
    /** The present workload, at this wall time (ms). */
    readonly workload: (wallNow: number) => Effect.Effect<Workload, StoreUnavailable>
    /**
     * How far business time is ahead of wall time (ms): what this process has heard last, at its start and with each
     * `resolve` and `claim`. It never shrinks. Without a sandbox's clock nobody asks.
     */
    readonly aheadMillis: () => number
    /** Moves business time for all processes, answers how far ahead it is now, and wakes the workers; `undefined`: somebody else moves it. */
    readonly moveTime: (move: ClockChange) => Effect.Effect<number | undefined, StoreUnavailable>
    /** How many platforms share the store. */
    readonly platformCount: Effect.Effect<number, StoreUnavailable>
    /** All accounts of all tenants, summed by role and currency: of one moment, read from the entries. */
    readonly trialBalance: Effect.Effect<ReadonlyArray<TrialBalanceLine>, StoreUnavailable, Operator>
    /** What moved with this reference (a transaction's id), in order, whosever accounts it moved on. */
    readonly postings: (reference: string) => Effect.Effect<ReadonlyArray<Posting>, StoreUnavailable, Operator>
    /** Fails when the store cannot serve. */
    readonly ready: Effect.Effect<void, StoreUnavailable>
  }
>()("@countersign/core/Store") {}
