/**
 * The refusals of scenarios, and their audit record.
 * Source: D-472.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext } from "../Decision.ts"

export const scenarioRunning: Refusal = {
  code: "CONFLICT",
  message: "A scenario is running already: wait until it has ended.",
  details: { reason: "SCENARIO_RUNNING" },
}

/** Where a scenario stopped, and the ids of what it had made. */
export interface ScenarioStop {
  readonly message: string
  readonly operation?: string | undefined
  readonly status?: number | undefined
  readonly made: ReadonlyArray<string>
}

const madeMax = 50

export const scenarioFailed = (name: string, { made, message, operation, status }: ScenarioStop): Refusal => ({
  code: "CONFLICT",
  message: `The scenario ${name} stopped${operation === undefined ? "" : ` at ${operation}`}: ${message.slice(0, 200)} ${
    made.length === 0 ? "It had made nothing." : `What it had made stays: ${made.length} records.`
  }`,
  details: {
    reason: "SCENARIO_FAILED",
    made: made.slice(0, madeMax),
    ...(operation === undefined ? {} : { operation }),
    ...(status === undefined ? {} : { status }),
  },
})

export const auditScenario =
  (name: string) =>
  (_loaded: unknown, context: DecisionContext): Decision<null> => {
    const { platformId } = context.caller
    const target = { id: platformId, platformId, customerId: null }
    return answer(200, null, auditRecord(context, "SANDBOX_SCENARIO_RUN", target, { details: { name } }))
  }
