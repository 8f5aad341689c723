/**
 * Mutation testing of the core's machines, rules, policy and ledger. `npm run mutate`, or of some rooms: `npm run mutate -- card quote`.
 * A run of all rooms writes docs/mutation.md. `--areas` mutates everything else of the core, the store in memory and the HTTP adapter,
 * `--changed main` the rooms and areas of what differs from a commit, `--every 50` a sample. Results are kept until a test
 * changes, so that a run that was ended goes on. `npm run mutate -- sql` mutates the database functions instead, `-- sql claim_jobs 10` every tenth mutant of one.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { Stryker } from "@stryker-mutator/core"
import { areas, filesOf, isRoom, roomNamed, roomsOf } from "../src/mutation/Areas.ts"
import {
  type MutantReport,
  pageOf,
  percentOf,
  problemsOfSurvivors,
  type RoomResult,
  scoreOf,
  sum,
  survivorsOf,
} from "../src/mutation/Report.ts"
import { type Room, rooms } from "../src/mutation/Rooms.ts"
import { explained } from "../src/mutation/Survivors.ts"

const least = 90

const root = fileURLToPath(new URL("../../", import.meta.url))
process.chdir(root)

/** The names of levels are a type without values. */
const quiet: object = { logLevel: "warn" }

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    areas: { type: "boolean", default: false },
    changed: { type: "string" },
    every: { type: "string", default: "1" },
  },
})

const [kind, only = "", everySql = values.every] = positionals
if (kind === "sql") {
  const env = { ...process.env, COUNTERSIGN_TEST_SQL_MUTANTS: `${only},${everySql}` }
  const file = "test/src/mutation/sql/SqlMutation.test.ts"
  process.exit(spawnSync("vitest", ["run", file], { stdio: "inherit", env }).status ?? 1)
}

const changedPaths = (commit: string): ReadonlyArray<string> =>
  execFileSync("git", ["diff", "--name-only", commit], { encoding: "utf8" }).trim().split("\n")

const isDefault = positionals.length === 0 && !values.areas && values.changed === undefined
const names = isDefault
  ? Object.keys(rooms)
  : [
      ...positionals,
      ...(values.areas ? Object.keys(areas) : []),
      ...(values.changed === undefined ? [] : roomsOf(changedPaths(values.changed))),
    ]
if (names.length === 0) console.log("no room has changed")

/** Results are kept as long as no test and no helper of tests changes: a mutant of a table, which all tests reach, may be noticed by any. */
const testsHash = (): string => {
  const hash = createHash("sha256")
  for (const path of globSync(["test/src/**/*.ts", "packages/test/src/**/*.ts"]).toSorted())
    hash.update(readFileSync(path))
  return hash.digest("hex").slice(0, 12)
}
const resultsFolder = `node_modules/.cache/mutation/${testsHash()}`
mkdirSync(resultsFolder, { recursive: true })
const reportName = (room: string) => `.stryker/${room}.json`
const plugins = ["Runner", "Ignorer", "Sample"].map((plugin) => `${root}test/scripts/mutation/${plugin}.ts`)

const run = (name: string, room: Room) => {
  process.env["COUNTERSIGN_MUTATION_EVERY"] = values.every
  return new Stryker({
    mutate: filesOf(room).map((path) => `packages/${room.package ?? "core"}/src/${path}`),
    testRunner: "room",
    plugins,
    ignorers: ["names and documents"],
    ...(values.every === "1" ? {} : { checkers: ["sample"] }),
    incremental: true,
    incrementalFile: `${resultsFolder}/${name}-${values.every}.json`,
    buildCommand: `node --conditions=@countersign/source test/scripts/mutation/Bundle.ts ${name}`,
    coverageAnalysis: "perTest",
    // The tables are made when their modules load: a mutant of them is static, and counts.
    ignoreStatic: false,
    concurrency: Number(process.env["COUNTERSIGN_MUTATION_WORKERS"] ?? 1),
    reporters: ["json", "progress-append-only"],
    jsonReporter: { fileName: reportName(name) },
    tempDirName: `.stryker/copy-${name}`,
    cleanTempDir: "always",
    ignorePatterns: ["examples", "dist", "*.tsbuildinfo", ".stryker", ".git"],
    // There is nothing to rewrite in it, and the native compiler has none of the functions that would do it.
    tsconfigFile: "none",
    // A loop without an end is found by how often it is gone through. This is for what hangs.
    timeoutMS: 20_000,
    timeoutFactor: 4,
    warnings: false,
    allowConsoleColors: false,
    ...quiet,
  }).runMutationTest()
}

const results: Array<RoomResult> = []
const survivors: Array<string> = []
const paths = new Set<string>()
for (const name of names) {
  const room = roomNamed(name)
  const began = Date.now()
  await run(name, room)
  const report: MutantReport = JSON.parse(readFileSync(reportName(name), "utf8"))
  const found = survivorsOf(report)
  const score = scoreOf(report)
  results.push({ room: name, sources: filesOf(room).length, score, seconds: Math.round((Date.now() - began) / 1000) })
  if (isRoom(name)) {
    for (const path of filesOf(room)) paths.add(path)
    survivors.push(...found)
  } else for (const each of found) process.stdout.write(`survives: ${each}\n`)
  process.stdout.write(`${name}: ${percentOf(score).toFixed(1)} % ${JSON.stringify(score)}\n`)
}

const whole = percentOf(sum(results.map(({ score }) => score)))
const problems = [
  ...(values.every === "1" ? problemsOfSurvivors(survivors, explained, (path) => paths.has(path)) : []),
  ...(whole < least ? [`the score is ${whole.toFixed(1)} %, less than ${least} %`] : []),
]
for (const problem of problems) process.stderr.write(`${problem}\n`)
process.exitCode = problems.length === 0 ? 0 : 1
if (isDefault && values.every === "1") {
  const included = Object.entries<Room>(rooms).map(
    ([name, { sources, tests }]) =>
      `- **${name}**: ${sources.map((source) => `\`${source}\``).join(", ")}; tests: ${tests.map((test) => `\`${test}\``).join(", ")}`,
  )
  writeFileSync("docs/mutation.md", pageOf(results, explained, included))
}
