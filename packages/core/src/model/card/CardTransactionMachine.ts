/**
 * State machine of a card transaction.
 * Source: wire contract 3.5 (the specification shows none); D-173, D-174.
 */
import * as Machine from "../../foundation/kit/Machine.ts"

export const CardTransactionMachine = Machine.make({
  name: "CardTransaction",
  arrows: [
    [null, "Authorize", "AUTHORIZED", ["CARD_TRANSACTION.AUTHORIZED"]],
    ["AUTHORIZED", "SettlePart", "PARTIALLY_SETTLED", ["CARD_TRANSACTION.PARTIALLY_SETTLED"]],
    ["AUTHORIZED", "Settle", "SETTLED", ["CARD_TRANSACTION.SETTLED"]],
    ["PARTIALLY_SETTLED", "Settle", "SETTLED", ["CARD_TRANSACTION.SETTLED"]],
    ["SETTLED", "Refund", "REFUNDED", ["CARD_TRANSACTION.REFUNDED"]],
    ["REFUNDED", "ReverseRefund", "SETTLED", ["CARD_TRANSACTION.SETTLED"]],
    ["AUTHORIZED", "FailPull", "EXCEPTION", ["CARD_TRANSACTION.EXCEPTION"]],
    ["PARTIALLY_SETTLED", "FailPull", "EXCEPTION", ["CARD_TRANSACTION.EXCEPTION"]],
    // The pull of a late clearing failed.
    ["SETTLED", "FailPull", "EXCEPTION", ["CARD_TRANSACTION.EXCEPTION"]],
    // The operator collected the money of the failed pull.
    ["EXCEPTION", "Collect", "SETTLED", ["CARD_TRANSACTION.SETTLED"]],
  ],
})

export type CardTransactionTrigger = Machine.TriggerOf<typeof CardTransactionMachine>
