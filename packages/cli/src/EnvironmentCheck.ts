/**
 * Finds variables that look like the service's and are not: a mistyped one would otherwise be ignored, with all that it should protect.
 * Source: D-342.
 */
import type { Problem } from "./Problems.ts"

/** Variables of the repository's own tests and tools, which a shell may have set. */
const toolVariables = /^COUNTERSIGN_(?:TEST_.*|FUZZ|REPORT|VECTORS)$/u

/** Returns the number of single-character edits between two texts. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (isSame ? 0 : 1)))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** Returns a problem for each unknown variable with the service's prefix. The value, which may be a secret, is not repeated. */
export const unknownVariables = (
  names: ReadonlyArray<string>,
  known: ReadonlyArray<string>,
): ReadonlyArray<Problem<never>> =>
  names
    .filter((name) => /^countersign_/iu.test(name) && !known.includes(name) && !toolVariables.test(name))
    .map((name) => {
      const [nearest = ""] = known.toSorted((a, b) => distance(name.toUpperCase(), a) - distance(name.toUpperCase(), b))
      return {
        reason: "usage",
        message: `${name} is not a variable of this command; the nearest is ${nearest}`,
        concerns: [],
      }
    })
