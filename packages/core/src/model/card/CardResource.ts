/**
 * Wire resources and requests of cards. A card resource never contains its reveal URL.
 * Spec: Card, 4.4; wire contract 3.2 to 3.4.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import * as CrossField from "../../foundation/kit/CrossField.ts"
import { iso, Timestamp } from "../../foundation/kit/Instant.ts"
import { PageOf } from "../../foundation/kit/PageResource.ts"
import { secret } from "../../foundation/kit/Secret.ts"
import { Text } from "../../foundation/kit/Text.ts"
import { PositiveAmount } from "../../foundation/money/Amount.ts"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { RecordOf } from "../record/Record.ts"
import type { Card } from "./Card.ts"
import { CardBrand, CardForm, CardState, CardStateReason, fundingAccountIds } from "./Card.ts"

export const CardResource = Schema.Struct({
  id: Id("Card"),
  cardholderId: Id("Customer"),
  platformCardId: Schema.String,
  state: CardState,
  stateReason: Schema.optionalKey(CardStateReason.annotate({ description: "Only of a closed card." })),
  brand: Schema.optionalKey(CardBrand),
  form: CardForm,
  last4: Schema.optionalKey(Schema.String.annotate({ description: "From activation on." })),
  expMonth: Schema.optionalKey(Schema.Int.annotate({ description: "1 to 12, from activation on." })),
  expYear: Schema.optionalKey(Schema.Int.annotate({ description: "Four digits, from activation on." })),
  fundingSources: Schema.Array(Schema.String).annotate({
    description: "Internal accounts in the order in which they are tried.",
  }),
  maxSpendPerTransaction: Schema.NullOr(Schema.Int).annotate({
    description: "Smallest unit of the currency; exactly the limit is allowed; null: no limit.",
  }),
  currency: CurrencyCode,
  processorRef: Schema.optionalKey(Schema.String),
  issuerRef: Schema.optionalKey(Schema.String),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}).annotate({ identifier: "Card" })
export type CardResource = typeof CardResource.Type

/** A page of cards, newest first by default. */
export const CardListResponse = PageOf(CardResource, "CardListResponse")

const FundingSources = Schema.Array(Id("InternalAccount"))
  .check(Schema.isMinLength(1), Schema.isMaxLength(100))
  .annotate({
    description: "Accounts of the cardholder in the order in which they are tried; all of one card-eligible currency.",
  })

/** Body of `POST /cards`. Without `maxSpendPerTransaction`, no limit applies to a single transaction. */
export const CardCreateRequest = Schema.Struct({
  cardholderId: Id("Customer"),
  platformCardId: Schema.optionalKey(Text(255, "Unique per platform, closed cards included; drawn when absent.")),
  threeDSecurePassword: Schema.optionalKey(
    Text(255, "Only where the issuer has a static 3-D Secure factor. Never stored, never returned.").annotate(secret),
  ),
  form: CardForm,
  fundingSources: FundingSources,
  maxSpendPerTransaction: Schema.optionalKey(PositiveAmount),
}).annotate({ identifier: "CardCreateRequest" })
export type CardCreateRequest = typeof CardCreateRequest.Type

const updatable = ["state", "fundingSources", "maxSpendPerTransaction"] as const

/** Requires at least one field, and no other field beside `state: CLOSED`. Source: wire contract 3.3. */
const updateProblems: CrossField.CrossFieldRule = (members) => {
  if (updatable.every((field) => members[field] === undefined)) {
    return [{ path: [], message: `must have at least one of ${updatable.join(", ")}` }]
  }
  return members["state"] === "CLOSED"
    ? (["fundingSources", "maxSpendPerTransaction"] as const)
        .filter((field) => members[field] !== undefined)
        .map((field) => ({ path: [field], message: "must not be given together with state CLOSED" }))
    : []
}

/** Body of `PATCH /cards/{id}`: one field at least, and no other field beside `state: CLOSED`. */
export const CardUpdateRequest = Schema.Struct({
  state: Schema.optionalKey(
    Schema.Literals(["ACTIVE", "FROZEN", "CLOSED"]).annotate({ description: "`ACTIVE` unfreezes; `CLOSED` is final." }),
  ),
  fundingSources: Schema.optionalKey(FundingSources),
  maxSpendPerTransaction: Schema.optionalKey(
    Schema.NullOr(PositiveAmount).annotate({ description: "null: no limit." }),
  ),
})
  .check(CrossField.check(updateProblems))
  .annotate({ identifier: "CardUpdateRequest" })
export type CardUpdateRequest = typeof CardUpdateRequest.Type

/** Answer of `POST /cards/{id}/reveal`: an address that shows number, code and expiry for a few minutes. */
export const CardRevealResponse = Schema.Struct({
  panEmbedUrl: Schema.String.annotate({
    ...secret,
    format: "uri",
    description: "A signed address for a frame that shows the card to its cardholder. Never store, cache or log it.",
  }),
  expiresAt: Timestamp,
}).annotate({ identifier: "CardRevealResponse" })
export type CardRevealResponse = typeof CardRevealResponse.Type

export const toCard = ({ createdAt, customerId, data, id, updatedAt }: RecordOf<"Card", Card>): CardResource => {
  const { brand, currency, expMonth, expYear, form, issuerRef, last4, processorRef, stateReason } = data
  return {
    id,
    cardholderId: customerId ?? "",
    platformCardId: data.platformCardId,
    state: data.state,
    ...(stateReason === undefined ? {} : { stateReason }),
    ...(brand === undefined ? {} : { brand }),
    form,
    ...(last4 === undefined ? {} : { last4 }),
    ...(expMonth === undefined ? {} : { expMonth }),
    ...(expYear === undefined ? {} : { expYear }),
    fundingSources: fundingAccountIds(data),
    maxSpendPerTransaction: data.maxSpendPerTransaction,
    currency,
    ...(processorRef === undefined ? {} : { processorRef }),
    ...(issuerRef === undefined ? {} : { issuerRef }),
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  }
}
