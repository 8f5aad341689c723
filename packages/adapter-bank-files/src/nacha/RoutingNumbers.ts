/** The check digit of a routing number, and the hash of entries. Source: Nacha Operating Rules; D-530. */

const weights = [3, 7, 1, 3, 7, 1, 3, 7]

export const checkDigitOf = (eightDigits: string): number => {
  const sum = weights.reduce((total, weight, at) => total + weight * Number(eightDigits[at]), 0)
  return (10 - (sum % 10)) % 10
}

export const isRoutingNumber = (text: string): boolean =>
  /^\d{9}$/u.test(text) && text !== "000000000" && checkDigitOf(text.slice(0, 8)) === Number(text[8])

/** The sum of the first eight digits of each routing number, of which the last ten digits count. */
export const entryHashOf = (rdfis: ReadonlyArray<string>): number =>
  rdfis.reduce((total, rdfi) => (total + Number(rdfi.slice(0, 8))) % 10_000_000_000, 0)
