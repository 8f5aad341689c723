/**
 * Seals the 3-D Secure password of a card for its provisioning job, and opens it for the issuer. Between the request and the issuer
 * it exists only sealed, to a key that is derived for this card.
 * Source: wire contract 3.2; D-181.
 */
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Effect, Redacted } from "effect"
import type { Hpke } from "../../foundation/crypto/Hpke.ts"
import { P256 } from "../../foundation/crypto/P256.ts"
import * as Sealed from "../../foundation/crypto/Sealed.ts"
import { textOf } from "../../foundation/crypto/Utf8.ts"
import { JobFailed } from "../../operation/Jobs.ts"
import { KeyVault } from "../../ports/KeyVault.ts"

/** Services that sealing and opening need. */
export type PasswordServices = KeyVault | P256 | Hpke

const keyOf = Effect.fnUntraced(function* (cardId: string) {
  const { derive } = yield* KeyVault
  const p256 = yield* P256
  return yield* p256.derive(yield* derive("card-password", cardId))
})

/** Seals the password to the card's key. */
export const sealPassword = Effect.fnUntraced(function* (cardId: string, password: Redacted.Redacted) {
  const { publicKey } = yield* keyOf(cardId)
  return Sealed.toText(yield* Sealed.seal(publicKey, utf8ToBytes(Redacted.value(password))))
})

/** Opens the password. Fails if the vault's secret is not the one that it was sealed with. */
export const openPassword = Effect.fnUntraced(function* (cardId: string, text: Sealed.SealedText) {
  const failed = new JobFailed({ reason: "The sealed password does not open: the vault's secret has changed." })
  const sealed = Sealed.fromText({ ...text })
  if (sealed === undefined) return yield* failed
  const bytes = yield* Effect.mapError(Sealed.open(yield* keyOf(cardId), sealed), () => failed)
  return Redacted.make(textOf(bytes), { label: "3-D Secure password" })
})
