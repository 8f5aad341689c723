/**
 * The postings of a payment that exchanges: the service takes in one currency and gives out another at the quote's stored
 * amounts. Each currency balances by itself; what the service holds of it is its position.
 * Source: wire contract 5.5 and 5.7 (refunds); D-122.
 */
import * as Ledger from "../ledger/LedgerAccounts.ts"
import type { CurrencyCode } from "../money/Currencies.ts"
import type { Changes } from "../operation/Changes.ts"
import * as ChangeParts from "../operation/Changes.ts"
import type { LedgerAccount, Stored } from "../ports/ChangeSet.ts"
import type { Owner } from "../ports/Kinds.ts"
import type { Exchange } from "./Exchange.ts"

/** A payment that exchanges, with the internal accounts that it touches. */
export interface Exchanging {
  readonly owner: Owner
  readonly reference: string
  readonly sent: { readonly amount: number; readonly currency: CurrencyCode }
  readonly exchange: Exchange
  /** The account that pays, or takes what comes back. */
  readonly account: Stored<"InternalAccount"> | undefined
  /** The account that receives, where it is an internal one. */
  readonly receiver: Stored<"InternalAccount"> | undefined
}

type Side = LedgerAccount | string

const idOf = (side: Side): string => (typeof side === "string" ? side : side.id)

/** One movement, and the ledger accounts that it may open; an amount of nothing moves nothing. */
const post = (reference: string, currency: CurrencyCode, amount: number, from: Side, to: Side): Changes =>
  amount === 0
    ? {}
    : {
        ledgerAccounts: [from, to].filter((side) => typeof side !== "string"),
        transfers: [{ from: idOf(from), to: idOf(to), amount, currency, reference }],
      }

/** What is taken in, part by part: what is exchanged, and the fees. */
const parts = ({ exchange, owner, sent }: Exchanging) => {
  const { platform, service } = exchange.fees
  const at = (role: "exchange" | "service-fee" | "platform-fee") => Ledger.ownedBy(owner, sent.currency, role)
  return [
    { amount: sent.amount - service - platform, at: at("exchange") },
    { amount: service, at: at("service-fee") },
    { amount: platform, at: at("platform-fee") },
  ]
}

const outside = ({ owner }: Exchanging, currency: CurrencyCode) => Ledger.ownedBy(owner, currency, "outside")
const transit = ({ owner }: Exchanging, currency: CurrencyCode) => Ledger.transit(owner, currency)

/** Where money that comes back goes: to an internal account, or to the sender outside. */
const back = (moved: Exchanging): Side =>
  moved.account === undefined ? outside(moved, moved.sent.currency) : Ledger.available(moved.account.id)

const destination = (moved: Exchanging): Side =>
  moved.receiver === undefined ? outside(moved, moved.exchange.received.currency) : Ledger.available(moved.receiver.id)

const unapplied = ({ owner, reference, sent }: Exchanging) => Ledger.unapplied(reference, owner, sent.currency).to

/** The exchange in reverse, and the money to where it goes. */
const unwound = (moved: Exchanging, to: Side): Changes => {
  const { exchange, owner, reference, sent } = moved
  const { amount, currency } = exchange.received
  return ChangeParts.combine(
    post(reference, currency, amount, transit(moved, currency), Ledger.ownedBy(owner, currency, "exchange")),
    ...parts(moved).map((part) => post(reference, sent.currency, part.amount, part.at, to)),
  )
}

/** The money comes, is exchanged, and is on its way. */
export const send = (moved: Exchanging): Changes => {
  const { account, exchange, owner, reference, sent } = moved
  const { amount, currency } = exchange.received
  const from =
    exchange.funding === "ACCOUNT" && account !== undefined
      ? Ledger.available(account.id)
      : outside(moved, sent.currency)
  return ChangeParts.combine(
    ...parts(moved).map((part) => post(reference, sent.currency, part.amount, from, part.at)),
    post(reference, currency, amount, Ledger.ownedBy(owner, currency, "exchange"), transit(moved, currency)),
  )
}

export const deliver = (moved: Exchanging): Changes => {
  const { amount, currency } = moved.exchange.received
  return post(moved.reference, currency, amount, transit(moved, currency), destination(moved))
}

/** The receiving bank returned it: it is under way again, back. */
export const comeBack = (moved: Exchanging): Changes => {
  const { amount, currency } = moved.exchange.received
  return post(moved.reference, currency, amount, destination(moved), transit(moved, currency))
}

export const refund = (moved: Exchanging): Changes => unwound(moved, back(moved))

/** The money does not find back: unapplied, in the currency in which it was sent, it waits for a person. */
export const strand = (moved: Exchanging): Changes => unwound(moved, unapplied(moved))

/** A payer sent another amount than the quote's: it is kept apart until it goes back. */
const apart = (moved: Exchanging, from: (moved: Exchanging) => Side, to: (moved: Exchanging) => Side): Changes =>
  post(moved.reference, moved.sent.currency, moved.exchange.mismatch ?? 0, from(moved), to(moved))
const sentOutside = (moved: Exchanging) => outside(moved, moved.sent.currency)
const sentTransit = (moved: Exchanging) => transit(moved, moved.sent.currency)

export const sendMismatch = (moved: Exchanging): Changes => apart(moved, sentOutside, sentTransit)
export const refundMismatch = (moved: Exchanging): Changes => apart(moved, sentTransit, back)
export const strandMismatch = (moved: Exchanging): Changes => apart(moved, sentTransit, unapplied)
