/**
 * The card issuer and its processor: who makes cards, shows their numbers to cardholders, and collects what was spent. A
 * platform brings its own behind this port. What the network says comes the other way, by `CardTransactions`.
 * Source: architecture, "Jobs, outside calls and time"; wire contract 3.4, 3.5 and 7.5.
 */
import { Context, Effect, Layer, type Redacted } from "effect"
import type { CurrencyCode } from "../foundation/money/Currencies.ts"
import type { Card, CardBrand } from "../model/card/Card.ts"
import type { DeclineReason } from "../model/card/CardAuthorizationRules.ts"
import type { CardMerchant } from "../model/card/CardTransaction.ts"
import type { Customer } from "../model/customer/Customer.ts"

/** One card to be made. The same `reference` is asked again after an unknown outcome, and never makes two. */
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

/** What the issuer made. */
export interface ProvisionedCard {
  readonly brand: CardBrand
  readonly last4: string
  /** 1 to 12. */
  readonly expMonth: number
  readonly expYear: number
  readonly processorRef?: string
  readonly issuerRef?: string
}

/** The issuer does not know yet: ask at this business time (ms); or it cannot tell, which is never failure. */
export type IssuerUndecided =
  | { readonly _tag: "Later"; readonly at: number }
  | { readonly _tag: "Unknown"; readonly cause: string }

export type ProvisionOutcome =
  | ({ readonly _tag: "Done" } & ProvisionedCard)
  | { readonly _tag: "Refused" }
  | IssuerUndecided

/** A card whose state has changed: stand-in processing must know. The same `version` is told again after an unknown outcome. */
export interface StateNotice {
  readonly reference: string
  readonly card: Card
  readonly version: number
}

/** A cardholder wants to see the card. */
export interface RevealRequest {
  readonly reference: string
  readonly card: Card
  /** Where the service was reached, without a path: a sandbox shows a page of the service itself. */
  readonly origin: string
  /** The deployment's signature of a text (ECDSA on P-256, DER, base64), for the address of such a page. */
  readonly sign: (text: string) => Effect.Effect<string>
}

export type RevealOutcome =
  | {
      readonly _tag: "Done"
      /** Shows the number to whoever opens it. */
      readonly panEmbedUrl: Redacted.Redacted
      /** Business time (ms). */
      readonly expiresAt: number
    }
  | { readonly _tag: "Unknown"; readonly cause: string }

/** A purchase that the rules would let through, for the issuer's own checks (fraud, merchant lists). It changes nothing. */
export interface ScreenRequest {
  readonly reference: string
  readonly card: Card
  readonly merchant: CardMerchant
  readonly amount: number
}

/** What a purchase took from an account, collected for the network. The same `reference` never collects twice. */
export interface CollectRequest {
  readonly reference: string
  readonly cardId: string
  readonly accountId: string
  readonly merchant: CardMerchant
  readonly amount: number
  readonly currency: CurrencyCode
  /** Business time (ms) at which it became due. */
  readonly requestedAt: number
}

export type CollectOutcome = { readonly _tag: "Done" } | { readonly _tag: "Refused" } | IssuerUndecided

export class Issuer extends Context.Service<
  Issuer,
  {
    /** Whether there are cards at all; without, every card call is answered 501. */
    readonly isOffered: boolean
    /** Whether an embedded wallet pays only by an active delegated key. Source: wire contract 3.2. */
    readonly needsDelegatedKeys: boolean
    /** Whether the issuer takes the account as a funding source, beyond the rules. It changes nothing. */
    readonly admits: (accountId: string) => Effect.Effect<boolean>
    /** Whether cards have a static 3-D Secure factor, which `provision` receives. Without one, a password is `INVALID_INPUT`. */
    readonly takesThreeDSecurePassword: boolean
    readonly provision: (request: ProvisionRequest) => Effect.Effect<ProvisionOutcome>
    readonly changeState: (notice: StateNotice) => Effect.Effect<{ readonly _tag: "Done" } | IssuerUndecided>
    readonly reveal: (request: RevealRequest) => Effect.Effect<RevealOutcome>
    /** Why the issuer declines; `undefined`: it does not. */
    readonly screen: (request: ScreenRequest) => Effect.Effect<DeclineReason | undefined>
    readonly collect: (request: CollectRequest) => Effect.Effect<CollectOutcome>
  }
>()("@countersign/core/Issuer") {
  /** Of a deployment without cards. */
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
