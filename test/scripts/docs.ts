/**
 * The pages in `docs/` that are made from the tables. `npm run docs` writes them; with `--check` it only tells which differ.
 * Source: architecture, "One table per concept; everything else is derived".
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { OpenApiDocument } from "@countersign/adapter-http"
import { Api } from "@countersign/client/api"
import { sources } from "../src/tidy/Repository.ts"
import { problemsOfTraceability } from "../src/traceability/Problems.ts"
import { sections } from "../src/traceability/Sections.ts"
import { errorsOfOperationsPage } from "./ErrorsOfOperationsPage.ts"
import { isGenerated } from "./Markdown.ts"
import { structurePages } from "./StructurePage.ts"
import { guidePath, portsPath, tablePages } from "./TablePages.ts"
import { traceabilityPage } from "./TraceabilityPage.ts"
import { wirePage } from "./WirePage.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

const bankCopies = new Map([
  ["packages/cli/templates/bank/bank.py", "examples/bank-python/bank.py"],
  ["packages/cli/templates/bank/bank.ts", "examples/bank-typescript/src/main.ts"],
])

/** The examples that the package of the command line has, by the paths of the copies. */
export const copies = (): ReadonlyMap<string, string> =>
  new Map([...bankCopies].map(([copy, example]) => [copy, readFileSync(root + example, "utf8")]))

/** Every generated page by its path from the repository's root. */
export const generate = (): ReadonlyMap<string, string> =>
  new Map([
    ...tablePages(),
    ["docs/wire.md", wirePage(OpenApiDocument.make(Api, ""))],
    ["docs/errors-of-operations.md", errorsOfOperationsPage(sources())],
    ["docs/traceability.md", traceabilityPage(sections, sources())],
    ...structurePages(sources()),
  ])

/** The pages as they are in `docs/` and in the packages now. */
export const current = (): ReadonlyMap<string, string> => {
  mkdirSync(`${root}docs`, { recursive: true })
  const names = readdirSync(`${root}docs`).filter((name) => /\.(?:md|svg)$/u.test(name))
  const paths = [
    ...names.map((name) => `docs/${name}`),
    ...[guidePath, portsPath, ...bankCopies.keys()].filter((path) => existsSync(root + path)),
  ]
  return new Map(paths.map((path) => [path, readFileSync(root + path, "utf8")]))
}

/** Which pages differ from what the tables make; a generated page that no table makes any more differs too. */
export const compare = (
  wanted: ReadonlyMap<string, string>,
  found: ReadonlyMap<string, string>,
): ReadonlyArray<string> => [
  ...[...wanted].flatMap(([path, text]) =>
    found.get(path) === text
      ? []
      : [`${path} ${found.has(path) ? "differs from its table" : "is missing"}: npm run docs`],
  ),
  ...[...found]
    .filter(([path, text]) => isGenerated(text) && !wanted.has(path))
    .map(([path]) => `${path} has no table any more`),
]

if (import.meta.main) {
  const pages = new Map([...generate(), ...copies()])
  if (process.argv.includes("--check")) {
    const problems = [...compare(pages, current()), ...problemsOfTraceability(sections, sources())]
    for (const problem of problems) process.stderr.write(`${problem}\n`)
    process.exitCode = problems.length === 0 ? 0 : 1
  } else {
    for (const [path, text] of pages) {
      mkdirSync(dirname(root + path), { recursive: true })
      writeFileSync(root + path, text)
    }
    process.stdout.write(`${pages.size} pages in docs/\n`)
  }
}
