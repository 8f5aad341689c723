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

const params = { id: pathId("card") }
const success = accepted(SandboxCardSimulationResponse)
const error = failures(404, 501)
const transact = { tokenPermission: "TRANSACT" } as const

const authorizing =
  "The last three characters of `merchant.descriptor` select the outcome: `002` and `003` decline, `005` delays the pull for 30 seconds, `006` fails it. The response precedes the effects; find the transaction by its `issuerTransactionToken`."

export const SandboxCardsApi = HttpApiGroup.make("sandboxCards")
  .add(
    HttpApiEndpoint.post("sandboxSimulateCardAuthorization", "/sandbox/cards/:id/simulate/authorization", {
      params,
      payload: SandboxCardAuthorizationRequest,
      success,
      error,
    })
      .annotate(Access, transact)
      .annotateMerge(
        documented(
          "sandboxSimulateCardAuthorization",
          "Simulate a purchase",
          `Holds \`amount\` on the first funding source that covers it. ${authorizing}`,
        ),
      ),
    HttpApiEndpoint.post("sandboxSimulateCardClearing", "/sandbox/cards/:id/simulate/clearing", {
      params,
      payload: SandboxCardClearingRequest,
      success,
      error,
    })
      .annotate(Access, transact)
      .annotateMerge(
        documented(
          "sandboxSimulateCardClearing",
          "Simulate a clearing",
          "Settles all or part of an authorization. An amount above the authorization is pulled, too, and becomes a debt as far as the account does not cover it. 0 releases the hold.",
        ),
      ),
    HttpApiEndpoint.post("sandboxSimulateCardReturn", "/sandbox/cards/:id/simulate/return", {
      params,
      payload: SandboxCardReturnRequest,
      success,
      error,
    })
      .annotate(Access, transact)
      .annotateMerge(
        documented(
          "sandboxSimulateCardReturn",
          "Simulate a return",
          "Refunds at most the settled amount that is not refunded yet.",
        ),
      ),
    HttpApiEndpoint.post("sandboxSimulateCardBalanceInquiry", "/sandbox/cards/:id/simulate/balance_inquiry", {
      params,
      payload: SandboxCardBalanceInquiryRequest,
      success,
      error,
    })
      .annotate(Access, transact)
      .annotateMerge(
        documented(
          "sandboxSimulateCardBalanceInquiry",
          "Simulate a balance inquiry",
          "An authorization of 0: nothing is held.",
        ),
      ),
    HttpApiEndpoint.post("sandboxSimulateCardCreditAuthorization", "/sandbox/cards/:id/simulate/credit_authorization", {
      params,
      payload: SandboxCardAuthorizationRequest,
      success,
      error,
    })
      .annotate(Access, transact)
      .annotateMerge(
        documented(
          "sandboxSimulateCardCreditAuthorization",
          "Simulate a credit",
          `Announces money for the first funding source; its clearing pays it out. ${authorizing}`,
        ),
      ),
    HttpApiEndpoint.post(
      "sandboxSimulateCardFinancialAuthorization",
      "/sandbox/cards/:id/simulate/financial_authorization",
      {
        params,
        payload: SandboxCardAuthorizationRequest,
        success,
        error,
      },
    )
      .annotate(Access, transact)
      .annotateMerge(
        documented(
          "sandboxSimulateCardFinancialAuthorization",
          "Simulate a purchase that clears at once",
          `Authorization and clearing in one step. ${authorizing}`,
        ),
      ),
    HttpApiEndpoint.post(
      "sandboxSimulateCardFinancialCreditAuthorization",
      "/sandbox/cards/:id/simulate/financial_credit_authorization",
      {
        params,
        payload: SandboxCardAuthorizationRequest,
        success,
        error,
      },
    )
      .annotate(Access, transact)
      .annotateMerge(
        documented(
          "sandboxSimulateCardFinancialCreditAuthorization",
          "Simulate a credit that clears at once",
          `Authorization and clearing of a credit in one step. ${authorizing}`,
        ),
      ),
    HttpApiEndpoint.post("sandboxSimulateCardAuthorizationAdvice", "/sandbox/cards/:id/simulate/authorization_advice", {
      params,
      payload: SandboxCardAuthorizationAdviceRequest,
      success,
      error,
    })
      .annotate(Access, transact)
      .annotateMerge(
        documented(
          "sandboxSimulateCardAuthorizationAdvice",
          "Simulate an authorization advice",
          "Changes the total of an open authorization; its hold follows as far as the balance allows.",
        ),
      ),
    HttpApiEndpoint.post(
      "sandboxSimulateCardCreditAuthorizationAdvice",
      "/sandbox/cards/:id/simulate/credit_authorization_advice",
      {
        params,
        payload: SandboxCardAuthorizationRequest,
        success,
        error,
      },
    )
      .annotate(Access, transact)
      .annotateMerge(
        documented(
          "sandboxSimulateCardCreditAuthorizationAdvice",
          "Simulate a credit advice",
          `The same as a credit authorization. ${authorizing}`,
        ),
      ),
    HttpApiEndpoint.post("sandboxSimulateCardReturnReversal", "/sandbox/cards/:id/simulate/return_reversal", {
      params,
      payload: SandboxCardTransactionRefRequest,
      success,
      error,
    })
      .annotate(Access, transact)
      .annotateMerge(
        documented(
          "sandboxSimulateCardReturnReversal",
          "Simulate the reversal of a return",
          "Reverses the last return of a `REFUNDED` transaction, which becomes `SETTLED` again.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(OpenApi.annotations({ title: "Sandbox cards", description: "Messages of a simulated card network." }))
