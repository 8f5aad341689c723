/**
 * The direction of imports: which file may know which.
 * Source: architecture, "The rooms". Records are described where their noun lives, so ports may import models.
 */
import { type Import, importsOf, resolved } from "./Imports.ts"
import { isPackageSource, type SourceFile } from "./Repository.ts"

/** From the ground up: a file may import files of its own row and of the rows before it. */
const rows = ["kit", "table", "model", "port", "operation", "decision", "service", "sandbox", "top"] as const
type Row = (typeof rows)[number]

const rooms: Readonly<Record<string, Row>> = {
  kit: "kit",
  errors: "table",
  ids: "table",
  money: "table",
  crypto: "table",
  ports: "port",
  operation: "operation",
  sandbox: "sandbox",
}

/** Files of noun rooms that are tables, though their plural names look like a service. */
const tables: ReadonlyArray<string> = [
  "ledger/LedgerAccounts.ts",
  "transaction/PaymentRails.ts",
  "transaction/RailRefusals.ts",
]

/** Which row a file of the core stands in. `path` begins below `packages/core/src`. */
export const rowOf = (path: string): Row => {
  const [room = "", file] = path.split("/")
  if (file === undefined) return room === "models.ts" ? "model" : "top"
  const known = rooms[room]
  if (known !== undefined) return known
  if (/(?:Changes|Decision|Announce)\.ts$/u.test(file)) return "decision"
  if (/(?:Rules|Types)\.ts$/u.test(file) || tables.includes(path)) return "model"
  return /[^s]s\.ts$/u.test(file) ? "service" : "model"
}

const core = "packages/core/src/"
const below = (path: string) => path.slice(core.length)
const rank = (path: string) => rows.indexOf(rowOf(below(path)))

const problemsInCore = (path: string, to: string, { from, isType }: Import): ReadonlyArray<string> => {
  // A type weighs nothing at run time: what is told of a port's answer may be a fact of a rule.
  const reach = isType ? Math.max(rank(path), rows.indexOf("port")) : rank(path)
  const isGround = rowOf(below(path)) === "kit" || rowOf(below(path)) === "table"
  return rank(to) <= (isGround ? rank(path) : reach)
    ? []
    : [`${path}: a ${rowOf(below(path))} imports the ${rowOf(below(to))} ${from}`]
}

const packageOf = (path: string) => path.split("/").slice(0, 3).join("/")

const problemsOfOne = (path: string, one: Import): ReadonlyArray<string> => {
  const { from } = one
  if (from.startsWith(".")) {
    const to = resolved(path, from)
    if (packageOf(to) !== packageOf(path)) return [`${path}: leaves its package by ${from}`]
    if (path.includes("/src/api/") && !to.includes("/src/api/")) return [`${path}: the api imports ${from}`]
    return path.startsWith(core) ? problemsInCore(path, to, one) : []
  }
  if (path.startsWith(`${core}kit/`) && !/^effect(?:\/|$)/u.test(from)) return [`${path}: the kit imports ${from}`]
  if (path.startsWith(core) && from.startsWith("node:")) return [`${path}: the core imports ${from}`]
  if (from.startsWith("@countersign/test")) return [`${path}: a package imports ${from}`]
  if (from.startsWith("@countersign/")) {
    if (path.startsWith(core)) return [`${path}: the core imports ${from}`]
    if (!/^@countersign\/[a-z-]+(?:\/[a-z]+)?$/u.test(from))
      return [`${path}: imports the inside of a package, ${from}`]
  }
  // The api runs in a browser: what is left of it at run time is models and effect.
  const isOfApi = from === "@countersign/core/models" || (one.isType && from === "@countersign/core")
  if (path.includes("/src/api/") && !isOfApi && !/^effect(?:\/|$)/u.test(from)) {
    return [`${path}: the api imports ${from}`]
  }
  return []
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

/** A pure decision asks neither the clock nor chance nor the world: it imports nothing that runs. */
export const problemsOfPurity = ({ path, text }: SourceFile): ReadonlyArray<string> => {
  if (!isPackageSource(path) || !/(?:Machine|Rules|Evaluation|Decision|Changes)\.ts$/u.test(path)) return []
  return importsOf(text).flatMap(({ from, names }) => {
    if (from !== "effect" && !from.startsWith("effect/")) return []
    const wrong = from === "effect" ? names.filter((name) => runtime.has(name)) : [from]
    return wrong.map((name) => `${path}: a pure decision imports ${name}`)
  })
}
