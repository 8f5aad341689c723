/**
 * A passkey authenticator in software, together with its browser. It registers and asserts as a real one does, or with one
 * named fault.
 * Source: wire contract 4.3 to 4.5; Web Authentication, 6.1, 6.5 and 8.
 */
import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"
import type { UnauthorizedReasons } from "@countersign/core/models"
import type { PasskeyAssertion, PasskeyAttestation, RegistrationReasons } from "@countersign/core/ports"
import { type Cbor, encode } from "./Cbor.ts"
import * as SeededKey from "./SeededKey.ts"

type Reason = keyof typeof UnauthorizedReasons.rows

export type PasskeyAlgorithm = "ES256" | "EdDSA" | "RS256"

/** The authenticator and the browser that the device simulates. */
export interface PasskeyDeviceOptions {
  /** The same seed gives the same key and identifier. Without it they are random; RSA keys always are. */
  readonly seed?: string
  readonly algorithm?: PasskeyAlgorithm
  readonly origin?: string
  readonly relyingPartyId?: string
  readonly attestation?: "none" | "packed"
  /** Whether the authenticator counts signatures; one without a counter always sends 0. */
  readonly hasCounter?: boolean
  readonly verifiesUser?: boolean
}

/** The faults of an assertion, each with the reason of the error that it causes. */
export const assertionFaults = {
  credentialId: "CREDENTIAL_ID_MISMATCH",
  clientData: "CHALLENGE_MISMATCH",
  ceremony: "CHALLENGE_MISMATCH",
  challenge: "CHALLENGE_MISMATCH",
  origin: "ORIGIN_MISMATCH",
  relyingParty: "RELYING_PARTY_MISMATCH",
  authenticatorData: "RELYING_PARTY_MISMATCH",
  userPresence: "USER_PRESENCE_MISSING",
  signature: "INVALID_ASSERTION_SIGNATURE",
  signer: "INVALID_ASSERTION_SIGNATURE",
  counter: "SIGNATURE_COUNTER_STALE",
} as const satisfies Readonly<Record<string, Reason>>

/** The faults of a registration, each with the reason of the error that it causes. */
export const attestationFaults = {
  clientData: "INVALID_ATTESTATION",
  attestationObject: "INVALID_ATTESTATION",
  ceremony: "CHALLENGE_MISMATCH",
  challenge: "CHALLENGE_MISMATCH",
  userPresence: "USER_PRESENCE_MISSING",
  credentialId: "CREDENTIAL_ID_MISMATCH",
  noKey: "INVALID_ATTESTATION",
  algorithm: "INVALID_ATTESTATION",
  key: "INVALID_ATTESTATION",
  format: "INVALID_ATTESTATION",
  certificates: "INVALID_ATTESTATION",
  statement: "INVALID_ATTESTATION",
} as const satisfies Readonly<Record<string, keyof typeof RegistrationReasons.rows>>

/** A fault of a sign-in: a key of `assertionFaults`, which names the reason of its 401. */
export type AssertionFault = keyof typeof assertionFaults
/** A fault of a registration: a key of `attestationFaults`, which names the reason of its 400. */
export type AttestationFault = keyof typeof attestationFaults

export interface PasskeyDevice {
  readonly credentialId: string
  readonly origin: string
  /** Performs `navigator.credentials.create`; `challenge` is base64url. */
  readonly register: (challenge: string, wrong?: AttestationFault) => PasskeyAttestation
  /** Performs `navigator.credentials.get`; `challenge` is the text whose bytes are signed. */
  readonly assert: (challenge: string, wrong?: AssertionFault) => PasskeyAssertion
}

/** The PKCS#8 prefix of an Ed25519 private key; its 32 bytes follow. */
const ed25519Prefix = Buffer.from("302e020100300506032b657004220420", "hex")

const algorithms: Readonly<
  Record<
    PasskeyAlgorithm,
    {
      readonly id: number
      readonly make: (seed?: string) => KeyObject
      readonly cose: (jwk: Coordinates) => Map<number, Cbor>
    }
  >
> = {
  ES256: {
    id: -7,
    make: (seed) =>
      seed === undefined
        ? generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey
        : createPrivateKey(SeededKey.pem(seed)),
    cose: ({ x, y }) => new Map<number, Cbor>([...head(2, -7), [-1, 1], [-2, x], [-3, y]]),
  },
  EdDSA: {
    id: -8,
    make: (seed) =>
      seed === undefined
        ? generateKeyPairSync("ed25519").privateKey
        : createPrivateKey({ key: Buffer.concat([ed25519Prefix, sha256(seed)]), format: "der", type: "pkcs8" }),
    cose: ({ x }) => new Map<number, Cbor>([...head(1, -8), [-1, 6], [-2, x]]),
  },
  RS256: {
    id: -257,
    make: () => generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey,
    cose: ({ e, n }) => new Map<number, Cbor>([...head(3, -257), [-1, n], [-2, e]]),
  },
}

