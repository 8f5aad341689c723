/**
 * Hexadecimal texts that somebody else wrote: whole bytes, one at least, in either case of letters.
 * Source: wire contract 4.9.
 */
const pattern = /^(?:[0-9a-fA-F]{2})+$/u

export const isHexText = (value: unknown): value is string => typeof value === "string" && pattern.test(value)
