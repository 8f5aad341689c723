/**
 * An audit record: who did what to which record. It is written in the same commit as the change and never updated.
 * Source: wire contract 11 (60); architecture, "Layers are folders" (operation/Audit); D-111. It contains no secret, and of personal
 * data only the name of an approver.
 */
import { Schema } from "effect"
import * as Table from "../../foundation/kit/Table.ts"
import { ApproverProof } from "../approval/Approver.ts"

/** The audited operations. A new operation of these areas needs a row here and one line in its decision. */
export const AuditOperations = Table.make("AuditOperations", {
  TOKEN_CREATE: "An API token was created",
  TOKEN_RENEW: "An API token got another secret from the deployment",
  TOKEN_SECRET_ADD: "An API token got another secret beside its present one",
  TOKEN_SECRET_RETIRE: "A secret of an API token was retired",
  TOKEN_DELETE: "An API token was deleted",
  CREDENTIAL_REFUSE: "Too many wrong secrets were tried with a credential from one network, within a minute",
  CONFIG_UPDATE: "The platform's configuration was changed",
  WEBHOOK_KEY_ROTATE: "A new webhook key was created, and the previous ones retire",
  WEBHOOK_ENDPOINT_DISABLE: "The webhook endpoint was disabled",
  WEBHOOK_ENDPOINT_ENABLE: "The webhook endpoint was enabled",
  WEBHOOK_ENDPOINT_PROVE: "The webhook endpoint proved that it is the platform's",
  WEBHOOK_SECRET_REVEAL: "The secret of a webhook key was shown",
  WALLET_SECRET_ROTATE: "The roots of wallet keys were sealed to another wallet secret",
  WALLET_ROOT_ADD: "A root for the keys of new wallets was added",
  WALLET_ROOT_RETIRE: "A root on which no wallet depends was removed",
  AGENT_CREATE: "An agent was created",
  AGENT_UPDATE: "An agent was renamed, paused or resumed",
  AGENT_POLICY_UPDATE: "An agent's policy was changed",
  AGENT_DELETE: "An agent's access was revoked",
  AGENT_TOKEN_ROTATE: "An agent got another access token",
  DEVICE_CODE_ISSUE: "A device code was issued",
  DEVICE_CODE_REDEEM: "A device code was redeemed for an access token",
  AGENT_ACTION_SUBMIT: "An agent's action was held or refused by its policy",
  AGENT_ACTION_APPROVE: "A held action was approved",
  AGENT_ACTION_REJECT: "A held action was rejected",
  AGENT_ACTION_VOTE: "One of several approvers approved a held action",
  AGENT_ACTION_ESCALATE: "The approvers of a further group may approve a held action, too",
  CONSOLE_SIGN_IN: "An approver signed in to the console",
  CONSOLE_SIGN_OUT: "An approver signed out of the console",
  PAYMENT_APPROVE: "An incoming payment was approved",
  PAYMENT_REJECT: "An incoming payment was rejected",
  JOB_RESUME: "A parked job was resumed",
  JOB_DROP: "A parked job was dropped",
  UNAPPLIED_APPLY: "Unapplied money was credited to an account",
  UNAPPLIED_RETURN: "Unapplied money was recorded as returned to its sender",
  REFUND_RETRY: "The rail was asked again about a failed refund",
  BENEFICIARY_TRUST: "A customer's trust in an external account was confirmed, or its proof was wrong",
  BENEFICIARY_UNTRUST: "The end of a customer's trust in an external account was confirmed, or its proof was wrong",
  INVITATION_CREATE: "A customer's invitation was created",
  INVITATION_CLAIM: "An invitation was claimed, by any platform that knows its code",
  INVITATION_CANCEL: "An invitation was cancelled",
  CUSTOMER_ACCESS_END: "The sessions and agent tokens of a customer were ended",
  DOCUMENT_UPLOAD: "A document was uploaded",
  DOCUMENT_REPLACE: "A document was replaced",
  DOCUMENT_DELETE: "A document was deleted",
  BULK_IMPORT_UPLOAD: "A file of customers was uploaded",
  BULK_IMPORT_END: "The import of a file of customers ended",
  CARD_REVEAL: "A card was shown to its cardholder",
  STABLECOIN_PROVIDER_LINK: "An account at a provider of stablecoins was linked",
  STABLECOIN_PROVIDER_STATUS: "A provider of stablecoins refuses the credentials of an account, or they were withdrawn",
  STABLECOIN_REGISTER: "A stablecoin was registered",
  STABLECOIN_ISSUANCE_STATUS: "The provider reported another status of a stablecoin's issuance",
  STABLECOIN_MINT: "A mint was requested",
  STABLECOIN_BURN: "A burn was requested",
  STABLECOIN_OPERATION_STATUS: "A mint or burn got another status, or was not begun",
  EVENT_RESEND: "An event was sent again",
  SIGNED_ACTION: "A wallet's action was signed by its owner and performed",
  SANDBOX_FUND: "The sandbox put money into an internal account",
  SANDBOX_EXTERNAL_ACCOUNT_STATUS: "The sandbox changed an external account's status",
  SANDBOX_WEBHOOK_TEST: "A test event was sent",
  SANDBOX_EVENT_SEND: "The sandbox sent an event to another address",
  SANDBOX_SEND: "The sandbox paid a quote as its payer",
  SANDBOX_UMA_RECEIVE: "The sandbox announced a payment to an UMA address",
  SANDBOX_CARD_MESSAGE: "The sandbox simulated a message of the card network",
  SANDBOX_CLOCK_ADVANCE: "The sandbox's clock was advanced",
  SANDBOX_WORLD_SAVE: "The sandbox's world was saved",
  SANDBOX_WORLD_LOAD: "A saved world replaced that of the sandbox",
  SANDBOX_WORLD_FORK: "The sandbox's world was saved under a name with which it continues",
  SANDBOX_WORLD_DELETE: "A saved world was deleted",
  SANDBOX_WORLD_IMPORT: "A saved world was added from a file",
  SANDBOX_WORLD_RESET: "The sandbox's world was emptied",
  SANDBOX_SCENARIO_RUN: "A scenario began to fill the sandbox's world",
  SANDBOX_FAULTS_SET: "Faults of the sandbox were switched on or off",
  SANDBOX_INBOX_OPEN: "The sandbox's inbox was asked for, as the endpoint or not",
  SANDBOX_INBOX_CLEAR: "The messages of the sandbox's inbox were deleted",
  SANDBOX_INBOX_ANSWER: "The next answers of the sandbox's inbox were chosen",
  SANDBOX_REQUEST_SEND: "A kept request was sent again",
})
/** The name of an audited operation: a key of the table. */
export const AuditOperation = Schema.Literals(AuditOperations.keys)
export type AuditOperation = typeof AuditOperation.Type

