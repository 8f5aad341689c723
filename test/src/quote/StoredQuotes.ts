/** Stored quotes with their challenge, transaction and accounts, for tests of decisions. */
import type { Quote } from "@countersign/core/models"
import type { Stored } from "@countersign/core/store"
import { zeroReceivable } from "../../../packages/core/src/decision/ledger/PostingChanges.ts"
import type { QuoteRecords } from "../../../packages/core/src/decision/quote/QuoteExecutionDecision.ts"
import type { OutgoingTransaction } from "../../../packages/core/src/model/transaction/Transaction.ts"
import {
  exchangeOf,
  externalOf,
  internalOf,
  now,
  outgoingOf,
  owner,
  transactionId,
} from "../transaction/StoredTransactions.ts"
import { customerOf } from "./CreationFacts.ts"

export const minute = 60_000
export const dated = { ...owner, version: 1, createdAt: 0, updatedAt: 0 }
export type Challenge = NonNullable<Quote["challenge"]>
export const challenge: Challenge = {
  id: "ScaChallenge:1",
  factor: "SMS_OTP",
  availableFactors: ["SMS_OTP"],
  expiresAt: now + 4 * minute,
  purpose: "p",
  remaining: [],
  resends: 0,
}
export const quoteOf = (status: Quote["status"], more: Partial<Quote> = {}): Stored<"Quote"> => ({
  ...owner,
  kind: "Quote",
  id: "Quote:1",
  version: 2,
  createdAt: 1,
  updatedAt: 1,
  data: {
    expiresAt: now + 15 * minute,
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
    status,
    transactionId,
    ...more,
  },
})
const { fundedAt: _fundedAt, ...unfunded } = exchangeOf()
/** An exchange that no money has come in for. */
export const waiting = unfunded
const { submittedAt: _submitted, ...fresh } = outgoingOf().data
export const customer = { ...customerOf(), data: { ...customerOf().data, phoneNumber: "+14155550123" } }
export const recordsOf = (
  quote: Stored<"Quote">,
  data: Partial<OutgoingTransaction> = {},
  more: Partial<QuoteRecords> = {},
): QuoteRecords => ({
  quote,
  transaction: { ...outgoingOf(), data: { ...fresh, exchange: waiting, ...data } },
  account: internalOf(),
  available: 400,
  owed: zeroReceivable,
  pulled: undefined,
  receiver: undefined,
  destination: externalOf(),
  customer,
  ...more,
})
