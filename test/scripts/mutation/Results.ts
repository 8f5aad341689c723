/**
 * The kept results of rooms and areas, so that a run that was ended goes on, a larger sample begins with a smaller one, and a new test is
 * run on the survivors only. Stryker repeats a killed mutant whose killing test has changed. All are repeated once a helper of tests changes.
 * Source: D-525.
 */
import { createHash } from "node:crypto"
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { isNotSampled } from "../../src/mutation/Report.ts"

const digestOf = (paths: ReadonlyArray<string>): string => {
  const hash = createHash("sha256")
  for (const path of paths.toSorted()) hash.update(readFileSync(path))
  return hash.digest("hex").slice(0, 12)
}

interface KeptMutant {
  readonly status: string
  readonly statusReason?: string
}

interface Kept {
  readonly files: { readonly [path: string]: { readonly mutants: ReadonlyArray<KeptMutant> } }
}

/** Rewrites results with the mutants that are still known. */
const keep = (file: string, isKnown: (mutant: KeptMutant) => boolean): void => {
  const kept: Kept = JSON.parse(readFileSync(file, "utf8"))
  const files = Object.entries(kept.files).map(([path, one]) => [
    path,
    { ...one, mutants: one.mutants.filter(isKnown) },
  ])
  writeFileSync(file, JSON.stringify({ ...kept, files: Object.fromEntries(files) }))
}

/** The results file of a room or area: `open` before a run, `close` after it. */
export const resultsOf = (name: string) => {
  const all = globSync(["test/src/**/*.ts", "packages/test/src/**/*.ts"], { exclude: ["test/src/mutation/**"] })
  const isTest = (path: string) => path.endsWith(".test.ts")
  const folder = `node_modules/.cache/mutation/${digestOf(all.filter((path) => !isTest(path)))}`
  const file = `${folder}/${name}.json`
  const testsFile = `${folder}/${name}.tests`
  const tests = digestOf(all.filter(isTest))
  const open = () => {
    mkdirSync(folder, { recursive: true })
    const isSame = existsSync(testsFile) && readFileSync(testsFile, "utf8") === tests
    // Any new test may notice a mutant that survived: one of a table is reached by each test that loads the table.
    if (existsSync(file)) keep(file, ({ status }) => isSame || status === "Killed" || status === "Ignored")
  }
  const close = () => {
    keep(file, (mutant) => !isNotSampled(mutant))
    writeFileSync(testsFile, tests)
  }
  return { file, open, close }
}
