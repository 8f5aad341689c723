/**
 * What a platform asks of a policy before anything happens, and the answer. Our own addition to the interface.
 * Source: wire contract 1.4; D-212.
 */
import { Schema } from "effect"
import { ErrorResource } from "../../foundation/errors/ErrorResource.ts"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { QuoteResource } from "../quote/QuoteResource.ts"
import { TransferInRequest } from "../transaction/TransactionResource.ts"
import { AgentTransferDetails } from "./AgentAction.ts"
import { LimitLeft } from "./LimitsLeft.ts"

const transfer = {
  source: Schema.Struct({ accountId: Id("ExternalAccount", "InternalAccount") }),
  destination: Schema.Struct({ accountId: Id("InternalAccount", "ExternalAccount") }),
  amount: TransferInRequest.fields.amount,
}

/** What the agent might submit: a transfer in from an external account or out to one, or the execution of a quote that it created. */
export const AgentPolicyEvaluateRequest = Schema.Union([
  Schema.Struct({ type: Schema.Literal("TRANSFER_IN"), ...transfer }).annotate({ identifier: "EvaluatedTransferIn" }),
  Schema.Struct({ type: Schema.Literal("TRANSFER_OUT"), ...transfer }).annotate({ identifier: "EvaluatedTransferOut" }),
  Schema.Struct({ type: Schema.Literal("EXECUTE_QUOTE"), quoteId: Id("Quote") }).annotate({
    identifier: "EvaluatedQuote",
  }),
]).annotate({ identifier: "AgentPolicyEvaluateRequest" })
export type AgentPolicyEvaluateRequest = typeof AgentPolicyEvaluateRequest.Type

export const AgentPolicyEvaluation = Schema.Struct({
  outcome: Schema.Literals(["APPROVED", "PENDING_APPROVAL", "FAILED", "REFUSED"]).annotate({
    description: "The status that the action would have now; `REFUSED`: there would be none, but `error`.",
  }),
  details: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Json).annotate({ description: "Which rule decides, with its numbers." }),
  ),
  error: Schema.optionalKey(
    ErrorResource.pipe(Schema.annotateKey({ description: "What the agent would be answered." })),
  ),
  transferDetails: Schema.optionalKey(AgentTransferDetails),
  quote: Schema.optionalKey(QuoteResource),
  limits: Schema.Array(LimitLeft).annotate({
    description: "What an execution now would leave of each limit; empty where that cannot be told.",
  }),
}).annotate({ identifier: "AgentPolicyEvaluation" })
export type AgentPolicyEvaluation = typeof AgentPolicyEvaluation.Type
