/**
 * The public keys that a passkey may have: one row for each algorithm. What is not a key of its algorithm is refused at registration,
 * where its owner can still choose another.
 * Source: wire contract 11.29; D-161.
 */
import { createPublicKey, type JsonWebKey } from "node:crypto"
import { cose, decodeCredentialPublicKey } from "@simplewebauthn/server/helpers"
import { textOf } from "./Base64UrlText.ts"

interface Algorithm {
  readonly alg: number
  readonly kty: number
  readonly crv?: number
  /** From the bytes of each parameter by its label, which are empty where there are none. */
  readonly jwk: (text: (label: number) => string) => JsonWebKey
  /** Whether a signature is written in the one way that it has; where nothing stands, it has no other. */
  readonly isProper?: (signature: Uint8Array) => boolean
}

/** A positive whole number of DER, without a byte too many. */
const isProperInteger = (bytes: Uint8Array): boolean => {
  const [first = 0x80, second = 0] = bytes
  return first < 0x80 && (first !== 0 || second >= 0x80)
}

/** Two numbers of DER in a sequence, and nothing behind: libraries read more than that. */
const isProperDer = (signature: Uint8Array): boolean => {
  const [sequence, length, integer, size = 0] = signature
  const second = signature.subarray(4 + size)
  return (
    sequence === 0x30 &&
    integer === 0x02 &&
    length === signature.length - 2 &&
    second[0] === 0x02 &&
    second[1] === second.length - 2 &&
    isProperInteger(signature.subarray(4, 4 + size)) &&
    isProperInteger(second.subarray(2))
  )
}

const { COSEALG, COSECRV, COSEKEYS, COSEKTY } = cose

const algorithms: ReadonlyArray<Algorithm> = [
  {
    alg: COSEALG.ES256,
    kty: COSEKTY.EC2,
    crv: COSECRV.P256,
    jwk: (text) => ({ kty: "EC", crv: "P-256", x: text(COSEKEYS.x), y: text(COSEKEYS.y) }),
    isProper: isProperDer,
  },
  {
    alg: COSEALG.EdDSA,
    kty: COSEKTY.OKP,
    crv: COSECRV.ED25519,
    jwk: (text) => ({ kty: "OKP", crv: "Ed25519", x: text(COSEKEYS.x) }),
  },
  {
    alg: COSEALG.RS256,
    kty: COSEKTY.RSA,
    jwk: (text) => ({ kty: "RSA", n: text(COSEKEYS.n), e: text(COSEKEYS.e) }),
  },
]

/** In bits: shorter ones are broken, longer ones are a way to keep the service busy. */
const modulus = { min: 2048, max: 8192 }

export const algorithmIds = algorithms.map(({ alg }) => alg)

/** Whether a signature of an algorithm is written as it has to be. */
export const isProper = (alg: unknown, signature: Uint8Array): boolean =>
  algorithms.find((one) => one.alg === alg)?.isProper?.(signature) !== false

/** The algorithm of a COSE key; undefined where it names none. */
export const algorithmOf = (bytes: Uint8Array): unknown => {
  const parameters: unknown = decodeCredentialPublicKey(Uint8Array.from(bytes))
  return parameters instanceof Map ? parameters.get(COSEKEYS.alg) : undefined
}

/** Whether the bytes are a COSE key of one of the algorithms. */
export const isAdmitted = (bytes: Uint8Array): boolean => {
  try {
    const parameters = decodeCredentialPublicKey(Uint8Array.from(bytes))
    if (!(parameters instanceof Map)) return false
    const text = (label: number) => {
      const value: unknown = parameters.get(label)
      return value instanceof Uint8Array ? textOf(value) : ""
    }
    const [alg, kty, crv] = [COSEKEYS.alg, COSEKEYS.kty, COSEKEYS.crv].map((label) => parameters.get(label))
    const found = algorithms.find(
      (one) => one.alg === alg && one.kty === kty && (one.crv === undefined || one.crv === crv),
    )
    if (found === undefined) return false
    const key = createPublicKey({ format: "jwk", key: found.jwk(text) })
    const bits = key.asymmetricKeyDetails?.modulusLength
    return bits === undefined || (bits >= modulus.min && bits <= modulus.max)
  } catch {
    return false
  }
}
