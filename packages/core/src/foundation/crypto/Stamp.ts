/**
 * The signature header of a wallet action, `Service-Wallet-Signature`: base64url of a small JSON envelope.
 * Spec: Wallet action signing (signing), Errors; wire contract 4.7, 4.9; D-073.
 */
import { Data, Effect } from "effect"
import { Base64Url } from "effect/encoding"
import { isHexText } from "./HexText.ts"
import { membersOf } from "./JsonObject.ts"
import type { KeyPair } from "./KeyPair.ts"
import { P256 } from "./P256.ts"
import type { PublicKey } from "./PublicKey.ts"

const scheme = "SIGNATURE_SCHEME_TK_API_P256"

export interface Stamp {
  /** Compressed hex, lower-case: the form in which a session stores its key. */
  readonly publicKey: string
  /** DER, hex. */
  readonly signature: string
}

/** The header is refused, with its code on the wire. The message repeats nothing of the header. */
export class StampRefused extends Data.TaggedError("StampRefused")<{
  readonly code: "WALLET_SIGNATURE_MALFORMED" | "WALLET_SIGNATURE_INVALID"
  readonly message: string
}> {}

const malformed = () =>
  new StampRefused({
    code: "WALLET_SIGNATURE_MALFORMED",
    message: "The wallet signature is not base64url JSON with publicKey, scheme and signature.",
  })
const invalid = () =>
  new StampRefused({ code: "WALLET_SIGNATURE_INVALID", message: "The wallet signature does not verify." })

/** Every web-compatible runtime has it; the core is compiled without a platform's types. */
declare const atob: (base64: string) => string

/** Accepts padding and the standard alphabet, but no white space. */
const base64 = /^[A-Za-z0-9_+/-]+={0,2}$/u
const compressedHex = /^0[23][0-9a-fA-F]{64}$/u

/**
 * Decodes a header to one character per byte. All members of a stamp are ASCII. Other members are ignored, so that they need no
 * UTF-8 decoding.
 */
const textOf = (header: string): string | undefined => {
  if (!base64.test(header)) return undefined
  try {
    return atob(header.replaceAll("-", "+").replaceAll("_", "/"))
  } catch {
    return undefined
  }
}

const read = (header: string): Stamp | undefined => {
  const text = textOf(header)
  const members = text === undefined ? undefined : membersOf(text)
  const publicKey = members?.["publicKey"]
  const signature = members?.["signature"]
  return members?.["scheme"] === scheme &&
    typeof publicKey === "string" &&
    compressedHex.test(publicKey) &&
    isHexText(signature)
    ? { publicKey: publicKey.toLowerCase(), signature }
    : undefined
}

/** Parses a header. `verify` checks its signature. */
export const parse = (header: string): Effect.Effect<Stamp, StampRefused> => {
  const stamp = read(header)
  return stamp === undefined ? Effect.fail(malformed()) : Effect.succeed(stamp)
}

const verifyBy = (p256: P256["Service"], stamp: Stamp, payload: string): Effect.Effect<PublicKey, StampRefused> => {
  const signer = p256.signer(stamp.publicKey, payload, stamp.signature)
  return signer === undefined ? Effect.fail(invalid()) : Effect.succeed(signer)
}

/** Verifies that a stamp signs this payload, byte for byte. Returns its public key. */
export const verify = (stamp: Stamp, payload: string): Effect.Effect<PublicKey, StampRefused, P256> =>
  P256.use((p256) => verifyBy(p256, stamp, payload))

/** Parses and verifies a header in one call. Returns the public key that signed the payload. */
export const check = (header: string, payload: string): Effect.Effect<PublicKey, StampRefused, P256> =>
  P256.use((p256) => {
    const stamp = read(header)
    return stamp === undefined ? Effect.fail(malformed()) : verifyBy(p256, stamp, payload)
  })

/** Signs a payload. Returns the header. */
export const make = Effect.fn("Stamp.make")(function* (key: KeyPair, payload: string) {
  const p256 = yield* P256
  const signature = yield* p256.sign(key, payload)
  const stamp = { publicKey: key.publicKey.compressed, scheme, signature }
  return Base64Url.encode(JSON.stringify(stamp))
})
