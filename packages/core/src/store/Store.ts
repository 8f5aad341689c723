/**
 * The Store port: persists everything. Two adapters implement it: memory and PostgreSQL.
 * Source: architecture, "The Store port".
 */
import { Context, Data, type Effect, type Scope } from "effect"
import type { Page, PageRequest } from "../foundation/kit/Page.ts"
import type { DeliveryAttempt } from "../model/event/DeliveryAttempt.ts"
import type { EventType } from "../model/event/EventTypes.ts"
import type { Claim } from "../model/record/Record.ts"
import type {
  AccountBalances,
  AccountEntries,
  BalanceTotal,
  EntriesPage,
  LedgerAccountsPage,
  Operator,
  Posting,
  RootUse,
  TrialBalanceLine,
} from "./Books.ts"
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
import type { OnChange } from "./ChangeSignal.ts"
import type { FieldValue } from "./KindRow.ts"
import type { Kind } from "./Kinds.ts"

/** An account, which belongs to a customer or to the platform. */
export interface AccountRef {
  readonly kind: "InternalAccount" | "ExternalAccount"
  readonly id: string
}

/** What one round trip reads. */
export interface ReadQuery {
  readonly records?: ReadonlyArray<RecordRef>
  /** Accounts whose customers to read, whatever their ids are. */
  readonly ownersOf?: ReadonlyArray<AccountRef>
  /** Whether to read the caller's platform itself. An agent depends on it, but has no other way to read it. */
  readonly platform?: boolean
  readonly balances?: ReadonlyArray<string>
  readonly counters?: ReadonlyArray<string>
  /** The idempotency key whose stored answer to read. */
  readonly replay?: string
  /** The global unique key whose holder to read, as `resolve` does, whatever the tenant of the caller. */
  readonly holder?: string
}

/** The result of one round trip. A ledger account or counter without changes reads 0. */
export interface ReadResult {
  readonly record: <K extends Kind>(kind: K, id: string) => Stored<K> | undefined
  /** The customer of an account; `undefined` if it is the platform's own or does not exist. */
  readonly owner: (account: AccountRef) => Stored<"Customer"> | undefined
  /** The caller's platform, if the read asked for it. */
  readonly platform: Stored<"Platform"> | undefined
  readonly balance: (account: string) => { readonly balance: number; readonly sequence: number }
  readonly counter: (key: string) => number
  readonly replay: StoredAnswer | undefined
  readonly holder: AnyStored | undefined
}

/** A condition on one field; bounds are inclusive. */
export type Condition =
  | { readonly eq: FieldValue }
  | { readonly in: ReadonlyArray<FieldValue> }
  /** The field is a list that contains this value. */
  | { readonly has: FieldValue }
  | { readonly from?: number; readonly to?: number }

/** Conditions by field: those that `Kinds` declares, and `customerId`, `createdAt`, `updatedAt` (ms). All must hold. */
export type Where = { readonly [field: string]: Condition }

/** A stored event. */
export interface StoredEvent extends NewEvent {
  readonly platformId: string
  readonly createdAt: number
  /** The facts of the commit that wrote it, for the placeholders of its data; empty if it has none. */
  readonly facts: CommitFacts
}

/** Which events are listed; bounds are inclusive Unix milliseconds of business time. */
export interface EventFilter {
  readonly type?: EventType
  readonly subject?: string
  readonly customerId?: string
  readonly from?: number
  readonly to?: number
}

/** An attempt of an event as it is stored. */
export interface StoredAttempt extends DeliveryAttempt {
  /** 1 for the first attempt of the event. */
  readonly number: number
}

/** The unfinished job that delivers an event: that of the event's lane whose payload names it in `eventId`. */
export interface DeliveryJob {
  readonly id: string
  readonly state: "waiting" | "running" | "parked"
  readonly attempt: number
  /** Wall time (ms) before which it is not claimed; 0: at once. */
  readonly notBefore: number
  /** Wall time (ms) of the first claim. */
  readonly firstClaimedAt?: number
  readonly error?: string
}

/** An event with its delivery. */
export interface DeliveredEvent {
  readonly event: StoredEvent
  /** Absent: the delivery has ended. */
  readonly job?: DeliveryJob
  /** Oldest first. */
  readonly attempts: ReadonlyArray<StoredAttempt>
}

/** A claimed job. `attempt` is its fence; each claim increments it. */
export interface ClaimedJob extends Omit<NewJob, "laneHoldMillis" | "opensLane"> {
  readonly platformId: string
  readonly attempt: number
  /** Wall time (ms) of the first claim. */
  readonly firstClaimedAt: number
  /** The id of the claimed head of its lane, with whose claim it came: see `LaneRuns`. */
  readonly behind?: string
}

/** An unfinished job, for the operator. */
export interface JobView extends Omit<NewJob, "opensLane"> {
  readonly platformId: string
  readonly attempt: number
  readonly state: "waiting" | "running" | "parked"
  readonly error?: string
}

