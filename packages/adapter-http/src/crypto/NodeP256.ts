/**
 * `P256` on Node's crypto. OpenSSL generates the keys.
 * Spec: Wallet action signing; D-071.
 */
import { createECDH, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto"
import {
  InvalidPrivateKey,
  type KeyPair,
  type Message,
  P256,
  publicKeyOfPoint,
  redactedScalar,
  scalarBytes,
  seedBytesMin,
} from "@countersign/core/crypto"
import { Effect, Redacted, Result } from "effect"
import { empty, labelled } from "./Hkdf.ts"
import { kemSuiteId } from "./HpkeSchedule.ts"
import { type KeyObjects, pointOf } from "./KeyObjects.ts"

/** Uses Node's buffer pool for small messages: a separate allocation would cost a tenth of a verification. */
const bytesOf = (message: Message): Uint8Array => (typeof message === "string" ? Buffer.from(message) : message)

const isSigned = (key: KeyObject, message: Message, signature: string): boolean => {
  const der = Buffer.from(signature, "hex")
  // Node stops at the first character that is not hex, so the length shows a malformed text.
  return der.length * 2 === signature.length && verify("sha256", bytesOf(message), key, der)
}

/** Returns `undefined` if the scalar is not between 1 and the order of the curve. */
const keyPairOf = (scalar: Uint8Array): KeyPair | undefined => {
  const curve = createECDH("prime256v1")
  try {
    curve.setPrivateKey(scalar)
  } catch {
    return undefined
  }
  return { publicKey: publicKeyOfPoint(curve.getPublicKey("hex")), privateKey: redactedScalar(Uint8Array.from(scalar)) }
}

const generate = (keys: KeyObjects): KeyPair => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const { d = "" } = privateKey.export({ format: "jwk" })
  const pair: KeyPair = {
    publicKey: publicKeyOfPoint(Buffer.from(pointOf(publicKey)).toString("hex")),
    privateKey: redactedScalar(new Uint8Array(Buffer.from(d, "base64url"))),
  }
  keys.remember(pair, privateKey)
  return pair
}

const kdf = labelled(kemSuiteId)

/** RFC 9180, 7.1.3: the first candidate that is a scalar. The probability that the first one is not is 2^-32. */
const derive = (seed: Uint8Array): KeyPair => {
  if (seed.length < seedBytesMin) throw new RangeError(`A seed must have at least ${seedBytesMin} bytes.`)
  const prk = kdf.extract(empty, "dkp_prk", seed)
  for (let counter = 0; counter < 256; counter++) {
    const pair = keyPairOf(kdf.expand(prk, "candidate", Uint8Array.of(counter), 32))
    if (pair !== undefined) return pair
  }
  throw new RangeError("No candidate of this seed is a scalar.")
}

export const make = (keys: KeyObjects): P256["Service"] =>
  P256.of({
    generate: Effect.sync(() => generate(keys)),
    derive: (seed) => Effect.sync(() => derive(Redacted.value(seed))),
    keyPair: (scalar) =>
      Effect.suspend(() => {
        const bytes = scalarBytes(scalar)
        const pair = bytes === undefined ? undefined : keyPairOf(bytes)
        return pair === undefined ? Effect.fail(InvalidPrivateKey.make()) : Effect.succeed(pair)
      }),
    publicKey: (hex) => Effect.suspend(() => Effect.fromResult(Result.map(keys.read(hex), (known) => known.publicKey))),
    sign: (key, message) => Effect.sync(() => sign("sha256", bytesOf(message), keys.private(key)).toString("hex")),
    verify: (key, message, signature) => Effect.sync(() => isSigned(keys.public(key), message, signature)),
    signer: (hex, message, signature) => {
      const known = keys.read(hex)
      const isOwn = Result.isSuccess(known) && isSigned(known.success.keyObject, message, signature)
      return isOwn ? known.success.publicKey : undefined
    },
  })
