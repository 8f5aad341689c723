/**
 * Mutation testing of the core's machines, rules, policy and ledger. `npm run mutate`, or of some rooms: `npm run mutate -- card quote`.
 * A run of all rooms writes docs/mutation.md. `npm run mutate -- sql` mutates the database functions instead, `-- sql claim_jobs 10` every tenth mutant of one.
 */
import { spawnSync } from "node:child_process"
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Stryker } from "@stryker-mutator/core"
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
import { type Room, type RoomName, rooms } from "../src/mutation/Rooms.ts"
import { explained } from "../src/mutation/Survivors.ts"

const least = 90

const root = fileURLToPath(new URL("../../", import.meta.url))
process.chdir(root)

/** The names of levels are a type without values. */
const quiet: object = { logLevel: "warn" }

const [kind, only = "", every = "1"] = process.argv.slice(2)
if (kind === "sql") {
  const env = { ...process.env, COUNTERSIGN_TEST_SQL_MUTANTS: `${only},${every}` }
  const file = "test/src/mutation/sql/SqlMutation.test.ts"
  process.exit(spawnSync("vitest", ["run", file], { stdio: "inherit", env }).status ?? 1)
}

const isRoom = (name: string): name is RoomName => name in rooms
const wanted = process.argv.slice(2)
const names = wanted.length === 0 ? Object.keys(rooms).filter(isRoom) : wanted.filter(isRoom)

const reportName = (room: RoomName) => `.stryker/${room}.json`

const run = (room: RoomName) => {
  const { sources }: Room = rooms[room]
  return new Stryker({
    mutate: sources.map((source) => `packages/core/src/${source}`),
    testRunner: "room",
    plugins: ["Runner", "Ignorer"].map((plugin) => `${root}test/scripts/mutation/${plugin}.ts`),
    ignorers: ["names and documents"],
    buildCommand: `node --conditions=@countersign/source test/scripts/mutation/Bundle.ts ${room}`,
    coverageAnalysis: "perTest",
    // The tables are made when their modules load: a mutant of them is static, and counts.
    ignoreStatic: false,
    concurrency: Number(process.env["COUNTERSIGN_MUTATION_WORKERS"] ?? 1),
    reporters: ["json", "progress-append-only"],
    jsonReporter: { fileName: reportName(room) },
    tempDirName: `.stryker/copy-${room}`,
    cleanTempDir: "always",
    ignorePatterns: ["examples", "docs", "dist", "*.tsbuildinfo", ".stryker", ".git"],
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
for (const room of names) {
  const began = Date.now()
  await run(room)
  const report: MutantReport = JSON.parse(readFileSync(reportName(room), "utf8"))
  const { sources }: Room = rooms[room]
  const files = sources.flatMap((source) => globSync(source, { cwd: "packages/core/src" }))
  for (const path of files) paths.add(path)
  const score = scoreOf(report)
  results.push({ room, sources: files.length, score, seconds: Math.round((Date.now() - began) / 1000) })
  survivors.push(...survivorsOf(report))
  process.stdout.write(`${room}: ${percentOf(score).toFixed(1)} % ${JSON.stringify(score)}\n`)
}

const whole = percentOf(sum(results.map(({ score }) => score)))
const problems = [
  ...problemsOfSurvivors(survivors, explained, (path) => paths.has(path)),
  ...(whole < least ? [`the score is ${whole.toFixed(1)} %, less than ${least} %`] : []),
]
for (const problem of problems) process.stderr.write(`${problem}\n`)
process.exitCode = problems.length === 0 ? 0 : 1
if (wanted.length === 0) {
  const included = Object.entries<Room>(rooms).map(
    ([name, { sources, tests }]) =>
      `- **${name}**: ${sources.map((source) => `\`${source}\``).join(", ")}; tests: ${tests.map((test) => `\`${test}\``).join(", ")}`,
  )
  writeFileSync("docs/mutation.md", pageOf(results, explained, included))
}
