/**
 * The refusals of faults, and their audit record.
 * Source: D-480.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import type { FaultPort } from "../../model/fault/FaultResource.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext } from "../Decision.ts"

export const faultsNotOffered: Refusal = {
  code: "NOT_IMPLEMENTED",
  message: "This deployment has no faults to switch on.",
}

export const faultsOfSeveralPlatforms: Refusal = {
  code: "CONFLICT",
  message: "Several platforms share this server, and a fault would be one of all.",
  details: { reason: "SEVERAL_PLATFORMS" },
}

export const auditFaults =
  (on: ReadonlyArray<FaultPort>) =>
  (_loaded: unknown, context: DecisionContext): Decision<null> => {
    const { platformId } = context.caller
    const target = { id: platformId, platformId, customerId: null }
    return answer(200, null, auditRecord(context, "SANDBOX_FAULTS_SET", target, { details: { on } }))
  }
