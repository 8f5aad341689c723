/**
 * The fake data of a sandbox card. It is derived from the card's id, so that nothing is stored.
 * Source: wire contract 11 (45, 48).
 */
import * as Secrets from "../foundation/crypto/Secrets.ts"

export interface TestCard {
  /** 16 digits with a valid check digit, from a range that no issuer assigns. */
  readonly number: string
  readonly securityCode: string
  readonly last4: string
}

/** The first eleven digits, from a range that no issuer assigns. */
const prefix = "40000000000"

/** Whether the check digit of a card number is valid (ISO/IEC 7812-1). */
const hasValidCheckDigit = (number: string): boolean =>
  [...number].reverse().reduce((total, digit, at) => {
    const value = at % 2 === 0 ? Number(digit) : Number(digit) * 2
    return total + (value > 9 ? value - 9 : value)
  }, 0) %
    10 ===
  0

export const testCard = (cardId: string): TestCard => {
  const digits = Array.from(Secrets.hash(`test card ${cardId}`).slice(0, 7), (digit) => Number.parseInt(digit, 16) % 10)
  const last4 = digits.slice(0, 4).join("")
  const numbers = Array.from({ length: 10 }, (_, digit) => `${prefix}${digit}${last4}`)
  return {
    number: numbers.find(hasValidCheckDigit) ?? `${prefix}0${last4}`,
    securityCode: digits.slice(4).join(""),
    last4,
  }
}
