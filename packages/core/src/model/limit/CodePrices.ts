/**
 * Prices of codes by text message, so that numbers whose owner earns with every message cannot be used against a platform.
 * Source: D-336.
 */

/** Cents for a message to numbers of a prefix; `null`: no code is sent to them. The longest prefix of a number decides. */
export type CodePrices = { readonly [prefix: string]: number | null }

/** Prices of a usual provider, rounded up. A deployment sets those of its own provider. */
export const codePricesDefault: CodePrices = {
  "+": 15,
  "+1": 2,
  "+33": 8,
  "+34": 8,
  "+39": 9,
  "+44": 5,
  "+49": 11,
  "+52": 6,
  "+55": 5,
  "+63": 12,
  "+91": 8,
  "+234": 20,
  // Shared-cost and premium services, satellite networks and global services: their messages are paid to the number's owner.
  "+808": null,
  "+870": null,
  "+878": null,
  "+881": null,
  "+882": null,
  "+883": null,
  "+979": null,
  "+1900": null,
  "+1976": null,
}

/** Returns the longest prefix with a price, and the price. A number without one has no price and gets no code. */
export const priceOf = (
  phoneNumber: string,
  prices: CodePrices,
): { readonly prefix: string; readonly cents: number | null } => {
  for (let length = phoneNumber.length; length > 0; length--) {
    const prefix = phoneNumber.slice(0, length)
    const cents = Object.hasOwn(prices, prefix) ? prices[prefix] : undefined
    if (cents !== undefined) return { prefix, cents }
  }
  return { prefix: "", cents: null }
}

/** The part of a number that counts as one country: the prefix with a price, or three digits where only a general price applies. */
export const countedPrefix = (phoneNumber: string, prefix: string): string =>
  prefix.length > 1 ? prefix : phoneNumber.slice(0, 4)
