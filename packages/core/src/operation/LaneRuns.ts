/**
 * The jobs of a lane that were claimed together with its head.
 * Source: store/Store.ts (LaneRuns); D-491.
 */
import type { Json } from "../foundation/kit/CanonicalJson.ts"
import type { Changes } from "../store/Changes.ts"
import type { ClaimedJob } from "../store/Store.ts"

/** A claimed job, and those behind it in its lane that were claimed with it. */
export interface Run {
  readonly job: ClaimedJob
  readonly behind: ReadonlyArray<ClaimedJob>
}

export const runsOf = (claimed: ReadonlyArray<ClaimedJob>): ReadonlyArray<Run> =>
  claimed.flatMap((job) =>
    job.behind === undefined ? [{ job, behind: claimed.filter(({ behind }) => behind === job.id) }] : [],
  )

/** Payload of a job that was returned without an attempt: that claim does not count for its next wait. */
interface Unattempted {
  readonly unattempted?: number
}

/** Returns jobs of a run that were not attempted: they run once what is before them in their lane has ended or is past its hold. */
export const unattempted = (jobs: ReadonlyArray<ClaimedJob>, now: number): Changes => ({
  returns: jobs.map(({ attempt, id, payload }) => ({
    id,
    attempt,
    outcome: "retry",
    notBefore: now,
    error: "an earlier job of its lane comes first",
    payload: { ...(payload as { readonly [name: string]: Json }), unattempted: attempt },
  })),
})

/** The number of attempts of a job, without those claims in which it was not attempted. */
export const attemptsOf = ({ attempt, payload }: ClaimedJob): number =>
  attempt - ((payload as Unattempted | null)?.unattempted ?? 0)
