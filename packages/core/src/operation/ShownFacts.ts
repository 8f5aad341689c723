/**
 * The facts of a rule as a person sees them: numbers, truth values, ids and constants by their paths. Other texts may be secret or personal
 * and are never shown, whatever their names are.
 * Source: D-465.
 */

const depthMax = 5
const factsMax = 60
const itemsMax = 5

/** An id of the service, or a constant such as `APPROVED` or `USD`. */
const isPublic = (text: string): boolean => /^(?:[A-Z][A-Za-z]+:[0-9a-f-]{36}|[A-Z][A-Z_]{0,39})$/u.test(text)

const shownOf = (value: unknown): string | undefined => {
  if (value === null || ["number", "boolean", "bigint"].includes(typeof value)) return String(value)
  return typeof value === "string" && isPublic(value) ? value : undefined
}

const isPlain = (value: unknown): value is object =>
  typeof value === "object" &&
  value !== null &&
  [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value))

export const shownFacts = (facts: unknown): { readonly [path: string]: string } => {
  const shown: Array<readonly [path: string, fact: string]> = []
  const walk = (value: unknown, path: string, depth: number): void => {
    if (shown.length >= factsMax) return
    const fact = shownOf(value)
    if (fact !== undefined) shown.push([path, fact])
    else if (isPlain(value) && depth < depthMax) {
      const entries = Array.isArray(value) ? [...value.entries()].slice(0, itemsMax) : Object.entries(value)
      for (const [name, inside] of entries) walk(inside, path === "" ? String(name) : `${path}.${name}`, depth + 1)
    }
  }
  walk(facts, "", 0)
  return Object.fromEntries(shown)
}
