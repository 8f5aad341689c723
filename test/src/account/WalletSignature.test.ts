/**
 * Wallet signatures: test vectors of other implementations, signatures made here by other libraries, and invalid signatures.
 * Source: wire contract 2.6; EIP-191, TIP-191, Ed25519, BIP-137.
 */
import { generateKeyPairSync, sign } from "node:crypto"
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { keccak_256 } from "@noble/hashes/sha3.js"
import { base58, base64, bech32m, createBase58check } from "@scure/base"
import { describe, expect, it } from "vitest"
import {
  isSignedByOwner,
  type OwnerSignature,
  type SignatureCheck,
} from "../../../packages/core/src/model/account/WalletSignature.ts"

const utf8 = (text: string) => new TextEncoder().encode(text)
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")

// From the documentation of web3.js (accounts.sign).
const web3 = {
  kind: "EVM",
  address: "0x2c7536E3605D9C16a7a3D7b1898e529396a65c23",
  message: "Some data",
  signature:
    "0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c",
  scheme: "bip137",
} as const

const solanaKey = generateKeyPairSync("ed25519")
const solana = {
  kind: "SOLANA",
  address: base58.encode(Buffer.from(solanaKey.publicKey.export({ format: "jwk" }).x ?? "", "base64url")),
  message: "Some data",
  signature: base58.encode(sign(null, Buffer.from("Some data"), solanaKey.privateKey)),
  scheme: "bip137",
} as const

// From the readme of bitcoinjs-message. The address is Spark's encoding of the same key.
const wif = "L4rK1yDtCWekvXuE6oXD9jCYfFNV2cWRpVuPLBcCU2z8TrisoyY1"
const bitcoinKey = secp256k1.getPublicKey(createBase58check(sha256).decode(wif).subarray(1, 33))
const spark = {
  kind: "SPARK",
  address: bech32m.encode("spark", bech32m.toWords(Uint8Array.of(0x0a, 33, ...bitcoinKey)), 1000),
  message: "This is an example of a signed message.",
  signature: "H9L5yLFjti0QTHhPyFrZCT1V/MMnBtXKmoiKDZ78NDBjERki6ZTQZdSMCtkgoNmp17By9ItJr8o7ChX0XxY91nk=",
  scheme: "bip137",
} as const

const tronSecret = new Uint8Array(32).fill(9)
const tronDigest = keccak_256(utf8("\u0019TRON Signed Message:\n9Some data"))
const [recovery = 0, ...rs] = secp256k1.sign(tronDigest, tronSecret, { prehash: false, format: "recovered" })
const tronAccount = keccak_256(secp256k1.getPublicKey(tronSecret, false).subarray(1)).subarray(12)
const tron = {
  kind: "TRON",
  address: createBase58check(sha256).encode(Uint8Array.of(0x41, ...tronAccount)),
  message: "Some data",
  signature: hex(Uint8Array.of(...rs, 27 + recovery)),
  scheme: "bip137",
} as const

const validChecks: { readonly [K in OwnerSignature]: SignatureCheck } = {
  EVM: web3,
  SOLANA: solana,
  SPARK: spark,
  TRON: tron,
}
const others: { readonly [K in OwnerSignature]: string } = {
  EVM: "0x0000000000000000000000000000000000000001",
  SOLANA: "So11111111111111111111111111111111111111112",
  SPARK: bech32m.encode("spark", bech32m.toWords(Uint8Array.of(0x0a, 33, ...secp256k1.getPublicKey(tronSecret))), 1000),
  TRON: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
}

const hexadecimal = {
  decode: (text: string) => Uint8Array.from(Buffer.from(text.replace("0x", ""), "hex")),
  encode: hex,
}
const codecs = { EVM: hexadecimal, TRON: hexadecimal, SOLANA: base58, SPARK: base64 }

describe.each(Object.values(validChecks))("the signature of a $kind wallet", (check) => {
  it("is valid for its owner", () => {
    expect(isSignedByOwner(check)).toBe(true)
  })

  it("is not valid for another message or another wallet", () => {
    expect(isSignedByOwner({ ...check, message: `${check.message} ` })).toBe(false)
    expect(isSignedByOwner({ ...check, address: others[check.kind] })).toBe(false)
  })

  it("is not valid with a byte more or a byte less", () => {
    const { decode, encode } = codecs[check.kind]
    const bytes = decode(check.signature)
    expect(isSignedByOwner({ ...check, signature: encode(bytes) })).toBe(true)
    for (const other of [Uint8Array.of(...bytes, 0), Uint8Array.of(...bytes, 27), bytes.subarray(0, -1)])
      expect(isSignedByOwner({ ...check, signature: encode(other) })).toBe(false)
  })

  it.each(["", "0x", "nonsense", "0x00", "1".repeat(64), "A".repeat(88), "0".repeat(130), "\u0000", "é"])(
    "is not valid if it is %j",
    (signature) => {
      expect(isSignedByOwner({ ...check, signature })).toBe(false)
    },
  )

  it.each(["", "0x", "spark1", "spark1qqqqqqqq", "0xzz", "11111111111111111111111111111111"])(
    "is not valid for the address %j",
    (address) => {
      expect(isSignedByOwner({ ...check, address })).toBe(false)
    },
  )
})

describe("the encoding", () => {
  it("of an EVM address and its signature may vary", () => {
    expect(isSignedByOwner({ ...web3, address: web3.address.toLowerCase() })).toBe(true)
    expect(isSignedByOwner({ ...web3, signature: web3.signature.slice(2).toUpperCase() })).toBe(true)
    // Some wallets count the recovery id from 0.
    expect(isSignedByOwner({ ...web3, signature: `${web3.signature.slice(0, -2)}01` })).toBe(true)
    expect(isSignedByOwner({ ...web3, signature: `${web3.signature.slice(0, -2)}1b` })).toBe(false)
  })

  it("of a Spark address may be upper case", () => {
    expect(isSignedByOwner({ ...spark, address: spark.address.toUpperCase() })).toBe(true)
  })

  it("of a Bitcoin signature's header follows the scheme", () => {
    const [first = 0, ...rest] = base64.decode(spark.signature)
    const headed = (header: number) => base64.encode(Uint8Array.of(header, ...rest))
    // The header of a segwit address, which BIP-137 defines and Electrum does not.
    expect(isSignedByOwner({ ...spark, signature: headed(first + 8) })).toBe(true)
    expect(isSignedByOwner({ ...spark, scheme: "electrum", signature: headed(first + 8) })).toBe(false)
    expect(isSignedByOwner({ ...spark, scheme: "electrum" })).toBe(true)
    // Spark does not use uncompressed keys.
    expect(isSignedByOwner({ ...spark, signature: headed(first - 4) })).toBe(false)
    expect(isSignedByOwner({ ...spark, signature: headed(first + 12) })).toBe(false)
  })

  it("of a long message contains its length in bytes", () => {
    const message = "ä".repeat(400)
    const bytes = utf8(message)
    const digest = sha256(sha256(Uint8Array.of(...utf8("\u0018Bitcoin Signed Message:\n"), 253, 32, 3, ...bytes)))
    const [header = 0, ...tail] = secp256k1.sign(digest, tronSecret, { prehash: false, format: "recovered" })
    const signature = base64.encode(Uint8Array.of(31 + header, ...tail))
    expect(isSignedByOwner({ ...spark, address: others.SPARK, message, signature })).toBe(true)
  })
})
