/**
 * Applies transitions to an outgoing transaction: records, events, postings and balance events in one change. A quote's status
 * follows its transaction's.
 * Source: wire contract 5.5 and 5.7 (event sequences); D-091, D-120.
 */

import type { PaymentRail } from "../../model/account/AccountTypeRow.ts"
import type { EventType } from "../../model/event/EventTypes.ts"
import { QuoteMachine } from "../../model/quote/QuoteMachine.ts"
import type { Owner } from "../../model/record/Record.ts"
import { OutgoingMachine } from "../../model/transaction/OutgoingMachine.ts"
import { PaymentRails } from "../../model/transaction/PaymentRails.ts"
import { type OutgoingTransaction, paymentReference } from "../../model/transaction/Transaction.ts"
import { type StoredOutgoing, toOutgoingTransaction } from "../../model/transaction/TransactionResource.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { withoutPlaceholders } from "../../store/Placeholders.ts"
import { newEvent } from "../event/NewEvent.ts"
import { balanceEvent } from "../ledger/PostingChanges.ts"
import type { DecisionScope } from "./DecisionScope.ts"
import { postingFor } from "./OutgoingPostings.ts"
import type { OutgoingTrigger, Transition } from "./OutgoingTransitions.ts"
import { countVolume, returnVolume } from "./VolumeChanges.ts"

/** The transaction and its quote after the change, and the change. */
export interface TransitionResult {
  readonly transaction: StoredOutgoing
  readonly quote?: Stored<"Quote">
  readonly changes: Changes.Changes
}

/** Without a direction the money leaves its owner's accounts: `DEBIT`. */
export type NewTransaction = Omit<OutgoingTransaction, "type" | "status" | "direction"> &
  Partial<Pick<OutgoingTransaction, "direction">>

const eventsFor = ({ ids, now }: DecisionScope, stored: StoredOutgoing, emits: ReadonlyArray<EventType>) =>
  emits.map((type) =>
    newEvent(ids, now, {
      type,
      customerId: stored.customerId,
      subject: stored.id,
      data: withoutPlaceholders(toOutgoingTransaction(stored)),
    }),
  )

const withStatusAfter = (quote: Stored<"Quote">, trigger: OutgoingTrigger, now: number): Stored<"Quote"> => ({
  ...quote,
  updatedAt: now,
  data: { ...quote.data, status: QuoteMachine.follow(quote.data.status, trigger).state },
})

/** Whether a posting touches a ledger account of this internal account: their ids end with its id. */
const touches = ({ id }: Stored<"InternalAccount">, { transfers = [] }: Changes.Changes): boolean =>
  transfers.some(({ from, to }) => from.endsWith(id) || to.endsWith(id))

/** One balance event for each internal account that the postings touch. */
const balanceEvents = ({ destination, ids, now, source }: DecisionScope, parts: ReadonlyArray<Changes.Changes>) =>
  [source, destination].flatMap((account) =>
    account !== undefined && parts.some((part) => touches(account, part)) ? [balanceEvent(ids, now, account)] : [],
  )

/** Applies transitions in order. Each event shows the record as it was after its own transition. */
export const applyTransitions = (
  scope: DecisionScope,
  stored: StoredOutgoing,
  transitions: ReadonlyArray<Transition>,
) => {
  let transaction = stored
  let quote = scope.quote && scope.updatedQuote ? { ...scope.quote, data: scope.updatedQuote } : scope.quote
  const parts: Array<Changes.Changes> = []
  for (const transition of transitions) {
    const { data, emits, posting, trigger } = transition(transaction.data)
    transaction = { ...transaction, updatedAt: scope.now, data }
    const begins = trigger === "Begin" && data.exchange !== undefined && data.exchange.funding !== "PUSH"
    const volume = begins ? countVolume(scope, transaction) : returnVolume(scope, transaction)
    transaction = { ...transaction, data: volume.data }
    parts.push(volume.changes)
    if (trigger !== undefined && quote !== undefined) quote = withStatusAfter(quote, trigger, scope.now)
    parts.push(...eventsFor(scope, transaction, emits))
    if (posting !== undefined) parts.push(postingFor(scope, transaction, posting))
  }
  return { transaction, quote, changes: Changes.combine(...parts, ...balanceEvents(scope, parts)) }
}

/** Applies transitions to stored records and updates them. */
export const updateTransaction = (
  scope: DecisionScope,
  stored: StoredOutgoing,
  ...transitions: ReadonlyArray<Transition>
): TransitionResult => {
  const { changes, quote, transaction } = applyTransitions(scope, stored, transitions)
  const isQuoteChanged = scope.quote !== undefined && quote !== undefined && quote !== scope.quote
  return {
    transaction: { ...transaction, version: stored.version + 1 },
    ...(quote === undefined ? {} : { quote }),
    changes: Changes.combine(
      Changes.update(stored, transaction.data),
      isQuoteChanged ? Changes.update(scope.quote, quote.data) : undefined,
      changes,
    ),
  }
}

const timelineOf = (rail: PaymentRail | undefined): Pick<OutgoingTransaction, "settlementTimelineSeconds"> =>
  rail === undefined ? {} : { settlementTimelineSeconds: PaymentRails.get(rail).settlementSeconds }

/** A new transaction as it is stored first; its insert is a separate change. */
export const newTransaction = ({ ids, now }: DecisionScope, owner: Owner, details: NewTransaction): StoredOutgoing => {
  const id = ids("Transaction", owner.customerId)
  const data: OutgoingTransaction = {
    type: "OUTGOING",
    status: OutgoingMachine.follow(null, "Create").state,
    direction: "DEBIT",
    reference: paymentReference("P", id),
    ...timelineOf(details.externalAccount?.rail),
    ...details,
  }
  return { ...Changes.insertedRecord("Transaction", id, owner, data, now), data }
}

/** The events of a new transaction. */
export const createdEvents = (scope: DecisionScope, transaction: StoredOutgoing) =>
  eventsFor(scope, transaction, OutgoingMachine.follow(null, "Create").emits)
