/**
 * The wire format of a policy evaluation: a platform asks how a policy would decide an action. An addition to the interface.
 * Source: wire contract 1.4; D-212.
 */
import { Schema } from "effect"
import { ErrorResource } from "../../foundation/errors/ErrorResource.ts"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { QuoteResource } from "../quote/QuoteResource.ts"
import { TransferInRequest } from "../transaction/TransactionRequests.ts"
import { AgentTransferDetails } from "./AgentAction.ts"
import { EvaluationRow } from "./EvaluationRow.ts"
import { RemainingLimit } from "./RemainingLimits.ts"

const transfer = {
  source: Schema.Struct({ accountId: Id("ExternalAccount", "InternalAccount") }),
  destination: Schema.Struct({ accountId: Id("InternalAccount", "ExternalAccount") }),
  amount: TransferInRequest.fields.amount,
}

/** The action to evaluate: a transfer from or to an external account, or the execution of a quote that the agent created. */
export const AgentPolicyEvaluateRequest = Schema.Union([
  Schema.Struct({ type: Schema.Literal("TRANSFER_IN"), ...transfer }).annotate({ identifier: "EvaluatedTransferIn" }),
  Schema.Struct({ type: Schema.Literal("TRANSFER_OUT"), ...transfer }).annotate({ identifier: "EvaluatedTransferOut" }),
  Schema.Struct({ type: Schema.Literal("EXECUTE_QUOTE"), quoteId: Id("Quote") }).annotate({
    identifier: "EvaluatedQuote",
  }),
]).annotate({ identifier: "AgentPolicyEvaluateRequest" })
export type AgentPolicyEvaluateRequest = typeof AgentPolicyEvaluateRequest.Type

/** How the policy decides an action, with every rule and its numbers. Nothing is written. */
export const AgentPolicyEvaluation = Schema.Struct({
  outcome: Schema.Literals(["APPROVED", "PENDING_APPROVAL", "FAILED", "REFUSED"]).annotate({
    description:
      "The status that the action would have now. `REFUSED`: the agent would receive `error`, and no action would exist.",
  }),
  details: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Json).annotate({ description: "Which rule decides, with its numbers." }),
  ),
  error: Schema.optionalKey(
    ErrorResource.pipe(Schema.annotateKey({ description: "The error that the agent would receive." })),
  ),
  transferDetails: Schema.optionalKey(AgentTransferDetails),
  quote: Schema.optionalKey(QuoteResource),
  limits: Schema.Array(RemainingLimit).annotate({
    description: "What an execution now would leave of each limit; empty when it cannot be computed.",
  }),
  rows: Schema.Array(EvaluationRow).annotate({
    description: "Every rule, by precedence.",
  }),
}).annotate({ identifier: "AgentPolicyEvaluation" })
export type AgentPolicyEvaluation = typeof AgentPolicyEvaluation.Type
