/**
 * The states of an incoming transaction: money pulled from outside, or put in by the sandbox.
 * Source: wire contract 5.7 and 6.1 (the specification shows no transaction states); D-009.
 */
import * as Machine from "../kit/Machine.ts"

export const IncomingMachine = Machine.make({
  name: "IncomingTransaction",
  states: ["PENDING", "COMPLETED", "FAILED"],
  triggers: ["Pull", "Fund", "Settle", "Fail"],
  arrows: [
    [null, "Pull", "PENDING", ["INCOMING_PAYMENT.PENDING"]],
    [null, "Fund", "COMPLETED", ["INCOMING_PAYMENT.COMPLETED"]],
    ["PENDING", "Settle", "COMPLETED", ["INCOMING_PAYMENT.COMPLETED"]],
    ["PENDING", "Fail", "FAILED", ["INCOMING_PAYMENT.FAILED"]],
  ],
})
