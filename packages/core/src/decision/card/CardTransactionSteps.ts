/**
 * Steps of a card transaction: clearing, pull, expiry, advice, refund and its reversal. A hold is released or captured once, so
 * `held` plus the pending and failed pulls always equals the account's held money.
 * Source: wire contract 3.5 and 7.5; D-173 to D-176.
 */
import {
  type CardTransaction,
  hasPendingPull,
  netSettled,
  openAmount,
  type Pull,
} from "../../model/card/CardTransaction.ts"
import type * as Changes from "../../store/Changes.ts"
import * as Ledger from "../../store/LedgerAccounts.ts"
import * as Postings from "../ledger/PostingChanges.ts"
import { collectJob, type DecisionScope, type StepResult, type TransactionStep } from "./CardTransactionChanges.ts"

/** A step with its postings. */
type PostedStep = StepResult & Required<Pick<StepResult, "postings">>

/** Adds the status change that pulls and clearings so far cause. While a pull is pending the status does not change. */
const settle = (scope: DecisionScope, id: string, step: PostedStep): StepResult => {
  const { data, postings } = step
  if (hasPendingPull(data)) return step
  if (data.pulls.some(({ status }) => status === "FAILED")) {
    // No further clearing is taken after a failed pull, so the rest of the hold is released.
    const movement: Postings.Movement = { account: scope.account, amount: data.held, reference: id }
    const releases = data.held === 0 ? [] : [Postings.release(movement, scope.owed)]
    const ended = { ...step, data: { ...data, held: 0, isExpired: true }, postings: [...postings, ...releases] }
    return data.status === "EXCEPTION" ? ended : { ...ended, trigger: "FailPull" }
  }
  const isOpen = openAmount(data) > 0
  if (isOpen) return data.status === "AUTHORIZED" ? { ...step, trigger: "SettlePart" } : step
  if (data.status === "SETTLED") return step
  return { ...step, trigger: data.status === "EXCEPTION" ? "Collect" : "Settle" }
}

/** Asserts the available balance that the missing amount was computed from. */
const assertAvailable = ({ account, available }: DecisionScope): Changes.Changes => ({
  assertions: [{ account: Ledger.available(account.id), sequence: available.sequence }],
})

/** Pays the owner's debt first (D-114), then credits the account, or sets the money aside if the account cannot receive it. */
const receive = (
  { account, isFull, owed }: DecisionScope,
  movement: Postings.Movement,
  data: CardTransaction,
): PostedStep => {
  if (!isFull && account.data.status !== "CLOSED") return { data, postings: [Postings.credit(movement, owed)] }
  const posting = Postings.repayThenCreditToUnapplied(movement, owed)
  const isAside = (posting.ledgerAccounts ?? []).length > 0
  return { data: isAside ? { ...data, isUnapplied: true } : data, postings: [posting] }
}

/**
 * Clears an amount. The hold pays first, then the available balance, each by its own pull; the rest becomes debt of the owner. A
 * credit is paid at once.
 */
export const clear =
  (amount: number): TransactionStep =>
  (scope, stored) => {
    const { account, available, now } = scope
    const { data, id } = stored
    const cleared: CardTransaction = { ...data, clearings: [...data.clearings, amount], lastEventAt: now }
    const movement = (part: number): Postings.Movement => ({ account, amount: part, reference: id })
    if (data.direction === "CREDIT") return settle(scope, id, receive(scope, movement(amount), cleared))
    const fromHold = Math.min(amount, data.held)
    const fromAvailable = Math.min(amount - fromHold, Math.max(0, available.balance))
    const owed = amount - fromHold - fromAvailable
    const pulls = [fromHold, fromAvailable]
      .filter((part) => part > 0)
      .map((part): Pull => ({ amount: part, status: "PENDING", requestedAt: now }))
    return settle(scope, id, {
      data: { ...cleared, held: data.held - fromHold, pulls: [...data.pulls, ...pulls] },
      postings: [
        ...(fromAvailable === 0 ? [] : [Postings.hold(movement(fromAvailable))]),
        ...(owed === 0 ? [] : [Postings.chargeReceivable(movement(owed)), assertAvailable(scope)]),
      ],
      jobs: pulls.map((_pull, index) => collectJob(scope, stored, data.pulls.length + index, now)),
    })
  }

/** Stores the outcome of a pull: its money is captured, or stays held. */
export const resolvePull =
  (pullIndex: number, status: "DONE" | "FAILED"): TransactionStep =>
  (scope, { data, id }) => {
    const pull = data.pulls[pullIndex]
    const pulls = data.pulls.map((other, index) => (index === pullIndex ? { ...other, status } : other))
    const movement = { account: scope.account, amount: pull?.amount ?? 0, reference: id }
    return settle(scope, id, {
      data: { ...data, pulls, lastEventAt: scope.now },
      postings: status === "DONE" ? [Postings.capture(movement)] : [],
    })
  }

/** Ends the authorization and releases its hold. */
export const expire: TransactionStep = (scope, { data, id }) => {
  const movement = { account: scope.account, amount: data.held, reference: id }
  return settle(scope, id, {
    data: { ...data, held: 0, isExpired: true, lastEventAt: scope.now },
    postings: data.held === 0 ? [] : [Postings.release(movement, scope.owed)],
  })
}

/** Changes the authorized total. The hold follows as far as the available balance covers it. */
export const advise =
  (authorized: number): TransactionStep =>
  (scope, { data, id }) => {
    const next: CardTransaction = { ...data, authorized }
    const target = data.direction === "DEBIT" ? openAmount(next) : 0
    const held = Math.min(target, data.held + Math.max(0, scope.available.balance))
    const movement = { account: scope.account, amount: Math.abs(held - data.held), reference: id }
    const postings = [
      ...(held < data.held ? [Postings.release(movement, scope.owed)] : []),
      ...(held > data.held ? [Postings.hold(movement)] : []),
      ...(held < target ? [assertAvailable(scope)] : []),
    ]
    const step: PostedStep = { data: { ...next, held }, postings }
    return openAmount(next) === 0 ? settle(scope, id, step) : step
  }

/** Refunds an amount. The owner's debt is paid first. */
export const refund =
  (amount: number): TransactionStep =>
  (scope, { data, id }) => {
    const next = { ...data, refunds: [...data.refunds, amount], lastEventAt: scope.now }
    return {
      ...receive(scope, { account: scope.account, amount, reference: id }, next),
      ...(netSettled(next) === 0 ? { trigger: "Refund" as const } : {}),
    }
  }

/** Reverses the last refund. The available balance pays first; the rest becomes debt of the owner. */
export const reverseRefund: TransactionStep = (scope, { data, id }) => {
  const amount = data.refunds.at(-1) ?? 0
  return {
    data: { ...data, refunds: data.refunds.slice(0, -1), lastEventAt: scope.now },
    postings: [Postings.returnPull({ account: scope.account, amount, reference: id }, scope.available)],
    trigger: "ReverseRefund",
  }
}
