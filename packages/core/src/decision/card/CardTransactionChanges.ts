/**
 * What a card transaction changes at each message of the network: the record, the ledger, the events and the next job. A hold
 * is released or captured once: `held` of the record and what its pulls took are always the account's held money.
 * Source: wire contract 3.5 and 7.5; D-173 to D-176.
 */

import { type CardTransaction, isPending, netSettled, openOf, type Pull } from "../../model/card/CardTransaction.ts"
import { CardTransactionMachine, type CardTransactionTrigger } from "../../model/card/CardTransactionMachine.ts"
import { toCardTransaction } from "../../model/card/CardTransactionResource.ts"
import type { EventType } from "../../model/event/EventTypes.ts"
import type { Owner } from "../../model/record/Record.ts"
import type { NewJob, Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { job } from "../../store/JobKinds.ts"
import * as Ledger from "../../store/LedgerAccounts.ts"
import { withoutPlaceholders } from "../../store/Placeholders.ts"
import type { DecisionContext } from "../Decision.ts"
import { newEvent } from "../event/NewEvent.ts"
import * as Postings from "../ledger/PostingChanges.ts"

/** What every change needs: the operation's identifiers and time, and the account with its available balance. */
export interface DecisionScope extends Pick<DecisionContext, "ids" | "now"> {
  readonly account: Stored<"InternalAccount">
  readonly available: { readonly balance: number; readonly sequence: number }
  /** What its owner owes in its currency: money that comes pays that first. */
  readonly owed: Postings.ReceivableBalance
  /** Whether the account cannot take the money that comes: it is set aside. */
  readonly isFull: boolean
}

/** A transaction as it stands after the change, and the change. */
export interface TransitionResult {
  readonly transaction: Stored<"CardTransaction">
  readonly changes: Changes.Changes
}

/** One step: the record after it, the arrow that it takes, and what moves in the books. */
interface Step {
  readonly data: CardTransaction
  readonly on?: CardTransactionTrigger
  readonly posts?: ReadonlyArray<Changes.Changes>
  readonly jobs?: ReadonlyArray<NewJob>
}

/** A step of a transaction in its place. */
export type Transition = (place: DecisionScope, stored: Stored<"CardTransaction">) => Step

/** How long an authorization waits for its clearings. Source: D-175. */
const authorizationMillis = 7 * 24 * 60 * 60 * 1000

const told = ({ ids, now }: DecisionScope, stored: Stored<"CardTransaction">, type: EventType): Changes.Changes =>
  newEvent(ids, now, {
    type,
    customerId: stored.customerId,
    subject: stored.id,
    data: withoutPlaceholders({ ...toCardTransaction(stored) }),
  })

/** Takes steps one after another in one commit: each arrow is told as the record then was, the balances once. */
const follow = (place: DecisionScope, start: TransitionResult, steps: ReadonlyArray<Transition>): TransitionResult => {
  let { transaction } = start
  const parts: Array<Changes.Changes> = []
  for (const stepping of steps) {
    const { data, jobs = [], on, posts = [] } = stepping(place, transaction)
    const transition = on && CardTransactionMachine.follow(transaction.data.status, on)
    transaction = { ...transaction, data: { ...data, status: transition?.state ?? data.status } }
    parts.push(...(transition?.emits ?? []).map((type) => told(place, transaction, type)), ...posts, { jobs })
  }
  const changes = Changes.combine(start.changes, ...parts)
  const isShown = Postings.changesBalanceOf(place.account, changes)
  return {
    transaction,
    changes: isShown ? Changes.combine(changes, Postings.balanceEvent(place.ids, place.now, place.account)) : changes,
  }
}

/** The steps of a transaction that is there. */
export const apply = (
  place: DecisionScope,
  stored: Stored<"CardTransaction">,
  ...steps: ReadonlyArray<Transition>
): TransitionResult => {
  const start: TransitionResult = { transaction: Changes.after(stored, stored.data, place.now), changes: {} }
  const { changes, transaction } = follow(place, start, steps)
  return { transaction, changes: Changes.combine(Changes.update(stored, transaction.data), changes) }
}

const payload = ({ id }: Stored<"CardTransaction">) => ({ cardTransactionId: id })

/** The job that asks the issuer for the money of a pull. */
export const collectJob = (
  { ids }: Pick<DecisionScope, "ids">,
  stored: Stored<"CardTransaction">,
  pull: number,
  dueAt: number,
): NewJob =>
  job(ids, "card.collect", {
    customerId: stored.customerId,
    dueAt,
    payload: { ...payload(stored), pull },
  })

type NewTransaction = Omit<
  CardTransaction,
  "status" | "held" | "isExpired" | "clearings" | "pulls" | "refunds" | "authorizedAt"
>

/** An authorization is approved: the whole amount is held, or expected; further steps follow in the same commit. */
export const authorize = (
  place: DecisionScope,
  owner: Owner,
  details: NewTransaction,
  ...steps: ReadonlyArray<Transition>
): TransitionResult => {
  const { account, ids, now } = place
  const id = ids("CardTransaction")
  const held = details.direction === "DEBIT" ? details.authorized : 0
  const { emits, state } = CardTransactionMachine.follow(null, "Authorize")
  const data: CardTransaction = {
    ...details,
    status: state,
    held,
    isExpired: false,
    clearings: [],
    pulls: [],
    refunds: [],
    authorizedAt: now,
  }
  const born = Changes.insertedRecord("CardTransaction", id, owner, data, now)
  const expiry = job(ids, "card.expire", {
    customerId: owner.customerId,
    dueAt: now + authorizationMillis,
    payload: payload(born),
  })
  const begun = Changes.combine(
    ...emits.map((type) => told(place, born, type)),
    held === 0 ? undefined : Postings.hold({ account, amount: held, reference: id }),
    { jobs: [expiry] },
  )
  const { changes, transaction } = follow(place, { transaction: born, changes: begun }, steps)
  return {
    transaction,
    changes: Changes.combine(Changes.insert("CardTransaction", id, owner, transaction.data), changes),
  }
}

/** Where the pulls and clearings so far take a transaction. While a pull is under way it stays where it is. */
const resolved = (place: DecisionScope, id: string, step: Step): Step => {
  const { data, posts = [] } = step
  if (isPending(data)) return step
  if (data.pulls.some(({ status }) => status === "FAILED")) {
    // Nothing more clears by itself: what waited for it is free again.
    const moved: Postings.Movement = { account: place.account, amount: data.held, reference: id }
    const freed = data.held === 0 ? [] : [Postings.release(moved)]
    const ended = { ...step, data: { ...data, held: 0, isExpired: true }, posts: [...posts, ...freed] }
    return data.status === "EXCEPTION" ? ended : { ...ended, on: "FailPull" }
  }
  const isOpen = openOf(data) > 0
  if (isOpen) return data.status === "AUTHORIZED" ? { ...step, on: "SettlePart" } : step
  if (data.status === "SETTLED") return step
  return { ...step, on: data.status === "EXCEPTION" ? "Collect" : "Settle" }
}

/** The whole available balance was read to tell what is missing. */
const resting = ({ account, available }: DecisionScope): Changes.Changes => ({
  assertions: [{ account: Ledger.available(account.id), sequence: available.sequence }],
})

/** Money that comes: to its account, or aside where that cannot take it; what the owner owes is paid before (D-114). */
const incoming = ({ account, isFull, owed }: DecisionScope, moved: Postings.Movement, data: CardTransaction): Step => {
  if (!isFull && account.data.status !== "CLOSED") return { data, posts: [Postings.credit(moved, owed)] }
  const taken = Postings.repayThenCreditToUnapplied(moved, owed)
  const isAside = (taken.ledgerAccounts ?? []).length > 0
  return { data: isAside ? { ...data, isUnapplied: true } : data, posts: [taken] }
}

/**
 * A clearing: first what is held pays for it, then what else the account holds, each by a pull of its own; the owner owes the
 * rest. A credit is paid out at once.
 */
export const clear =
  (amount: number): Transition =>
  (place, stored) => {
    const { account, available, now } = place
    const { data, id } = stored
    const cleared: CardTransaction = { ...data, clearings: [...data.clearings, amount], lastEventAt: now }
    const of = (part: number): Postings.Movement => ({ account, amount: part, reference: id })
    if (data.direction === "CREDIT") return resolved(place, id, incoming(place, of(amount), cleared))
    const fromHold = Math.min(amount, data.held)
    const further = Math.min(amount - fromHold, Math.max(0, available.balance))
    const owed = amount - fromHold - further
    const pulls = [fromHold, further]
      .filter((part) => part > 0)
      .map((part): Pull => ({ amount: part, status: "PENDING", requestedAt: now }))
    return resolved(place, id, {
      data: { ...cleared, held: data.held - fromHold, pulls: [...data.pulls, ...pulls] },
      posts: [
        ...(further === 0 ? [] : [Postings.hold(of(further))]),
        ...(owed === 0 ? [] : [Postings.chargeReceivable(of(owed)), resting(place)]),
      ],
      jobs: pulls.map((_pull, at) => collectJob(place, stored, data.pulls.length + at, now)),
    })
  }

/** What the issuer says of a pull: its money is collected, or does not come and stays held. */
export const pulled =
  (at: number, status: "DONE" | "FAILED"): Transition =>
  (place, { data, id }) => {
    const pull = data.pulls[at]
    const pulls = data.pulls.map((each, index) => (index === at ? { ...each, status } : each))
    const moved = { account: place.account, amount: pull?.amount ?? 0, reference: id }
    return resolved(place, id, {
      data: { ...data, pulls, lastEventAt: place.now },
      posts: status === "DONE" ? [Postings.capture(moved)] : [],
    })
  }

/** Nothing more is waited for. */
export const expire: Transition = (place, { data, id }) => {
  const moved = { account: place.account, amount: data.held, reference: id }
  return resolved(place, id, {
    data: { ...data, held: 0, isExpired: true, lastEventAt: place.now },
    posts: data.held === 0 ? [] : [Postings.release(moved)],
  })
}

/** The merchant says a new total: the hold follows, as far as the account goes. */
export const advise =
  (authorized: number): Transition =>
  (place, { data, id }) => {
    const next: CardTransaction = { ...data, authorized }
    const wanted = data.direction === "DEBIT" ? openOf(next) : 0
    const held = Math.min(wanted, data.held + Math.max(0, place.available.balance))
    const moved = { account: place.account, amount: Math.abs(held - data.held), reference: id }
    const posts = [
      ...(held < data.held ? [Postings.release(moved)] : []),
      ...(held > data.held ? [Postings.hold(moved)] : []),
      ...(held < wanted ? [resting(place)] : []),
    ]
    const step: Step = { data: { ...next, held }, posts }
    return openOf(next) === 0 ? resolved(place, id, step) : step
  }

/** The merchant gives money back: what is owed is paid first. */
export const refund =
  (amount: number): Transition =>
  (place, { data, id }) => {
    const next = { ...data, refunds: [...data.refunds, amount], lastEventAt: place.now }
    return {
      ...incoming(place, { account: place.account, amount, reference: id }, next),
      ...(netSettled(next) === 0 ? { on: "Refund" as const } : {}),
    }
  }

/** The last refund is called back: what is still there pays for it, the owner owes the rest. */
export const reverseRefund: Transition = (place, { data, id }) => {
  const amount = data.refunds.at(-1) ?? 0
  return {
    data: { ...data, refunds: data.refunds.slice(0, -1), lastEventAt: place.now },
    posts: [Postings.returnPull({ account: place.account, amount, reference: id }, place.available)],
    on: "ReverseRefund",
  }
}
