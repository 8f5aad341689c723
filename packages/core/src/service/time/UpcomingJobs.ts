/**
 * What falls due next on a platform, job by job.
 * Source: architecture, "Jobs, external calls and time"; D-455.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { jobSubject } from "../../decision/platform/JobSubject.ts"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import { encodeCursor, limitDefault } from "../../foundation/kit/Page.ts"
import type { UpcomingJobListResponse, UpcomingJobResource } from "../../model/time/UpcomingJobResource.ts"
import { positionAfter } from "../../operation/Listing.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import { type DueJob, Store, type StoreUnavailable } from "../../store/Store.ts"

/** A page of the jobs that are not parked, by due time. */
export interface UpcomingJobsQuery {
  readonly limit?: number
  readonly cursor?: string
}

const toUpcomingJob =
  (now: number) =>
  ({ attempt, customerId, dueAt, error, id, isBehind, kind, lane, retryAt, state }: DueJob): UpcomingJobResource => ({
    id,
    kind,
    ...(customerId === null ? {} : { customerId }),
    ...jobSubject(lane),
    dueAt: iso(dueAt),
    isDue: dueAt <= now,
    state: state === "running" ? "RUNNING" : "WAITING",
    attempts: attempt,
    isBehind,
    ...(retryAt === undefined ? {} : { retryAt: iso(retryAt) }),
    ...(error === undefined ? {} : { error }),
  })

/** The list has no filters. */
const binding = { list: "upcoming-jobs" }

export class UpcomingJobs extends Context.Service<
  UpcomingJobs,
  {
    /** Lists the unfinished jobs of the platform that are not parked, by due time. */
    readonly list: (
      query: UpcomingJobsQuery,
    ) => Effect.Effect<UpcomingJobListResponse, ServiceError | StoreUnavailable, CurrentCaller>
  }
>()("@countersign/core/UpcomingJobs") {
  static readonly layer = Layer.effect(
    UpcomingJobs,
    Effect.map(Store, (store) =>
      UpcomingJobs.of({
        list: Effect.fnUntraced(function* ({ cursor, limit = limitDefault }) {
          const position = yield* positionAfter(cursor, binding)
          const after = position === undefined ? {} : { after: { dueAt: position.createdAt, id: position.id } }
          const page = yield* store.dueJobs({ limit, ...after })
          const now = yield* Clock.currentTimeMillis
          const last = page.hasMore ? page.jobs.at(-1) : undefined
          return {
            now: iso(now),
            data: page.jobs.map(toUpcomingJob(now)),
            hasMore: page.hasMore,
            ...(last === undefined
              ? {}
              : { nextCursor: encodeCursor({ createdAt: last.dueAt, id: last.id }, binding) }),
          }
        }, platformOnly),
      }),
    ),
  )
}
