/**
 * The sandbox's clock on the wire: an extension of the specification.
 * Source: D-100.
 */
import { Schema } from "effect"
import * as CrossField from "../../foundation/kit/CrossField.ts"
import { Instant, Timestamp } from "../../foundation/kit/Instant.ts"
import { atMost } from "../../foundation/kit/Lengths.ts"
import { durationMillis } from "./Duration.ts"

const dayMillis = 86_400_000
const daysMax = 3653

/** The maximum lead of business time over wall time: ten years. */
export const aheadMillisMax = daysMax * dayMillis

const tooFar = `must not be longer than ${daysMax} days`

const isWithinBounds = Schema.makeFilter((text: string) => {
  const millis = durationMillis(text)
  if (millis <= 0) return "must be longer than nothing"
  return millis <= aheadMillisMax || tooFar
})

const DurationText = Schema.String.annotate({
  format: "duration",
  description: "An ISO 8601 duration of weeks, days, hours, minutes and seconds. A day is 24 hours.",
}).check(
  atMost("code"),
  Schema.isPattern(/^P(?=\d|T\d)(\d{1,9}W)?(\d{1,9}D)?(T(?=\d)(\d{1,9}H)?(\d{1,9}M)?(\d{1,9}(\.\d{1,3})?S)?)?$/u, {
    expected: "an ISO 8601 duration of weeks, days, hours, minutes and seconds, such as PT5M or P40D",
  }).abort(),
  isWithinBounds,
)

const targetFields = ["seconds", "by", "to"]

const exactlyOneTarget = CrossField.check((members) => {
  const given = targetFields.filter((field) => members[field] !== undefined)
  if (given.length === 0) return [{ path: ["seconds"], message: "is required, or one of by, to" }]
  if (given.length === 1) return []
  return given.map((field) => ({
    path: [field],
    message: `must not be given together with ${given.filter((other) => other !== field).join(", ")}`,
  }))
})

/** Body of `POST /sandbox/clock/advance`. */
export const SandboxClockAdvanceRequest = Schema.Struct({
  seconds: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: aheadMillisMax / 1000 })).annotate({
      description: "How many seconds forward.",
    }),
  ),
  by: Schema.optionalKey(DurationText),
  to: Schema.optionalKey(Instant),
})
  .annotate({
    description: "Exactly one of `seconds`, `by` (how long) and `to` (a business time later than the present one).",
    examples: [{ seconds: 300 }],
  })
  .check(exactlyOneTarget)
  .annotate({ identifier: "SandboxClockAdvanceRequest" })
export type SandboxClockAdvanceRequest = typeof SandboxClockAdvanceRequest.Type

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** Answer of `GET /sandbox/clock`. */
export const SandboxClock = Schema.Struct({
  now: Timestamp.annotate({ description: "Business time: what all records, expiries and periods go by." }),
  realTime: Timestamp.annotate({ description: "Wall time: what retries, leases and idempotency keys go by." }),
  aheadMillis: Count.annotate({ description: "How far business time is ahead." }),
  nextDueAt: Schema.optionalKey(
    Timestamp.annotate({ description: "When the platform's next work falls due; absent when nothing waits." }),
  ),
}).annotate({ identifier: "SandboxClock" })
export type SandboxClock = typeof SandboxClock.Type

/** Why an advance ended before its target. */
export const StopReason = Schema.Literals(["OUT_OF_TIME", "TOO_MUCH_WORK", "TAKEN_OVER"])
export type StopReason = typeof StopReason.Type

/** A business time at which the platform's work ran on the way, with the attempts at each kind of job. */
export const ClockStop = Schema.Struct({
  at: Timestamp.annotate({ description: "Business time at which the clock stood while the work ran." }),
  jobs: Schema.Array(
    Schema.Struct({
      kind: Schema.String.annotate({ description: "What the jobs did, such as `transfer.push`." }),
      attempts: Count,
    }),
  ),
}).annotate({ identifier: "SandboxClockStop" })
export type ClockStop = typeof ClockStop.Type

/** Answer of `POST /sandbox/clock/advance`: how far the clock came, and which work it ran. */
export const SandboxClockAdvance = Schema.Struct({
  startedAt: Timestamp.annotate({ description: "Business time before." }),
  target: Timestamp,
  now: Timestamp.annotate({ description: "Business time now." }),
  isComplete: Schema.Boolean.annotate({
    description: "Whether the target was reached and all work due by then was done or put off.",
  }),
  stopReason: Schema.optionalKey(
    StopReason.annotate({
      description:
        "Only when it is not complete. `OUT_OF_TIME`: the 20 seconds of a call were over, and something may still run; `TOO_MUCH_WORK`: the bound on steps or jobs was met; `TAKEN_OVER`: another call went on. Call again with `to` to go on.",
    }),
  ),
  steps: Count.annotate({ description: "At how many points in time it stopped on the way, the last one counted." }),
  jobsRun: Count.annotate({
    description: "Attempts at jobs meanwhile, in all processes: transfers, refunds, webhooks.",
  }),
  jobsLeft: Schema.Struct({
    running: Count,
    waiting: Count.annotate({
      description: "Due, and put off: a webhook that was not acknowledged is tried again in real time.",
    }),
    parked: Count.annotate({ description: "Given up after too many failures." }),
  }).annotate({ description: "The platform's work that was due by now and is not done." }),
  stops: Schema.Array(ClockStop).annotate({
    description:
      "What happened on the way: the first 100 times at which work of the platform ran in the process that answers, in order.",
  }),
  stopsOmitted: Schema.optionalKey(Count.annotate({ description: "How many such times followed." })),
}).annotate({ identifier: "SandboxClockAdvance" })
export type SandboxClockAdvance = typeof SandboxClockAdvance.Type
