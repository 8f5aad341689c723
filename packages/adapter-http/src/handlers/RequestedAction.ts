/** The action that a body asks to evaluate, as an agent would submit it. Source: D-212. */
import type { RequestedAction } from "@countersign/core"
import type { AgentPolicyEvaluateRequest } from "@countersign/core/models"
import { optionalField } from "./OptionalField.ts"

export const requestedActionOf = (request: AgentPolicyEvaluateRequest): RequestedAction => {
  if (request.type === "EXECUTE_QUOTE") return request
  const { amount, destination, source, type } = request
  const order = { sourceAccountId: source.accountId, destinationAccountId: destination.accountId }
  return type === "TRANSFER_IN"
    ? { type, order: { ...order, amount } }
    : { type, order: { ...order, ...optionalField("amount", amount) } }
}
