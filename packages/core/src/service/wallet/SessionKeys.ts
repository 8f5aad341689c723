/**
 * Makes the key of a new session: the client's own key, or a generated key that is sealed to the client. Only the public key is
 * stored.
 * Spec: Wallet action signing (session key delivery); wire contract 4.6 and 10 (24, 47).
 */
import { Effect, Result } from "effect"
import type { SessionKey } from "../../decision/wallet/SessionChanges.ts"
import { P256 } from "../../foundation/crypto/P256.ts"
import * as SessionBundle from "../../foundation/crypto/SessionBundle.ts"
import { invalidInput } from "../../foundation/errors/ServiceError.ts"
import type { CredentialType } from "../../model/wallet/CredentialType.ts"

/** Returns the client's key, or the refusal of a point that is not on the curve. */
export const parseClientKey = Effect.fnUntraced(function* (clientPublicKey: string) {
  const p256 = yield* P256
  return yield* Effect.result(
    Effect.mapError(p256.publicKey(clientPublicKey), ({ message }) =>
      invalidInput([{ field: "clientPublicKey", message }]),
    ),
  )
})

/** Whether the client holds the session's key. A session of a code always uses the client's key, in either encoding. */
const isHeldByClient = (clientPublicKey: string, type: CredentialType): boolean =>
  type === "EMAIL_OTP" || type === "SMS_OTP" || !clientPublicKey.startsWith("04")

/** Returns the key of a new session, or the refusal of the client's key. */
export const makeSessionKey = Effect.fnUntraced(function* (clientPublicKey: string, type: CredentialType) {
  const client = yield* parseClientKey(clientPublicKey)
  if (Result.isFailure(client)) return Result.fail(client.failure)
  if (isHeldByClient(clientPublicKey, type)) {
    return Result.succeed<SessionKey>({ publicKey: client.success.compressed })
  }
  const p256 = yield* P256
  const session = yield* p256.generate
  const sealed = yield* SessionBundle.seal(client.success, session)
  return Result.succeed<SessionKey>({ publicKey: session.publicKey.compressed, sealed })
})
