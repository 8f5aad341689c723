/**
 * The card issuer and its processor: it produces cards, shows their numbers to cardholders, and collects payments. A platform provides
 * its own behind this port. Messages of the card network enter through `CardTransactions`.
 * Source: architecture, "Jobs, external calls and time"; wire contract 3.4, 3.5 and 7.5.
 */
import { Context, Effect, Layer, type Redacted } from "effect"
import type { CurrencyCode } from "../foundation/money/Currencies.ts"
import type { Card, CardBrand } from "../model/card/Card.ts"
import type { DeclineReason } from "../model/card/CardAuthorizationRules.ts"
import type { CardMerchant } from "../model/card/CardTransaction.ts"
import type { Customer } from "../model/customer/Customer.ts"

/** Requests one card. After an unknown outcome the same `reference` is sent again and never produces a second card. */
export interface ProvisionRequest {
  /** The card's id. */
  readonly reference: string
  readonly card: Card
  readonly cardholderId: string
  readonly cardholder: Customer
  /** Business time (ms) at which the card was issued. */
  readonly issuedAt: number
  /**
   * Static 3-D Secure factor of the card; only for an issuer with `takesThreeDSecurePassword`, and the same at each repetition. Keep
   * it out of logs, errors and outcomes. Source: D-181.
   */
  readonly threeDSecurePassword?: Redacted.Redacted
}

/** A produced card. */
export interface ProvisionedCard {
  readonly brand: CardBrand
  readonly last4: string
  /** 1 to 12. */
  readonly expMonth: number
  readonly expYear: number
  readonly processorRef?: string
  readonly issuerRef?: string
}

/** The outcome is not known yet: `Later`, ask again at this business time (ms); `Unknown`, which is never a failure. */
export type IssuerUndecided =
  | { readonly _tag: "Later"; readonly at: number }
  | { readonly _tag: "Unknown"; readonly cause: string }

/** Whether the card is produced. `Refused` is final: the card is rejected. */
export type ProvisionOutcome =
  | ({ readonly _tag: "Done" } & ProvisionedCard)
  | { readonly _tag: "Refused" }
  | IssuerUndecided

/** A card whose state has changed, for stand-in processing. After an unknown outcome the same `version` is sent again. */
export interface StateNotice {
  readonly reference: string
  readonly card: Card
  readonly version: number
}

/** Requests the address of a page that shows the card to its cardholder. */
export interface RevealRequest {
  readonly reference: string
  readonly card: Card
  /** The origin of the request's URL: the sandbox shows a page of the service itself. */
  readonly origin: string
  /** Signs a text with the deployment's key (ECDSA on P-256, DER, base64), for the address of such a page. */
  readonly sign: (text: string) => Effect.Effect<string>
}

/** The page that shows a card's number, or why none can be shown now. */
export type RevealOutcome =
  | {
      readonly _tag: "Done"
      /** Anyone who opens it sees the number. */
      readonly panEmbedUrl: Redacted.Redacted
      /** Business time (ms). */
      readonly expiresAt: number
    }
  | { readonly _tag: "Unknown"; readonly cause: string }

/** A purchase that passes the rules, for the issuer's own checks (fraud, merchant lists). Read-only. */
export interface ScreenRequest {
  readonly reference: string
  readonly card: Card
  readonly merchant: CardMerchant
  readonly amount: number
}

/** Collects a purchase's money from an account for the card network. The same `reference` never collects twice. */
export interface CollectRequest {
  readonly reference: string
  readonly cardId: string
  readonly accountId: string
  readonly merchant: CardMerchant
  /** Smallest unit of `currency`. */
  readonly amount: number
  readonly currency: CurrencyCode
  /** Business time (ms) at which it became due. */
  readonly requestedAt: number
}

/** Whether the money is collected. `Refused` is final. */
export type CollectOutcome = { readonly _tag: "Done" } | { readonly _tag: "Refused" } | IssuerUndecided

export class Issuer extends Context.Service<
  Issuer,
  {
    /** Whether the deployment offers cards; otherwise every card operation returns 501. */
    readonly isOffered: boolean
    /** Whether an embedded wallet pays only with an active delegated key. Source: wire contract 3.2. */
    readonly needsDelegatedKeys: boolean
    /** Whether the issuer accepts the account as a funding source, in addition to the rules. Read-only. */
    readonly admits: (accountId: string) => Effect.Effect<boolean>
    /** Whether cards have a static 3-D Secure factor, which `provision` receives. Without one, a password is `INVALID_INPUT`. */
    readonly takesThreeDSecurePassword: boolean
    /** Produces the card. A job calls it, and again with the same reference while the outcome is not known. */
    readonly provision: (request: ProvisionRequest) => Effect.Effect<ProvisionOutcome>
    /** Makes a new state of a card known, for stand-in processing. A job calls it. */
    readonly changeState: (notice: StateNotice) => Effect.Effect<{ readonly _tag: "Done" } | IssuerUndecided>
    /** Returns the address of a page with the card's number. A request of the platform calls it. */
    readonly reveal: (request: RevealRequest) => Effect.Effect<RevealOutcome>
    /** Returns why the issuer declines, or `undefined` if it does not. */
    readonly screen: (request: ScreenRequest) => Effect.Effect<DeclineReason | undefined>
    /** Collects the money of a purchase. A job calls it. */
    readonly collect: (request: CollectRequest) => Effect.Effect<CollectOutcome>
  }
>()("@countersign/core/Issuer") {
  /** For a deployment without cards. */
  static readonly layerNone: Layer.Layer<Issuer> = Layer.sync(Issuer, () => {
    const unknown = Effect.succeed({ _tag: "Unknown", cause: "there is no issuer" } as const)
    return {
      isOffered: false,
      needsDelegatedKeys: true,
      takesThreeDSecurePassword: false,
      admits: () => Effect.succeed(false),
      provision: () => unknown,
      changeState: () => unknown,
      reveal: () => unknown,
      screen: () => Effect.succeed("CARD_NOT_ACTIVE"),
      collect: () => unknown,
    }
  })
}
