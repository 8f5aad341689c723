/**
 * The rule list of an approval row: why it does not cover an action.
 * Source: D-532.
 */
import * as Rules from "../../foundation/kit/Rules.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { ApprovalPolicy, ApprovalRow } from "./ApprovalPolicy.ts"
import { isNamedBy } from "./NamedDestination.ts"

/** Where an action's money goes. */
export interface DestinationFacts {
  /** The account, or the UMA address. Absent: its record does not exist. */
  readonly id: string | undefined
  /** Whether it is an internal account of the agent's customer. */
  readonly isOwn: boolean
  /** Whether the customer has confirmed its trust in it. */
  readonly isTrusted: boolean
  /** Unix milliseconds. Absent: no record of the customer names the destination. */
  readonly createdAt: number | undefined
}

export interface CoveredAction {
  readonly destination: DestinationFacts
  /** Returns the amount in another currency; without a rate, one above every amount. */
  readonly amountIn: (currency: CurrencyCode) => number
  readonly now: number
}

export interface ApprovalRowFacts extends CoveredAction {
  readonly row: ApprovalRow
}

const dayMillis = 24 * 60 * 60 * 1000

const isNew = ({ createdAt, isOwn, isTrusted }: DestinationFacts, days: number, now: number): boolean =>
  !isOwn && !isTrusted && (createdAt === undefined || now - createdAt < days * dayMillis)

const isAt = ({ destination, now, row }: ApprovalRowFacts): boolean => {
  const covered = row.destination
  switch (covered?.is) {
    case undefined:
      return true
    case "NEW":
      return isNew(destination, covered.days, now)
    case "KNOWN":
      return !isNew(destination, covered.days, now)
    case "ONE_OF":
      return destination.id !== undefined && isNamedBy(covered.ids, destination.id)
  }
}

export const ApprovalRowRules = Rules.make<ApprovalRowFacts, string>("ApprovalRow", [
  [
    "AMOUNT_REACHED",
    ({ amountIn, row: { from } }) =>
      from === undefined || amountIn(from.currency) >= from.amount ? undefined : "The amount is smaller.",
  ],
  ["DESTINATION_COVERED", (facts) => (isAt(facts) ? undefined : "The destination is another.")],
])

/** Returns the first row that covers the action, or `undefined`: one approval of any caller is enough. */
export const coveringRow = ({ rows }: ApprovalPolicy, action: CoveredAction): ApprovalRow | undefined =>
  rows.find((row) => ApprovalRowRules.first({ ...action, row }) === undefined)
