/**
 * Mutation testing of the packages. `npm run mutate`: all rooms, which writes docs/mutation.md; of some:
 * `npm run mutate -- card quotes`. `--areas`: everything else, which records its scores. `--every 40`: a sample; `--record`: record the areas that are named.
 * `--changed main`: the lines that differ from a commit, of which too few noticed mutants are a failure; `--minutes 10`: no mutant is begun later. `--dry`: the tests without mutants.
 * Results are kept, so that a run that was ended goes on. `npm run mutate -- sql` mutates the database functions instead, `-- sql claim_jobs 10` every tenth mutant of one.
 */
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { explainedInAreas } from "../src/mutation/AreaSurvivors.ts"
import { areas, filesOf, floorOf, isRoom, roomNamed, roomsOf } from "../src/mutation/Areas.ts"
import { areaSection, problemsOfFloors, type Samples, withAreas } from "../src/mutation/AreaTable.ts"
import {
  mutantCount,
  pageOf,
  percentOf,
  problemsOfChange,
  problemsOfLoading,
  problemsOfSurvivors,
  type RoomResult,
  scoreOf,
  sum,
  survivorsOf,
} from "../src/mutation/Report.ts"
import { type Room, rooms } from "../src/mutation/Rooms.ts"
import { explained } from "../src/mutation/Survivors.ts"
import { changedLines } from "./mutation/ChangedLines.ts"
import { runRoom } from "./mutation/RoomRun.ts"

/** The least score of rooms. */
const least = 90
const page = "docs/mutation.md"
const measured = "test/src/mutation/measured.json"

const root = fileURLToPath(new URL("../../", import.meta.url))
process.chdir(root)

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    areas: { type: "boolean", default: false },
    changed: { type: "string" },
    dry: { type: "boolean", default: false },
    every: { type: "string", default: "1" },
    minutes: { type: "string" },
    record: { type: "boolean", default: false },
  },
})

const [kind, onlySql = "", everySql = values.every] = positionals
if (kind === "sql") {
  const env = { ...process.env, COUNTERSIGN_TEST_SQL_MUTANTS: `${onlySql},${everySql}` }
  const file = "test/src/mutation/sql/SqlMutation.test.ts"
  process.exit(spawnSync("vitest", ["run", file], { stdio: "inherit", env }).status ?? 1)
}

const isDefault = positionals.length === 0 && !values.areas && values.changed === undefined
const only = values.changed === undefined ? undefined : changedLines(values.changed)
const names = isDefault
  ? Object.keys(rooms)
  : [...positionals, ...(values.areas ? Object.keys(areas) : []), ...(only === undefined ? [] : roomsOf(only))]
if (names.length === 0) console.log("no source of a room or area has changed")

const every = Number(values.every)
const until = values.minutes === undefined ? undefined : Date.now() + Number(values.minutes) * 60_000
const isWhole = only === undefined && until === undefined
const isRecorded = isWhole && (values.areas || values.record)

const results: Array<RoomResult> = []
const survivors: Array<string> = []
const failed: Array<string> = []
const paths = new Set<string>()
const run: { [area: string]: Samples[string] } = {}
const recordAreas = () => {
  const samples: Samples = { ...JSON.parse(readFileSync(measured, "utf8")), ...run }
  writeFileSync(measured, `${JSON.stringify(samples, null, 2)}\n`)
  writeFileSync(page, withAreas(readFileSync(page, "utf8"), areaSection(samples, explainedInAreas)))
}
for (const name of names) {
  if (until !== undefined && Date.now() > until) {
    process.stdout.write(`${name}: not begun within ${values.minutes} minutes\n`)
    continue
  }
  // Their tests take minutes before the first mutant.
  if (until !== undefined && roomNamed(name).needsProcesses === true) {
    process.stdout.write(`${name}: needs processes, and is run by its name alone\n`)
    continue
  }
  const began = Date.now()
  const report = await runRoom(name, {
    root,
    every,
    isDry: values.dry,
    ...(only === undefined ? {} : { only }),
    ...(until === undefined ? {} : { until }),
  }).catch((error: unknown) => {
    failed.push(`${name}: ${String(error)}`)
    return "failed" as const
  })
  if (report === "failed") continue
  const seconds = Math.round((Date.now() - began) / 1000)
  if (report === undefined) {
    process.stdout.write(`${name}: all tests pass, ${seconds} s\n`)
    continue
  }
  const room = roomNamed(name)
  const found = survivorsOf(report)
  const score = scoreOf(report)
  results.push({ room: name, sources: filesOf(room).length, score, seconds })
  if (isRoom(name)) {
    for (const path of filesOf(room)) paths.add(path)
    survivors.push(...found)
  } else {
    run[name] = { every, of: mutantCount(report), score }
    const unexplained = found.filter((each) => !explainedInAreas.some(({ mutants }) => mutants.includes(each)))
    for (const each of unexplained) process.stdout.write(`survives: ${each}\n`)
    if (isRecorded) recordAreas()
  }
  process.stdout.write(`${name}: ${percentOf(score).toFixed(1)} % ${JSON.stringify(score)} ${seconds} s\n`)
}

const whole = percentOf(sum(results.filter(({ room }) => isRoom(room)).map(({ score }) => score)))
const problems = [
  ...failed,
  ...problemsOfLoading(results),
  ...(every === 1 && isWhole && !values.dry
    ? problemsOfSurvivors(survivors, explained, (path) => paths.has(path))
    : []),
  ...(only === undefined ? [] : problemsOfChange(results)),
  ...(only === undefined && whole < least ? [`the score of rooms is ${whole.toFixed(1)} %, less than ${least} %`] : []),
  ...(isWhole ? problemsOfFloors(run, floorOf) : []),
]
for (const problem of problems) process.stderr.write(`${problem}\n`)
process.exitCode = problems.length === 0 ? 0 : 1
if (isDefault && every === 1 && isWhole && !values.dry) {
  const included = Object.entries<Room>(rooms).map(
    ([name, { sources, tests }]) =>
      `- **${name}**: ${sources.map((source) => `\`${source}\``).join(", ")}; tests: ${tests.map((test) => `\`${test}\``).join(", ")}`,
  )
  writeFileSync(page, pageOf(results, explained, included))
  recordAreas()
}
