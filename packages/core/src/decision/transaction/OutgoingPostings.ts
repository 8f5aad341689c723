/**
 * Selects the postings of an outgoing transaction: a transfer in one currency, an exchange, or a mismatched funding amount.
 * Source: wire contract 5.7; D-091, D-122.
 */
import { payingOwnerOf, type StoredOutgoing } from "../../model/transaction/TransactionResource.ts"
import type { Changes } from "../../store/Changes.ts"
import * as Postings from "../ledger/PostingChanges.ts"
import type { DecisionScope } from "./DecisionScope.ts"
import * as Exchanges from "./ExchangeChanges.ts"
import type { PostingName } from "./OutgoingTransitions.ts"

type PostingsByName = { readonly [Name in PostingName]: () => Changes }

const transferPostings = (
  movement: Postings.Movement,
  sourceReceivable: Postings.ReceivableBalance,
): PostingsByName => ({
  send: () => Postings.send(movement),
  deliver: () => Postings.deliver(movement),
  returnPayout: () => Postings.returnPayout(movement),
  refund: () => Postings.refund(movement, sourceReceivable),
  refundToUnapplied: () => Postings.refundToUnapplied(movement),
  refundFromUnapplied: () => Postings.applyUnapplied(movement, sourceReceivable),
})

const exchangePostings = (payment: Exchanges.ExchangePayment): PostingsByName => ({
  send: () => Exchanges.send(payment),
  deliver: () => Exchanges.deliver(payment),
  returnPayout: () => Exchanges.returnPayout(payment),
  refund: () => Exchanges.refund(payment),
  refundToUnapplied: () => Exchanges.refundToUnapplied(payment),
  refundFromUnapplied: () => Exchanges.refundFromUnapplied(payment, payment.sent.amount),
})

/** A mismatched amount is never exchanged: it is held in transit in the sending currency until it is refunded. */
const mismatchPostings = (payment: Exchanges.ExchangePayment): PostingsByName => ({
  ...exchangePostings(payment),
  send: () => Exchanges.sendMismatch(payment),
  refund: () => Exchanges.refundMismatch(payment),
  refundToUnapplied: () => Exchanges.refundMismatchToUnapplied(payment),
  refundFromUnapplied: () => Exchanges.refundFromUnapplied(payment, payment.exchange.mismatch ?? 0),
})

export const postingFor = (scope: DecisionScope, { data, ...stored }: StoredOutgoing, name: PostingName): Changes => {
  const { destination, source } = scope
  const { sourceReceivable = Postings.zeroReceivable, destinationReceivable = Postings.zeroReceivable } = scope
  const { amount, currency, exchange } = data
  if (exchange === undefined) {
    if (source === undefined) throw new Error(`${stored.id} has no source account`)
    return transferPostings({ account: source, amount, reference: stored.id }, sourceReceivable)[name]()
  }
  const payment: Exchanges.ExchangePayment = {
    owner: payingOwnerOf({ ...stored, data }),
    reference: stored.id,
    sent: { amount, currency },
    exchange,
    source,
    sourceReceivable,
    destination,
    destinationReceivable,
  }
  return exchange.mismatch === undefined ? exchangePostings(payment)[name]() : mismatchPostings(payment)[name]()
}
