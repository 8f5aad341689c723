/**
 * The direction of imports: which file may import which, judged by the names of folders alone.
 * Source: architecture, "Layers are folders"; D-001, D-002.
 */
import { type Import, importsOf, resolved } from "./Imports.ts"
import { problemsOfLayer, problemsOfPackage } from "./Layers.ts"
import { isPackageSource, type SourceFile } from "./Repository.ts"

const core = "packages/core/src/"
const packageOf = (path: string) => path.split("/").slice(0, 3).join("/")
const isEffect = (from: string) => /^effect(?:\/|$)/u.test(from)

/** Folders that also run in a browser, and what their files import at run time. */
const isOfBrowser = (path: string) => path.startsWith("packages/client/src/api/")

const problemsOfOutside = (path: string, { from, isType }: Import): ReadonlyArray<string> => {
  if (path.startsWith(`${core}foundation/kit/`) && !isEffect(from)) return [`${path}: the kit imports ${from}`]
  if (path.startsWith(core) && from.startsWith("node:")) return [`${path}: the core imports ${from}`]
  // The contract is bundled for browsers: only models and effect are left of it at run time.
  const isContract = isEffect(from) || from === "@countersign/core/models" || (isType && from === "@countersign/core")
  if (isOfBrowser(path) && !isContract) return [`${path}: the contract imports ${from}`]
  return from.startsWith("@countersign/") ? problemsOfPackage(path, from) : []
}

const problemsOfOne = (path: string, one: Import): ReadonlyArray<string> => {
  if (!one.from.startsWith(".")) return problemsOfOutside(path, one)
  const to = resolved(path, one.from)
  return packageOf(to) === packageOf(path) ? problemsOfLayer(path, to) : [`${path}: leaves its package by ${one.from}`]
}

/** What is wrong with the imports of a package's source. */
export const problemsOfDirection = ({ path, text }: SourceFile): ReadonlyArray<string> =>
  isPackageSource(path) ? importsOf(text).flatMap((one) => problemsOfOne(path, one)) : []

/** Packages that a source imports and its package does not declare. */
export const problemsOfDeclared = ({ path, text }: SourceFile, declared: ReadonlySet<string>): ReadonlyArray<string> =>
  importsOf(text)
    .map(({ from }) => /^(?:@[^/]+\/)?[^/]+/u.exec(from)?.[0] ?? from)
    .filter((name) => !name.startsWith(".") && !name.startsWith("node:") && !declared.has(name))
    .map((name) => `${path}: imports ${name}, which its package does not declare`)

const runtime = new Set(["Effect", "Layer", "Context", "Clock", "Random", "*"])

/** Models and decisions are pure: they import nothing of Effect that runs, and nothing that draws random numbers or sends. */
export const problemsOfPurity = ({ path, text }: SourceFile): ReadonlyArray<string> => {
  if (!/^packages\/core\/src\/(?:model|decision)\//u.test(path)) return []
  return importsOf(text).flatMap(({ from, names }) => {
    if (!isEffect(from)) return []
    const wrong = from === "effect" ? names.filter((name) => runtime.has(name)) : [from]
    return wrong.map((name) => `${path}: ${path.split("/")[3]} is pure and imports ${name}`)
  })
}
