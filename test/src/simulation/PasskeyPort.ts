/**
 * The passkeys of a simulated run: the checks of a deployment with synchronous cryptography, because the time that an asynchronous one takes
 * is not determined by the seed. Its devices sign by ES256 and send no attestation statement.
 * Source: wire contract 4.3 to 4.5, 4.12.
 */
import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto"
import { UnauthorizedReasons } from "@countersign/core/models"
import { PasskeyChecks, PasskeyRefused, PasskeyRules, RegistrationReasons } from "@countersign/core/ports"
import { Effect, Layer } from "effect"
import { attestedOf, authenticatorOf, clientDataOf } from "../../../packages/adapter-http/src/wallet/PasskeyParts.ts"

const bytesOf = (text: string): Buffer => Buffer.from(text, "base64url")

/** The coordinates of a COSE key of ES256 are at these places. */
const keyOf = (cose: Buffer): KeyObject => {
  const [x, y] = [cose.subarray(10, 42), cose.subarray(45, 77)].map((part) => part.toString("base64url"))
  return createPublicKey({ key: { kty: "EC", crv: "P-256", x: x ?? "", y: y ?? "" }, format: "jwk" })
}

const refused = (reason: string) => Effect.fail(new PasskeyRefused({ reason }))
const unregistered = (reason: keyof typeof RegistrationReasons.rows) => refused(RegistrationReasons.rows[reason].reason)

export const passkeyPort: Layer.Layer<PasskeyChecks> = Layer.succeed(
  PasskeyChecks,
  PasskeyChecks.of({
    register: (attestation, challenge) =>
      Effect.suspend(() => {
        const client = clientDataOf(attestation.clientDataJson)
        const authenticator = attestedOf(attestation.attestationObject)
        const { credentialId, publicKey } = authenticator ?? {}
        if (client === undefined || authenticator === undefined) return unregistered("INVALID_ATTESTATION")
        if (client.type !== "webauthn.create" || client.challenge !== challenge)
          return unregistered("CHALLENGE_MISMATCH")
        if (!authenticator.userPresent) return unregistered("USER_PRESENCE_MISSING")
        if (credentialId === undefined || publicKey === undefined) return unregistered("INVALID_ATTESTATION")
        const { relyingPartyHash, signatureCount, userVerified } = authenticator
        return Effect.succeed({
          credentialId: Buffer.from(credentialId).toString("base64url"),
          publicKey: Buffer.from(publicKey).toString("base64url"),
          origin: client.origin,
          relyingPartyHash,
          signatureCount,
          userVerified,
        })
      }),
    assert: ({ authenticatorData, clientDataJson, credentialId, signature }, challenge, passkey) =>
      Effect.suspend(() => {
        const data = bytesOf(authenticatorData)
        const authenticator = authenticatorOf(data)
        const hash = createHash("sha256").update(bytesOf(clientDataJson)).digest()
        const refusal = PasskeyRules.first({
          credentialId,
          client: clientDataOf(clientDataJson),
          authenticator,
          challenge: Buffer.from(challenge).toString("base64url"),
          passkey,
          origins: [],
          relyingPartyHashes: [],
          isSigned: verify(
            "sha256",
            Buffer.concat([data, hash]),
            keyOf(bytesOf(passkey.publicKey)),
            bytesOf(signature),
          ),
        })?.refusal
        if (refusal !== undefined || authenticator === undefined)
          return refused(UnauthorizedReasons.rows[refusal ?? "INVALID_ASSERTION_SIGNATURE"])
        const { signatureCount, userVerified } = authenticator
        return Effect.succeed({ signatureCount, userVerified })
      }),
  }),
)
