/**
 * Validates hexadecimal text from outside: one byte or more, in either letter case.
 * Source: wire contract 4.9.
 */
const pattern = /^(?:[0-9a-fA-F]{2})+$/u

export const isHexText = (value: unknown): value is string => typeof value === "string" && pattern.test(value)
