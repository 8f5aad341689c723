/**
 * The part of the auditor for deposits: each is recorded once, ends as the suffix of its sender says, is credited or held once, and is given
 * back by one instruction.
 * Source: wire contract areas 2.7, 2.8 and 2.13; D-398, D-399, D-416.
 */
import type { Book } from "@countersign/adapter-memory"
import type { TransferResource } from "@countersign/core/models"
import { ledgerSum } from "../../../packages/test/src/model/Auditing.ts"
import type { Answers, DepositRequest } from "./Answers.ts"
import type { Pay } from "./World.ts"

export type DepositTransaction = Extract<TransferResource, { readonly type: "INCOMING" }>

/** Whether it arrived by funding instructions. */
export const isDeposit = (transfer: TransferResource): transfer is DepositTransaction =>
  transfer.type === "INCOMING" && transfer.source.sourceType === "REALTIME_FUNDING"

/** Every sequence of events of a deposit, by its end. */
export const depositSequences: { readonly [end: string]: ReadonlyArray<string> } = {
  COMPLETED: ["COMPLETED", "PENDING COMPLETED"],
  REFUNDED: ["FAILED REFUND_PENDING REFUND_COMPLETED", "PENDING FAILED REFUND_PENDING REFUND_COMPLETED"],
  FAILED: ["FAILED REFUND_PENDING REFUND_FAILED"],
}

/** The ends by the suffix of the sender's account. Nobody declares the sender of `005`: its hold ends after seven days. */
const ends: { readonly [suffix: string]: string } = {
  "000": "COMPLETED",
  "001": "COMPLETED",
  "002": "REFUNDED",
  "003": "FAILED",
  "004": "COMPLETED",
  "005": "REFUNDED",
}

/** Whether its money is held: until it is decided, until it is back, or until an operator applies it. */
const isHeld = (answers: Answers, { id, refund, status }: DepositTransaction): boolean =>
  status === "PENDING" || (status === "FAILED" && refund !== undefined && !answers.applied.has(id))

/** What deposits hold now. */
export const heldByDeposits = (answers: Answers, deposits: ReadonlyArray<DepositTransaction>): number =>
  deposits
    .filter((each) => isHeld(answers, each))
    .reduce((total, { receivedAmount }) => total + receivedAmount.amount, 0)

/** Whether its money is on its account: it was credited, or an operator applied it. */
export const isCredited = (answers: Answers, { id, status }: Pick<DepositTransaction, "id" | "status">): boolean =>
  status === "COMPLETED" || answers.applied.has(id)

const referenceOf = ({ source }: DepositTransaction): string =>
  "remittanceInformation" in source ? String(source.remittanceInformation) : ""

const moneyProblems = (
  pay: Pay,
  answers: Answers,
  books: ReadonlyArray<Book>,
  deposit: DepositTransaction,
): ReadonlyArray<string> => {
  const { id, receivedAmount, refund } = deposit
  const { amount } = receivedAmount
  const credited = ledgerSum(books, id, "available", "receivable")
  const held = ledgerSum(books, id, "held")
  const dueCredit = isCredited(answers, deposit) ? amount : 0
  const dueHold = isHeld(answers, deposit) ? amount : 0
  const refunds = pay.outside.instructions().filter(({ reference }) => reference === refund?.reference)
  return [
    ...(credited === dueCredit && held === dueHold
      ? []
      : [`${id} is credited ${credited} of ${dueCredit} and holds ${held} of ${dueHold}`]),
    ...(refunds.length === (refund === undefined ? 0 : 1) && refunds.every((one) => one.amount === amount)
      ? []
      : [`${id} was given back ${refunds.length} times`]),
  ]
}

const requestProblems = (request: DepositRequest | undefined, deposit: DepositTransaction): ReadonlyArray<string> => {
  const { destination, id, receivedAmount, status } = deposit
  if (request === undefined) return [`${id} exists without a request`]
  const { accountId, amount, suffix } = request
  const isAsSent = receivedAmount.amount === amount && "accountId" in destination && destination.accountId === accountId
  return [
    ...(isAsSent ? [] : [`${id} differs from the deposit that was sent`]),
    ...(status === ends[suffix] ? [] : [`${id} is ${status}, whatever the suffix ${suffix} says`]),
  ]
}

/** The problems after every hold has ended. */
export const depositProblems = (
  pay: Pay,
  answers: Answers,
  books: ReadonlyArray<Book>,
  deposits: ReadonlyArray<DepositTransaction>,
): ReadonlyArray<string> => {
  const references = deposits.map(referenceOf)
  const known = new Set(references)
  return [
    ...(known.size === references.length ? [] : ["one deposit was recorded twice"]),
    ...[...answers.deposits.keys()]
      .filter((reference) => !known.has(reference))
      .map((reference) => `the deposit ${reference} was answered and does not exist`),
    ...deposits.flatMap((each) => {
      const reference = referenceOf(each)
      return requestProblems(answers.deposits.get(reference) ?? answers.unansweredDeposits.get(reference), each)
    }),
    ...deposits.flatMap((each) => moneyProblems(pay, answers, books, each)),
  ]
}
