/**
 * What happened on the way of an advance: at which times work of a platform ran, and of which kinds.
 * Source: D-456.
 */
import { iso } from "../../foundation/kit/Instant.ts"
import type { ClockStop } from "../../model/time/ClockResource.ts"
import type { ClaimedJob } from "../../store/Store.ts"

/** How many stops an answer lists. */
const stopsMax = 100

export interface StopLog {
  /** The clock stands at this business time (ms) from now on. */
  readonly reached: (at: number) => void
  /** Counts an attempt at a job, if it is one of the platform. */
  readonly attempted: (job: Pick<ClaimedJob, "platformId" | "kind">) => void
  readonly result: () => { readonly stops: ReadonlyArray<ClockStop>; readonly stopsOmitted: number }
}

export const make = (platformId: string, startedAt: number): StopLog => {
  const stops = new Map<number, Map<string, number>>()
  let present = startedAt
  return {
    reached: (at) => {
      present = at
    },
    attempted: (job) => {
      if (job.platformId !== platformId) return
      const kinds = stops.get(present) ?? new Map<string, number>()
      stops.set(present, kinds.set(job.kind, (kinds.get(job.kind) ?? 0) + 1))
    },
    result: () => ({
      stops: [...stops].slice(0, stopsMax).map(([at, kinds]) => ({
        at: iso(at),
        jobs: [...kinds].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([kind, attempts]) => ({ kind, attempts })),
      })),
      stopsOmitted: Math.max(0, stops.size - stopsMax),
    }),
  }
}
