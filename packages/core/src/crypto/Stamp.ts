/**
 * The signature header of a wallet action, `Service-Wallet-Signature`: base64url of a small JSON envelope.
 * Spec: Wallet action signing (signing), Errors; wire contract 4.7, 4.9; D-073.
 */
import { hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { Data, Effect, Result } from "effect"
import { Base64Url, Hex } from "effect/encoding"
import { membersOf } from "./JsonObject.ts"
import type { KeyPair } from "./KeyPair.ts"
import { P256 } from "./P256.ts"

const scheme = "SIGNATURE_SCHEME_TK_API_P256"

export interface Stamp {
  /** Compressed hex, lower-case: how a session's key is known. */
  readonly publicKey: string
  /** DER. */
  readonly signature: Uint8Array
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

/** Padding and the standard alphabet are tolerated. */
const base64 = /^[A-Za-z0-9_+/-]+={0,2}$/u
const compressedHex = /^0[23][0-9a-fA-F]{64}$/u
const evenHex = /^(?:[0-9a-fA-F]{2})+$/u

/** What a header holds. Whether it is true is for `verify` to say. */
export const parse = (header: string): Result.Result<Stamp, StampRefused> => {
  if (!base64.test(header)) return Result.fail(malformed())
  const text = Base64Url.decodeString(header.replaceAll("+", "-").replaceAll("/", "_"))
  const members = Result.isSuccess(text) ? membersOf(text.success) : undefined
  const publicKey = members?.["publicKey"]
  const signature = members?.["signature"]
  return members?.["scheme"] === scheme &&
    typeof publicKey === "string" &&
    typeof signature === "string" &&
    compressedHex.test(publicKey) &&
    evenHex.test(signature)
    ? Result.succeed({ publicKey: publicKey.toLowerCase(), signature: hexToBytes(signature) })
    : Result.fail(malformed())
}

/** The public key of a stamp that is of this very payload, byte for byte. */
export const verify = Effect.fnUntraced(function* (stamp: Stamp, payload: string) {
  const p256 = yield* P256
  const publicKey = yield* Effect.mapError(p256.publicKey(stamp.publicKey), invalid)
  if (!(yield* p256.verify(publicKey, utf8ToBytes(payload), stamp.signature))) return yield* invalid()
  return publicKey
})

/** Both at once: who signed this payload. */
export const check = Effect.fnUntraced(function* (header: string, payload: string) {
  return yield* verify(yield* Effect.fromResult(parse(header)), payload)
})

/** The header that signs a payload. */
export const make = Effect.fn("Stamp.make")(function* (key: KeyPair, payload: string) {
  const p256 = yield* P256
  const signature = yield* p256.sign(key, utf8ToBytes(payload))
  const stamp = { publicKey: key.publicKey.compressed, scheme, signature: Hex.encode(signature) }
  return Base64Url.encode(JSON.stringify(stamp))
})
