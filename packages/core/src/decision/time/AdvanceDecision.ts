/**
 * The refusals of an advance of the sandbox's clock, and its audit record.
 * Source: D-100 to D-103.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext } from "../Decision.ts"

export const timeTravelDisabled: Refusal = {
  code: "NOT_IMPLEMENTED",
  message: "The time of this deployment cannot be moved.",
}

export const severalPlatforms: Refusal = {
  code: "CONFLICT",
  message: "Several platforms share this deployment, and its time is the time of all.",
  details: { reason: "SEVERAL_PLATFORMS" },
}

export const clockIsMoving: Refusal = {
  code: "CONFLICT",
  message: "Another call is moving the time.",
  details: { reason: "CLOCK_IS_MOVING" },
}

/** Audits an advance before the clock moves. */
export const auditAdvance =
  (from: number, to: number) =>
  (_loaded: unknown, context: DecisionContext): Decision<null> => {
    const { platformId } = context.caller
    const target = { id: platformId, platformId, customerId: null }
    const details = { from: iso(from), to: iso(to) }
    return answer(200, null, auditRecord(context, "SANDBOX_CLOCK_ADVANCE", target, { details }))
  }
