/**
 * Parses a JSON object from outside into its members.
 * Source: wire contract 4.9.
 */
export interface JsonMembers {
  readonly [member: string]: unknown
}

/** Returns the members, or `undefined` when the text is not a JSON object. */
export const membersOf = (text: string): JsonMembers | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonMembers) : undefined
  } catch {
    return undefined
  }
}
