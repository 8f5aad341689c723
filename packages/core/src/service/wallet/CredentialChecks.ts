/**
 * Checks of passkeys and OIDC tokens, with each refusal as a fact for the decision. A deployment without one of the ports has no
 * credentials of its type.
 * Spec: Sandbox authentication behavior (2, 3, 5); wire contract 4.1, 4.12 and 8.2 (`NOT_IMPLEMENTED`); D-145, D-270.
 */
import { Context, Effect, Layer, Option, Result } from "effect"
import type { PasskeyUse } from "../../decision/wallet/PasskeySignInDecision.ts"
import { invalidInput, type Refusal } from "../../foundation/errors/ServiceError.ts"
import type { OidcIdentity, RegisteredPasskey } from "../../model/wallet/Credential.ts"
import type { CredentialType } from "../../model/wallet/CredentialType.ts"
import { registrationRefusal } from "../../model/wallet/RegistrationReason.ts"
import { OidcChecks, type OidcPerson } from "../../ports/OidcChecks.ts"
import { type PasskeyAssertion, type PasskeyAttestation, PasskeyChecks } from "../../ports/PasskeyChecks.ts"

/** What the check found, or why it refuses. */
type Checked<A> = Effect.Effect<Result.Result<A, Refusal>>

const notOffered = (type: CredentialType): Refusal => ({
  code: "NOT_IMPLEMENTED",
  message: `This deployment offers no credentials of type ${type}.`,
})

const unauthenticated = (reason: string): Refusal => ({ code: "UNAUTHORIZED", message: reason, details: { reason } })

const malformedToken = invalidInput([{ field: "oidcToken", message: "must be a JSON Web Token" }])

const unavailable: Refusal = {
  code: "SERVICE_UNAVAILABLE",
  message: "The token cannot be checked now. Try again.",
}

export class CredentialChecks extends Context.Service<
  CredentialChecks,
  {
    readonly registerPasskey: (attestation: PasskeyAttestation, challenge: string) => Checked<RegisteredPasskey>
    readonly assertPasskey: (
      assertion: PasskeyAssertion,
      challenge: string,
      passkey: RegisteredPasskey,
    ) => Checked<PasskeyUse>
    /** `expected` is the identity and the key that the token of a sign-in must name. */
    readonly checkToken: (
      token: string,
      nowMillis: number,
      expected?: { readonly identity: OidcIdentity; readonly clientPublicKey: string },
    ) => Checked<OidcPerson>
  }
>()("@countersign/core/CredentialChecks") {
  static readonly layer = Layer.effect(
    CredentialChecks,
    Effect.gen(function* () {
      const passkeys = Option.getOrUndefined(yield* Effect.serviceOption(PasskeyChecks))
      const tokens = Option.getOrUndefined(yield* Effect.serviceOption(OidcChecks))

      const registerPasskey = (attestation: PasskeyAttestation, challenge: string): Checked<RegisteredPasskey> =>
        passkeys === undefined
          ? Effect.succeed(Result.fail(notOffered("PASSKEY")))
          : Effect.result(
              Effect.mapError(passkeys.register(attestation, challenge), ({ reason }) => registrationRefusal(reason)),
            )

      const assertPasskey = (
        assertion: PasskeyAssertion,
        challenge: string,
        passkey: RegisteredPasskey,
      ): Checked<PasskeyUse> =>
        passkeys === undefined
          ? Effect.succeed(Result.fail(notOffered("PASSKEY")))
          : Effect.result(
              Effect.mapError(passkeys.assert(assertion, challenge, passkey), ({ reason }) => unauthenticated(reason)),
            )

      const checkToken = (
        token: string,
        nowMillis: number,
        expected?: { readonly identity: OidcIdentity; readonly clientPublicKey: string },
      ): Checked<OidcPerson> =>
        tokens === undefined
          ? Effect.succeed(Result.fail(notOffered("OAUTH")))
          : Effect.result(
              Effect.mapError(tokens.check(token, nowMillis, expected), (refused) => {
                if (refused._tag !== "OidcRefused") return unavailable
                return refused.malformed ? malformedToken : unauthenticated(refused.reason)
              }),
            )

      return CredentialChecks.of({ registerPasskey, assertPasskey, checkToken })
    }),
  )
}
