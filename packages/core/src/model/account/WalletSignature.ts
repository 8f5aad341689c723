/**
 * Verifies that the key of a wallet's address signed a message. The sandbox uses the same cryptography.
 * Source: wire contract 2.6; EIP-191 (EVM), TIP-191 (Tron), Ed25519 (Solana), BIP-137 and Electrum (Bitcoin's keys, on Spark); D-052.
 */
import { ed25519 } from "@noble/curves/ed25519.js"
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { keccak_256 } from "@noble/hashes/sha3.js"
import { concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { base58, base64, bech32m } from "@scure/base"
import { Schema } from "effect"
import * as Base58Check from "../../foundation/crypto/Base58Check.ts"

/** The signature kinds by which a wallet's owner signs. */
export type OwnerSignature = "EVM" | "TRON" | "SOLANA" | "SPARK"

/** How the header of a Bitcoin signature identifies its key. */
export const SignatureScheme = Schema.Literals(["bip137", "electrum"])
export type SignatureScheme = typeof SignatureScheme.Type

export interface SignatureCheck {
  readonly kind: OwnerSignature
  readonly address: string
  /** The exact message. */
  readonly message: string
  readonly signature: string
  readonly scheme: SignatureScheme
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index])

/** Recovers the uncompressed public key from a signature (r, s) of a digest. */
const recoverPublicKey = (digest: Uint8Array, recovery: number, rs: Uint8Array): Uint8Array => {
  const compressed = secp256k1.recoverPublicKey(concatBytes(Uint8Array.of(recovery), rs), digest, { prehash: false })
  return secp256k1.Point.fromBytes(compressed).toBytes(false)
}

/** Returns the digest of a prefixed message. The prefix prevents that the signature is valid for a transaction. */
const prefixedDigest = (prefix: string, message: string): Uint8Array => {
  const bytes = utf8ToBytes(message)
  return keccak_256(concatBytes(utf8ToBytes(`\u0019${prefix} Signed Message:\n${bytes.length}`), bytes))
}

/** Returns the last 20 bytes of the key's hash: the account on an EVM chain and on Tron. */
const accountOf = (digest: Uint8Array, signature: string): Uint8Array => {
  const bytes = hexToBytes(signature.replace(/^0x/u, ""))
  if (bytes.length !== 65) throw new Error("65 bytes")
  const last = bytes[64] ?? 0
  return keccak_256(
    recoverPublicKey(digest, last >= 27 ? last - 27 : last, bytes.subarray(0, 64)).subarray(1),
  ).subarray(12)
}

const bitcoinDigest = (message: string): Uint8Array => {
  const bytes = utf8ToBytes(message)
  const size = bytes.length < 253 ? [bytes.length] : [253, bytes.length & 255, bytes.length >> 8]
  return sha256(sha256(concatBytes(utf8ToBytes("\u0018Bitcoin Signed Message:\n"), Uint8Array.from(size), bytes)))
}

/** Returns the compressed identity key of a Spark address: field 1 of its payload. */
const sparkKey = (address: string): Uint8Array => {
  const { prefix, words } = bech32m.decode(address.toLowerCase() as `${string}1${string}`, 1000)
  const payload = bech32m.fromWords(words)
  if (prefix !== "spark" || payload[0] !== 0x0a || payload[1] !== 33) throw new Error("a Spark address")
  return payload.subarray(2, 35)
}

/** The highest header of a compact signature by a compressed key. BIP-137 also encodes segwit address kinds. */
const headerMax: { readonly [S in SignatureScheme]: number } = { bip137: 42, electrum: 34 }

const checks: { readonly [K in OwnerSignature]: (check: SignatureCheck) => boolean } = {
  EVM: ({ address, message, signature }) =>
    isSame(accountOf(prefixedDigest("Ethereum", message), signature), hexToBytes(address.slice(2))),
  TRON: ({ address, message, signature }) =>
    isSame(
      concatBytes(Uint8Array.of(0x41), accountOf(prefixedDigest("TRON", message), signature)),
      Base58Check.decode(address) ?? new Uint8Array(),
    ),
  SOLANA: ({ address, message, signature }) =>
    ed25519.verify(base58.decode(signature), utf8ToBytes(message), base58.decode(address), { zip215: false }),
  SPARK: ({ address, message, scheme, signature }) => {
    const bytes = base64.decode(signature)
    const header = bytes[0] ?? 0
    if (bytes.length !== 65 || header < 31 || header > headerMax[scheme]) return false
    const key = recoverPublicKey(bitcoinDigest(message), (header - 27) & 3, bytes.subarray(1))
    return isSame(secp256k1.Point.fromBytes(key).toBytes(true), sparkKey(address))
  },
}

/** Whether the owner of the address signed the message. An unreadable signature or address is not valid. */
export const isSignedByOwner = (check: SignatureCheck): boolean => {
  try {
    return checks[check.kind](check)
  } catch {
    return false
  }
}
