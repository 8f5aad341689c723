/**
 * The table of webhook events: the type, and which record its `data` is.
 * Spec: Events; wire contract 6.1.
 */
import * as Table from "../kit/Table.ts"

export const EventTypes = Table.make("EventTypes", {
  "AGENT_ACTION.PENDING_APPROVAL": "AgentAction",
  "EXTERNAL_ACCOUNT.STATUS_UPDATED": "ExternalAccount",
  "INCOMING_PAYMENT.PENDING": "IncomingTransaction",
  "INCOMING_PAYMENT.COMPLETED": "IncomingTransaction",
  "INCOMING_PAYMENT.FAILED": "IncomingTransaction",
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
  TEST: "none",
})

export type EventType = (typeof EventTypes.keys)[number]
