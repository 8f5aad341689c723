/**
 * The target of an advance of the sandbox's clock.
 * Source: D-100.
 */
import { Result } from "effect"
import type { FieldProblem } from "../../foundation/errors/FieldProblems.ts"
import { iso, millisOf } from "../../foundation/kit/Instant.ts"
import { aheadMillisMax, type SandboxClockAdvanceRequest } from "./ClockResource.ts"
import { durationMillis } from "./Duration.ts"

interface ClockReading {
  /** Business time (ms). */
  readonly now: number
  readonly wallNow: number
}

const requestedTarget = ({ by, seconds, to }: SandboxClockAdvanceRequest, now: number) => {
  if (to !== undefined) return { field: "to", target: millisOf(to) }
  return by === undefined
    ? { field: "seconds", target: now + (seconds ?? 0) * 1000 }
    : { field: "by", target: now + durationMillis(by) }
}

/** Returns the business time (ms) to move to, or the problem of the field that names it. */
export const targetOf = (
  request: SandboxClockAdvanceRequest,
  { now, wallNow }: ClockReading,
): Result.Result<number, FieldProblem> => {
  const { field, target } = requestedTarget(request, now)
  if (target <= now) {
    return Result.fail({ field, message: `must lead to a time later than the present one, ${iso(now)}` })
  }
  const latest = wallNow + aheadMillisMax
  return target <= latest
    ? Result.succeed(target)
    : Result.fail({ field, message: `must not lead further than ten years ahead of real time, ${iso(latest)}` })
}
