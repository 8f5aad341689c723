/**
 * The states of a quote. It moves in step with its transaction: the triggers are those of the transaction's machine, and so are
 * the events.
 * Source: wire contract 5.5; D-120.
 */
import * as Machine from "../../foundation/kit/Machine.ts"

export const QuoteMachine = Machine.make({
  name: "Quote",
  states: ["PENDING", "PENDING_AUTHORIZATION", "PROCESSING", "COMPLETED", "FAILED", "EXPIRED"],
  triggers: ["Create", "Challenge", "Authorize", "Begin", "Deliver", "Fail", "Return", "Expire", "Conclude"],
  arrows: [
    [null, "Create", "PENDING"],
    // Of a payer who sends the money at its creation, of other sources when it is executed.
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
