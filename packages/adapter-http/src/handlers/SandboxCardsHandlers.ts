/** The simulated card network: each handler calls its service. Wire contract 7.1 and 7.5. */

import { Api } from "@countersign/client/api"
import { CardSimulations } from "@countersign/core"
import type { SandboxCardAuthorizationRequest } from "@countersign/core/models"
import { Effect } from "effect"
import { accepted, answering } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"

interface SimulationRequest<Payload> {
  readonly params: { readonly id: string }
  readonly payload: Payload
}

export const layer = group(
  Api,
  "sandboxCards",
  Effect.fnUntraced(function* (handlers) {
    const network = yield* CardSimulations
    const authorize =
      (direction: "CREDIT" | "DEBIT", isFinancial: boolean) =>
      ({ params, payload }: SimulationRequest<SandboxCardAuthorizationRequest>) =>
        accepted(network.authorize(params.id, payload, { direction, isFinancial }))
    const sendMessage =
      (_tag: "Advice" | "Clearing" | "Return") =>
      ({ params, payload }: SimulationRequest<{ readonly cardTransactionId: string; readonly amount: number }>) =>
        accepted(network.send(params.id, payload.cardTransactionId, { _tag, amount: payload.amount }))
    return handlers.handleAll(
      yield* answering(handlers, {
        sandboxSimulateCardAuthorization: authorize("DEBIT", false),
        sandboxSimulateCardFinancialAuthorization: authorize("DEBIT", true),
        sandboxSimulateCardCreditAuthorization: authorize("CREDIT", false),
        sandboxSimulateCardCreditAuthorizationAdvice: authorize("CREDIT", false),
        sandboxSimulateCardFinancialCreditAuthorization: authorize("CREDIT", true),
        sandboxSimulateCardBalanceInquiry: ({ params, payload }) =>
          accepted(network.inquire(params.id, payload.merchant)),
        sandboxSimulateCardAuthorizationAdvice: sendMessage("Advice"),
        sandboxSimulateCardClearing: sendMessage("Clearing"),
        sandboxSimulateCardReturn: sendMessage("Return"),
        sandboxSimulateCardReturnReversal: ({ params, payload }) =>
          accepted(network.send(params.id, payload.cardTransactionId, { _tag: "ReturnReversal" })),
      }),
    )
  }),
)
