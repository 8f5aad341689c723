/**
 * Strong customer authentication. Every operation is a 409 for customers whose region does not require it.
 * Spec: Errors, other rules (1); wire contract 5.12; wire contract areas 1.3 and 2.2.
 */
import {
  BeneficiaryTrustConfirm,
  BeneficiaryTrustConfirmRequest,
  BeneficiaryTrustStart,
  Id,
  RecordSecurityEventRequest,
  RecordSecurityEventResponse,
  ScaFactorConfirmRequest,
  ScaFactorConfirmResponse,
  ScaFactorEnrollRequest,
  ScaFactorEnrollStart,
  ScaFactorList,
  ScaLoginComplete,
  ScaLoginCompleteRequest,
  ScaLoginStart,
  ScaLoginStartRequest,
  TwoFactorResetCompleteRequest,
  TwoFactorResetStart,
  TwoFactorResetStartRequest,
  TwoFactorResetStatus,
} from "@countersign/core/models"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { documented } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { idempotencyKey, pathId } from "./Parameters.ts"
import { created } from "./Statuses.ts"

const ofCustomer = { customerId: Id("Customer") }
const externalAccount = { externalAccountId: pathId("external account") }

const startTrustDescription =
  "Payments of the customer to a trusted account need no challenge of their own. Requires the session of a login (409 `SCA_SESSION_REQUIRED`). A new request replaces an open one; `{}` if no challenge was issued or the account is trusted already."
const startUntrustDescription =
  "The challenge of the confirmation that ends the trust. `{}` if none was issued or the account is not trusted."
const confirmTrustDescription =
  "A wrong answer is counted as a failed attempt. 400 with `details.reason` `WRONG_CODE`, `CHALLENGE_EXPIRED` or `CHALLENGE_MISMATCH`; 409 without an open request."

const trustFailures = failures(404, 409, 423)
const trustAccess = { tokenPermission: "MANAGE", isIdempotent: true } as const

const resetId = { resetId: pathId("reset") }

