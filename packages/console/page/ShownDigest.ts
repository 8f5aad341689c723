/** The digest of what is shown of an action. The page computes it from what it shows itself, so that a vote names that. Source: D-532. */

/** Canonical JSON: sorted names and no white space. */
const canonical = (value: unknown): string => {
  if (value === null || typeof value !== "object") return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  const members = Object.entries(value)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`)
  return `{${members.join(",")}}`
}

/** SHA-256 of the canonical JSON, hex. */
export const digestOf = async (shown: object): Promise<string> => {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(canonical(shown)))
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("")
}
