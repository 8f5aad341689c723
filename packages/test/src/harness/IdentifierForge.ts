/**
 * Makes a valid identifier with a magic suffix for an account type, or says why none exists.
 * Spec: 4.6 (the last 3 digits of the main identifier; those of the user name part where there is a domain part).
 */

import { type AccountTypeRows, AccountTypes, mainIdentifier } from "@countersign/core/models"
import { type Format, StrictCheckRules, Suffix } from "@countersign/core/verify"
import { exampleBody, rowOf } from "./AccountExample.ts"

/** An account whose main identifier ends in the suffix, or why no valid identifier of the type can. */
export type Forged =
  | { readonly field: string; readonly value: string; readonly accountInfo: Readonly<Record<string, unknown>> }
  | { readonly impossible: string }

export interface ForgeOptions {
  /** Whether check digits and checksums must be valid, too. */
  readonly strict?: boolean
  readonly rows?: AccountTypeRows
}

const digits = "0123456789"
const alphabets = {
  bech32: "qpzry9x8gf2tvdw0s3jn54khce6mua7l",
  base58: "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
}
const triesMax = 10_000
const variedMax = 6

/** Replaces the end of a text by the suffix; in an address with a domain part, it appends it to the user name part. */
const withSuffix = (text: string, suffix: string): string => {
  const at = text.indexOf("@")
  return at > 0 ? `${text.slice(0, at)}${suffix}${text.slice(at)}` : `${text.slice(0, -suffix.length)}${suffix}`
}

/** Replaces digits before the suffix; each number gives a different text. */
const varied = (text: string, number: number): string => {
  const characters = [...text]
  let left = number
  let changed = 0
  for (let at = characters.length - 4; at > 0 && left > 0 && changed < variedMax; at--) {
    const digit = digits.indexOf(characters[at] ?? "")
    if (digit < 0) continue
    characters[at] = digits.charAt((digit + left) % 10)
    left = Math.floor(left / 10)
    changed++
  }
  return characters.join("")
}

const missingCharacters = ({ alphabet }: Format, suffix: string) =>
  alphabet === undefined ? [] : [...new Set(suffix)].filter((character) => !alphabets[alphabet].includes(character))

const attempt = (format: Format, account: Readonly<Record<string, unknown>>, suffix: string, strict: boolean) => {
  const missing = missingCharacters(format, suffix)
  if (missing.length > 0) return { impossible: `${format.alphabet} has no ${missing.join(" and no ")}` }
  if (strict && format.alphabet !== undefined) return { impossible: "it ends in a checksum of what stands before it" }
  const isValid = (value: string) =>
    format.pattern?.test(value) !== false &&
    Suffix.of(value) === suffix &&
    (!strict || format.strict === undefined || StrictCheckRules.get(format.strict).isValid(value, account))
  // An EIP-55 address in lower case has no checksum.
  const base = withSuffix(format.strict === "EIP55" ? format.example.toLowerCase() : format.example, suffix)
  for (let number = 0; number < (strict ? triesMax : 1); number++) {
    const value = varied(base, number)
    if (isValid(value)) return { value }
  }
  return { impossible: `no value that is ${format.expected} was found` }
}

/** Returns valid account details of the type whose main identifier has the suffix, or the reason why none exist. */
export const forge = (accountType: string, suffix: string, options: ForgeOptions = {}): Forged => {
  const rows = options.rows ?? AccountTypes.rows
  const row = rowOf(rows, accountType)
  const reasons = new Set<string>()
  for (const route of row.routes) {
    const { accountInfo } = exampleBody(accountType, { route, rows })
    const main = mainIdentifier({ accountType, ...(accountInfo as Readonly<Record<string, string>>) })
    const field = Object.keys(row.fields).find((name) => accountInfo[name] === main)
    const format = field === undefined ? undefined : row.fields[field]?.format
    if (field === undefined || format === undefined) continue
    const made = attempt(format, accountInfo, suffix, options.strict ?? false)
    if (made.value !== undefined)
      return { field, value: made.value, accountInfo: { ...accountInfo, [field]: made.value } }
    reasons.add(made.impossible)
  }
  return { impossible: [...reasons].join("; ") }
}
