/**
 * Claims jobs, and releases those of which it never learned: a claim that was applied and whose answer was lost with the connection.
 * Source: store/Store.ts (claim); D-324, D-327.
 */
import type { ClaimRequest, StoreUnavailable } from "@countersign/core/store"
import { Effect } from "effect"
import type { Statement } from "../connection/Connection.ts"
import { codeOf } from "../connection/Failure.ts"
import * as JobRows from "../read/JobRows.ts"

type Run = (statement: Statement) => Effect.Effect<ReadonlyArray<string | null>, StoreUnavailable>

/** The claim could not get the lock of its queue in time. Nothing was claimed, and the worker tries again. */
const lockNotAvailable = "55P03"

/** `session`: the number of this process's session; `null` if there is none now. */
export const make = (run: Run) => {
  const unanswered = new Set<string>()
  let made = 0

  const releaseUnanswered = Effect.suspend(() => {
    const names = [...unanswered]
    return Effect.map(run(JobRows.releaseClaimsStatement(names)), () => {
      for (const name of names) unanswered.delete(name)
    })
  })

  const claim = Effect.fnUntraced(function* (request: ClaimRequest, session: number | null) {
    if (unanswered.size > 0) yield* releaseUnanswered
    made += 1
    const name = `${request.worker} ${made}`
    const [answer] = yield* run(JobRows.claimStatement(request, name, session)).pipe(
      Effect.catchIf(
        ({ cause }) => codeOf(cause) === lockNotAvailable,
        () => Effect.succeed([]),
      ),
      Effect.onError(() => Effect.sync(() => unanswered.add(name))),
    )
    return JobRows.decodeClaim(answer)
  })
  return {
    claim,
    /** Whether jobs may be claimed of which nobody knows. */
    hasUnanswered: () => unanswered.size > 0,
  }
}
