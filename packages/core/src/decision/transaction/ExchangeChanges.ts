/**
 * The postings of a payment with an exchange: the service takes one currency in and pays another out at the quote's stored
 * amounts. Each currency balances by itself; the service's balance in a currency is its position.
 * Source: wire contract 5.5 and 5.7 (refunds); D-114, D-122.
 */

import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { Owner } from "../../model/record/Record.ts"
import type { Exchange } from "../../model/transaction/Exchange.ts"
import type { LedgerAccount, Stored } from "../../store/ChangeSet.ts"
import type { Changes } from "../../store/Changes.ts"
import * as ChangeParts from "../../store/Changes.ts"
import * as Ledger from "../../store/LedgerAccounts.ts"
import { outstandingDebt, type ReceivableBalance } from "../ledger/PostingChanges.ts"

/** A payment with an exchange, and its internal accounts. */
export interface ExchangePayment {
  readonly owner: Owner
  /** The transaction's id. */
  readonly reference: string
  readonly sent: { readonly amount: number; readonly currency: CurrencyCode }
  readonly exchange: Exchange
  /** The internal account that pays and receives refunds; absent when the sender is outside the service. */
  readonly source: Stored<"InternalAccount"> | undefined
  /** The source owner's debt in the sending currency. */
  readonly sourceReceivable: ReceivableBalance
  /** The internal account that is paid; absent when the recipient is outside the service. */
  readonly destination: Stored<"InternalAccount"> | undefined
  /** The destination owner's debt in the receiving currency. */
  readonly destinationReceivable: ReceivableBalance
}

/** A ledger account that the posting may open, or the id of an existing one. */
type PostingSide = LedgerAccount | string

const idOf = (side: PostingSide): string => (typeof side === "string" ? side : side.id)

/** One posting; an amount of 0 posts nothing. */
const post = (
  reference: string,
  currency: CurrencyCode,
  amount: number,
  from: PostingSide,
  to: PostingSide,
): Changes =>
  amount === 0
    ? {}
    : {
        ledgerAccounts: [from, to].filter((side) => typeof side !== "string"),
        transfers: [{ from: idOf(from), to: idOf(to), amount, currency, reference }],
      }

/** An amount and the ledger account that it is debited from or credited to. */
interface Leg {
  readonly amount: number
  readonly at: PostingSide
}

/** The sent amount in three legs: the amount exchanged, the service's fee and the platform's fee. */
const sentLegs = ({ exchange, owner, sent }: ExchangePayment): ReadonlyArray<Leg> => {
  const { platform, service } = exchange.fees
  const at = (role: "exchange" | "service-fee" | "platform-fee") => Ledger.ownedBy(owner, sent.currency, role)
  return [
    { amount: sent.amount - service - platform, at: at("exchange") },
    { amount: service, at: at("service-fee") },
    { amount: platform, at: at("platform-fee") },
  ]
}

const outside = ({ owner }: ExchangePayment, currency: CurrencyCode) => Ledger.ownedBy(owner, currency, "outside")
const transit = ({ owner }: ExchangePayment, currency: CurrencyCode) => Ledger.transit(owner, currency)

/** Credits all legs to one place. */
type Credit = (legs: ReadonlyArray<Leg>) => Changes

const creditTo =
  ({ reference }: ExchangePayment, currency: CurrencyCode, side: PostingSide): Credit =>
  (legs) =>
    ChangeParts.combine(...legs.map(({ amount, at }) => post(reference, currency, amount, at, side)))

/** Credits an internal account: its owner's debt is repaid first, the rest becomes available (D-114). */
const creditInternalAccount =
  ({ reference }: ExchangePayment, account: Stored<"InternalAccount">, receivable: ReceivableBalance): Credit =>
  (legs) => {
    const { data, id, ...owner } = account
    const debtor = Ledger.receivable(owner, data.currency).id
    let debt = outstandingDebt(receivable)
    const postings = legs.flatMap(({ amount, at }) => {
      const repaid = Math.min(amount, debt)
      debt -= repaid
      return [
        post(reference, data.currency, repaid, at, debtor),
        post(reference, data.currency, amount - repaid, at, Ledger.available(id)),
      ]
    })
    // The assertion prevents two commits from repaying the same debt.
    const isRepaid = debt < outstandingDebt(receivable)
    const assertions = isRepaid ? [{ account: debtor, sequence: receivable.sequence }] : []
    // A debt that arises before the commit writes the account's record.
    return ChangeParts.combine(...postings, { assertions }, ChangeParts.guard(account))
  }

