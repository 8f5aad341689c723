/**
 * The members of a JSON object in a text that somebody else wrote.
 * Source: wire contract 4.9.
 */
export interface JsonMembers {
  readonly [member: string]: unknown
}

/** The members; undefined where the text is not one JSON object. */
export const membersOf = (text: string): JsonMembers | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonMembers) : undefined
  } catch {
    return undefined
  }
}
