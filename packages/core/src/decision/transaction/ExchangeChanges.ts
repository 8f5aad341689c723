/**
 * The postings of a payment that exchanges: the service takes in one currency and gives out another at the quote's stored
 * amounts. Each currency balances by itself; what the service holds of it is its position.
 * Source: wire contract 5.5 and 5.7 (refunds); D-114, D-122.
 */

import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { Owner } from "../../model/record/Record.ts"
import type { Exchange } from "../../model/transaction/Exchange.ts"
import type { LedgerAccount, Stored } from "../../store/ChangeSet.ts"
import type { Changes } from "../../store/Changes.ts"
import * as ChangeParts from "../../store/Changes.ts"
import * as Ledger from "../../store/LedgerAccounts.ts"
import { debtOf, type Owed } from "../ledger/PostingChanges.ts"

/** A payment that exchanges, with the internal accounts that it touches. */
export interface Exchanging {
  readonly owner: Owner
  readonly reference: string
  readonly sent: { readonly amount: number; readonly currency: CurrencyCode }
  readonly exchange: Exchange
  /** The account that pays, or takes what comes back. */
  readonly account: Stored<"InternalAccount"> | undefined
  /** What its owner owes in the currency that is sent. */
  readonly owed: Owed
  /** The account that receives, where it is an internal one. */
  readonly receiver: Stored<"InternalAccount"> | undefined
  /** What its owner owes in the currency that is received. */
  readonly receiverOwed: Owed
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

/** A part of what moves to one place, and where it comes from. */
interface Part {
  readonly amount: number
  readonly at: Side
}
type Taking = (parts: ReadonlyArray<Part>) => Changes

/** All of it goes to one ledger account. */
const to =
  ({ reference }: Exchanging, currency: CurrencyCode, side: Side): Taking =>
  (parts) =>
    ChangeParts.combine(...parts.map(({ amount, at }) => post(reference, currency, amount, at, side)))

/** It enters an internal account: what its owner owes is paid first, the rest can be spent (D-114). */
const into =
  ({ reference }: Exchanging, { data, id, ...owner }: Stored<"InternalAccount">, owed: Owed): Taking =>
  (parts) => {
    const receivable = Ledger.receivable(owner, data.currency).id
    let debt = debtOf(owed)
    const posts = parts.flatMap(({ amount, at }) => {
      const paid = Math.min(amount, debt)
      debt -= paid
      return [
        post(reference, data.currency, paid, at, receivable),
        post(reference, data.currency, amount - paid, at, Ledger.available(id)),
      ]
    })
    // Nobody pays the same debt twice.
    const isPaid = debt < debtOf(owed)
    const assertions = isPaid ? [{ account: receivable, sequence: owed.sequence }] : []
    return ChangeParts.combine(...posts, { assertions })
  }

/** Where money that comes back goes: to an internal account, or to the sender outside. */
const back = (moved: Exchanging): Taking =>
  moved.account === undefined
    ? to(moved, moved.sent.currency, outside(moved, moved.sent.currency))
    : into(moved, moved.account, moved.owed)

const destination = (moved: Exchanging): Taking => {
  const { currency } = moved.exchange.received
  return moved.receiver === undefined
    ? to(moved, currency, outside(moved, currency))
    : into(moved, moved.receiver, moved.receiverOwed)
}

const unapplied = (moved: Exchanging): Taking => {
  const { owner, reference, sent } = moved
  return to(moved, sent.currency, Ledger.unapplied(reference, owner, sent.currency).to)
}

/** The exchange in reverse, and the money to where it goes. */
const unwound = (moved: Exchanging, taking: Taking): Changes => {
  const { exchange, owner, reference } = moved
  const { amount, currency } = exchange.received
  return ChangeParts.combine(
    post(reference, currency, amount, transit(moved, currency), Ledger.ownedBy(owner, currency, "exchange")),
    taking(parts(moved)),
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
  return destination(moved)([{ amount, at: transit(moved, currency) }])
}

/** The receiving bank returned it: it is under way again, back. */
export const comeBack = (moved: Exchanging): Changes => {
  const { exchange, receiver, reference } = moved
  const { amount, currency } = exchange.received
  const from = receiver === undefined ? outside(moved, currency) : Ledger.available(receiver.id)
  return post(reference, currency, amount, from, transit(moved, currency))
}

export const refund = (moved: Exchanging): Changes => unwound(moved, back(moved))

/** The money does not find back: unapplied, in the currency in which it was sent, it waits for a person. */
export const strand = (moved: Exchanging): Changes => unwound(moved, unapplied(moved))

/** A payer sent another amount than the quote's: it is kept apart until it goes back. */
const mismatched = ({ exchange }: Exchanging): number => exchange.mismatch ?? 0
const sentTransit = (moved: Exchanging) => transit(moved, moved.sent.currency)

export const sendMismatch = (moved: Exchanging): Changes => {
  const { currency } = moved.sent
  return post(moved.reference, currency, mismatched(moved), outside(moved, currency), sentTransit(moved))
}
export const refundMismatch = (moved: Exchanging): Changes =>
  back(moved)([{ amount: mismatched(moved), at: sentTransit(moved) }])
export const strandMismatch = (moved: Exchanging): Changes =>
  unapplied(moved)([{ amount: mismatched(moved), at: sentTransit(moved) }])
