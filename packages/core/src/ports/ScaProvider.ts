/**
 * Strong customer authentication by a provider, which stores the secrets, sends the codes and checks the answers. A platform provides
 * its own behind this port.
 * Source: wire contract 5.12 and B; D-086.
 */
import { Context, type Effect, type Redacted } from "effect"
import type { Json } from "../foundation/kit/CanonicalJson.ts"
import type { AccountInfo } from "../model/account/ExternalAccount.ts"
import type { ScaFactor, TwoFactorResetState } from "../model/sca/ScaProfile.ts"
import type { EnrollableFactor, ScaFactorEnrollStart } from "../model/sca/ScaResource.ts"

type Members = { readonly [name: string]: Json }

/** The customer's answer that completes an enrolment. */
export type ScaConfirmation =
  | { readonly type: "TOTP"; readonly secret: Redacted.Redacted; readonly code: Redacted.Redacted }
  | { readonly type: "PASSKEY"; readonly origin: string; readonly credential: Members }

/** The invalid field, or the enrolled factor. */
export type ScaEnrollment =
  | { readonly _tag: "Refused"; readonly field: string }
  | {
      readonly _tag: "Enrolled"
      readonly credentialId: string
      readonly name?: string
      readonly recoveryCodes: ReadonlyArray<string>
    }

/** What a browser needs to answer with a passkey; empty for the other factors. Source: wire contract 5.12. */
export interface ScaChallenge {
  /** The options of `navigator.credentials.get`. */
  readonly passkeyOptions?: Members
  readonly allowedOrigins?: ReadonlyArray<string>
  readonly relyingPartyId?: string
}

/** A customer's answer to a challenge: a code, or the assertion of a passkey with the origin of its page. */
export interface ScaAnswer {
  readonly customerId: string
  readonly challengeId: string
  readonly factor: ScaFactor
  /** The customer's address as the platform reports it, for the provider's own rules. */
  readonly endUserIpAddress?: string
  readonly code?: Redacted.Redacted
  readonly passkeyAssertion?: Members
  readonly origin?: string
}

/** The payment that requires a challenge. */
export interface PaymentFacts {
  readonly customerId: string
  readonly isExchange: boolean
  readonly isPayout: boolean
}

/** The external account that a customer begins or ceases to trust. */
export interface Beneficiary {
  readonly customerId: string
  readonly accountInfo: AccountInfo
}

export class ScaProvider extends Context.Service<
  ScaProvider,
  {
    /** Starts the enrolment of a factor, which `confirmEnrollment` completes. */
    readonly startEnrollment: (customerId: string, type: EnrollableFactor) => Effect.Effect<ScaFactorEnrollStart>
    readonly confirmEnrollment: (customerId: string, confirmation: ScaConfirmation) => Effect.Effect<ScaEnrollment>
    /** Starts a challenge; the code of `SMS_OTP` is sent to this number. */
    readonly challenge: (request: {
      readonly customerId: string
      readonly challengeId: string
      readonly factor: ScaFactor
      readonly phoneNumber?: string
    }) => Effect.Effect<ScaChallenge>
    /** Returns the purposes of a payment's consecutive challenges; absent: one challenge suffices. */
    readonly purposes?: (payment: PaymentFacts) => Effect.Effect<readonly [string, ...ReadonlyArray<string>]>
    /** Whether the trust in an external account requires a challenge; absent: always. Source: wire contract areas 1.3.2. */
    readonly challengesTrust?: (beneficiary: Beneficiary) => Effect.Effect<boolean>
    /** A request asks once, so a right answer may be used up by it (D-322). */
    readonly check: (answer: ScaAnswer) => Effect.Effect<boolean>
    /** Starts a reset, and returns where the customer proves its liveness. */
    readonly startReset: (
      customerId: string,
      resetId: string,
      factor: ScaFactor,
    ) => Effect.Effect<{ readonly livenessAccessToken?: string; readonly verificationLink?: string }>
    /** Returns the state of a reset. The service itself decides its expiry and completion. */
    readonly resetState: (
      customerId: string,
      resetId: string,
    ) => Effect.Effect<Exclude<TwoFactorResetState, "COMPLETED" | "EXPIRED">>
  }
>()("@countersign/core/ScaProvider") {}
