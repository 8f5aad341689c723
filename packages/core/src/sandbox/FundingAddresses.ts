/**
 * Account numbers and addresses of the sandbox, derived from a seed: stable, and another seed has others. Their formats and check
 * digits are valid, and nobody can be paid at them.
 * Source: wire contract areas 2.12 (stable and own), 2.8 (hashes of the sandbox); D-396, D-397.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { base58, bech32, bech32m } from "@scure/base"
import { clabe } from "clabe-validator"
import { composeIBAN } from "ibantools"
import * as Base58Check from "../foundation/crypto/Base58Check.ts"
import type { CryptoNetwork } from "../foundation/money/CryptoNetwork.ts"

/** Returns `length` bytes that follow from the seed. */
const bytesOf = (seed: string, length: number): Uint8Array =>
  concatBytes(
    ...Array.from({ length: Math.ceil(length / 32) }, (_, index) => sha256(utf8ToBytes(`${index}:${seed}`))),
  ).slice(0, length)

/** Returns `count` digits, the first of them not 0. */
export const digitsOf = (seed: string, count: number): string =>
  [...bytesOf(seed, count)].map((byte, index) => (index === 0 ? 1 + (byte % 9) : byte % 10)).join("")

export const clabeOf = (seed: string): string => {
  const account = `032180${digitsOf(seed, 11)}`
  return `${account}${clabe.computeChecksum(account)}`
}

/** Returns an IBAN whose account part begins with `bank` and has `count` derived digits. */
export const ibanOf = (countryCode: string, bank: string, seed: string, count: number): string =>
  composeIBAN({ countryCode, bban: `${bank}${digitsOf(seed, count)}` }) ?? ""

/** Replaces the last 7 digits of an example of a phone number. */
export const phoneOf = (example: string, seed: string): string => `${example.slice(0, -7)}${digitsOf(seed, 7)}`

export const hexAddressOf = (seed: string): string => `0x${bytesToHex(bytesOf(seed, 20))}`
export const solanaAddressOf = (seed: string): string => base58.encode(bytesOf(seed, 32))
export const tronAddressOf = (seed: string): string =>
  Base58Check.encode(concatBytes(new Uint8Array([0x41]), bytesOf(seed, 20)))
export const sparkAddressOf = (seed: string): string =>
  bech32m.encode("spark", bech32m.toWords(bytesOf(seed, 38)), 1000)
export const bitcoinAddressOf = (seed: string): string =>
  bech32.encode("bc", [0, ...bech32.toWords(bytesOf(seed, 20))], 1000)
/** A BOLT11 invoice without an amount: its data and signature are derived, too. */
export const invoiceOf = (seed: string): string => bech32.encode("lnbc", bech32.toWords(bytesOf(seed, 110)), 1000)

/** Returns the hash of a transaction on a network; `undefined` for a network without one. */
export const transactionHashOf = (network: CryptoNetwork, seed: string): string | undefined => {
  switch (network) {
    case "SOLANA":
      return base58.encode(bytesOf(seed, 64))
    case "ETHEREUM":
    case "BASE":
    case "POLYGON":
    case "PLASMA":
      return `0x${bytesToHex(bytesOf(seed, 32))}`
    case "BITCOIN":
    case "TRON":
    case "SPARK":
      return bytesToHex(bytesOf(seed, 32))
    case "LIGHTNING":
      return undefined
  }
}
