/**
 * The last three characters of an identifier select a sandbox scenario.
 * Spec: 4.6 Sandbox endpoints and magic values (for identifiers with a domain part the digits end the user name part).
 */

/** Returns the last three characters; for `user@domain` those of the user part. */
export const of = (identifier: string): string => {
  const at = identifier.indexOf("@")
  return (at > 0 ? identifier.slice(0, at) : identifier).slice(-3)
}