/** A refund credits the source account, or the sender outside the service. */
const creditSource = (payment: ExchangePayment): Credit =>
  payment.source === undefined
    ? creditTo(payment, payment.sent.currency, outside(payment, payment.sent.currency))
    : creditInternalAccount(payment, payment.source, payment.sourceReceivable)

const creditDestination = (payment: ExchangePayment): Credit => {
  const { currency } = payment.exchange.received
  return payment.destination === undefined
    ? creditTo(payment, currency, outside(payment, currency))
    : creditInternalAccount(payment, payment.destination, payment.destinationReceivable)
}

const unapplied = ({ owner, reference, sent }: ExchangePayment) => Ledger.unapplied(reference, owner, sent.currency).to

const creditUnapplied = (payment: ExchangePayment): Credit =>
  creditTo(payment, payment.sent.currency, unapplied(payment))

/** Reverses the exchange and credits the sent amount. */
const reverseExchange = (payment: ExchangePayment, credit: Credit): Changes => {
  const { exchange, owner, reference } = payment
  const { amount, currency } = exchange.received
  return ChangeParts.combine(
    post(reference, currency, amount, transit(payment, currency), Ledger.ownedBy(owner, currency, "exchange")),
    credit(sentLegs(payment)),
  )
}

/** Debits the source, exchanges the money and books the received amount in transit. */
export const send = (payment: ExchangePayment): Changes => {
  const { exchange, owner, reference, sent, source } = payment
  const { amount, currency } = exchange.received
  const from =
    exchange.funding === "ACCOUNT" && source !== undefined
      ? Ledger.available(source.id)
      : outside(payment, sent.currency)
  return ChangeParts.combine(
    ...sentLegs(payment).map((leg) => post(reference, sent.currency, leg.amount, from, leg.at)),
    post(reference, currency, amount, Ledger.ownedBy(owner, currency, "exchange"), transit(payment, currency)),
  )
}

/** Credits the destination: the money leaves transit. */
export const deliver = (payment: ExchangePayment): Changes => {
  const { amount, currency } = payment.exchange.received
  return creditDestination(payment)([{ amount, at: transit(payment, currency) }])
}

/** The receiving bank returned a delivered payment: the money is in transit again. */
export const returnPayout = (payment: ExchangePayment): Changes => {
  const { destination, exchange, reference } = payment
  const { amount, currency } = exchange.received
  const from = destination === undefined ? outside(payment, currency) : Ledger.available(destination.id)
  return post(reference, currency, amount, from, transit(payment, currency))
}

export const refund = (payment: ExchangePayment): Changes => reverseExchange(payment, creditSource(payment))

/** Books a refund that cannot be credited as unapplied, in the sending currency. */
export const refundToUnapplied = (payment: ExchangePayment): Changes =>
  reverseExchange(payment, creditUnapplied(payment))

const mismatchLeg = (payment: ExchangePayment): Leg => ({
  amount: payment.exchange.mismatch ?? 0,
  at: transit(payment, payment.sent.currency),
})

/** Books an amount other than the quote's in transit, in the sending currency: it is not exchanged. */
export const sendMismatch = (payment: ExchangePayment): Changes => {
  const { currency } = payment.sent
  const { amount, at } = mismatchLeg(payment)
  return post(payment.reference, currency, amount, outside(payment, currency), at)
}

export const refundMismatch = (payment: ExchangePayment): Changes => creditSource(payment)([mismatchLeg(payment)])

export const refundMismatchToUnapplied = (payment: ExchangePayment): Changes =>
  creditUnapplied(payment)([mismatchLeg(payment)])

/** Credits a refund that was booked as unapplied, now that it has arrived. */
export const refundFromUnapplied = (payment: ExchangePayment, amount: number): Changes =>
  creditSource(payment)([{ amount, at: unapplied(payment).id }])
