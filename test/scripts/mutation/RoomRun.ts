/** One mutation run of a room or an area. */
import { readFileSync } from "node:fs"
import { Stryker } from "@stryker-mutator/core"
import { filesOf, ownOf, roomNamed } from "../../src/mutation/Areas.ts"
import type { MutantReport } from "../../src/mutation/Report.ts"
import { resultsOf } from "./Results.ts"

interface RunOptions {
  /** The repository. */
  readonly root: string
  /** One of this number of mutants is run. */
  readonly every: number
  /** Only these files, or lines of files, are mutated. */
  readonly only?: ReadonlyArray<string>
  /** The time of `Date.now()` after which no mutant is begun. */
  readonly until?: number
  /** Runs the tests without mutants. */
  readonly isDry?: boolean
}

/** The names of levels are a type without values. */
const quiet: object = { logLevel: "warn" }

export const runRoom = async (name: string, options: RunOptions): Promise<MutantReport | undefined> => {
  const { every, isDry = false, only, root, until } = options
  const room = roomNamed(name)
  const { needsProcesses = false } = room
  const results = resultsOf(name)
  const report = `.stryker/${name}.json`
  process.env["COUNTERSIGN_MUTATION_EVERY"] = String(every)
  // What few inputs of a decoder do not notice, its own tests have to. The usual number would take most of the time of a survivor.
  process.env["COUNTERSIGN_FUZZ"] ??= "1000"
  process.env["COUNTERSIGN_MUTATION_UNTIL"] = String(until ?? "")
  process.env["COUNTERSIGN_MUTATION_TESTS"] = JSON.stringify(room.tests.map((test) => `test/src/${test}.test.ts`))
  if (!isDry) results.open()
  await new Stryker({
    mutate: [
      ...(only === undefined
        ? filesOf(room).map((path) => `packages/${room.package ?? "core"}/src/${path}`)
        : ownOf(room, only)),
    ],
    testRunner: needsProcesses ? "process" : "room",
    // The runner holds answers against the sources without a mutant, which need not be built.
    testRunnerNodeArgs: ["--conditions=@countersign/source"],
    plugins: ["Runner", "ProcessRunner", "Ignorer", "Sample"].map(
      (plugin) => `${root}test/scripts/mutation/${plugin}.ts`,
    ),
    ignorers: ["names and documents"],
    // A checker would have a second process begin runs of tests beside the first, which shares their copy. That runner chooses its mutants itself.
    checkers: needsProcesses ? [] : ["sample"],
    dryRunOnly: isDry,
    incremental: !isDry,
    incrementalFile: results.file,
    buildCommand: needsProcesses
      ? `node test/scripts/mutation/LinkedModules.ts ${root}`
      : `node --conditions=@countersign/source test/scripts/mutation/Bundle.ts ${name}`,
    symlinkNodeModules: !needsProcesses,
    coverageAnalysis: needsProcesses ? "off" : "perTest",
    // The tables are made when their modules load: a mutant of them is static, and counts.
    ignoreStatic: false,
    concurrency: Number(process.env["COUNTERSIGN_MUTATION_WORKERS"] ?? 1),
    reporters: ["json", "progress-append-only"],
    jsonReporter: { fileName: report },
    tempDirName: `.stryker/copy-${name}`,
    cleanTempDir: "always",
    ignorePatterns: ["examples", "dist", "*.tsbuildinfo", ".stryker", ".git"],
    // There is nothing to rewrite in it, and the native compiler has none of the functions that would do it.
    tsconfigFile: "none",
    // A loop without an end is found by how often it is gone through, a promise without one by the time of its test. This is for what hangs.
    timeoutMS: 120_000,
    timeoutFactor: 4,
    dryRunTimeoutMinutes: 20,
    warnings: false,
    allowConsoleColors: false,
    ...quiet,
  }).runMutationTest()
  if (isDry) return undefined
  results.close()
  return JSON.parse(readFileSync(report, "utf8"))
}
