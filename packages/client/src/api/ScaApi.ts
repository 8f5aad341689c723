/**
 * Strong customer authentication. Every operation is a 409 for customers whose region does not require it.
 * Spec: Errors, other rules (1); wire contract 5.12.
 */
import {
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
import { pathId } from "./Parameters.ts"
import { created } from "./Statuses.ts"

const ofCustomer = { customerId: Id("Customer") }
const resetId = { resetId: pathId("reset") }

export const ScaApi = HttpApiGroup.make("sca")
  .add(
    HttpApiEndpoint.get("listFactors", "/sca/factors", {
      query: ofCustomer,
      success: ScaFactorList,
      error: failures(400, 404, 409),
    })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(
        documented("listScaFactors", "List factors", "The factors with which the customer can authenticate."),
      ),
    HttpApiEndpoint.post("enrollFactor", "/sca/factors", {
      query: ofCustomer,
      payload: ScaFactorEnrollRequest,
      success: ScaFactorEnrollStart,
      error: failures(400, 404, 409),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented("enrollScaFactor", "Start enrolling a factor", "Pass the response to the customer's device."),
      ),
    HttpApiEndpoint.post("confirmFactor", "/sca/factors/confirm", {
      query: ofCustomer,
      payload: ScaFactorConfirmRequest,
      success: ScaFactorConfirmResponse,
      error: failures(400, 404, 409),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented("confirmScaFactor", "Finish enrolling a factor", "Recovery codes are shown only once."),
      ),
    HttpApiEndpoint.post("startReset", "/sca/factors/reset", {
      query: ofCustomer,
      payload: TwoFactorResetStartRequest,
      success: created(TwoFactorResetStart),
      error: failures(400, 404, 409, 429),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented(
          "startScaFactorReset",
          "Start a factor reset",
          "For a customer who has lost it. 429 after five within a day.",
        ),
      ),
    HttpApiEndpoint.get("getReset", "/sca/factors/reset/:resetId", {
      params: resetId,
      query: ofCustomer,
      success: TwoFactorResetStatus,
      error: failures(400, 404, 409),
    })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(
        documented("getScaFactorReset", "Get a reset", "One reset. Poll it until the provider has approved it."),
      ),
    HttpApiEndpoint.post("completeReset", "/sca/factors/reset/:resetId/complete", {
      params: resetId,
      query: ofCustomer,
      payload: TwoFactorResetCompleteRequest,
      success: HttpApiSchema.NoContent,
      error: failures(400, 404, 409),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented(
          "completeScaFactorReset",
          "Complete a factor reset",
          "Removes the factor. 409 before the provider has approved the reset.",
        ),
      ),
    HttpApiEndpoint.delete("removeFactor", "/sca/factors/:credentialId", {
      params: { credentialId: pathId("factor") },
      query: ofCustomer,
      success: HttpApiSchema.NoContent,
      error: failures(400, 404, 409),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented("deleteScaFactor", "Remove a factor", "The customer can no longer authenticate with it."),
      ),
    HttpApiEndpoint.post("startLogin", "/sca/login/start", {
      query: ofCustomer,
      payload: ScaLoginStartRequest,
      success: ScaLoginStart,
      error: failures(400, 404, 409, 423),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented(
          "startScaLogin",
          "Start a challenge",
          "The challenge is valid for five minutes. A new one replaces the previous one.",
        ),
      ),
    HttpApiEndpoint.post("completeLogin", "/sca/login/complete", {
      query: ofCustomer,
      payload: ScaLoginCompleteRequest,
      success: ScaLoginComplete,
      error: failures(400, 404, 409, 423),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented("completeScaLogin", "Answer a challenge", "A wrong answer is counted as a failed attempt."),
      ),
    HttpApiEndpoint.post("recordEvent", "/sca/record-event", {
      query: ofCustomer,
      payload: RecordSecurityEventRequest,
      success: RecordSecurityEventResponse,
      error: failures(400, 404, 409, 423),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented(
          "recordScaSecurityEvent",
          "Record a security event",
          "Failed attempts lock the customer: five for 15 minutes, nine permanently. A new password resets the count.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(
    OpenApi.annotations({
      title: "Strong authentication",
      description: "Authentication of customers in regions that require it; 409 for other customers.",
    }),
  )
