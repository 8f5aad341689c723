/**
 * The states of an outgoing transaction, and of the quote that it executes. A refund does not change them: it has its own machine.
 * Source: wire contract 5.7 (the specification shows no transaction states); D-091.
 */
import * as Machine from "../../foundation/kit/Machine.ts"

export const OutgoingMachine = Machine.make({
  name: "OutgoingTransaction",
  arrows: [
    [null, "Create", "PENDING", ["OUTGOING_PAYMENT.PENDING"]],
    // A quote that a payer funds is challenged at creation, any other quote at execution.
    ["PENDING", "Challenge", "PENDING_AUTHORIZATION", ["OUTGOING_PAYMENT.PENDING_AUTHORIZATION"]],
    ["PENDING_AUTHORIZATION", "Challenge", "PENDING_AUTHORIZATION", ["OUTGOING_PAYMENT.PENDING_AUTHORIZATION"]],
    // Emits no event: the answer of the authorization tells the payer how to pay.
    ["PENDING_AUTHORIZATION", "Authorize", "PENDING"],
    ["PENDING", "Expire", "EXPIRED", ["OUTGOING_PAYMENT.EXPIRED"]],
    // The payment is executed, or its payer has funded it.
    ["PENDING", "Begin", "PROCESSING", ["OUTGOING_PAYMENT.PROCESSING"]],
    ["PENDING_AUTHORIZATION", "Begin", "PROCESSING", ["OUTGOING_PAYMENT.PROCESSING"]],
    ["PROCESSING", "Deliver", "COMPLETED", ["OUTGOING_PAYMENT.COMPLETED"]],
    // A cancelled payment ends COMPLETED, together with its completed refund.
    ["PROCESSING", "Conclude", "COMPLETED", ["OUTGOING_PAYMENT.COMPLETED"]],
    ["PENDING_AUTHORIZATION", "Fail", "FAILED", ["OUTGOING_PAYMENT.FAILED"]],
    ["PROCESSING", "Fail", "FAILED", ["OUTGOING_PAYMENT.FAILED"]],
    ["COMPLETED", "Return", "FAILED", ["OUTGOING_PAYMENT.FAILED"]],
  ],
})
