/**
 * The reference of an order in the identifiers that files have: 35 characters end to end, 15 characters of an individual in NACHA.
 * Both are derived, so that they are the same however often an order is given, and both are unique in the store.
 * Source: D-530.
 */
import { createHash } from "node:crypto"

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

const base32 = (bytes: Uint8Array, length: number): string => {
  let bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("")
  let text = ""
  while (text.length < length) {
    text += alphabet[Number.parseInt(bits.slice(0, 5), 2)]
    bits = bits.slice(5)
  }
  return text
}

const uuid = /([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})$/u

/** The 32 digits of the reference's UUID, which a person can look up; of another reference its digest. */
export const endToEndIdOf = (reference: string): string => {
  const found = uuid.exec(reference)
  if (found === null) return createHash("sha256").update(reference).digest("hex").slice(0, 32)
  return found.slice(1).join("")
}

/** 75 bits of the reference's digest. */
export const individualIdOf = (reference: string): string => base32(createHash("sha256").update(reference).digest(), 15)
