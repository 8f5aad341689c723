/**
 * A card: what pays in shops from internal accounts of its cardholder.
 * Spec: Card; wire contract 3.2.
 */
import { Schema } from "effect"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { CardMachine } from "./CardMachine.ts"

/** `PENDING_KYC` is in the specification's list and not expected: no card of this service is in it. */
export const CardState = Schema.Literals(["PENDING_KYC", ...CardMachine.states])
export type CardState = typeof CardState.Type

export const CardStateReason = Schema.Literals(["ISSUER_REJECTED", "CLOSED_BY_PLATFORM", "CLOSED_BY_SERVICE"])
export type CardStateReason = typeof CardStateReason.Type

export const CardBrand = Schema.Literals(["VISA", "MASTERCARD"])
export type CardBrand = typeof CardBrand.Type

/** `PHYSICAL` is planned and not yet valid. */
export const CardForm = Schema.Literals(["VIRTUAL"])

/** An internal account bound to a card. The binding has an identifier of its own, by which delegated keys name it. */
export const FundingBinding = Schema.Struct({ id: Schema.String, accountId: Schema.String })
export type FundingBinding = typeof FundingBinding.Type

/** What is stored of a card: never its number, nor its code, nor an address that shows them. */
export const Card = Schema.Struct({
  platformCardId: Schema.String,
  form: CardForm,
  state: Schema.Literals(CardMachine.states),
  stateReason: Schema.optionalKey(CardStateReason),
  brand: Schema.optionalKey(CardBrand),
  last4: Schema.optionalKey(Schema.String),
  expMonth: Schema.optionalKey(Schema.Int),
  expYear: Schema.optionalKey(Schema.Int),
  /** In order: the first is tried first. */
  fundingSources: Schema.Array(FundingBinding),
  /** Smallest unit; `null`: no limit. */
  maxSpendPerTransaction: Schema.NullOr(Schema.Int),
  currency: CurrencyCode,
  processorRef: Schema.optionalKey(Schema.String),
  issuerRef: Schema.optionalKey(Schema.String),
})
export type Card = typeof Card.Type

/** Whether its expiry month is over (UTC); a card without one is not made yet. */
export const isExpired = ({ expMonth, expYear }: Card, now: number): boolean =>
  expMonth !== undefined && expYear !== undefined && now >= Date.UTC(expYear, expMonth)

/** The accounts that fund the card, in order. */
export const accountsOf = ({ fundingSources }: Card): ReadonlyArray<string> =>
  fundingSources.map(({ accountId }) => accountId)

/** Returns the card as the deletion of its customer leaves it; `undefined`: it is closed already. Source: wire contract 11 (22). */
export const closedByService = (card: Card): Card | undefined =>
  CardMachine.isTerminal(card.state)
    ? undefined
    : { ...card, state: CardMachine.followTo(card.state, "CLOSED").state, stateReason: "CLOSED_BY_SERVICE" }
