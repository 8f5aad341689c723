/**
 * Writes the report of the public API, a file for each entry point of each package; `--check` compares instead and fails on a difference.
 * It reads the compiler's own view of the sources, so `tsc -b` has to run first.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { API, type Checker, type Symbol as TsSymbol } from "typescript/unstable/sync"
import { apiReport } from "./ApiReport.ts"
import { undocumentedIn } from "./Undocumented.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const folder = join(root, "docs/api")

interface Manifest {
  readonly name: string
  readonly exports?: Readonly<Record<string, string | { readonly "@countersign/source"?: string }>>
}

/** Returns the entry points of a package: import path and source file. */
const entriesOf = (directory: string) => {
  const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as Manifest
  return Object.entries(manifest.exports ?? {}).flatMap(([path, target]) => {
    const source = typeof target === "string" ? undefined : target["@countersign/source"]
    return source === undefined ? [] : [{ name: `${manifest.name}${path.slice(1)}`, file: join(directory, source) }]
  })
}

const fileOf = (name: string): string => `${name.replace("@countersign/", "").replaceAll("/", "-")}.txt`

interface EntryPoint {
  readonly name: string
  readonly checker: Checker
  readonly module: TsSymbol
}

/** Visits every entry point of the packages in the given folders. */
const visitEntryPoints = (directories: ReadonlyArray<string>, visit: (entryPoint: EntryPoint) => void): void => {
  const api = new API()
  try {
    for (const directory of directories) {
      const entries = entriesOf(directory)
      if (entries.length === 0) continue
      const config = join(directory, "tsconfig.json")
      using snapshot = api.updateSnapshot({ openProjects: [config] })
      const project = snapshot.getProject(config)
      if (project === undefined) throw new Error(`${config} is not a project`)
      const { checker, program } = project
      for (const { file, name } of entries) {
        const source = program.getSourceFile(file)
        const module = source === undefined ? undefined : checker.getSymbolAtLocation(source)
        if (module === undefined) throw new Error(`${file} is not a module of ${config}`)
        visit({ name, checker, module })
      }
    }
  } finally {
    api.close()
  }
}

/** Returns the report of every entry point of the packages in the given folders, by file name. */
export const generateReports = (directories: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const reports = new Map<string, string>()
  visitEntryPoints(directories, ({ checker, module, name }) => {
    const count = checker.getExportsOfModule(module).length
    const lines = apiReport(checker)(module)
    reports.set(fileOf(name), [`${name}: ${count} names. Written by \`npm run api\`.`, "", ...lines, ""].join("\n"))
  })
  return reports
}

/** Names each exported name without a doc comment. */
export const undocumentedNames = (directories: ReadonlyArray<string>): ReadonlyArray<string> => {
  const found: Array<string> = []
  visitEntryPoints(directories, ({ checker, module, name }) => {
    found.push(...undocumentedIn(checker)(module).map((each) => `${name}: ${each} has no doc comment`))
  })
  return found
}

/** Names each line that differs between two reports of an entry point. */
const differences = (file: string, before: string, after: string): ReadonlyArray<string> => {
  const [old, current] = [before.split("\n"), after.split("\n")]
  const [hadLine, hasLine] = [new Set(old), new Set(current)]
  return [
    ...old.filter((line) => !hasLine.has(line)).map((line) => `${file}: - ${line}`),
    ...current.filter((line) => !hadLine.has(line)).map((line) => `${file}: + ${line}`),
  ]
}

/** Names every difference between the committed reports and the current surface. */
export const compareReports = (
  committed: ReadonlyMap<string, string>,
  current: ReadonlyMap<string, string>,
): ReadonlyArray<string> =>
  [...new Set([...committed.keys(), ...current.keys()])]
    .toSorted()
    .flatMap((file) => differences(file, committed.get(file) ?? "", current.get(file) ?? ""))

const packages = () => readdirSync(join(root, "packages")).map((name) => join(root, "packages", name))

const readCommitted = (): ReadonlyMap<string, string> =>
  new Map(existsSync(folder) ? readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), "utf8")]) : [])

if (import.meta.main) {
  const reports = generateReports(packages())
  if (process.argv.includes("--check")) {
    const found = compareReports(readCommitted(), reports)
    if (found.length > 0) console.error([...found, "The public API differs from docs/api: npm run api"].join("\n"))
    const undocumented = undocumentedNames(packages())
    if (undocumented.length > 0) console.error(undocumented.join("\n"))
    if (found.length + undocumented.length > 0) process.exitCode = 1
  } else {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    for (const [file, text] of reports) writeFileSync(join(folder, file), text)
    console.log(`${reports.size} reports in docs/api/`)
  }
}
