/**
 * Changes of a card transaction: the authorization, and the steps that follow it, each with its events, postings and jobs.
 * Source: wire contract 3.5 and 7.5; D-173 to D-176.
 */
import type { CardTransaction } from "../../model/card/CardTransaction.ts"
import { CardTransactionMachine, type CardTransactionTrigger } from "../../model/card/CardTransactionMachine.ts"
import { toCardTransaction } from "../../model/card/CardTransactionResource.ts"
import type { EventType } from "../../model/event/EventTypes.ts"
import type { Owner } from "../../model/record/Record.ts"
import type { NewJob, Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { job } from "../../store/JobKinds.ts"
import { withoutPlaceholders } from "../../store/Placeholders.ts"
import type { DecisionContext } from "../Decision.ts"
import { newEvent } from "../event/NewEvent.ts"
import * as Postings from "../ledger/PostingChanges.ts"

/** What every step needs: the operation's identifiers and time, and the account with its balances. */
export interface DecisionScope extends Pick<DecisionContext, "ids" | "now"> {
  readonly account: Stored<"InternalAccount">
  readonly available: { readonly balance: number; readonly sequence: number }
  /** Debt of the owner in this currency, which incoming money pays first. */
  readonly owed: Postings.ReceivableBalance
  /** Whether the account cannot receive more money, so that incoming money is set aside. */
  readonly isFull: boolean
}

/** A transaction after a change, and the change. */
export interface TransactionChange {
  readonly transaction: Stored<"CardTransaction">
  readonly changes: Changes.Changes
}

/** Result of a step: the record, the machine's trigger, and the postings. */
export interface StepResult {
  readonly data: CardTransaction
  readonly trigger?: CardTransactionTrigger
  readonly postings?: ReadonlyArray<Changes.Changes>
  readonly jobs?: ReadonlyArray<NewJob>
}

/** One step of a transaction. */
export type TransactionStep = (scope: DecisionScope, stored: Stored<"CardTransaction">) => StepResult

/** How long an authorization waits for clearings, in milliseconds. Source: D-175. */
const authorizationMillis = 7 * 24 * 60 * 60 * 1000

const transactionEvent = (
  { ids, now }: DecisionScope,
  stored: Stored<"CardTransaction">,
  type: EventType,
): Changes.Changes =>
  newEvent(ids, now, {
    type,
    customerId: stored.customerId,
    subject: stored.id,
    data: withoutPlaceholders({ ...toCardTransaction(stored) }),
  })

/** Takes steps in order. Each transition emits its event with the record as of that step; the balance event is emitted once. */
const takeSteps = (
  scope: DecisionScope,
  start: TransactionChange,
  steps: ReadonlyArray<TransactionStep>,
): TransactionChange => {
  let { transaction } = start
  const parts: Array<Changes.Changes> = []
  for (const step of steps) {
    const { data, jobs = [], postings = [], trigger } = step(scope, transaction)
    const transition = trigger && CardTransactionMachine.follow(transaction.data.status, trigger)
    transaction = { ...transaction, data: { ...data, status: transition?.state ?? data.status } }
    parts.push(...(transition?.emits ?? []).map((type) => transactionEvent(scope, transaction, type)), ...postings, {
      jobs,
    })
  }
  const changes = Changes.combine(start.changes, ...parts)
  if (!Postings.changesBalanceOf(scope.account, changes)) return { transaction, changes }
  const account = Postings.accountAfter(scope.account, changes, scope.now)
  return { transaction, changes: Changes.combine(changes, Postings.balanceEvent(scope.ids, scope.now, account)) }
}

/** Takes steps of an existing transaction. */
export const apply = (
  scope: DecisionScope,
  stored: Stored<"CardTransaction">,
  ...steps: ReadonlyArray<TransactionStep>
): TransactionChange => {
  const start: TransactionChange = { transaction: Changes.after(stored, stored.data, scope.now), changes: {} }
  const { changes, transaction } = takeSteps(scope, start, steps)
  return { transaction, changes: Changes.combine(Changes.update(stored, transaction.data), changes) }
}

const payload = ({ id }: Stored<"CardTransaction">) => ({ cardTransactionId: id })

/** Job that asks the issuer to collect a pull. */
export const collectJob = (
  { ids }: Pick<DecisionScope, "ids">,
  stored: Stored<"CardTransaction">,
  pullIndex: number,
  dueAt: number,
): NewJob =>
  job(ids, "card.collect", {
    customerId: stored.customerId,
    dueAt,
    payload: { ...payload(stored), pull: pullIndex },
  })

type NewTransaction = Omit<
  CardTransaction,
  "status" | "held" | "isExpired" | "clearings" | "pulls" | "refunds" | "authorizedAt"
>

/** Inserts an approved authorization and holds the amount of a debit. Further steps follow in the same commit. */
export const authorize = (
  scope: DecisionScope,
  owner: Owner,
  details: NewTransaction,
  ...steps: ReadonlyArray<TransactionStep>
): TransactionChange => {
  const { account, ids, now } = scope
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
  const inserted = Changes.insertedRecord("CardTransaction", id, owner, data, now)
  const expiry = job(ids, "card.expire", {
    customerId: owner.customerId,
    dueAt: now + authorizationMillis,
    payload: payload(inserted),
  })
  const authorized = Changes.combine(
    ...emits.map((type) => transactionEvent(scope, inserted, type)),
    held === 0 ? undefined : Postings.hold({ account, amount: held, reference: id }),
    { jobs: [expiry] },
  )
  const { changes, transaction } = takeSteps(scope, { transaction: inserted, changes: authorized }, steps)
  return {
    transaction,
    changes: Changes.combine(Changes.insert("CardTransaction", id, owner, transaction.data), changes),
  }
}
