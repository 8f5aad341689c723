/**
 * The state machine of a quote. A quote changes together with its transaction, so its triggers and events are those of the
 * transaction's machine.
 * Source: wire contract 5.5; D-120.
 */
import * as Machine from "../../foundation/kit/Machine.ts"

export const QuoteMachine = Machine.make({
  name: "Quote",
  states: ["PENDING", "PENDING_AUTHORIZATION", "PROCESSING", "COMPLETED", "FAILED", "EXPIRED"],
  triggers: ["Create", "Challenge", "Authorize", "Begin", "Deliver", "Fail", "Return", "Expire", "Conclude"],
  arrows: [
    [null, "Create", "PENDING"],
    // A quote that a payer funds is challenged at creation, any other quote at execution.
    ["PENDING", "Challenge", "PENDING_AUTHORIZATION"],
    ["PENDING_AUTHORIZATION", "Challenge", "PENDING_AUTHORIZATION"],
    ["PENDING_AUTHORIZATION", "Authorize", "PENDING"],
    ["PENDING_AUTHORIZATION", "Begin", "PROCESSING"],
    ["PENDING_AUTHORIZATION", "Fail", "FAILED"],
    // Executed, or funded by its payer.
    ["PENDING", "Begin", "PROCESSING"],
    ["PENDING", "Expire", "EXPIRED"],
    ["PROCESSING", "Deliver", "COMPLETED"],
    ["PROCESSING", "Fail", "FAILED"],
    ["PROCESSING", "Conclude", "COMPLETED"],
    ["COMPLETED", "Return", "FAILED"],
  ],
})
