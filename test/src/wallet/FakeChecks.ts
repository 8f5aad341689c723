/** Passkeys and OIDC tokens that are plain texts: what wallets do with the answers of the two ports is seen without their cryptography. */

import { OidcChecks, OidcRefused, PasskeyChecks, PasskeyRefused } from "@countersign/core/ports"
import { Effect, Layer } from "effect"

const refused = (reason: string) => Effect.fail(new PasskeyRefused({ reason }))

/** An attestation whose client data are the challenge itself; an assertion whose signature names it. */
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

/** The claims of a token. */
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
