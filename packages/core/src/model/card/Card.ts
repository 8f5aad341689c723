/**
 * Card record: a payment card that spends from internal accounts of its cardholder.
 * Spec: Card; wire contract 3.2.
 */
import { Schema } from "effect"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { CardMachine } from "./CardMachine.ts"

/** The specification lists `PENDING_KYC`; this service never puts a card into it. */
export const CardState = Schema.Literals(["PENDING_KYC", ...CardMachine.states])
export type CardState = typeof CardState.Type

/** Why a card is closed: its issuer rejected it, or the platform or the service closed it. Absent or `null` on other cards. */
export const CardStateReason = Schema.Literals(["ISSUER_REJECTED", "CLOSED_BY_PLATFORM", "CLOSED_BY_SERVICE"])
export type CardStateReason = typeof CardStateReason.Type

/** The network of a card. Absent until the issuer reports it. */
export const CardBrand = Schema.Literals(["VISA", "MASTERCARD"])
export type CardBrand = typeof CardBrand.Type

/** `PHYSICAL` is planned and not yet valid. */
export const CardForm = Schema.Literals(["VIRTUAL"])

/** Internal account bound to a card. Delegated keys refer to the binding by its own identifier. */
export const FundingBinding = Schema.Struct({ id: Schema.String, accountId: Schema.String })
export type FundingBinding = typeof FundingBinding.Type

/** Stored data of a card. It never holds the number, the security code or a reveal URL. */
export const Card = Schema.Struct({
  platformCardId: Schema.String,
  form: CardForm,
  state: Schema.Literals(CardMachine.states),
  stateReason: Schema.optionalKey(CardStateReason),
  brand: Schema.optionalKey(CardBrand),
  last4: Schema.optionalKey(Schema.String),
  expMonth: Schema.optionalKey(Schema.Int),
  expYear: Schema.optionalKey(Schema.Int),
  /** Ordered: the first source is tried first. */
  fundingSources: Schema.Array(FundingBinding),
  /** Smallest unit of `currency`; `null` means no limit. */
  maxSpendPerTransaction: Schema.NullOr(Schema.Int),
  currency: CurrencyCode,
  processorRef: Schema.optionalKey(Schema.String),
  issuerRef: Schema.optionalKey(Schema.String),
})
export type Card = typeof Card.Type

/** Whether the expiry month has ended (UTC). A card that is not provisioned has no expiry month. */
export const isExpired = ({ expMonth, expYear }: Pick<Card, "expMonth" | "expYear">, now: number): boolean =>
  expMonth !== undefined && expYear !== undefined && now >= Date.UTC(expYear, expMonth)

/** Identifiers of the accounts that fund the card, in order. */
export const fundingAccountIds = ({ fundingSources }: Card): ReadonlyArray<string> =>
  fundingSources.map(({ accountId }) => accountId)

/** Returns the closed card of a deleted customer, or `undefined` if it is already closed. Source: wire contract 11 (22). */
export const closedByService = (card: Card): Card | undefined =>
  CardMachine.isTerminal(card.state)
    ? undefined
    : { ...card, state: CardMachine.followTo(card.state, "CLOSED").state, stateReason: "CLOSED_BY_SERVICE" }
