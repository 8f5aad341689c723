/**
 * `PasskeyChecks` on a WebAuthn library: registrations and assertions of real authenticators.
 * Spec: Sandbox authentication behavior (2); wire contract 4.3 to 4.5, 11.26 to 11.29; D-160, D-161.
 */

import { UnauthorizedReasons } from "@countersign/core/models"
import {
  type PasskeyAssertion,
  type PasskeyAttestation,
  PasskeyChecks,
  type PasskeyFacts,
  PasskeyRefused,
  PasskeyRules,
  type RegisteredPasskey,
  RegistrationReasons,
} from "@countersign/core/ports"
import { verifyRegistrationResponse } from "@simplewebauthn/server"
import { verifySignature } from "@simplewebauthn/server/helpers"
import { Effect } from "effect"
import { bytesOf, textOf, unpadded } from "./Base64UrlText.ts"
import { algorithmIds, algorithmOf, isAdmitted, isProper } from "./CoseKey.ts"
import { attestedOf, authenticatorOf, bytesWithin, clientDataOf, relyingPartyHashOf } from "./PasskeyParts.ts"

/** Origins and relying parties that an assertion may have in addition to those of its registration. */
export interface PasskeyOptions {
  readonly origins?: ReadonlyArray<string> | undefined
  readonly relyingPartyIds?: ReadonlyArray<string> | undefined
}

const refused = (reason: keyof typeof UnauthorizedReasons.rows) =>
  new PasskeyRefused({ reason: UnauthorizedReasons.rows[reason] })

const unregistered = (reason: keyof typeof RegistrationReasons.rows) =>
  new PasskeyRefused({ reason: RegistrationReasons.rows[reason].reason })

/** Whether the passkey's key signed the assertion. An error of the library counts as not signed. */
const isSigned = (assertion: PasskeyAssertion, passkey: RegisteredPasskey): Effect.Effect<boolean> =>
  Effect.promise(async () => {
    const client = bytesWithin(assertion.clientDataJson)
    const authenticator = bytesWithin(assertion.authenticatorData)
    const signature = bytesWithin(assertion.signature)
    const credentialPublicKey = bytesOf(passkey.publicKey)
    if (!client || !authenticator || !signature || !credentialPublicKey) return false
    try {
      if (!isProper(algorithmOf(credentialPublicKey), signature)) return false
      const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", client))
      return await verifySignature({ signature, data: Uint8Array.of(...authenticator, ...hash), credentialPublicKey })
    } catch {
      return false
    }
  })

const assert = (options: PasskeyOptions): PasskeyChecks["Service"]["assert"] => {
  const origins = options.origins ?? []
  const relyingPartyHashes = (options.relyingPartyIds ?? []).map(relyingPartyHashOf)
  return Effect.fn("Passkeys.assert")(function* (assertion, challenge, passkey) {
    const authenticator = authenticatorOf(bytesWithin(assertion.authenticatorData))
    const facts: PasskeyFacts = {
      credentialId: unpadded(assertion.credentialId),
      client: clientDataOf(assertion.clientDataJson),
      authenticator,
      challenge: textOf(challenge),
      passkey,
      origins,
      relyingPartyHashes,
      isSigned: false,
    }
    // Verifying the signature costs more than all other rules, so it happens only after they have passed.
    const refusalBeforeSignature = PasskeyRules.first(facts)?.refusal
    const refusal =
      refusalBeforeSignature === "INVALID_ASSERTION_SIGNATURE"
        ? PasskeyRules.first({ ...facts, isSigned: yield* isSigned(assertion, passkey) })?.refusal
        : refusalBeforeSignature
    if (refusal !== undefined || authenticator === undefined) {
      return yield* refused(refusal ?? "INVALID_ASSERTION_SIGNATURE")
    }
    return { signatureCount: authenticator.signatureCount, userVerified: authenticator.userVerified }
  })
}

/** Whether the library verifies the attestation statement. */
const isAttested = (attestation: PasskeyAttestation, id: string, challenge: string, origin: string) =>
  Effect.promise(async () => {
    try {
      const { attestationObject, clientDataJson: clientDataJSON } = attestation
      const { verified } = await verifyRegistrationResponse({
        response: {
          id,
          rawId: id,
          type: "public-key",
          response: { clientDataJSON, attestationObject },
          clientExtensionResults: {},
        },
        expectedChallenge: challenge,
        expectedOrigin: origin,
        requireUserVerification: false,
        supportedAlgorithmIDs: [...algorithmIds],
      })
      return verified
    } catch {
      return false
    }
  })

const register = Effect.fn("Passkeys.register")(function* (attestation: PasskeyAttestation, expectedChallenge: string) {
  const challenge = unpadded(expectedChallenge)
  const client = clientDataOf(attestation.clientDataJson)
  const authenticator = attestedOf(attestation.attestationObject)
  if (client === undefined || authenticator === undefined) return yield* unregistered("INVALID_ATTESTATION")
  if (client.type !== "webauthn.create" || client.challenge !== challenge)
    return yield* unregistered("CHALLENGE_MISMATCH")
  if (!authenticator.userPresent) return yield* unregistered("USER_PRESENCE_MISSING")
  const { credentialId, publicKey } = authenticator
  if (credentialId === undefined || publicKey === undefined) return yield* unregistered("INVALID_ATTESTATION")
  const id = textOf(credentialId)
  if (unpadded(attestation.credentialId) !== id || id === "") return yield* unregistered("CREDENTIAL_ID_MISMATCH")
  if (!isAdmitted(publicKey) || !(yield* isAttested(attestation, id, challenge, client.origin))) {
    return yield* unregistered("INVALID_ATTESTATION")
  }
  return {
    credentialId: id,
    publicKey: textOf(publicKey),
    signatureCount: authenticator.signatureCount,
    origin: client.origin,
    relyingPartyHash: authenticator.relyingPartyHash,
    userVerified: authenticator.userVerified,
  } satisfies RegisteredPasskey
})

/** Returns the checks. `signed` verifies the signature of an assertion. */
export const make = (options: PasskeyOptions): PasskeyChecks["Service"] =>
  PasskeyChecks.of({ register, assert: assert(options) })
