/** Amounts that a person types in major units, as exact integers of the smallest unit, and back. */

/** The text of an amount, with as many decimals as the currency has. */
export const majorText = (amount: number, decimals: number): string => {
  const digits = String(amount).padStart(decimals + 1, "0")
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** The amount of a text, or `undefined` if it is no exact positive amount of the currency. */
export const minorAmount = (text: string, decimals: number): number | undefined => {
  const found = /^(\d{1,15})(?:\.(\d*))?$/u.exec(text.trim())
  if (found === null) return undefined
  const [, whole = "", part = ""] = found
  if (part.length > decimals) return undefined
  const amount = Number(`${whole}${part.padEnd(decimals, "0")}`)
  return Number.isSafeInteger(amount) && amount > 0 ? amount : undefined
}
