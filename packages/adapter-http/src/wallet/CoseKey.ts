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
}

const { COSEALG, COSECRV, COSEKEYS, COSEKTY } = cose

const algorithms: ReadonlyArray<Algorithm> = [
  {
    alg: COSEALG.ES256,
    kty: COSEKTY.EC2,
    crv: COSECRV.P256,
    jwk: (text) => ({ kty: "EC", crv: "P-256", x: text(COSEKEYS.x), y: text(COSEKEYS.y) }),
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
