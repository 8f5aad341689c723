/**
 * Sends a message within a deadline: a failure that may pass is tried again until then, any other one ends it at once.
 * Source: D-528. The caller of the service waits, so the deadline is that of a request.
 */
import { Effect, Schedule } from "effect"
import { failureClasses, MessageFailure } from "./MessageFailure.ts"

export const deadlineMillisDefault = 10_000

const backoff = Schedule.exponential("100 millis").pipe(Schedule.jittered)

/** Whether the same message may be sent again. */
export type IsRepeatable = (failure: MessageFailure) => boolean

const isTransient: IsRepeatable = ({ reason }) => failureClasses[reason].isTransient

/** Repeats `attempt` until the deadline, if the failure passes and `isRepeatable` agrees. The last failure is that of the message. */
export const withinDeadline =
  (channel: MessageFailure["channel"], deadlineMillis: number, isRepeatable: IsRepeatable = () => true) =>
  (attempt: Effect.Effect<void, MessageFailure>): Effect.Effect<void, MessageFailure> =>
    Effect.suspend(() => {
      let last = new MessageFailure({ channel, reason: "slow" })
      return attempt.pipe(
        Effect.tapError((failure) =>
          Effect.sync(() => {
            last = failure
          }),
        ),
        Effect.retry({ schedule: backoff, while: (failure) => isTransient(failure) && isRepeatable(failure) }),
        Effect.timeoutOrElse({ duration: deadlineMillis, orElse: () => Effect.fail(last) }),
      )
    })
