/**
 * The states of an incoming transaction's refund: money that had arrived goes back to its sender.
 * Source: wire contract areas 2.7; D-399.
 */
import * as Machine from "../../foundation/kit/Machine.ts"

export const IncomingRefundMachine = Machine.make({
  name: "IncomingRefund",
  arrows: [
    [null, "Begin", "PENDING", ["INCOMING_PAYMENT.REFUND_PENDING"]],
    ["PENDING", "Complete", "COMPLETED", ["INCOMING_PAYMENT.REFUND_COMPLETED"]],
    ["PENDING", "Fail", "FAILED", ["INCOMING_PAYMENT.REFUND_FAILED"]],
    // An operator lets the rail be asked again.
    ["FAILED", "Retry", "PENDING", ["INCOMING_PAYMENT.REFUND_PENDING"]],
  ],
})
