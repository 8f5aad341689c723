/**
 * The context that every decision receives, and the decision that it returns.
 * Source: architecture, "Load, ask, decide, commit".
 */

import type { Refusal } from "../foundation/errors/ServiceError.ts"
import type * as IdPool from "../foundation/ids/IdPool.ts"
import { type DailyVolumeLimits, volumeRefusal } from "../model/limit/DailyVolume.ts"
import type { Claim } from "../model/record/Record.ts"
import type { Caller } from "../store/Caller.ts"
import type { Bound, Template } from "../store/ChangeSet.ts"
import type * as Changes from "../store/Changes.ts"

/** Why a commit was rejected: it would violate a bound, or a unique key is taken. The next decision receives it as a fact. */
export type CommitRejection =
  | { readonly _tag: "Bound"; readonly bound: Bound }
  | { readonly _tag: "Taken"; readonly claim: Claim }

export interface DecisionContext {
  /** Business time (ms) of this attempt. */
  readonly now: number
  readonly ids: IdPool.IdSource
  readonly caller: Caller
  /** The id of the request; `undefined` for a job. */
  readonly requestId: string | undefined
  /** The platform's limits of the day's volume; absent: none. */
  readonly volumeLimits?: DailyVolumeLimits | undefined
  /** The rejections of this operation's earlier attempts. */
  readonly rejections: ReadonlyArray<CommitRejection>
}

/** Returns the refusal of a payment whose attempt exceeded the volume of a day. */
export const exceededVolume = ({ now, rejections }: Pick<DecisionContext, "now" | "rejections">): Refusal | undefined =>
  rejections
    .flatMap((rejection) =>
      rejection._tag === "Bound" && rejection.bound._tag === "Counter" ? [volumeRefusal(rejection.bound.key, now)] : [],
    )
    .find((refusal) => refusal !== undefined)

/** Whether an earlier attempt would have passed the maximum of this counter. */
export const hasReached = (rejections: DecisionContext["rejections"], key: string): boolean =>
  rejections.some(
    (rejection) => rejection._tag === "Bound" && rejection.bound._tag === "Counter" && rejection.bound.key === key,
  )

/** An answer or a refusal, each with its changes. */
export type Decision<A> =
  | {
      readonly _tag: "Answer"
      readonly status: number
      readonly body: A
      readonly placeholders?: Template["placeholders"]
      readonly changes: Changes.Changes
      /** The service itself continues the request: nothing is stored under its idempotency key. */
      readonly isInterim?: true
    }
  | { readonly _tag: "Refuse"; readonly refusal: Refusal; readonly changes?: Changes.Changes }

export const answer = <A>(
  status: number,
  body: A,
  changes: Changes.Changes = {},
  placeholders: Template["placeholders"] = [],
): Decision<A> => ({ _tag: "Answer", status, body, placeholders, changes })

/** Returns what the service itself needs to continue the request, which ends with another decision. */
export const interim = <A>(body: A, changes: Changes.Changes = {}): Decision<A> => ({
  _tag: "Answer",
  status: 202,
  body,
  changes,
  isInterim: true,
})

export const refuse = (refusal: Refusal, changes: Changes.Changes = {}): Decision<never> => ({
  _tag: "Refuse",
  refusal,
  changes,
})

/** Whether an attempt exceeded the range of exact sums. */
export const exceededExactRange = (rejections: ReadonlyArray<CommitRejection>): boolean =>
  rejections.some((rejection) => rejection._tag === "Bound" && rejection.bound._tag === "Range")

/** Returns all claims that other records took from the earlier attempts. */
export const takenClaims = (rejections: ReadonlyArray<CommitRejection>): ReadonlyArray<Claim> =>
  rejections.flatMap((rejection) => (rejection._tag === "Taken" ? [rejection.claim] : []))

export const takenClaim = (rejections: ReadonlyArray<CommitRejection>): Claim | undefined => takenClaims(rejections)[0]
