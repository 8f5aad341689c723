/** A wallet's side of the signed flows: it runs wherever Web Cryptography does, browsers and apps among them. */
import { OtpBundle, P256, PortableCrypto, SessionBundle, Stamp } from "@countersign/core/crypto"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"

const crypto = PortableCrypto.layer.pipe(Layer.provide(SecureRandom.layerWebCrypto))

/** A key pair for one authentication. The private half stays here; the public one is the `clientPublicKey`. */
export const newKeys = () => Effect.runPromise(P256.use((p256) => p256.generate).pipe(Effect.provide(crypto)))

type Keys = Awaited<ReturnType<typeof newKeys>>

/** `encryptedOtpBundle`: the code, sealed to the key that the challenge names and that the service's own key has signed. */
export const sealCode = (keys: Keys, otpEncryptionTargetBundle: string, quorum: string, code: string) =>
  Effect.gen(function* () {
    const signer = yield* P256.use((p256) => p256.publicKey(quorum)) // pinned: part of your application
    const target = yield* OtpBundle.verifyTarget(otpEncryptionTargetBundle, { signer })
    return yield* OtpBundle.seal(target, { otpCode: Redacted.make(code), publicKey: keys.publicKey })
  }).pipe(Effect.provide(crypto), Effect.runPromise)

/** The session's key, from the `encryptedSessionSigningKey` of a verify or refresh. */
export const openSession = (keys: Keys, encryptedSessionSigningKey: string) =>
  SessionBundle.open(keys, encryptedSessionSigningKey).pipe(Effect.provide(crypto), Effect.runPromise)

/** The value of `Service-Wallet-Signature`: sign `payloadToSign` as it came, byte for byte. */
export const sign = (session: Keys, payloadToSign: string) =>
  Stamp.make(session, payloadToSign).pipe(Effect.provide(crypto), Effect.runPromise)
