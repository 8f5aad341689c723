/**
 * Parked jobs, for the operator: listed, resumed and dropped.
 * Source: architecture, "Jobs, external calls and time"; D-354.
 */
import { Context, Effect, Layer, Result } from "effect"
import type { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { decideParkedJob, toParkedJob } from "../../decision/platform/ParkedJobDecision.ts"
import { invalidInput, ServiceError } from "../../foundation/errors/ServiceError.ts"
import { isId } from "../../foundation/ids/IdTypes.ts"
import { limitDefault } from "../../foundation/kit/Page.ts"
import type { ParkedJobListResponse, ParkedJobResource } from "../../model/platform/ParkedJobResource.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { ParkedJobDecision } from "../../store/ChangeSet.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"

type Reply<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

/** A page of the parked jobs, by id. */
export interface ParkedJobsQuery {
  readonly limit?: number
  readonly cursor?: string
}

/** The id that a cursor names; fails with `INVALID_INPUT`. */
const decodeCursor = (cursor: string) => {
  const text = Result.getOrElse(Base64Url.decodeString(cursor), () => "")
  const message = "must be the nextCursor of the previous page of the same list"
  return isId("Job", text)
    ? Effect.succeed(text)
    : Effect.fail(new ServiceError(invalidInput([{ field: "cursor", message }])))
}

export class ParkedJobs extends Context.Service<
  ParkedJobs,
  {
    /** Lists the parked jobs of the platform, the oldest first. */
    readonly list: (query: ParkedJobsQuery) => Reply<ParkedJobListResponse>
    /** Makes a parked job due at once; its retries begin again. Errors: 404 for a job that is not parked. */
    readonly resume: (jobId: string) => Reply<Operation.Answered<ParkedJobResource>>
    /**
     * Deletes a parked job. `isForced`: also one for whose end a record waits. Errors: 404 for a job that is not parked, `CONFLICT`
     * (`JOB_NOT_DROPPABLE`).
     */
    readonly drop: (jobId: string, isForced?: boolean) => Reply<Operation.Answered<ParkedJobResource>>
  }
>()("@countersign/core/ParkedJobs") {
  static readonly layer = Layer.effect(
    ParkedJobs,
    Effect.gen(function* () {
      const store = yield* Store
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const list = Effect.fnUntraced(function* ({ cursor, limit = limitDefault }: ParkedJobsQuery) {
        const after = cursor === undefined ? undefined : yield* decodeCursor(cursor)
        const page = yield* store.parkedJobs({ limit, ...(after === undefined ? {} : { after }) })
        const last = page.jobs.at(-1)
        return {
          data: page.jobs.map(toParkedJob),
          hasMore: page.hasMore,
          ...(page.hasMore && last !== undefined ? { nextCursor: Base64Url.encode(last.id) } : {}),
        }
      }, platformOnly)

      const decide = (jobId: string, outcome: ParkedJobDecision["outcome"], isForced?: boolean) =>
        Operation.run({
          name: `ParkedJobs.${outcome}`,
          ids: 1,
          load: () => Effect.map(store.parkedJobs({ limit: 1, id: jobId }), ({ jobs: [job] }) => ({ job })),
          decide: decideParkedJob(outcome, isForced),
        }).pipe(platformOnly, Effect.provideContext(services))

      return ParkedJobs.of({
        list,
        resume: (jobId) => decide(jobId, "resumed"),
        drop: (jobId, isForced) => decide(jobId, "dropped", isForced),
      })
    }),
  )
}
