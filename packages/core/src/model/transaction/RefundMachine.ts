/**
 * The states of an outgoing transaction's refund.
 * Source: wire contract 5.7 (refund, event sequences).
 */
import * as Machine from "../../foundation/kit/Machine.ts"

export const RefundMachine = Machine.make({
  name: "Refund",
  arrows: [
    [null, "Begin", "PENDING", ["OUTGOING_PAYMENT.REFUND_PENDING"]],
    ["PENDING", "Complete", "COMPLETED", ["OUTGOING_PAYMENT.REFUND_COMPLETED"]],
    ["PENDING", "Fail", "FAILED", ["OUTGOING_PAYMENT.REFUND_FAILED"]],
    // An operator lets the rail be asked again (D-355).
    ["FAILED", "Retry", "PENDING", ["OUTGOING_PAYMENT.REFUND_PENDING"]],
  ],
})
