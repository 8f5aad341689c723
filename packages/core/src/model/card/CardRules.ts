/**
 * Rules that permit issuing and updating a card, in order of precedence.
 * Spec: 4.4, States: Card, Errors; wire contract 3.1 to 3.3 and 11 (30); D-171.
 */
import { invalidInput, notFound, type Refusal } from "../../foundation/errors/ServiceError.ts"
import { repeatedIndexes } from "../../foundation/kit/Repeated.ts"
import * as Rules from "../../foundation/kit/Rules.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { InternalAccount } from "../account/InternalAccount.ts"
import type { Customer } from "../customer/Customer.ts"
import type { Card } from "./Card.ts"
import { CardMachine, triggerForRequestedState } from "./CardMachine.ts"
import type { CardUpdateRequest } from "./CardResource.ts"

/** Account that a request names as a funding source. */
export interface FundingSourceFacts {
  readonly accountId: string
  /** `undefined` if the caller has no such account. */
  readonly account: InternalAccount | undefined
  readonly isOwnedByCardholder: boolean
  /** Whether the issuer accepts it. */
  readonly isAdmitted: boolean
}

type Ineligible =
  | "UNKNOWN"
  | "NOT_OF_CARDHOLDER"
  | "NOT_ACTIVE"
  | "CURRENCY_NOT_ELIGIBLE"
  | "CURRENCY_DIFFERS"
  | "ISSUER_REFUSES"

/** Returns the first problem of one source. `currency` is that of the card, or of the first source of a new card. */
const ineligibility = (
  { account, isAdmitted, isOwnedByCardholder }: FundingSourceFacts,
  ineligibleSources: ReadonlyArray<CurrencyCode>,
  currency: CurrencyCode | undefined,
): Ineligible | undefined => {
  if (account === undefined) return "UNKNOWN"
  if (!isOwnedByCardholder) return "NOT_OF_CARDHOLDER"
  if (account.status !== "ACTIVE") return "NOT_ACTIVE"
  if (!ineligibleSources.includes(account.currency)) return "CURRENCY_NOT_ELIGIBLE"
  if (account.currency !== currency) return "CURRENCY_DIFFERS"
  return isAdmitted ? undefined : "ISSUER_REFUSES"
}

interface SourcesFacts {
  readonly sources: ReadonlyArray<FundingSourceFacts>
  readonly eligibleCurrencies: ReadonlyArray<CurrencyCode>
}

const duplicateSources = ({ sources }: SourcesFacts): Refusal | undefined => {
  const duplicates = repeatedIndexes(sources.map(({ accountId }) => accountId)).map((index) => ({
    field: `fundingSources.${index}`,
    message: "must not name an account twice",
  }))
  return duplicates.length === 0 ? undefined : invalidInput(duplicates)
}

/** Refuses with every source that cannot fund the card and its reason. */
const eligible = ({ eligibleCurrencies, sources }: SourcesFacts, currency: CurrencyCode | undefined) => {
  const [first] = sources.flatMap(({ account }) => (account === undefined ? [] : [account.currency]))
  const shared = currency ?? first
  const ineligible = sources.flatMap((source, index) => {
    const reason = ineligibility(source, eligibleCurrencies, shared)
    return reason === undefined ? [] : [{ field: `fundingSources.${index}`, accountId: source.accountId, reason }]
  })
  if (ineligible.length === 0) return undefined
  const refusal: Refusal = {
    code: "FUNDING_SOURCE_INELIGIBLE",
    message: "Every funding source must be an active account of the cardholder, all of one card-eligible currency.",
    details: {
      fundingSources: ineligible.map(({ accountId, reason }) => ({ accountId, reason })),
      errors: ineligible.map(({ field, reason }) => ({ field, message: `cannot fund the card: ${reason}` })),
    },
  }
  return refusal
}

export interface CardIssueFacts extends SourcesFacts {
  readonly hasPassword: boolean
  /** Whether the issuer has a static 3-D Secure factor. */
  readonly takesPassword: boolean
  /** `undefined` if the customer does not exist or is deleted. */
  readonly cardholder: Customer | undefined
  /** Whether another card, open or closed, has the `platformCardId`. */
  readonly isTaken: boolean
}

export const CardIssueRules = Rules.make<CardIssueFacts, Refusal>("CardIssue", [
  [
    "PASSWORD_SUPPORTED",
    ({ hasPassword, takesPassword }) =>
      hasPassword && !takesPassword
        ? invalidInput([{ field: "threeDSecurePassword", message: "must be absent: this issuer has no static factor" }])
        : undefined,
  ],
  ["SOURCES_DISTINCT", duplicateSources],
  [
    "CARDHOLDER_EXISTS",
    ({ cardholder }) => (cardholder === undefined ? notFound("customer", "USER_NOT_FOUND") : undefined),
  ],
  [
    "CARDHOLDER_APPROVED",
    ({ cardholder }) =>
      cardholder === undefined || (cardholder.customerType === "INDIVIDUAL" && cardholder.checkStatus === "APPROVED")
        ? undefined
        : {
            code: "CARDHOLDER_KYC_NOT_APPROVED",
            message: "The cardholder must be a person whose kycStatus is APPROVED.",
            details:
              cardholder.customerType === "INDIVIDUAL"
                ? { kycStatus: cardholder.checkStatus }
                : { customerType: cardholder.customerType },
          },
  ],
  ["SOURCES_ELIGIBLE", (facts) => eligible(facts, undefined)],
  [
    "PLATFORM_CARD_ID_FREE",
    ({ isTaken }) =>
      isTaken
        ? {
            code: "CONFLICT",
            message: "Another card has this platformCardId, or had it until it was closed.",
            details: { reason: "PLATFORM_CARD_ID_IN_USE" },
          }
        : undefined,
  ],
])

export interface CardUpdateFacts extends SourcesFacts {
  /** `undefined` if the caller has no such card. */
  readonly card: Card | undefined
  readonly request: CardUpdateRequest
}

export const CardUpdateRules = Rules.make<CardUpdateFacts, Refusal>("CardUpdate", [
  ["SOURCES_DISTINCT", duplicateSources],
  ["CARD_EXISTS", ({ card }) => (card === undefined ? notFound("card") : undefined)],
  ["SOURCES_ELIGIBLE", (facts) => (facts.card === undefined ? undefined : eligible(facts, facts.card.currency))],
  [
    "NOT_CLOSED_TWICE",
    ({ card, request }) =>
      card?.state === "CLOSED" && request.state === "CLOSED"
        ? { code: "CARD_ALREADY_CLOSED", message: "The card is closed already." }
        : undefined,
  ],
  [
    "MUTABLE",
    ({ card }) =>
      card?.state === "CLOSED"
        ? { code: "CARD_NOT_MUTABLE", message: "A closed card does not change.", details: { state: card.state } }
        : undefined,
  ],
  [
    "ARROW_EXISTS",
    ({ card, request: { state } }) =>
      card === undefined || state === undefined || CardMachine.allows(card.state, triggerForRequestedState[state])
        ? undefined
        : {
            code: "INVALID_STATE_TRANSITION",
            message: `A card does not go from ${card.state} to ${state}.`,
            details: { from: card.state, to: state },
          },
  ],
])
