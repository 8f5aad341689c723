/** Amounts among the fields of a resource, in words. Source: D-467. */
import { money } from "./Format.ts"

export type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Fields whose number is an amount in the smallest unit of the `currency` beside it. */
const amountNames: ReadonlySet<string> = new Set([
  "amount",
  "perTransactionLimit",
  "dailyLimit",
  "monthlyLimit",
  "maxSpendPerTransaction",
])

/** The amount of a field whose currency stands beside it as a code; `undefined`: it is something else. */
export const amountBeside = (
  { currency }: Fields,
  name: string,
  value: unknown,
  decimalsOf: Readonly<Record<string, number>>,
): string | undefined => {
  if (typeof currency !== "string" || typeof value !== "number" || !amountNames.has(name)) return undefined
  const decimals = decimalsOf[currency]
  return decimals === undefined ? undefined : money(value, currency, decimals)
}

/** An amount with its currency, in words; `undefined`: it is something else. */
export const moneyOf = (value: Fields): string | undefined => {
  const { amount, currency } = value
  if (typeof amount !== "number" || !isFields(currency)) return undefined
  const { code, decimals } = currency
  return typeof code === "string" && typeof decimals === "number" ? money(amount, code, decimals) : undefined
}
