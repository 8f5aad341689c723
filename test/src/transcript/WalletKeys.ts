/** Wallets of each kind with fixed keys, and how their owners sign. Source: TIP-191, Ed25519, BIP-137. */
import { ed25519 } from "@noble/curves/ed25519.js"
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { keccak_256 } from "@noble/hashes/sha3.js"
import { base58, base64, bech32m, createBase58check } from "@scure/base"

/** The wallet of an account type: its address and the signature of its owner. */
export interface OwnedWallet {
  readonly accountType: string
  readonly currency: string
  readonly address: string
  readonly sign: (message: string) => string
}

const secretKey = new Uint8Array(32).fill(9)
const publicKey = secp256k1.getPublicKey(secretKey)
const utf8 = (text: string) => new TextEncoder().encode(text)

/** The recovery id and the two numbers of a signature. */
const recovered = (digest: Uint8Array): readonly [number, ReadonlyArray<number>] => {
  const [recovery = 0, ...numbers] = secp256k1.sign(digest, secretKey, { prehash: false, format: "recovered" })
  return [recovery, numbers]
}

const tron: OwnedWallet = {
  accountType: "TRON_WALLET",
  currency: "USDT",
  address: createBase58check(sha256).encode(
    Uint8Array.of(0x41, ...keccak_256(secp256k1.getPublicKey(secretKey, false).subarray(1)).subarray(12)),
  ),
  sign: (message) => {
    const digest = keccak_256(utf8(`\u0019TRON Signed Message:\n${utf8(message).length}${message}`))
    const [recovery, numbers] = recovered(digest)
    return Buffer.from([...numbers, recovery]).toString("hex")
  },
}

const solana: OwnedWallet = {
  accountType: "SOLANA_WALLET",
  currency: "USDC",
  address: base58.encode(ed25519.getPublicKey(secretKey)),
  sign: (message) => base58.encode(ed25519.sign(utf8(message), secretKey)),
}

/** The length of a Bitcoin message: one byte, or three from 253 on. */
const sizeOf = ({ length }: Uint8Array) => (length < 253 ? [length] : [253, length % 256, Math.floor(length / 256)])

const spark: OwnedWallet = {
  accountType: "SPARK_WALLET",
  currency: "BTC",
  address: bech32m.encode("spark", bech32m.toWords(Uint8Array.of(0x0a, 33, ...publicKey)), 1000),
  sign: (message) => {
    const bytes = utf8(message)
    const text = Uint8Array.of(...utf8("\u0018Bitcoin Signed Message:\n"), ...sizeOf(bytes), ...bytes)
    const [recovery, numbers] = recovered(sha256(sha256(text)))
    return base64.encode(Uint8Array.of(31 + recovery, ...numbers))
  },
}

export const ownedWallets: ReadonlyArray<OwnedWallet> = [tron, solana, spark]
