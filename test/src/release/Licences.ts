/**
 * The licences that a production dependency may have. A package under another one needs a decision.
 * Source: D-541.
 */
import { type Bom, type Component, nameOf } from "./Bom.ts"

/** Permissive licences that Apache-2.0 can be distributed with. */
const allowed = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
  "MIT-0",
  "Unlicense",
])

/** Packages whose manifest has no identifier, with the licence that their own file has. */
const read: Readonly<Record<string, string>> = { buildcheck: "MIT", "cpu-features": "MIT", ssh2: "MIT" }

/** Whether an expression leaves a choice in which every part is allowed. Nested parentheses do not occur. */
export const isAllowed = (expression: string): boolean =>
  expression
    .replaceAll(/[()]/gu, "")
    .split(/ or /iu)
    .some((choice) => choice.split(/ and /iu).every((licence) => allowed.has(licence.trim())))

const licenceOf = (component: Component): string | undefined => {
  const [first] = component.licenses ?? []
  return first?.expression ?? first?.license?.id ?? first?.license?.name ?? read[nameOf(component["bom-ref"])]
}

/** The components without a licence, or with one that is not in the list. */
export const problemsOfLicences = ({ components }: Bom): ReadonlyArray<string> =>
  components.flatMap((component) => {
    const licence = licenceOf(component)
    if (licence === undefined) return [`${component["bom-ref"]} names no licence`]
    return isAllowed(licence) ? [] : [`${component["bom-ref"]} has the licence ${licence}`]
  })
