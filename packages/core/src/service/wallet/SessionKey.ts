/**
 * The key of a new session: the client's own, or one that is made here and goes to the client sealed. Only its public half is kept.
 * Spec: Wallet action signing (session key delivery); wire contract 4.6 and 10 (24, 47).
 */
import { Effect } from "effect"
import type { SessionKey } from "../../decision/wallet/SessionChanges.ts"
import { P256 } from "../../foundation/crypto/P256.ts"
import * as SessionBundle from "../../foundation/crypto/SessionBundle.ts"
import { invalidInput, ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { CredentialType } from "../../model/wallet/CredentialType.ts"

/** The key that a client sent, found to lie on the curve. */
export const clientKey = Effect.fnUntraced(function* (clientPublicKey: string) {
  const p256 = yield* P256
  return yield* Effect.mapError(
    p256.publicKey(clientPublicKey),
    ({ message }) => new ServiceError(invalidInput([{ field: "clientPublicKey", message }])),
  )
})

/** Sessions of codes have no other key than the client's, in whichever encoding it comes. */
const isHeldByClient = (clientPublicKey: string, type: CredentialType): boolean =>
  type === "EMAIL_OTP" || type === "SMS_OTP" || !clientPublicKey.startsWith("04")

export const sessionKeyFor = Effect.fnUntraced(function* (clientPublicKey: string, type: CredentialType) {
  const client = yield* clientKey(clientPublicKey)
  if (isHeldByClient(clientPublicKey, type)) return { publicKey: client.compressed } satisfies SessionKey
  const p256 = yield* P256
  const session = yield* p256.generate
  const key: SessionKey = {
    publicKey: session.publicKey.compressed,
    sealed: yield* SessionBundle.seal(client, session),
  }
  return key
})
