/**
 * Rules that approve or decline a card authorization, in order of precedence, and the table of decline reasons.
 * Spec: Card (fundingSources: the first is tried first); wire contract 3.3, 3.5 and 7.5; D-172, D-263.
 */
import { Schema } from "effect"
import * as Rules from "../../foundation/kit/Rules.ts"
import * as Table from "../../foundation/kit/Table.ts"
import type { InternalAccount } from "../account/InternalAccount.ts"
import type { Customer } from "../customer/Customer.ts"
import { type Card, isExpired } from "./Card.ts"

/** The table of decline reasons, each with its meaning. */
export const DeclineReasons = Table.make("DeclineReasons", {
  CARD_PAUSED: "The card is frozen.",
  CARD_CLOSED: "The card is closed.",
  CARD_NOT_ACTIVE: "The card is not provisioned yet.",
  CARD_EXPIRED: "The card's expiry month is over.",
  CARDHOLDER_NOT_APPROVED: "The cardholder's check is not, or no longer, approved.",
  SPEND_LIMIT_EXCEEDED: "More than the card's maxSpendPerTransaction.",
  FUNDING_SOURCE_UNAVAILABLE: "None of the funding sources can pay: they are not active, or lack a delegated key.",
  INSUFFICIENT_FUNDS: "No funding source covers the whole amount.",
  SUSPECTED_FRAUD: "The issuer's own checks decline it.",
})

/** Why an authorization is declined: `declineReason` of a simulation's answer. */
export type DeclineReason = (typeof DeclineReasons.keys)[number]
export const DeclineReason = Schema.Literals(DeclineReasons.keys).annotate({ identifier: "CardDeclineReason" })

/** Current state of a funding source. */
export interface FundingSource {
  readonly account: InternalAccount
  /** Available balance in the smallest unit. */
  readonly available: number
  /** Whether the service may debit it. An embedded wallet may require a delegated key. */
  readonly isDrawable: boolean
}

export interface AuthorizationFacts {
  readonly card: Card
  readonly cardholder: Customer
  /** Business time (ms). */
  readonly now: number
  readonly direction: "CREDIT" | "DEBIT"
  readonly amount: number
  /** In the order in which they are tried. */
  readonly sources: ReadonlyArray<FundingSource>
  /** Decline reason of the issuer's own checks; `undefined` if they pass. */
  readonly screeningDecline: DeclineReason | undefined
}

const isUsable = ({ account, isDrawable }: FundingSource): boolean => account.status === "ACTIVE" && isDrawable

/** Whether the source can pay the whole authorization. */
export const covers = (
  source: FundingSource,
  { amount, direction }: Pick<AuthorizationFacts, "amount" | "direction">,
) => isUsable(source) && (direction === "CREDIT" || source.available >= amount)

const declineByState: { readonly [state in Card["state"]]: DeclineReason | undefined } = {
  ACTIVE: undefined,
  FROZEN: "CARD_PAUSED",
  CLOSED: "CARD_CLOSED",
  PROCESSING: "CARD_NOT_ACTIVE",
}

export const CardAuthorizationRules = Rules.make<AuthorizationFacts, DeclineReason>("CardAuthorization", [
  ["CARD_ACTIVE", ({ card }) => declineByState[card.state]],
  ["CARD_NOT_EXPIRED", ({ card, now }) => (isExpired(card, now) ? "CARD_EXPIRED" : undefined)],
  [
    "CARDHOLDER_APPROVED",
    ({ cardholder }) => (cardholder.checkStatus === "APPROVED" ? undefined : "CARDHOLDER_NOT_APPROVED"),
  ],
  [
    "WITHIN_LIMIT",
    ({ amount, card, direction }) =>
      direction === "DEBIT" && card.maxSpendPerTransaction !== null && amount > card.maxSpendPerTransaction
        ? "SPEND_LIMIT_EXCEEDED"
        : undefined,
  ],
  ["SCREENED", ({ screeningDecline }) => screeningDecline],
  ["SOURCE_USABLE", ({ sources }) => (sources.some(isUsable) ? undefined : "FUNDING_SOURCE_UNAVAILABLE")],
  ["COVERED", (facts) => (facts.sources.some((source) => covers(source, facts)) ? undefined : "INSUFFICIENT_FUNDS")],
])
