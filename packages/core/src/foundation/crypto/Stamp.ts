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
  /** Compressed hex, lower-case: how a session's key is known. */
  readonly publicKey: string
  /** DER, hex. */
  readonly signature: string
}

/** The header is refused, with the code that the wire shows. Nothing of it is repeated. */
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

/** Of the web platform and of every runtime that follows it; the core is compiled for none. */
declare const atob: (base64: string) => string

/** Padding and the standard alphabet are tolerated, white space is not. */
const base64 = /^[A-Za-z0-9_+/-]+={0,2}$/u
const compressedHex = /^0[23][0-9a-fA-F]{64}$/u

/**
 * The text of a header, a character for each byte. Everything that a stamp needs is ASCII; what else may stand beside it is ignored, and
 * need not be read as UTF-8 for that.
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

/** What a header holds. Whether it is true is for `verify` to say. */
export const parse = (header: string): Effect.Effect<Stamp, StampRefused> => {
  const stamp = read(header)
  return stamp === undefined ? Effect.fail(malformed()) : Effect.succeed(stamp)
}

const verifyBy = (p256: P256["Service"], stamp: Stamp, payload: string): Effect.Effect<PublicKey, StampRefused> => {
  const signer = p256.signer(stamp.publicKey, payload, stamp.signature)
  return signer === undefined ? Effect.fail(invalid()) : Effect.succeed(signer)
}

/** The public key of a stamp that is of this very payload, byte for byte. */
export const verify = (stamp: Stamp, payload: string): Effect.Effect<PublicKey, StampRefused, P256> =>
  P256.use((p256) => verifyBy(p256, stamp, payload))

/** Both at once: who signed this payload. */
export const check = (header: string, payload: string): Effect.Effect<PublicKey, StampRefused, P256> =>
  P256.use((p256) => {
    const stamp = read(header)
    return stamp === undefined ? Effect.fail(malformed()) : verifyBy(p256, stamp, payload)
  })

/** The header that signs a payload. */
export const make = Effect.fn("Stamp.make")(function* (key: KeyPair, payload: string) {
  const p256 = yield* P256
  const signature = yield* p256.sign(key, payload)
  const stamp = { publicKey: key.publicKey.compressed, scheme, signature }
  return Base64Url.encode(JSON.stringify(stamp))
})
