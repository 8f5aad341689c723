/**
 * The states of an incoming transaction: pulled from an external account, sent by a payer, or deposited by funding instructions.
 * Source: wire contract 5.7, 6.1 and 6.3 (the specification shows no transaction states); wire contract areas 2.7 and 2.13; D-009,
 * D-092, D-095, D-398, D-399.
 */
import * as Machine from "../../foundation/kit/Machine.ts"

export const IncomingMachine = Machine.make({
  name: "IncomingTransaction",
  arrows: [
    [null, "Pull", "PENDING", ["INCOMING_PAYMENT.PENDING"]],
    [null, "Fund", "COMPLETED", ["INCOMING_PAYMENT.COMPLETED"]],
    [null, "Receive", "PENDING", ["INCOMING_PAYMENT.PENDING"]],
    [null, "Hold", "PENDING", ["INCOMING_PAYMENT.PENDING"]],
    [null, "Refuse", "FAILED", ["INCOMING_PAYMENT.FAILED"]],
    // The reason of a hold changes.
    ["PENDING", "Hold", "PENDING", ["INCOMING_PAYMENT.PENDING"]],
    ["PENDING", "Settle", "COMPLETED", ["INCOMING_PAYMENT.COMPLETED"]],
    ["PENDING", "Reject", "REJECTED", ["INCOMING_PAYMENT.FAILED"]],
    ["PENDING", "Fail", "FAILED", ["INCOMING_PAYMENT.FAILED"]],
    ["COMPLETED", "Return", "FAILED", ["INCOMING_PAYMENT.FAILED"]],
    // The machine of the refund sends the event.
    ["FAILED", "Refund", "REFUNDED", []],
  ],
})
