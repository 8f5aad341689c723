/**
 * The checks of passkeys and OIDC tokens as wallets call them. A deployment that brings none of a kind has no such credentials.
 * Spec: Sandbox authentication behavior (2, 3, 5); wire contract 4.1, 4.12 and 8.2 (`NOT_IMPLEMENTED`); D-145, D-270.
 */
import { Effect } from "effect"
import { invalidInput, ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { OidcIdentity, RegisteredPasskey } from "../../model/wallet/Credential.ts"
import type { CredentialType } from "../../model/wallet/CredentialType.ts"
import { registrationRefusal } from "../../model/wallet/RegistrationReason.ts"
import { OidcChecks } from "../../ports/OidcChecks.ts"
import { type PasskeyAssertion, type PasskeyAttestation, PasskeyChecks } from "../../ports/PasskeyChecks.ts"

const notOffered = (type: CredentialType) =>
  new ServiceError({ code: "NOT_IMPLEMENTED", message: `This deployment offers no credentials of type ${type}.` })

const failed = (reason: string) => new ServiceError({ code: "UNAUTHORIZED", message: reason, details: { reason } })

const malformedToken = new ServiceError(invalidInput([{ field: "oidcToken", message: "must be a JSON Web Token" }]))

const unavailable = new ServiceError({
  code: "SERVICE_UNAVAILABLE",
  message: "The token cannot be checked now. Try again.",
})

/** The checks that this deployment has. */
export const make = Effect.gen(function* () {
  const passkeys = yield* Effect.serviceOption(PasskeyChecks)
  const tokens = yield* Effect.serviceOption(OidcChecks)

  const passkeyChecks = Effect.mapError(Effect.fromOption(passkeys), () => notOffered("PASSKEY"))
  const tokenChecks = Effect.mapError(Effect.fromOption(tokens), () => notOffered("OAUTH"))

  const registerPasskey = Effect.fnUntraced(function* (attestation: PasskeyAttestation, challenge: string) {
    const checks = yield* passkeyChecks
    return yield* Effect.mapError(
      checks.register(attestation, challenge),
      ({ reason }) => new ServiceError(registrationRefusal(reason)),
    )
  })

  const assertPasskey = Effect.fnUntraced(function* (
    assertion: PasskeyAssertion,
    challenge: string,
    passkey: RegisteredPasskey,
  ) {
    const checks = yield* passkeyChecks
    return yield* Effect.mapError(checks.assert(assertion, challenge, passkey), ({ reason }) => failed(reason))
  })

  const checkToken = Effect.fnUntraced(function* (
    token: string,
    nowMillis: number,
    expected?: { readonly identity: OidcIdentity; readonly clientPublicKey: string },
  ) {
    const checks = yield* tokenChecks
    return yield* Effect.mapError(checks.check(token, nowMillis, expected), (refused) => {
      if (refused._tag !== "OidcRefused") return unavailable
      return refused.malformed ? malformedToken : failed(refused.reason)
    })
  })

  return { registerPasskey, assertPasskey, checkToken }
})
