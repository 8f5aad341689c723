/**
 * The syntax of a UMA address: `$name@domain`.
 * Source: wire contract 0.2 and 5.11.
 */
import { Matching } from "../../foundation/kit/Lengths.ts"

const syntax = /^\$[a-zA-Z0-9._+-]{1,64}@[a-zA-Z0-9.-]{1,253}(:\d{1,5})?$/u

export const UmaAddress = Matching("accountDetail", syntax, "a UMA address such as $name@example.com")

export const isUmaAddress = (text: string): boolean => syntax.test(text)

/** Returns the form in which addresses are compared and listed: their letter case does not count. Source: D-085. */
export const umaAddressKey = (address: string): string => address.toLowerCase()

/** Whether two addresses are the same in any letter case. */
export const isSameUmaAddress = (one: string, other: string): boolean => umaAddressKey(one) === umaAddressKey(other)

/** Returns the condition of a list that this address fulfils. Releases before this form listed an address as it was written. */
export const umaAddressIs = (address: string): { readonly eq: string } | { readonly in: ReadonlyArray<string> } => {
  const key = umaAddressKey(address)
  return key === address ? { eq: key } : { in: [key, address] }
}

/** Splits an address into name (without `$`) and domain, both in lower case for comparison. */
export const umaAddressParts = (address: string): { readonly name: string; readonly domain: string } => {
  const at = address.lastIndexOf("@")
  return { name: address.slice(1, at).toLowerCase(), domain: address.slice(at + 1).toLowerCase() }
}

/** Whether the address carries this domain. */
export const isUmaAddressUnder = (address: string, domain: string): boolean =>
  umaAddressParts(address).domain === domain.toLowerCase()