/** A page of parked jobs: those whose ids follow `after`, or the one with this id. */
export interface ParkedJobsPage {
  readonly limit: number
  readonly after?: string
  readonly id?: string
}

/** A page of the parked jobs, by id. Their payloads may be confidential. */
export interface ParkedJobs {
  readonly jobs: ReadonlyArray<JobView>
  readonly hasMore: boolean
}

/** A page of the jobs that are not parked, by due time and id: those that follow `after`. */
export interface DueJobsPage {
  readonly limit: number
  readonly after?: Pick<DueJob, "dueAt" | "id">
}

/** An unfinished job that is not parked, without its payload, which may be confidential. */
export interface DueJob extends Omit<JobView, "payload" | "state" | "laneHoldMillis"> {
  readonly state: "waiting" | "running"
  /** An earlier job of its lane is unfinished. */
  readonly isBehind: boolean
  /** Wall time (ms) before which it is not tried again; absent: nothing but its due time and its lane delays it. */
  readonly retryAt?: number
}

/** A page of the jobs that are not parked, by due time and id. */
export interface DueJobs {
  readonly jobs: ReadonlyArray<DueJob>
  readonly hasMore: boolean
}

/**
 * Which jobs are claimed together with the head of their lane, to be run after it one by one: those directly behind it that are due, of its
 * kind, and never claimed before. Only a head in its first attempt has a run.
 */
export interface LaneRuns {
  readonly kinds: ReadonlyArray<string>
  /** The maximum number of jobs with the head. */
  readonly jobsMax: number
}

/** What a worker claims: due jobs of one queue, for a lease. */
export interface ClaimRequest {
  readonly queue: Queue
  readonly worker: string
  /** Business time (ms) by which jobs must be due. */
  readonly businessNow: number
  /** Wall time (ms): leases and back-off. */
  readonly wallNow: number
  /** The maximum number of jobs: the free slots of the worker. */
  readonly limit: number
  /** Whether a platform leaves free slots to platforms with fewer running jobs: see `reserveFor`. */
  readonly leavesReserve: boolean
  /** How long the jobs belong to the worker (wall ms). */
  readonly leaseMillis: number
  /** Absent: only heads of lanes are claimed. The jobs behind a head count towards no limit and no share of its platform in this claim. */
  readonly runs?: LaneRuns
}

/** Which unfinished jobs are counted, and how many at most. */
export interface JobCountQuery {
  readonly kinds: ReadonlyArray<string>
  readonly max: number
}

/** Advances business time and prevents other processes from advancing it for a while. */
export interface ClockChange {
  /** The id of the process that advances it; the same process may continue. */
  readonly mover: string
  /** The minimum offset from wall time (ms): business time never goes back. */
  readonly aheadMillis: number
  /** Wall time (ms) now, and until when other processes may not advance it. */
  readonly wallNow: number
  readonly heldUntil: number
}

/** The work of all processes, for all platforms. */
export interface Workload {
  /** The number of claimed jobs whose lease has not expired. */
  readonly running: number
  /** The number of claims so far. */
  readonly claims: number
}

/** The store cannot be reached. `unknown`: a commit was in progress and may have been applied; send the same set again. */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{
  readonly unknown: boolean
  readonly cause: unknown
}> {
  /** What logs and traces show before the cause. */
  override get message(): string {
    return this.unknown ? "the store may or may not have applied the changes" : "the store is unavailable"
  }
}

