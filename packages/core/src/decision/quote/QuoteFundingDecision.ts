/**
 * Decides on the money that a payer sends for a quote: refused, accepted, or returned because the amount differs.
 * Source: wire contract 5.5, 5.7, 7.1 (FUNDING_AMOUNT_MISMATCH) and 11 (7); D-130.
 */

import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { quoteStateRefusal } from "../../model/quote/QuoteExecutionRules.ts"
import { type TransactionResource, toTransaction } from "../../model/transaction/TransactionResource.ts"
import type { ArrivedMoney } from "../../ports/DepositScreening.ts"
import { asOf } from "../../store/AsOf.ts"
import * as Changes from "../../store/Changes.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, exceededExactRange, refuse } from "../Decision.ts"
import { recordPayment, refundMismatch } from "../transaction/QuotePaymentChanges.ts"
import { decisionScope, type QuoteRecords } from "./QuoteExecutionDecision.ts"

/** The money that a payer sent. */
export interface Payment {
  readonly currency: CurrencyCode
  /** Absent: the quote's sending amount. */
  readonly amount: number | undefined
  /** The hash of the payer's transaction on a chain. */
  readonly transactionHash?: string | undefined
}

/** The money that arrives for a quote on a chain; `undefined`: its payer does not send crypto assets. */
export const arrivedOnChain = (
  { transaction: { data, id } }: QuoteRecords,
  amount = data.amount,
): ArrivedMoney | undefined => {
  const { currency, exchange } = data
  const network = exchange?.network
  return network && { transactionId: id, currency, amount, source: { cryptoNetwork: network } }
}

const fundingRefusal = ({ quote: stored }: QuoteRecords, { currency }: Payment, now: number): Refusal | undefined => {
  const { data } = stored
  if (data.funding !== "PUSH") {
    return {
      code: "INVALID_INPUT",
      message: "The quote is not paid by a payer: execute it.",
      details: { reason: "NOT_SENT_BY_PAYER" },
    }
  }
  if (currency !== data.sendingCurrency) {
    return {
      code: "INVALID_CURRENCY",
      message: `The quote is paid in ${data.sendingCurrency}.`,
      details: { sendingCurrency: data.sendingCurrency },
    }
  }
  const quote = asOf(stored, now).data
  return quote.status === "PENDING" ? undefined : { ...quoteStateRefusal(quote), code: "INVALID_INPUT" }
}

/** Decides on a payment that a payer sent. */
export const fundQuote =
  (payment: Payment) =>
  (
    { arrivedHash, ...records }: QuoteRecords & { readonly arrivedHash: string | undefined },
    context: DecisionContext,
  ): Decision<TransactionResource> => {
    const refusal = fundingRefusal(records, payment, context.now)
    if (refusal !== undefined) return refuse(refusal)
    const { quote, transaction } = records
    const scope = decisionScope(records, context)
    const { amount = transaction.data.amount } = payment
    const transition =
      amount === transaction.data.amount
        ? recordPayment(scope, transaction, payment.transactionHash ?? arrivedHash)
        : refundMismatch(scope, transaction, amount, exceededExactRange(context.rejections))
    const audit = auditRecord(context, "SANDBOX_SEND", quote, { details: { amount, currency: payment.currency } })
    return answer(
      200,
      toTransaction(transition.transaction),
      Changes.combine(transition.changes, audit, { validUntil: quote.data.expiresAt }),
    )
  }
