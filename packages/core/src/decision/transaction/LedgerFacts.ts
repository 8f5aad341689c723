/** What the ledger has of a transaction that was given to a rail, in the words of a reconciliation. Source: D-535. */
import { payoutOf } from "../../model/transaction/Transaction.ts"
import type { LedgerFact, SubmittedPayment } from "../../ports/BankReconciliation.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { railAccountOf } from "./RailRequests.ts"

type Transaction = Stored<"Transaction">

const moneyOf = ({ data }: Transaction) =>
  data.type === "OUTGOING" ? payoutOf(data) : { amount: data.amount, currency: data.currency }

const ended: ReadonlySet<string> = new Set(["COMPLETED", "FAILED", "REJECTED", "REFUNDED", "EXPIRED"])

/** Money that came back counts as not moved, whatever the status says. */
export const ledgerFactOf = (stored: Transaction): LedgerFact => {
  const { amount, currency } = moneyOf(stored)
  const { refund, status } = stored.data
  const isExecuted = status === "COMPLETED" && refund === undefined
  return { reference: stored.id, amount, currency, ...(ended.has(status) ? { isExecuted } : {}) }
}

/** `undefined`: no rail was asked. */
export const submittedPaymentOf = (stored: Transaction): SubmittedPayment | undefined => {
  const account = railAccountOf(stored)
  const { submittedAt } = stored.data
  if (account === undefined || submittedAt === undefined) return undefined
  const direction = stored.data.type === "OUTGOING" ? "push" : "pull"
  const rail = stored.data.externalAccount?.rail
  const base = { reference: stored.id, direction, account, amount: moneyOf(stored).amount, submittedAt } as const
  return rail === undefined ? base : { ...base, rail }
}
