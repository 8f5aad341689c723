/** Canonical JSON: sorted keys and no white space, so that equal bodies have equal hashes. */

/** Any JSON value. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }

/** Returns the canonical text of a JSON value. It omits `undefined` members, as `JSON.stringify` does. */
export const stringify = (value: unknown): string => {
  if (value === undefined) return "null"
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null"
  if (Array.isArray(value)) return `[${value.map(stringify).join(",")}]`
  const members = value as { readonly [name: string]: unknown }
  let text = ""
  // `sort` compares code units.
  for (const name of Object.keys(members).sort()) {
    const member = members[name]
    if (member !== undefined) text += `${text === "" ? "" : ","}${JSON.stringify(name)}:${stringify(member)}`
  }
  return `{${text}}`
}
