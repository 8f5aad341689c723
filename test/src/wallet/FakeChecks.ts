/** Passkey and OIDC checks on plain texts, for tests of what wallets do with the results of the two ports. */
import { OidcChecks, OidcRefused, PasskeyChecks, PasskeyRefused } from "@countersign/core/ports"
import { Effect, Layer } from "effect"

const refused = (reason: string) => Effect.fail(new PasskeyRefused({ reason }))

/** The client data of an attestation is the challenge; the signature of an assertion names the challenge. */
const passkeys = Layer.succeed(PasskeyChecks, {
  register: ({ clientDataJson, credentialId }, challenge) =>
    clientDataJson === challenge
      ? Effect.succeed({
          credentialId,
          publicKey: "key",
          signatureCount: 0,
          origin: "https://platform.example",
          relyingPartyHash: "hash",
          userVerified: false,
        })
      : refused("Challenge mismatch"),
  assert: ({ authenticatorData, credentialId, signature }, challenge, passkey) => {
    if (credentialId !== passkey.credentialId) return refused("Credential id mismatch")
    if (signature !== `signed ${challenge}`) return refused("Invalid assertion signature")
    const signatureCount = Number(authenticatorData)
    return signatureCount > passkey.signatureCount
      ? Effect.succeed({ signatureCount, userVerified: true })
      : refused("Signature counter did not increase")
  },
})

/** Claims of a token. */
export interface Claims {
  readonly sub: string
  readonly email?: string
  readonly nonce?: string
  readonly isOld?: boolean
}

export const tokenOf = (claims: Claims): string => JSON.stringify(claims)

const issuer = "https://accounts.google.com"

const tokens = Layer.succeed(OidcChecks, {
  check: (token, _now, expected) => {
    if (!token.startsWith("{")) return Effect.fail(new OidcRefused({ reason: "", malformed: true }))
    const { email, isOld, nonce, sub }: Claims = JSON.parse(token)
    const fail = (reason: string) => Effect.fail(new OidcRefused({ reason, malformed: false }))
    if (isOld === true) return fail("Token too old")
    if (expected !== undefined && expected.identity.subject !== sub) return fail("Identity mismatch")
    if (expected !== undefined && expected.clientPublicKey !== nonce) return fail("Nonce mismatch")
    return Effect.succeed({ issuer, audience: "app", subject: sub, ...(email === undefined ? {} : { email }) })
  },
})

export const fakeChecks = Layer.merge(passkeys, tokens)
