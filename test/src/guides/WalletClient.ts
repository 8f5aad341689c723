/** The wallet's side of the signed flows. It runs in browsers, apps and servers with Web Cryptography. */
import { OtpBundle, P256, PortableCrypto, SessionBundle, Stamp } from "@countersign/core/crypto"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"

const crypto = PortableCrypto.layer.pipe(Layer.provide(SecureRandom.layerWebCrypto))

/** Generates a key pair for one authentication. Send the public key as `clientPublicKey` and keep the private key. */
export const newKeys = () => Effect.runPromise(P256.use((p256) => p256.generate).pipe(Effect.provide(crypto)))

type Keys = Awaited<ReturnType<typeof newKeys>>

/** Returns the `encryptedOtpBundle`: the code, encrypted to the key of the challenge, which the service's key has signed. */
export const sealCode = (keys: Keys, otpEncryptionTargetBundle: string, quorum: string, code: string) =>
  Effect.gen(function* () {
    const signer = yield* P256.use((p256) => p256.publicKey(quorum)) // pinned in your application
    const target = yield* OtpBundle.verifyTarget(otpEncryptionTargetBundle, { signer })
    return yield* OtpBundle.seal(target, { otpCode: Redacted.make(code), publicKey: keys.publicKey })
  }).pipe(Effect.provide(crypto), Effect.runPromise)

/** Decrypts the session's key from the `encryptedSessionSigningKey` of a verify or refresh. */
export const openSession = (keys: Keys, encryptedSessionSigningKey: string) =>
  SessionBundle.open(keys, encryptedSessionSigningKey).pipe(Effect.provide(crypto), Effect.runPromise)

/** Returns the value of `Service-Wallet-Signature`. Sign the received bytes of `payloadToSign` unchanged. */
export const sign = (session: Keys, payloadToSign: string) =>
  Stamp.make(session, payloadToSign).pipe(Effect.provide(crypto), Effect.runPromise)
