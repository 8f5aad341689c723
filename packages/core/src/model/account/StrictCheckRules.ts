/**
 * The table of checks beyond the form: check digits, checksums and the case of addresses. Off unless a deployment switches them
 * on, since the sandbox's magic suffixes need numbers whose check digits do not fit.
 * Source: wire contract 2.3 (no check digits are verified); D-044.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { keccak_256 } from "@noble/hashes/sha3.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { base58, bech32, bech32m, createBase58check } from "@scure/base"
import { clabe } from "clabe-validator"
import { cnpj, cpf } from "cpf-cnpj-validator"
import { isValidBIC, isValidIBAN } from "ibantools"
import * as Table from "../../foundation/kit/Table.ts"

/** The members of an account as they were sent. */
type Members = Readonly<Record<string, unknown>>

interface StrictCheckRow {
  /** In words that follow "must be". */
  readonly expected: string
  readonly holds: (value: string, account: Members) => boolean
}

const base58check = createBase58check(sha256)

/** What a decoder answers, or nothing where it throws. */
const decoded = <A>(decode: () => A): A | undefined => {
  try {
    return decode()
  } catch {
    return undefined
  }
}

/** Weights 3, 7, 1: the libraries for this one sum are no longer kept up. */
const isRoutingNumber = (value: string): boolean => {
  const sum = [...value].reduce((total, digit, at) => total + Number(digit) * ([3, 7, 1][at % 3] ?? 0), 0)
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

/** The address with the case of its letters taken from its hash. Source: EIP-55. */
const checksummed = (address: string): string => {
  const digits = address.slice(2).toLowerCase()
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)))
  const cased = [...digits].map((digit, at) =>
    Number.parseInt(hash.charAt(at), 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${cased.join("")}`
}

/** One case throughout carries no checksum. */
const isEip55 = (value: string): boolean => {
  const digits = value.slice(2)
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() || value === checksummed(value)
}

const isBech32 = (value: string): boolean =>
  [bech32, bech32m].some((coder) => decoded(() => coder.decode(value as `${string}1${string}`, false)) !== undefined)

export const StrictCheckRules = Table.make("StrictCheckRules", {
  IBAN: {
    expected: "an IBAN whose country, length and check digits fit",
    holds: (value) => isValidIBAN(value.toUpperCase()),
  },
  BIC: { expected: "a BIC of a country that exists", holds: (value) => isValidBIC(value) },
  ABA: { expected: "a routing number whose check digit fits", holds: isRoutingNumber },
  CLABE: {
    expected: "a CLABE whose check digit fits",
    holds: (value) => clabe.computeChecksum(value.slice(0, 17)) === Number(value.slice(17)),
  },
  CPF_OR_CNPJ: {
    expected: "a CPF or CNPJ whose check digits fit",
    holds: (value) => isCpf(value) || isCnpj(value),
  },
  PIX_KEY: {
    expected: "a key of its pixKeyType, with check digits that fit",
    holds: (value, { pixKeyType }) => pixKeys.find(String(pixKeyType))?.(value) ?? true,
  },
  BECH32: { expected: "bech32 whose checksum fits", holds: isBech32 },
  BASE58: {
    expected: "base58 of 32 bytes",
    holds: (value) => decoded(() => base58.decode(value))?.length === 32,
  },
  BASE58CHECK: {
    expected: "base58 whose checksum fits",
    holds: (value) => decoded(() => base58check.decode(value))?.length === 21,
  },
  EIP55: { expected: "an address in one case, or in the case of its EIP-55 checksum", holds: isEip55 },
} satisfies { readonly [name: string]: StrictCheckRow })

export type StrictCheck = (typeof StrictCheckRules.keys)[number]
