/**
 * A change set that a caller has sent and that has no outcome yet.
 * Source: ports/Store.ts (CommitOutcome, StoreUnavailable).
 */
import type { CommitOutcome, Queue, StoreUnavailable } from "@countersign/core/store"
import type { EncodedChangeSet } from "./EncodedChangeSet.ts"

/** What became of a change set. */
export type Result =
  | { readonly _tag: "Outcome"; readonly outcome: CommitOutcome; readonly queues: ReadonlyArray<Queue> }
  | { readonly _tag: "Unavailable"; readonly error: StoreUnavailable }
  | { readonly _tag: "Defect"; readonly cause: unknown }

export interface PendingCommit extends EncodedChangeSet {
  /** Whether the decision has expired; asked whenever the set is sent. */
  readonly isLate: () => boolean
  readonly settle: (result: Result) => void
}
