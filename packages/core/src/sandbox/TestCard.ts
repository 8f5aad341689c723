/**
 * The obviously fake data of a sandbox's card: it follows from the card's id, so that nothing of it is kept.
 * Source: wire contract 11 (45, 48).
 */
import * as Secrets from "../foundation/crypto/Secrets.ts"

export interface TestCard {
  /** 16 digits; valid by its check digit, and nobody's. */
  readonly number: string
  readonly securityCode: string
  readonly last4: string
}

/** The bank number and eleven digits that no issuer gives out. */
const beginning = "40000000000"

/** Whether a number is one by its check digits (ISO/IEC 7812-1). */
const isNumber = (digits: string): boolean =>
  [...digits].reverse().reduce((total, digit, at) => {
    const value = at % 2 === 0 ? Number(digit) : Number(digit) * 2
    return total + (value > 9 ? value - 9 : value)
  }, 0) %
    10 ===
  0

export const testCard = (cardId: string): TestCard => {
  const drawn = Array.from(Secrets.hash(`test card ${cardId}`).slice(0, 7), (digit) => Number.parseInt(digit, 16) % 10)
  const last4 = drawn.slice(0, 4).join("")
  const numbers = Array.from({ length: 10 }, (_, digit) => `${beginning}${digit}${last4}`)
  return {
    number: numbers.find(isNumber) ?? `${beginning}0${last4}`,
    securityCode: drawn.slice(4).join(""),
    last4,
  }
}
