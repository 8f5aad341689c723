/**
 * The states of an outgoing transaction. A refund does not change them: it has its own machine.
 * Source: wire contract 5.7 (the specification shows no transaction states); D-091.
 */
import * as Machine from "../../foundation/kit/Machine.ts"

export const OutgoingMachine = Machine.make({
  name: "OutgoingTransaction",
  states: ["PENDING", "PENDING_AUTHORIZATION", "PROCESSING", "COMPLETED", "FAILED", "EXPIRED"],
  triggers: ["Create", "Challenge", "Authorize", "Begin", "Deliver", "Fail", "Return", "Expire", "Conclude"],
  arrows: [
    [null, "Create", "PENDING", ["OUTGOING_PAYMENT.PENDING"]],
    ["PENDING", "Challenge", "PENDING_AUTHORIZATION", ["OUTGOING_PAYMENT.PENDING_AUTHORIZATION"]],
    ["PENDING_AUTHORIZATION", "Challenge", "PENDING_AUTHORIZATION", ["OUTGOING_PAYMENT.PENDING_AUTHORIZATION"]],
    // Its payer is told now how to pay.
    ["PENDING_AUTHORIZATION", "Authorize", "PENDING"],
    ["PENDING", "Begin", "PROCESSING", ["OUTGOING_PAYMENT.PROCESSING"]],
    ["PENDING_AUTHORIZATION", "Begin", "PROCESSING", ["OUTGOING_PAYMENT.PROCESSING"]],
    ["PENDING_AUTHORIZATION", "Fail", "FAILED", ["OUTGOING_PAYMENT.FAILED"]],
    ["PENDING", "Expire", "EXPIRED", ["OUTGOING_PAYMENT.EXPIRED"]],
    ["PROCESSING", "Deliver", "COMPLETED", ["OUTGOING_PAYMENT.COMPLETED"]],
    ["PROCESSING", "Fail", "FAILED", ["OUTGOING_PAYMENT.FAILED"]],
    ["COMPLETED", "Return", "FAILED", ["OUTGOING_PAYMENT.FAILED"]],
    // A cancelled payment ends COMPLETED, together with its completed refund.
    ["PROCESSING", "Conclude", "COMPLETED", ["OUTGOING_PAYMENT.COMPLETED"]],
  ],
})
