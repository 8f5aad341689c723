/**
 * The public keys that a passkey may have: one row per algorithm. A malformed key is refused at registration, when its owner can still
 * choose another one.
 * Source: wire contract 11.29; D-161.
 */
import { type AsymmetricKeyDetails, createPublicKey, type JsonWebKey } from "node:crypto"
import { cose, decodeCredentialPublicKey } from "@simplewebauthn/server/helpers"
import { textOf } from "./Base64UrlText.ts"

interface Algorithm {
  readonly alg: number
  readonly kty: number
  readonly crv?: number
  /** Builds the JWK; `text` returns a parameter by its label as base64url, empty if it is missing. */
  readonly jwk: (text: (label: number) => string) => JsonWebKey
  /** Whether a signature has its canonical encoding; absent for algorithms with only one encoding. */
  readonly isProper?: (signature: Uint8Array) => boolean
}

/** A positive DER integer in its shortest form. */
const isProperInteger = (bytes: Uint8Array): boolean => {
  const [first = 0x80, second = 0] = bytes
  return first < 0x80 && (first !== 0 || second >= 0x80)
}

/** A DER sequence of two integers without trailing bytes. Libraries accept more than that. */
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

/** RSA modulus lengths in bits: shorter keys are broken, and longer ones could be used to overload the service. */
const modulus = { min: 2048, max: 8192 }

/** Whether a key has sound numbers. With an exponent of 1 anyone could sign, and with an even one nobody; curves leave no choice. */
const isSound = ({ modulusLength, publicExponent = 0n }: AsymmetricKeyDetails): boolean =>
  modulusLength === undefined ||
  (modulusLength >= modulus.min && modulusLength <= modulus.max && publicExponent > 1n && publicExponent % 2n === 1n)

export const algorithmIds = algorithms.map(({ alg }) => alg)

/** Whether a signature of an algorithm has its canonical encoding. */
export const isProper = (alg: unknown, signature: Uint8Array): boolean =>
  algorithms.find((one) => one.alg === alg)?.isProper?.(signature) !== false

/** Returns the algorithm of a COSE key; `undefined` if the key names none. */
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
    const algorithm = algorithms.find(
      (one) => one.alg === alg && one.kty === kty && (one.crv === undefined || one.crv === crv),
    )
    if (algorithm === undefined) return false
    const key = createPublicKey({ format: "jwk", key: algorithm.jwk(text) })
    return isSound(key.asymmetricKeyDetails ?? {})
  } catch {
    return false
  }
}
