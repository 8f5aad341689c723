/** A stored quote with its transaction, accounts and customer, for tests of what is decided on them. */
import type { QuoteRecords } from "../../../packages/core/src/decision/quote/QuoteExecutionDecision.ts"
import type { Quote, QuoteChallenge } from "../../../packages/core/src/model/quote/Quote.ts"
import type { Exchange } from "../../../packages/core/src/model/transaction/Exchange.ts"
import type { OutgoingTransaction } from "../../../packages/core/src/model/transaction/Transaction.ts"
import type { StoredOutgoing } from "../../../packages/core/src/model/transaction/TransactionResource.ts"
import type { Stored } from "../../../packages/core/src/store/ChangeSet.ts"
import { scaOf } from "../sca/StoredSca.ts"
import {
  exchangeOf,
  externalOf,
  internalOf,
  now,
  outgoingOf,
  owner,
  transactionId,
} from "../transaction/StoredTransactions.ts"

export const expiresAt = now + 60_000
/** What is agreed, for a minute. */
export const terms: Quote = {
  status: "PENDING",
  expiresAt,
  source: { sourceType: "ACCOUNT", accountId: "InternalAccount:1" },
  destination: { destinationType: "ACCOUNT", accountId: "ExternalAccount:1" },
  sendingCurrency: "USD",
  receivingCurrency: "EUR",
  totalSendingAmount: 400,
  totalReceivingAmount: 350,
  rate: { numerator: "9", denominator: "10" },
  feesIncluded: 0,
  platformFeesIncluded: 0,
  funding: "ACCOUNT",
  accountId: "InternalAccount:1",
  transactionId,
}
export const quoteOf = (data: Partial<Quote> = {}): Stored<"Quote"> => ({
  ...owner,
  kind: "Quote",
  id: "Quote:1",
  version: 2,
  createdAt: now - 9000,
  updatedAt: now - 9000,
  data: { ...terms, ...data },
})

/** The transaction of a quote whose money has not arrived. */
export const paymentOf = (
  data: Partial<OutgoingTransaction> = {},
  exchange: Partial<Exchange> = {},
): StoredOutgoing => {
  const { submittedAt: _submitted, ...fresh } = outgoingOf().data
  const { fundedAt: _funded, ...waiting } = exchangeOf()
  return { ...outgoingOf(), data: { ...fresh, exchange: { ...waiting, ...exchange }, ...data } }
}

export const challengeOf = (data: Partial<QuoteChallenge> = {}): QuoteChallenge => ({
  id: "ScaChallenge:1",
  factor: "SMS_OTP",
  availableFactors: ["SMS_OTP", "PASSKEY"],
  expiresAt: now + 9000,
  purpose: "PAYMENT",
  remaining: [],
  resends: 0,
  ...data,
})

/** An executable quote of a customer under strong authentication, out of an internal account. */
export const recordsOf = (more: Partial<QuoteRecords> = {}): QuoteRecords => {
  const { customer } = scaOf()
  return {
    quote: quoteOf(),
    transaction: paymentOf(),
    account: internalOf(),
    available: 400,
    owed: { balance: 0, sequence: 1 },
    pulled: undefined,
    receiver: undefined,
    destination: externalOf(),
    customer: { ...customer, data: { ...customer.data, checkStatus: "APPROVED" } },
    ...more,
  }
}

/** The quote as a decision has updated it. */
export const updatedQuote = (
  changes: { readonly updates?: ReadonlyArray<{ readonly kind: string; readonly data: unknown }> } = {},
) => (changes.updates ?? []).flatMap(({ data, kind }) => (kind === "Quote" ? [data] : []))
