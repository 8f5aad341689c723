/**
 * The operations of `Issuer`.
 * Source: ports/Issuer.ts; wire contract 3.4, 3.5 and 7.5; D-527.
 */
import { Card, CardBrand, CardMerchant, CurrencyCode, Customer, DeclineReason } from "@countersign/core/models"
import type {
  CollectOutcome,
  CollectRequest,
  ProvisionOutcome,
  ProvisionRequest,
  RevealOutcome,
  ScreenRequest,
  StateNotice,
} from "@countersign/core/ports"
import { Schema } from "effect"
import { Amount, exactly, Millis, optional, outcome, Reference, result, Secret, Text, Unknown } from "./Parts.ts"
import { withoutUnknown, withUnknown } from "./PortOperation.ts"

const Provision = exactly<ProvisionRequest>()(
  Schema.Struct({
    reference: Reference,
    card: Card,
    cardholderId: Text,
    cardholder: Customer,
    issuedAt: Millis,
    threeDSecurePassword: optional(Secret),
  }),
)

const done = outcome("Done", {})
const refused = outcome("Refused", {})
const later = outcome("Later", { at: Millis })
const produced = outcome("Done", {
  brand: CardBrand,
  last4: Text.check(Schema.isPattern(/^\d{4}$/u)),
  expMonth: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 12 })),
  expYear: Schema.Int,
  processorRef: optional(Text),
  issuerRef: optional(Text),
})

export const ReportedCard = exactly<Extract<ProvisionOutcome, { readonly _tag: "Done" | "Refused" }>>()(
  Schema.Union([produced, refused]).annotate({ identifier: "ReportedCard" }),
)

const Provisioned = exactly<ProvisionOutcome>()(
  Schema.Union([produced, refused, later, Unknown]).annotate({ identifier: "ProvisionOutcome" }),
)

export const ReportedCollection = exactly<Exclude<CollectOutcome, { readonly _tag: "Unknown" }>>()(
  Schema.Union([done, refused, later]).annotate({ identifier: "ReportedCollection" }),
)

const Collected = exactly<CollectOutcome>()(
  Schema.Union([done, refused, later, Unknown]).annotate({ identifier: "CollectOutcome" }),
)

const Revealed = exactly<RevealOutcome>()(
  Schema.Union([outcome("Done", { panEmbedUrl: Secret, expiresAt: Millis }), Unknown]).annotate({
    identifier: "RevealOutcome",
  }),
)

const Notice = exactly<StateNotice>()(Schema.Struct({ reference: Reference, card: Card, version: Schema.Int }))

const Screen = exactly<ScreenRequest>()(
  Schema.Struct({ reference: Reference, card: Card, merchant: CardMerchant, amount: Amount }),
)

const Collect = exactly<CollectRequest>()(
  Schema.Struct({
    reference: Reference,
    cardId: Text,
    accountId: Text,
    merchant: CardMerchant,
    amount: Amount,
    currency: CurrencyCode,
    requestedAt: Millis,
  }),
)

export const issuerOperations = {
  admits: withoutUnknown({
    path: "/issuer/admits",
    summary: "Says whether an internal account may fund cards.",
    request: Schema.Struct({ accountId: Text }),
    answer: result(Schema.Boolean),
    repetition: "none",
    deadline: "ask",
  }),
  provision: withUnknown({
    path: "/issuer/provision",
    summary: "Produces a card, once for each reference.",
    request: Provision,
    answer: Provisioned,
    repetition: "reference",
    deadline: "instruct",
  }),
  changeState: withUnknown({
    path: "/issuer/change-state",
    summary: "Notifies the issuer of a card's state. A smaller `version` is older.",
    request: Notice,
    answer: Schema.Union([done, later, Unknown]).annotate({ identifier: "NoticeOutcome" }),
    repetition: "reference",
    deadline: "instruct",
  }),
  reveal: withUnknown({
    path: "/issuer/reveal",
    summary: "Returns the address of a page that shows a card to its cardholder.",
    request: Schema.Struct({ reference: Reference, card: Card, origin: Text }),
    answer: Revealed,
    repetition: "none",
    deadline: "ask",
  }),
  screen: withoutUnknown({
    path: "/issuer/screen",
    summary: "Returns why the issuer declines a purchase that passes the rules, or `null`.",
    request: Screen,
    answer: result(Schema.NullOr(DeclineReason)),
    repetition: "none",
    deadline: "ask",
  }),
  collect: withUnknown({
    path: "/issuer/collect",
    summary: "Collects the money of a purchase for the card network, once for each reference.",
    request: Collect,
    answer: Collected,
    repetition: "reference",
    deadline: "instruct",
  }),
}
