/**
 * `P256` on @noble/curves: plain JavaScript, for browsers and any other runtime. Effect's secure random service generates the keys.
 * Spec: Wallet action signing.
 */
import { p256 } from "@noble/curves/nist.js"
import { hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { Effect, Redacted, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import { InvalidPrivateKey, type KeyPair, redactedScalar, scalarBytes } from "./KeyPair.ts"
import { type Message, P256, seedBytesMin } from "./P256.ts"
import { kem } from "./PortableSuite.ts"
import { InvalidPublicKey, type PublicKey, publicKeyOfPoint, publicKeyPattern } from "./PublicKey.ts"

/** Accepts high S: common signers do not normalize it, and single use of requests prevents replays (wire contract 4.9). */
const format = { format: "der", lowS: false } as const

const bytesOf = (message: Message): Uint8Array => (typeof message === "string" ? utf8ToBytes(message) : message)

const keyPairOf = (scalar: Uint8Array): KeyPair => ({
  publicKey: publicKeyOfPoint(Hex.encode(p256.getPublicKey(scalar, false))),
  privateKey: redactedScalar(scalar),
})

const publicKey = (hex: string): Result.Result<PublicKey, InvalidPublicKey> => {
  if (!publicKeyPattern.test(hex)) return Result.fail(InvalidPublicKey.notHex())
  return Result.try({
    try: () => publicKeyOfPoint(Hex.encode(p256.Point.fromBytes(hexToBytes(hex)).toBytes(false))),
    catch: InvalidPublicKey.notOnCurve,
  })
}

const verify = (key: PublicKey, message: Message, signature: string): boolean => {
  try {
    return p256.verify(hexToBytes(signature), bytesOf(message), hexToBytes(key.uncompressed), format)
  } catch {
    return false
  }
}

export const make: Effect.Effect<P256["Service"], never, SecureRandom.SecureRandom> = Effect.gen(function* () {
  const random = yield* SecureRandom.SecureRandom
  return P256.of({
    // More bytes than a scalar has, so that the reduction has no bias.
    generate: Effect.map(random.randomBytes(p256.lengths.seed ?? 48), (seed) =>
      keyPairOf(p256.utils.randomSecretKey(seed)),
    ),
    derive: (seed) =>
      Effect.promise(async () => {
        const bytes = Redacted.value(seed)
        if (bytes.length < seedBytesMin) throw new RangeError(`A seed has at least ${seedBytesMin} bytes.`)
        const { privateKey } = await kem.deriveKeyPair(bytes)
        return keyPairOf(new Uint8Array(await kem.serializePrivateKey(privateKey)))
      }),
    keyPair: (scalar) =>
      Effect.suspend(() => {
        const bytes = scalarBytes(scalar)
        return bytes !== undefined && p256.utils.isValidSecretKey(bytes)
          ? Effect.succeed(keyPairOf(Uint8Array.from(bytes)))
          : Effect.fail(InvalidPrivateKey.make())
      }),
    publicKey: (hex) => Effect.suspend(() => Effect.fromResult(publicKey(hex))),
    sign: (key, message) =>
      Effect.sync(() => Hex.encode(p256.sign(bytesOf(message), Redacted.value(key.privateKey), format))),
    verify: (key, message, signature) => Effect.sync(() => verify(key, message, signature)),
    signer: (hex, message, signature) => {
      const key = Result.getOrUndefined(publicKey(hex))
      return key !== undefined && verify(key, message, signature) ? key : undefined
    },
  })
})