/** `FAILED`: approved, but the execution was not possible. */
export const AuditOutcome = Schema.Literals(["DONE", "HELD", "REFUSED", "FAILED"])
export type AuditOutcome = typeof AuditOutcome.Type

const AuditApprover = Schema.Struct({ id: Schema.String, name: Schema.String, proof: ApproverProof })

/** The owner of the credential. */
export const AuditActor = Schema.Struct({
  type: Schema.Literals(["PLATFORM", "AGENT", "SERVICE"]).annotate({
    description: "The owner of the credential. `SERVICE`: the deployment itself, without a credential.",
  }),
  id: Schema.optionalKey(Schema.String.annotate({ description: "The id of the API token or of the agent." })),
  operator: Schema.optionalKey(
    Schema.String.annotate({ description: "The name that the deployment's operator gave; only for `SERVICE`." }),
  ),
  approver: Schema.optionalKey(
    AuditApprover.annotate({
      description:
        "The person on the console. `proof`: `SECRET`, the name was stated with the platform's client secret; `PASSKEY`, the person's passkey proved it.",
    }),
  ),
  resender: Schema.optionalKey(
    Schema.Struct({ id: Schema.String, approver: Schema.optionalKey(AuditApprover) }).annotate({
      description:
        "Only in a sandbox: the API token, and the person on the console, who had a request of this actor sent again.",
    }),
  ),
}).annotate({ identifier: "AuditActor" })
export type AuditActor = typeof AuditActor.Type

/** The rule that decided, with its numbers, and what was changed. */
export const AuditDetails = Schema.Record(Schema.String, Schema.Json)
export type AuditDetails = typeof AuditDetails.Type

/** The stored audit record. Its time is the record's creation time. */
export const AuditRecord = Schema.Struct({
  actor: AuditActor,
  operation: AuditOperation,
  /** The id of the record that the operation changed. */
  target: Schema.String,
  outcome: AuditOutcome,
  /** The `X-Request-Id` of the response. */
  requestId: Schema.optionalKey(Schema.String),
  details: AuditDetails,
})
export type AuditRecord = typeof AuditRecord.Type
