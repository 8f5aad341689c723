/** A module of `--ports` whose bank has sent a statement: one line agrees, one is of others, and one is suspicious. */
import { BankReconciliation } from "@countersign/core/ports"
import { Effect, Layer } from "effect"
import sandboxPorts from "../e2e/SandboxPorts.ts"

const reference = "Transaction:00000000-0000-7000-8000-000000000001"

const reconciliation: BankReconciliation = {
  banks: [{ name: "euros", account: "••3000" }],
  problems: { AMOUNT_DIFFERS: "The amount is not that of the order." },
  compare: (_bank, { to: day }) => {
    const line = { statementId: "STM1", day, currency: "EUR", isCredit: false }
    const own = { reference, platformId: "", direction: "push", currency: "EUR", amount: 4_000, day } as const
    return Effect.succeed({
      lines: [
        { ...line, amount: 4_000, verdict: "MATCHED", orders: [own] },
        { ...line, amount: 250, verdict: "UNMATCHED", orders: [] },
        { ...line, amount: 4_100, verdict: "SUSPICIOUS", problem: "AMOUNT_DIFFERS", orders: [own] },
      ],
      orders: [{ ...own, verdict: "AGREED", isExecuted: true, isOnStatement: true, isInLedger: false }],
    })
  },
  withoutOrder: () => Effect.succeed([]),
}

export default Layer.merge(sandboxPorts, Layer.succeed(BankReconciliation, reconciliation))
