/**
 * Transfers a one-time code to the service: the target key to which the client seals it, and the sealed code.
 * Spec: Wallet action signing (OTP codes are never sent in clear); wire contract 4.9.
 */
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Effect, Redacted } from "effect"
import { refused } from "./BundleRefused.ts"
import { NotOpened } from "./Hpke.ts"
import { membersOf } from "./JsonObject.ts"
import type { KeyPair } from "./KeyPair.ts"
import { P256 } from "./P256.ts"
import type { PublicKey } from "./PublicKey.ts"
import * as Sealed from "./Sealed.ts"
import * as SignedBundle from "./SignedBundle.ts"
import { textOf } from "./Utf8.ts"

/** Service side: creates `otpEncryptionTargetBundle`, which contains the target key of one issued code. */
export const makeTarget = Effect.fn("OtpBundle.makeTarget")(function* (
  quorum: KeyPair,
  target: PublicKey,
  organizationId: string,
) {
  return yield* SignedBundle.make(quorum, { targetPublic: target.uncompressed, organizationId })
})

/** Client side: verifies the bundle and returns the target key. */
export const verifyTarget = Effect.fn("OtpBundle.verifyTarget")(function* (
  bundle: string,
  expected: SignedBundle.Expected = {},
) {
  const p256 = yield* P256
  const { targetPublic } = yield* SignedBundle.verify(bundle, expected)
  if (typeof targetPublic !== "string") return yield* refused("MALFORMED")
  return yield* p256.publicKey(targetPublic).pipe(Effect.mapError(() => refused("MALFORMED")))
})

/** The client's sealed answer: the code, and the public key with which the client will sign. */
export interface OtpAnswer {
  readonly otpCode: Redacted.Redacted
  readonly publicKey: PublicKey
}

/** Client side: creates `encryptedOtpBundle`. */
export const seal = Effect.fn("OtpBundle.seal")(function* (target: PublicKey, { otpCode, publicKey }: OtpAnswer) {
  const plaintext = JSON.stringify({ otp_code: Redacted.value(otpCode), public_key: publicKey.compressed })
  return JSON.stringify(Sealed.toText(yield* Sealed.seal(target, utf8ToBytes(plaintext))))
})

/** Service side: opens `encryptedOtpBundle`. Every failure has the same reason, so that an attacker learns nothing from it. */
export const open = Effect.fn("OtpBundle.open")(function* (target: KeyPair, bundle: string) {
  const p256 = yield* P256
  const answer = Effect.gen(function* () {
    const sealed = Sealed.fromText(membersOf(bundle.trim()) ?? {})
    if (sealed === undefined) return yield* new NotOpened()
    const plaintext = membersOf(textOf(yield* Sealed.open(target, sealed)))
    const code = plaintext?.["otp_code"]
    const key = plaintext?.["public_key"]
    if (typeof code !== "string" || typeof key !== "string") return yield* new NotOpened()
    const publicKey = yield* p256.publicKey(key)
    return { otpCode: Redacted.make(code, { label: "OTP code" }), publicKey } satisfies OtpAnswer
  })
  return yield* Effect.mapError(answer, () => refused("NOT_OPENED"))
})
