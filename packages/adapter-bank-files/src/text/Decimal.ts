/** Amounts of files: decimal text and exact integers of the smallest unit, without floating point. Source: D-530. */

/** Writes an amount with its decimals, such as 1234 with two as `12.34`. */
export const decimalOf = (amount: number, decimals: number): string => {
  if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError("an amount is an integer from 0 on")
  if (decimals === 0) return String(amount)
  const digits = String(amount).padStart(decimals + 1, "0")
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** Reads a decimal exactly; `undefined`: not a decimal, more decimals than the currency has, or not exact as an integer. */
export const minorOf = (text: string, decimals: number): number | undefined => {
  const [, whole, fraction = ""] = /^\+?(\d{1,18})(?:\.(\d{0,17}))?$/u.exec(text) ?? []
  if (whole === undefined || /[1-9]/u.test(fraction.slice(decimals))) return undefined
  const amount = Number(whole + fraction.slice(0, decimals).padEnd(decimals, "0"))
  return Number.isSafeInteger(amount) ? amount : undefined
}