export const ScaApi = HttpApiGroup.make("sca")
  .add(
    HttpApiEndpoint.get("listScaFactors", "/sca/factors", {
      query: ofCustomer,
      success: ScaFactorList,
      error: failures(404, 409),
    })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(
        documented("listScaFactors", "List factors", "The factors with which the customer can authenticate."),
      ),
    HttpApiEndpoint.post("startScaFactorEnrollment", "/sca/factors", {
      query: ofCustomer,
      payload: ScaFactorEnrollRequest,
      success: ScaFactorEnrollStart,
      error: failures(404, 409),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented(
          "startScaFactorEnrollment",
          "Start enrolling a factor",
          "Pass the response to the customer's device.",
        ),
      ),
    HttpApiEndpoint.post("confirmScaFactorEnrollment", "/sca/factors/confirm", {
      query: ofCustomer,
      payload: ScaFactorConfirmRequest,
      success: ScaFactorConfirmResponse,
      error: failures(404, 409),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented("confirmScaFactorEnrollment", "Finish enrolling a factor", "Recovery codes are shown only once."),
      ),
    HttpApiEndpoint.post("startTwoFactorReset", "/sca/factors/reset", {
      query: ofCustomer,
      payload: TwoFactorResetStartRequest,
      success: created(TwoFactorResetStart),
      error: failures(404, 409),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented(
          "startTwoFactorReset",
          "Start a factor reset",
          "For a customer who has lost it. 429 after five within a day.",
        ),
      ),
    HttpApiEndpoint.get("getTwoFactorResetStatus", "/sca/factors/reset/:resetId", {
      params: resetId,
      query: ofCustomer,
      success: TwoFactorResetStatus,
      error: failures(404, 409),
    })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(
        documented("getTwoFactorResetStatus", "Get a reset", "One reset. Poll it until the provider has approved it."),
      ),
    HttpApiEndpoint.post("completeTwoFactorReset", "/sca/factors/reset/:resetId/complete", {
      params: resetId,
      query: ofCustomer,
      payload: TwoFactorResetCompleteRequest,
      success: HttpApiSchema.NoContent,
      error: failures(404, 409),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented(
          "completeTwoFactorReset",
          "Complete a factor reset",
          "Removes the factor. 409 before the provider has approved the reset.",
        ),
      ),
    HttpApiEndpoint.delete("deleteScaFactor", "/sca/factors/:credentialId", {
      params: { credentialId: pathId("factor") },
      query: ofCustomer,
      success: HttpApiSchema.NoContent,
      error: failures(404, 409),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented("deleteScaFactor", "Remove a factor", "The customer can no longer authenticate with it."),
      ),
    HttpApiEndpoint.post("startScaLogin", "/sca/login/start", {
      query: ofCustomer,
      payload: ScaLoginStartRequest,
      success: ScaLoginStart,
      error: failures(404, 409, 423),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented(
          "startScaLogin",
          "Start a challenge",
          "The challenge is valid for five minutes. A new one replaces the previous one.",
        ),
      ),
    HttpApiEndpoint.post("completeScaLogin", "/sca/login/complete", {
      query: ofCustomer,
      payload: ScaLoginCompleteRequest,
      success: ScaLoginComplete,
      error: failures(404, 409, 423),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented("completeScaLogin", "Answer a challenge", "A wrong answer is counted as a failed attempt."),
      ),
    HttpApiEndpoint.post("recordSecurityEvent", "/sca/record-event", {
      query: ofCustomer,
      payload: RecordSecurityEventRequest,
      success: RecordSecurityEventResponse,
      error: failures(404, 409, 423),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented(
          "recordSecurityEvent",
          "Record a security event",
          "Failed attempts lock the customer: five for 15 minutes, nine permanently. A new password resets the count.",
        ),
      ),
    HttpApiEndpoint.post("startBeneficiaryTrust", "/customers/external-accounts/:externalAccountId/trust", {
      params: externalAccount,
      headers: idempotencyKey,
      success: BeneficiaryTrustStart,
      error: trustFailures,
    })
      .annotate(Access, trustAccess)
      .annotateMerge(documented("startBeneficiaryTrust", "Start trusting an account", startTrustDescription)),
    HttpApiEndpoint.post("confirmBeneficiaryTrust", "/customers/external-accounts/:externalAccountId/trust/confirm", {
      params: externalAccount,
      headers: idempotencyKey,
      payload: BeneficiaryTrustConfirmRequest,
      success: BeneficiaryTrustConfirm,
      error: trustFailures,
    })
      .annotate(Access, trustAccess)
      .annotateMerge(documented("confirmBeneficiaryTrust", "Trust an account", confirmTrustDescription)),
    HttpApiEndpoint.post("startBeneficiaryUntrust", "/customers/external-accounts/:externalAccountId/untrust", {
      params: externalAccount,
      headers: idempotencyKey,
      success: BeneficiaryTrustStart,
      error: trustFailures,
    })
      .annotate(Access, trustAccess)
      .annotateMerge(
        documented("startBeneficiaryUntrust", "Start ending the trust in an account", startUntrustDescription),
      ),
    HttpApiEndpoint.post(
      "confirmBeneficiaryUntrust",
      "/customers/external-accounts/:externalAccountId/untrust/confirm",
      {
        params: externalAccount,
        headers: idempotencyKey,
        payload: BeneficiaryTrustConfirmRequest,
        success: BeneficiaryTrustConfirm,
        error: trustFailures,
      },
    )
      .annotate(Access, trustAccess)
      .annotateMerge(documented("confirmBeneficiaryUntrust", "End the trust in an account", confirmTrustDescription)),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(
    OpenApi.annotations({
      title: "Strong authentication",
      description: "Authentication of customers in regions that require it; 409 for other customers.",
    }),
  )
