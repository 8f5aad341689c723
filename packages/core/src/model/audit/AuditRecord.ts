/**
 * Who did what that somebody may ask about later: written in the commit of what it tells, and never changed.
 * Source: wire contract 11 (60); architecture, "The rooms" (operation/Audit); D-111. No secret, and nothing of a person.
 */
import { Schema } from "effect"
import * as Table from "../../foundation/kit/Table.ts"

/** What is recorded. Whoever adds an operation of these areas adds a row, and one line where it is decided. */
export const AuditOperations = Table.make("AuditOperations", {
  TOKEN_CREATE: "An API token was created",
  TOKEN_RENEW: "An API token got another secret from the deployment",
  TOKEN_DELETE: "An API token was deleted",
  CONFIG_UPDATE: "The platform's configuration was changed",
  AGENT_CREATE: "An agent was created",
  AGENT_UPDATE: "An agent was renamed, paused or resumed",
  AGENT_POLICY_UPDATE: "An agent's policy was changed",
  AGENT_DELETE: "An agent's access was revoked",
  DEVICE_CODE_ISSUE: "A device code was issued",
  DEVICE_CODE_REDEEM: "A device code was redeemed for an access token",
  AGENT_ACTION_SUBMIT: "An agent's action was held or refused by its policy",
  AGENT_ACTION_APPROVE: "A held action was approved",
  AGENT_ACTION_REJECT: "A held action was rejected",
  PAYMENT_APPROVE: "An incoming payment was approved",
  PAYMENT_REJECT: "An incoming payment was rejected",
  CARD_REVEAL: "A card was shown to its cardholder",
  SIGNED_ACTION: "A wallet's action was signed by its person, and done",
  SANDBOX_FUND: "The sandbox put money into an internal account",
  SANDBOX_EXTERNAL_ACCOUNT_STATUS: "The sandbox changed an external account's status",
  SANDBOX_WEBHOOK_TEST: "A test event was sent",
  SANDBOX_SEND: "The sandbox paid a quote in its payer's stead",
  SANDBOX_UMA_RECEIVE: "The sandbox announced a payment to an UMA address",
  SANDBOX_CARD_MESSAGE: "The sandbox simulated a message of the card network",
  SANDBOX_CLOCK_ADVANCE: "The sandbox's time was moved",
})
export const AuditOperation = Schema.Literals(AuditOperations.keys)
export type AuditOperation = typeof AuditOperation.Type

/** `FAILED`: decided as wished, and then not possible. */
export const AuditOutcome = Schema.Literals(["DONE", "HELD", "REFUSED", "FAILED"])
export type AuditOutcome = typeof AuditOutcome.Type

/** By whose credential. */
export const AuditActor = Schema.Struct({
  type: Schema.Literals(["PLATFORM", "AGENT", "SERVICE"]).annotate({
    description: "Whose credential it was; `SERVICE`: nobody's, the deployment itself.",
  }),
  id: Schema.optionalKey(Schema.String.annotate({ description: "The id of the API token or of the agent." })),
}).annotate({ identifier: "AuditActor" })
export type AuditActor = typeof AuditActor.Type

/** Which rule decided, with its numbers; what was changed. */
export const AuditDetails = Schema.Record(Schema.String, Schema.Json)
export type AuditDetails = typeof AuditDetails.Type

/** What is stored of it; its time is that of the record. */
export const AuditRecord = Schema.Struct({
  actor: AuditActor,
  operation: AuditOperation,
  /** The record that it was done to. */
  target: Schema.String,
  outcome: AuditOutcome,
  /** As the answer's `X-Request-Id` had it. */
  requestId: Schema.optionalKey(Schema.String),
  details: AuditDetails,
})
export type AuditRecord = typeof AuditRecord.Type
