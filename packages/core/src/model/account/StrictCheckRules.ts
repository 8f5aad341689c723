/**
 * The table of strict checks: check digits, checksums and the case of addresses. They are off by default, because the sandbox's
 * magic suffixes produce numbers with wrong check digits.
 * Source: wire contract 2.3 (no check digits are verified); D-044.
 */
import { keccak_256 } from "@noble/hashes/sha3.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { base58, bech32, bech32m } from "@scure/base"
import { clabe } from "clabe-validator"
import { cnpj, cpf } from "cpf-cnpj-validator"
import { isValidBIC, isValidIBAN } from "ibantools"
import * as Base58Check from "../../foundation/crypto/Base58Check.ts"
import * as Table from "../../foundation/kit/Table.ts"

/** The account details as sent. */
type Members = Readonly<Record<string, unknown>>

interface StrictCheckRow {
  /** A phrase that completes "must be". */
  readonly expected: string
  readonly isValid: (value: string, account: Members) => boolean
}

/** Returns the decoder's result, or `undefined` if it throws. */
const decoded = <A>(decode: () => A): A | undefined => {
  try {
    return decode()
  } catch {
    return undefined
  }
}

/** Checksum with weights 3, 7, 1. Written here because the libraries for it are unmaintained. */
const isRoutingNumber = (value: string): boolean => {
  const sum = [...value].reduce((total, digit, index) => total + Number(digit) * ([3, 7, 1][index % 3] ?? 0), 0)
  return sum > 0 && sum % 10 === 0
}

const isCpf = (value: string) => value.length === 11 && cpf.isValid(value)
const isCnpj = (value: string) => value.length === 14 && cnpj.isValid(value)

const email = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/u
const brazilianPhone = /^\+55[1-9][0-9]{9,10}$/u
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu

const pixKeys = Table.make("PixKeys", {
  CPF: isCpf,
  CNPJ: isCnpj,
  EMAIL: (value: string) => email.test(value),
  PHONE: (value: string) => brazilianPhone.test(value),
  RANDOM: (value: string) => uuid.test(value),
})

/** Returns the address with the letter case that its hash prescribes. Source: EIP-55. */
const checksummed = (address: string): string => {
  const digits = address.slice(2).toLowerCase()
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)))
  const cased = [...digits].map((digit, index) =>
    Number.parseInt(hash.charAt(index), 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${cased.join("")}`
}

/** An address in a single case carries no checksum and is valid. */
const isEip55 = (value: string): boolean => {
  const digits = value.slice(2)
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() || value === checksummed(value)
}

const isBech32 = (value: string): boolean =>
  [bech32, bech32m].some((coder) => decoded(() => coder.decode(value as `${string}1${string}`, false)) !== undefined)

export const StrictCheckRules = Table.make("StrictCheckRules", {
  IBAN: {
    expected: "an IBAN whose country, length and check digits fit",
    isValid: (value) => isValidIBAN(value.toUpperCase()),
  },
  BIC: { expected: "a BIC of a country that exists", isValid: (value) => isValidBIC(value) },
  ABA: { expected: "a routing number whose check digit fits", isValid: isRoutingNumber },
  CLABE: {
    expected: "a CLABE whose check digit fits",
    isValid: (value) => clabe.computeChecksum(value.slice(0, 17)) === Number(value.slice(17)),
  },
  CPF_OR_CNPJ: {
    expected: "a CPF or CNPJ whose check digits fit",
    isValid: (value) => isCpf(value) || isCnpj(value),
  },
  PIX_KEY: {
    expected: "a key of its pixKeyType, with check digits that fit",
    isValid: (value, { pixKeyType }) => pixKeys.find(String(pixKeyType))?.(value) ?? true,
  },
  BECH32: { expected: "bech32 whose checksum fits", isValid: isBech32 },
  BASE58: {
    expected: "base58 of 32 bytes",
    isValid: (value) => decoded(() => base58.decode(value))?.length === 32,
  },
  BASE58CHECK: {
    expected: "base58 whose checksum fits",
    isValid: (value) => Base58Check.decode(value)?.length === 21,
  },
  EIP55: { expected: "an address in one case, or in the case of its EIP-55 checksum", isValid: isEip55 },
} satisfies { readonly [name: string]: StrictCheckRow })

/** A key of the table: the check of one kind of identifier. */
export type StrictCheck = (typeof StrictCheckRules.keys)[number]
