/**
 * One row of a policy evaluation: a rule in its order of precedence, with its result and what it compared.
 * Source: wire contract 1.4; D-475.
 */
import { Schema, Struct } from "effect"
import { RemainingLimit } from "./RemainingLimits.ts"

export const ComparedLimit = RemainingLimit.mapFields(
  Struct.assign({ limit: Schema.Literals([...RemainingLimit.fields.limit.literals, "approvalThreshold"]) }),
).annotate({ identifier: "AgentComparedLimit" })
export type ComparedLimit = typeof ComparedLimit.Type

export const EvaluationRow = Schema.Struct({
  rule: Schema.String.annotate({ description: "Its name, as in `details.rule`." }),
  result: Schema.Literals(["PASSED", "DECIDED", "NOT_REACHED"]).annotate({
    description: "`NOT_REACHED`: an earlier rule has decided.",
  }),
  message: Schema.optionalKey(Schema.String.annotate({ description: "Only when the rule decided." })),
  compared: Schema.optionalKey(
    Schema.Array(ComparedLimit).annotate({
      description: "The limits or thresholds that it compared.",
    }),
  ),
}).annotate({ identifier: "AgentPolicyEvaluationRow" })
export type EvaluationRow = typeof EvaluationRow.Type
