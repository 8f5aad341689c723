/**
 * Sandbox operations that simulate the card network.
 * Source: wire contract 7.1 and 7.5.
 */
import {
  SandboxCardAuthorizationAdviceRequest,
  SandboxCardAuthorizationRequest,
  SandboxCardBalanceInquiryRequest,
  SandboxCardClearingRequest,
  SandboxCardReturnRequest,
  SandboxCardSimulationResponse,
  SandboxCardTransactionRefRequest,
} from "@countersign/core/models"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { documented } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { pathId } from "./Parameters.ts"
import { accepted } from "./Statuses.ts"

const params = { cardId: pathId("card") }
const success = accepted(SandboxCardSimulationResponse)
const error = failures(400, 404, 501)
const transact = { tokenPermission: "TRANSACT" } as const

const authorizing =
  "The last three characters of `merchant.descriptor` select the outcome: `002` and `003` decline, `005` delays the pull for 30 seconds, `006` fails it. The response precedes the effects; find the transaction by its `issuerTransactionToken`."

export const SandboxCardsApi = HttpApiGroup.make("sandboxCards")
  .add(
    HttpApiEndpoint.post("authorization", "/sandbox/cards/:cardId/simulate/authorization", {
      params,
      payload: SandboxCardAuthorizationRequest,
      success,
      error,
    })
      .annotate(Access, transact)
      .annotateMerge(
        documented(
          "sandboxCardAuthorization",
          "Simulate a purchase",
          `Holds \`amount\` on the first funding source that covers it. ${authorizing}`,
        ),
      ),
    HttpApiEndpoint.post("clearing", "/sandbox/cards/:cardId/simulate/clearing", {
      params,
      payload: SandboxCardClearingRequest,
      success,
      error,
    })
      .annotate(Access, transact)
      .annotateMerge(
        documented(
          "sandboxCardClearing",
          "Simulate a clearing",
          "Settles all or part of an authorization. An amount above the authorization is pulled, too, and becomes a debt as far as the account does not cover it. 0 releases the hold.",
        ),
      ),
    HttpApiEndpoint.post("return", "/sandbox/cards/:cardId/simulate/return", {
      params,
      payload: SandboxCardReturnRequest,
      success,
      error,
    })
      .annotate(Access, transact)
      .annotateMerge(
        documented(
          "sandboxCardReturn",
          "Simulate a return",
          "Refunds at most the settled amount that is not refunded yet.",
        ),
      ),
    HttpApiEndpoint.post("balanceInquiry", "/sandbox/cards/:cardId/simulate/balance_inquiry", {
      params,
      payload: SandboxCardBalanceInquiryRequest,
      success,
      error,
    })
      .annotate(Access, transact)
      .annotateMerge(
        documented(
          "sandboxCardBalanceInquiry",
          "Simulate a balance inquiry",
          "An authorization of 0: nothing is held.",
        ),
      ),
    HttpApiEndpoint.post("creditAuthorization", "/sandbox/cards/:cardId/simulate/credit_authorization", {
      params,
      payload: SandboxCardAuthorizationRequest,
      success,
      error,
    })
      .annotate(Access, transact)
      .annotateMerge(
        documented(
          "sandboxCardCreditAuthorization",
          "Simulate a credit",
          `Announces money for the first funding source; its clearing pays it out. ${authorizing}`,
        ),
      ),
    HttpApiEndpoint.post("financialAuthorization", "/sandbox/cards/:cardId/simulate/financial_authorization", {
      params,
      payload: SandboxCardAuthorizationRequest,
      success,
      error,
    })
      .annotate(Access, transact)
      .annotateMerge(
        documented(
          "sandboxCardFinancialAuthorization",
          "Simulate a purchase that clears at once",
          `Authorization and clearing in one step. ${authorizing}`,
        ),
      ),
    HttpApiEndpoint.post(
      "financialCreditAuthorization",
      "/sandbox/cards/:cardId/simulate/financial_credit_authorization",
      { params, payload: SandboxCardAuthorizationRequest, success, error },
    )
      .annotate(Access, transact)
      .annotateMerge(
        documented(
          "sandboxCardFinancialCreditAuthorization",
          "Simulate a credit that clears at once",
          `Authorization and clearing of a credit in one step. ${authorizing}`,
        ),
      ),
    HttpApiEndpoint.post("authorizationAdvice", "/sandbox/cards/:cardId/simulate/authorization_advice", {
      params,
      payload: SandboxCardAuthorizationAdviceRequest,
      success,
      error,
    })
      .annotate(Access, transact)
      .annotateMerge(
        documented(
          "sandboxCardAuthorizationAdvice",
          "Simulate an authorization advice",
          "Changes the total of an open authorization; its hold follows as far as the balance allows.",
        ),
      ),
    HttpApiEndpoint.post("creditAuthorizationAdvice", "/sandbox/cards/:cardId/simulate/credit_authorization_advice", {
      params,
      payload: SandboxCardAuthorizationRequest,
      success,
      error,
    })
      .annotate(Access, transact)
      .annotateMerge(
        documented(
          "sandboxCardCreditAuthorizationAdvice",
          "Simulate a credit advice",
          `The same as a credit authorization. ${authorizing}`,
        ),
      ),
    HttpApiEndpoint.post("returnReversal", "/sandbox/cards/:cardId/simulate/return_reversal", {
      params,
      payload: SandboxCardTransactionRefRequest,
      success,
      error,
    })
      .annotate(Access, transact)
      .annotateMerge(
        documented(
          "sandboxCardReturnReversal",
          "Simulate the reversal of a return",
          "Reverses the last return of a `REFUNDED` transaction, which becomes `SETTLED` again.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(OpenApi.annotations({ title: "Sandbox cards", description: "Messages of a simulated card network." }))
