/**
 * Exact positive fractions, and their decimal notation.
 * Source: D-529. A rate is rounded once, when an amount is converted (wire contract 1.4).
 */

export interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** At most 15 digits before and after the point: more than any published rate has, and a bound for all later integers. */
const notation = /^(\d{1,15})(?:\.(\d{1,15}))?(?:[eE]([+-]?\d{1,2}))?$/u
const exponentMax = 15

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? a : gcd(b, a % b))

const reduced = ({ denominator, numerator }: Fraction): Fraction => {
  const divisor = gcd(numerator, denominator)
  return { numerator: numerator / divisor, denominator: denominator / divisor }
}

/** Returns the number of a decimal notation, or `undefined` if it is not a positive number in this form. */
export const fractionOf = (text: string): Fraction | undefined => {
  const match = notation.exec(text)
  if (match === null) return undefined
  const [, whole = "", decimals = "", exponent = "0"] = match
  if (Math.abs(Number(exponent)) > exponentMax) return undefined
  const scale = Number(exponent) - decimals.length
  const digits = BigInt(whole + decimals)
  if (digits === 0n) return undefined
  return reduced(
    scale >= 0
      ? { numerator: digits * 10n ** BigInt(scale), denominator: 1n }
      : { numerator: digits, denominator: 10n ** BigInt(-scale) },
  )
}

export const inverse = ({ denominator, numerator }: Fraction): Fraction => ({
  numerator: denominator,
  denominator: numerator,
})

export const times = (a: Fraction, b: Fraction): Fraction =>
  reduced({ numerator: a.numerator * b.numerator, denominator: a.denominator * b.denominator })

/** Whether `next` differs from `before` by more than a number of basis points of the smaller one. */
export const differsByMore = (before: Fraction, next: Fraction, bps: number): boolean => {
  const [a, b] = [before.numerator * next.denominator, next.numerator * before.denominator]
  const [small, large] = a < b ? [a, b] : [b, a]
  return (large - small) * 10_000n > small * BigInt(bps)
}
