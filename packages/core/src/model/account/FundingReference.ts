/**
 * The reference that payers quote when they send money to an internal account: derived from its id, so that it never changes.
 * Source: wire contract areas 2.12; D-397.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"

/** Letters and digits that are not mistaken for each other. */
const alphabet = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"

/** Returns 8 characters that follow from a text. */
export const referenceOf = (text: string): string =>
  [...sha256(utf8ToBytes(text)).slice(0, 8)].map((byte) => alphabet[byte % alphabet.length]).join("")

export const fundingReference = (accountId: string): string => `FUND-${referenceOf(accountId)}`