export class Store extends Context.Service<
  Store,
  {
    /**
     * Reads records, balances, counters and a stored answer in one round trip. Records of another tenant do not exist. With a `holder` it
     * refreshes the offset of business time.
     */
    readonly read: (query: ReadQuery) => Effect.Effect<ReadResult, StoreUnavailable, CurrentCaller>
    /** Returns a page of a kind, newest first by default; `totalCount` counts all pages, up to `totalCountMax`. */
    readonly list: <K extends Kind>(
      kind: K,
      where: Where,
      page: PageRequest,
    ) => Effect.Effect<Omit<Page<Stored<K>>, "nextCursor">, StoreUnavailable, CurrentCaller>
    /** Applies a change set completely or not at all. A set that writes records of another tenant is a defect. */
    readonly commit: (changeSet: ChangeSet) => Effect.Effect<CommitOutcome, StoreUnavailable, CurrentCaller>
    /** Returns the versions of a record since its history was last erased, oldest first: all, or the `latest` ones. */
    readonly history: (
      ref: RecordRef,
      latest?: number,
    ) => Effect.Effect<ReadonlyArray<AnyStored>, StoreUnavailable, CurrentCaller>
    /** Returns an event until it is deleted: `eventRetentionMillis` after its commit, and not before its delivery is finished. */
    readonly event: (id: string) => Effect.Effect<StoredEvent | undefined, StoreUnavailable, CurrentCaller>
    /** Returns a page of events, each with its latest attempt; `totalCount` as in `list`. */
    readonly events: (
      filter: EventFilter,
      page: PageRequest,
    ) => Effect.Effect<Omit<Page<DeliveredEvent>, "nextCursor">, StoreUnavailable, CurrentCaller>
    /** Returns an event with all its attempts that are kept. */
    readonly delivery: (eventId: string) => Effect.Effect<DeliveredEvent | undefined, StoreUnavailable, CurrentCaller>
    /**
     * Returns the record that holds a global unique key, in one round trip and for any caller. Each request begins with it, or with a
     * `read` that does the same, to look up its credential's hash, and it refreshes the offset of business time.
     */
    readonly resolve: (claim: Claim) => Effect.Effect<AnyStored | undefined, StoreUnavailable>
    /**
     * Claims due jobs: the head of each lane, for the platform with the fewest running jobs first, of a platform the longest due first.
     * The jobs of the heads' runs follow, in the order of the heads and of their lanes. Refreshes the offset of business time.
     */
    readonly claim: (request: ClaimRequest) => Effect.Effect<ReadonlyArray<ClaimedJob>, StoreUnavailable>
    /**
     * Shows from now on that this process lives, if the store can notice the death of a process: its claimed jobs then go to other
     * processes within two seconds of it, and otherwise when their leases expire. Workers run it before their first claim.
     */
    readonly attend: Effect.Effect<void>
    /** Returns the earliest business time (ms) after `after` at which a job becomes due; `undefined`: no job does. */
    readonly nextDue: (after: number) => Effect.Effect<number | undefined, StoreUnavailable>
    /** The unfinished jobs of the caller's platform. */
    readonly jobs: Effect.Effect<ReadonlyArray<JobView>, StoreUnavailable, CurrentCaller>
    /** Counts the unfinished jobs of these kinds of the caller's platform, up to a maximum. */
    readonly countJobs: (query: JobCountQuery) => Effect.Effect<number, StoreUnavailable, CurrentCaller>
    /** Returns a page of the parked jobs of the caller's platform by id. */
    readonly parkedJobs: (page: ParkedJobsPage) => Effect.Effect<ParkedJobs, StoreUnavailable, CurrentCaller>
    /** Returns a page of the jobs of the caller's platform that are not parked, by due time. */
    readonly dueJobs: (page: DueJobsPage) => Effect.Effect<DueJobs, StoreUnavailable, CurrentCaller>
    /** Completes when work may have become due in this process: a commit wrote or returned a job of the queue. */
    readonly awaitWork: (queue: Queue) => Effect.Effect<void>
    /** Reports what commits of a platform change, in this process and in the others, until the scope closes. A report may be needless. */
    readonly watch: (platformId: string, onChange: OnChange) => Effect.Effect<void, never, Scope.Scope>
    /** Returns the workload at this wall time (ms). */
    readonly workload: (wallNow: number) => Effect.Effect<Workload, StoreUnavailable>
    /**
     * Returns the offset of business time from wall time (ms) that this process last read: at its start and with each `resolve`, `claim`
     * and `read` of a holder. It never decreases. Only the sandbox clock uses it.
     */
    readonly aheadMillis: () => number
    /** Advances business time for all processes and wakes the workers. Returns the new offset; `undefined`: another process is advancing it. */
    readonly moveTime: (move: ClockChange) => Effect.Effect<number | undefined, StoreUnavailable>
    /** The number of platforms that share the store. */
    readonly platformCount: Effect.Effect<number, StoreUnavailable>
    /** Sums all accounts of all tenants by role and currency: one consistent snapshot, computed from the entries. */
    readonly trialBalance: Effect.Effect<ReadonlyArray<TrialBalanceLine>, StoreUnavailable, Operator>
    /** Returns the postings of this reference (a transaction's id), in order, across all tenants. */
    readonly postings: (reference: string) => Effect.Effect<ReadonlyArray<Posting>, StoreUnavailable, Operator>
    /** Sums the balances of the caller's platform by role and currency, in order: one consistent snapshot. An agent has no books. */
    readonly balanceTotals: Effect.Effect<ReadonlyArray<BalanceTotal>, StoreUnavailable, CurrentCaller>
    /** Returns a page of the ledger accounts of the caller's platform that have entries, by id. */
    readonly accountBalances: (
      page: LedgerAccountsPage,
    ) => Effect.Effect<AccountBalances, StoreUnavailable, CurrentCaller>
    /** Returns a page of the entries of a ledger account of the caller's platform; `undefined`: it has no such account. */
    readonly accountEntries: (
      page: EntriesPage,
    ) => Effect.Effect<AccountEntries | undefined, StoreUnavailable, CurrentCaller>
    /** Returns the postings of this reference in the books of the caller's platform, in order. */
    readonly ownPostings: (reference: string) => Effect.Effect<ReadonlyArray<Posting>, StoreUnavailable, CurrentCaller>
    /** Counts what depends on each root of wallet keys, across all tenants: one consistent snapshot. */
    readonly rootUses: Effect.Effect<ReadonlyArray<RootUse>, StoreUnavailable, Operator>
    /** Fails if the store is not available. */
    readonly ready: Effect.Effect<void, StoreUnavailable>
  }
>()("@countersign/core/Store") {}
