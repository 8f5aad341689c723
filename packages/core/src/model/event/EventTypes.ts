/**
 * The table of webhook events: each type, and the resource in its `data`.
 * Spec: Events; wire contract 6.1.
 */
import * as Table from "../../foundation/kit/Table.ts"

export const EventTypes = Table.make("EventTypes", {
  "AGENT_ACTION.PENDING_APPROVAL": "AgentAction",
  "EXTERNAL_ACCOUNT.STATUS_UPDATED": "ExternalAccount",
  "INCOMING_PAYMENT.PENDING": "IncomingTransaction",
  "INCOMING_PAYMENT.COMPLETED": "IncomingTransaction",
  "INCOMING_PAYMENT.FAILED": "IncomingTransaction",
  "INCOMING_PAYMENT.REFUND_PENDING": "IncomingTransaction",
  "INCOMING_PAYMENT.REFUND_COMPLETED": "IncomingTransaction",
  "INCOMING_PAYMENT.REFUND_FAILED": "IncomingTransaction",
  "OUTGOING_PAYMENT.PENDING": "OutgoingTransaction",
  "OUTGOING_PAYMENT.PENDING_AUTHORIZATION": "OutgoingTransaction",
  "OUTGOING_PAYMENT.PROCESSING": "OutgoingTransaction",
  "OUTGOING_PAYMENT.COMPLETED": "OutgoingTransaction",
  "OUTGOING_PAYMENT.FAILED": "OutgoingTransaction",
  "OUTGOING_PAYMENT.EXPIRED": "OutgoingTransaction",
  "OUTGOING_PAYMENT.REFUND_PENDING": "OutgoingTransaction",
  "OUTGOING_PAYMENT.REFUND_COMPLETED": "OutgoingTransaction",
  "OUTGOING_PAYMENT.REFUND_FAILED": "OutgoingTransaction",
  "INTERNAL_ACCOUNT.BALANCE_UPDATED": "InternalAccount",
  "INTERNAL_ACCOUNT.STATUS_UPDATED": "InternalAccount",
  "INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED": "InternalAccount",
  "INVITATION.CLAIMED": "UmaInvitation",
  "CARD.STATE_CHANGE": "Card",
  "CARD.FUNDING_SOURCE_CHANGE": "Card",
  "CARD_TRANSACTION.AUTHORIZED": "CardTransaction",
  "CARD_TRANSACTION.PARTIALLY_SETTLED": "CardTransaction",
  "CARD_TRANSACTION.SETTLED": "CardTransaction",
  "CARD_TRANSACTION.REFUNDED": "CardTransaction",
  "CARD_TRANSACTION.EXCEPTION": "CardTransaction",
  "CUSTOMER.KYC_PENDING": "Customer",
  "CUSTOMER.KYC_APPROVED": "Customer",
  "CUSTOMER.KYC_REJECTED": "Customer",
  "CUSTOMER.KYB_PENDING": "Customer",
  "CUSTOMER.KYB_APPROVED": "Customer",
  "CUSTOMER.KYB_REJECTED": "Customer",
  "VERIFICATION.RESOLVE_ERRORS": "Verification",
  "VERIFICATION.IN_PROGRESS": "Verification",
  "VERIFICATION.PENDING_MANUAL_REVIEW": "Verification",
  "VERIFICATION.APPROVED": "Verification",
  "VERIFICATION.REJECTED": "Verification",
  "BULK_UPLOAD.COMPLETED": "BulkImport",
  "BULK_UPLOAD.FAILED": "BulkImport",
  "WEBHOOK_ENDPOINT.VERIFICATION": "EndpointChallenge",
  TEST: "none",
})

/** The type of a webhook event, such as `OUTGOING_PAYMENT.COMPLETED`. */
export type EventType = (typeof EventTypes.keys)[number]
