/**
 * Strong customer authentication as a payment provider offers it: it keeps the secrets, sends the codes and checks what comes
 * back. A platform brings its own behind this port.
 * Source: wire contract 5.12 and B; D-086.
 */
import { Context, type Effect, type Redacted } from "effect"
import type { Json } from "../foundation/kit/CanonicalJson.ts"
import type { ScaFactor, TwoFactorResetState } from "../model/sca/ScaProfile.ts"
import type { EnrollableFactor, ScaFactorEnrollStart } from "../model/sca/ScaResource.ts"

type Members = { readonly [name: string]: Json }

/** What a customer sends back to finish an enrolment. */
export type ScaConfirmation =
  | { readonly type: "TOTP"; readonly secret: Redacted.Redacted; readonly code: Redacted.Redacted }
  | { readonly type: "PASSKEY"; readonly origin: string; readonly credential: Members }

/** The field that is wrong, or the factor as it is kept. */
export type ScaEnrollment =
  | { readonly _tag: "Refused"; readonly field: string }
  | {
      readonly _tag: "Enrolled"
      readonly credentialId: string
      readonly name?: string
      readonly recoveryCodes: ReadonlyArray<string>
    }

export interface ScaChallenge {
  readonly passkeyOptions?: Members
  readonly allowedOrigins?: ReadonlyArray<string>
  readonly relyingPartyId?: string
}

export interface ScaAnswer {
  readonly customerId: string
  readonly challengeId: string
  readonly factor: ScaFactor
  readonly endUserIpAddress?: string
  readonly code?: Redacted.Redacted
  readonly passkeyAssertion?: Members
  readonly origin?: string
}

/** What is known of a payment that needs a challenge. */
export interface PaymentFacts {
  readonly customerId: string
  readonly isExchange: boolean
  readonly isPayout: boolean
}

export class ScaProvider extends Context.Service<
  ScaProvider,
  {
    readonly startEnrollment: (customerId: string, type: EnrollableFactor) => Effect.Effect<ScaFactorEnrollStart>
    readonly confirmEnrollment: (customerId: string, confirmation: ScaConfirmation) => Effect.Effect<ScaEnrollment>
    /** Begins a challenge; of `SMS_OTP` the code goes to this number. */
    readonly challenge: (request: {
      readonly customerId: string
      readonly challengeId: string
      readonly factor: ScaFactor
      readonly phoneNumber?: string
    }) => Effect.Effect<ScaChallenge>
    /** What a payment's challenges are for, one after another; absent: one is enough. */
    readonly purposes?: (payment: PaymentFacts) => Effect.Effect<readonly [string, ...ReadonlyArray<string>]>
    readonly check: (answer: ScaAnswer) => Effect.Effect<boolean>
    readonly startReset: (
      customerId: string,
      resetId: string,
      factor: ScaFactor,
    ) => Effect.Effect<{ readonly livenessAccessToken?: string; readonly verificationLink?: string }>
    /** How far a reset has come; when it expires, and that it is completed, the service says. */
    readonly resetState: (
      customerId: string,
      resetId: string,
    ) => Effect.Effect<Exclude<TwoFactorResetState, "COMPLETED" | "EXPIRED">>
  }
>()("@countersign/core/ScaProvider") {}