interface Coordinates {
  readonly x: Uint8Array
  readonly y: Uint8Array
  readonly n: Uint8Array
  readonly e: Uint8Array
}

const head = (kty: number, alg: number): ReadonlyArray<readonly [number, Cbor]> => [
  [1, kty],
  [3, alg],
]

const coordinatesOf = (key: KeyObject): Coordinates => {
  const { e = "", n = "", x = "", y = "" } = key.export({ format: "jwk" })
  const [ex, ey, en, ee] = [x, y, n, e].map((text) => new Uint8Array(Buffer.from(text, "base64url")))
  return { x: ex ?? new Uint8Array(), y: ey ?? new Uint8Array(), n: en ?? new Uint8Array(), e: ee ?? new Uint8Array() }
}

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest()
const text = (bytes: Uint8Array | string) => Buffer.from(bytes).toString("base64url")
const garbage = text(Uint8Array.of(0xff, 0x00, 0xff))

const present = 0x01
const verified = 0x04
const attested = 0x40

export const passkeyDevice = ({
  algorithm = "ES256",
  attestation = "none",
  hasCounter = true,
  origin = "https://wallet.example",
  relyingPartyId = "wallet.example",
  seed,
  verifiesUser = true,
}: PasskeyDeviceOptions = {}): PasskeyDevice => {
  const { cose, id, make } = algorithms[algorithm]
  const key = make(seed)
  const credential = seed === undefined ? randomBytes(32) : sha256(`${seed} id`)
  const first = hasCounter ? 7 : 0
  let count = first

  const signed = (data: Uint8Array, by = key) => sign(algorithm === "EdDSA" ? null : "sha256", data, by)

  const client = (type: string, challenge: string, wrong: string | undefined) =>
    Buffer.from(
      JSON.stringify({
        type: wrong === "ceremony" ? "payment.get" : type,
        challenge: wrong === "challenge" ? text("another challenge") : challenge,
        origin: wrong === "origin" ? "https://elsewhere.example" : origin,
        crossOrigin: false,
      }),
    )

  const authenticator = (wrong: string | undefined, more: Uint8Array = new Uint8Array(), flag = 0) => {
    const flags = flag | (wrong === "userPresence" ? 0 : present) | (verifiesUser ? verified : 0)
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(wrong === "counter" ? first : count)
    const hash = sha256(wrong === "relyingParty" ? "elsewhere.example" : relyingPartyId)
    return Buffer.concat([hash, Buffer.of(flags), counter, more])
  }

  const publicKey = (wrong: AttestationFault | undefined): Uint8Array => {
    const found = cose(coordinatesOf(key))
    // -35 is ES384, which does not fit the curve of the key. The other fault is an invalid coordinate or modulus.
    if (wrong === "algorithm") found.set(3, -35)
    if (wrong === "key") found.set(algorithm === "RS256" ? -1 : -2, new Uint8Array(31).fill(1))
    return encode(found)
  }

  const register: PasskeyDevice["register"] = (challenge, wrong) => {
    const clientData = client("webauthn.create", challenge, wrong)
    const head = Buffer.concat([Buffer.alloc(16), Buffer.of(0, credential.length), credential])
    const data =
      wrong === "noKey" ? authenticator(wrong) : authenticator(wrong, Buffer.concat([head, publicKey(wrong)]), attested)
    const over = Buffer.concat([data, sha256(wrong === "statement" ? "something else" : clientData)])
    const statement =
      attestation === "packed"
        ? new Map<string, Cbor>([
            ["alg", id],
            ["sig", signed(over)],
          ])
        : new Map<string, Cbor>(wrong === "statement" ? [["alg", id]] : [])
    if (wrong === "certificates") statement.set("x5c", [Uint8Array.of(0x30, 0x00)])
    const object = new Map<string, Cbor>([
      ["fmt", wrong === "format" ? "fido-u2f" : wrong === "certificates" ? "packed" : attestation],
      ["attStmt", statement],
      ["authData", data],
    ])
    return {
      credentialId: wrong === "credentialId" ? text(randomBytes(32)) : text(credential),
      clientDataJson: wrong === "clientData" ? garbage : text(clientData),
      attestationObject: wrong === "attestationObject" ? garbage : text(encode(object)),
      transports: ["internal"],
    }
  }

  const assert: PasskeyDevice["assert"] = (challenge, wrong) => {
    if (hasCounter) count += 1
    const clientData = client("webauthn.get", text(challenge), wrong)
    const data = authenticator(wrong)
    const over = Buffer.concat([data, sha256(clientData)])
    const signature =
      wrong === "signature" ? signed(sha256(over)) : wrong === "signer" ? signed(over, make()) : signed(over)
    return {
      credentialId: wrong === "credentialId" ? text(randomBytes(32)) : text(credential),
      clientDataJson: wrong === "clientData" ? garbage : text(clientData),
      authenticatorData: wrong === "authenticatorData" ? garbage : text(data),
      signature: text(signature),
    }
  }

  return { credentialId: text(credential), origin, register, assert }
}
