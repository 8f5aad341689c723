/** The runner of mutants that need databases and processes: what it runs, what it reports, and what it ends. Source: D-525. */
import { existsSync, readFileSync } from "node:fs"
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { DryRunStatus, type MutantRunOptions, MutantRunStatus } from "@stryker-mutator/api/test-runner"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { ProcessRunner } from "../../scripts/mutation/ProcessRunner.ts"
import { notSampled } from "./Report.ts"

let folder = ""

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-mutants-"))
  vi.stubEnv("PATH", `${folder}${delimiter}${process.env["PATH"]}`)
  vi.stubEnv("COUNTERSIGN_MUTATION_TESTS", '["test/src/cells/Store.test.ts"]')
})

afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

/** Puts a script in the place of the usual runner. */
const behave = async (script: string) => {
  await writeFile(join(folder, "vitest"), `#!/bin/sh\n${script}\n`)
  await chmod(join(folder, "vitest"), 0o755)
}

const reporting = (status: "failed" | "passed", code: number) => {
  const assertionResults = [{ fullName: "a store keeps its records", status }]
  const testResults = [{ name: "/copy/test/src/cells/Store.test.ts", status, message: "", assertionResults }]
  return `echo '${JSON.stringify({ testResults })}' > .mutants.report.json; exit ${code}`
}

const at = { line: 0, column: 0 }

const options: MutantRunOptions = {
  activeMutant: { id: "7", fileName: "Store.ts", location: { start: at, end: at }, mutatorName: "", replacement: "" },
  disableBail: false,
  mutantActivation: "static",
  reloadEnvironment: true,
  sandboxFileName: "Store.ts",
  timeout: 10_000,
}

const run = (runner: ProcessRunner) => runner.mutantRun(options)

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const pidIn = (path: string): number => (existsSync(path) ? Number(readFileSync(path, "utf8")) : 0)

it("runs the files of the area with the mutant in the environment, up to the first failure", async () => {
  await behave(`echo "$__STRYKER_ACTIVE_MUTANT__ $*" >&2; exit 1`)
  const result = await run(new ProcessRunner(folder))
  const words = "run --bail 1 --reporter=json --outputFile=.mutants.report.json test/src/cells/Store.test.ts"
  expect(result).toMatchObject({ status: MutantRunStatus.Killed, killedBy: [] })
  expect(result).toHaveProperty("failureMessage", `vitest ended with 1: 7 ${words}\n`)
})

it("hides its own variables from the tests, whose commands would refuse them", async () => {
  vi.stubEnv("COUNTERSIGN_MUTATION_EVERY", "1")
  await behave("env | grep ^COUNTERSIGN_MUTATION_ >&2; exit 1")
  expect(await run(new ProcessRunner(folder))).toHaveProperty("failureMessage", "vitest ended with 1: ")
})

it("reports the test that has noticed a mutant", async () => {
  await behave(reporting("failed", 1))
  expect(await run(new ProcessRunner(folder))).toEqual({
    status: MutantRunStatus.Killed,
    killedBy: ["test/src/cells/Store.test.ts"],
    failureMessage: "test/src/cells/Store.test.ts: a store keeps its records",
    nrOfTests: 1,
  })
})

it("names the test that failed, and no file that its failure has stopped", async () => {
  const file = (name: string, message: string, tests: ReadonlyArray<string>) => ({
    name: `/copy/test/src/cells/${name}.test.ts`,
    status: "failed",
    message,
    assertionResults: tests.map((fullName) => ({ fullName, status: "failed" })),
  })
  const [stopped, unread, failing] = [file("A", "", []), file("B", "no such module", []), file("C", "", ["keeps"])]
  const report = (testResults: object) => `echo '${JSON.stringify({ testResults })}' > .mutants.report.json; exit 1`
  await behave(report([stopped, unread, failing]))
  expect(await run(new ProcessRunner(folder))).toMatchObject({
    killedBy: ["test/src/cells/C.test.ts"],
    failureMessage: "test/src/cells/C.test.ts: keeps",
  })
  await behave(report([stopped, unread]))
  expect(await run(new ProcessRunner(folder))).toMatchObject({
    failureMessage: "test/src/cells/B.test.ts: no such module",
  })
})

it("runs the tests first that import the mutated file, and the others if these notice nothing", async () => {
  const tests = ["test/Far.test.ts", "test/Near.test.ts", "test/Alike.test.ts"]
  vi.stubEnv("COUNTERSIGN_MUTATION_TESTS", JSON.stringify(tests))
  await mkdir(join(folder, "test"))
  await writeFile(join(folder, "test/Near.test.ts"), 'import { open } from "../cells/Store.ts"')
  await writeFile(join(folder, "test/Alike.test.ts"), 'import { open } from "../cells/OtherStore.ts"')
  const words = () => readFileSync(join(folder, "runs"), "utf8").trim().split("\n")
  await behave(`shift 5; echo "$*" >> runs; ${reporting("passed", 0)}`)
  expect(await run(new ProcessRunner(folder))).toEqual({ status: MutantRunStatus.Survived, nrOfTests: 2 })
  expect(words()).toEqual(["test/Near.test.ts", "test/Far.test.ts test/Alike.test.ts"])
  await behave(`shift 5; echo "$*" >> runs; ${reporting("failed", 1)}`)
  expect(await run(new ProcessRunner(folder))).toMatchObject({ status: MutantRunStatus.Killed, nrOfTests: 1 })
  expect(words().slice(2)).toEqual(["test/Near.test.ts"])
})

it("reports a mutant that no test has noticed", async () => {
  await behave(reporting("passed", 0))
  expect(await run(new ProcessRunner(folder))).toEqual({ status: MutantRunStatus.Survived, nrOfTests: 1 })
})

it("runs every n-th mutant, by its number, and says of the others that they are not sampled", async () => {
  await behave(reporting("passed", 0))
  const runner = new ProcessRunner(folder)
  const sampled: Array<string> = []
  vi.stubEnv("COUNTERSIGN_MUTATION_EVERY", "3")
  for (const id of ["0", "1", "2", "3", "4", "33"]) {
    const { activeMutant, ...others } = options
    const result = await runner.mutantRun({ ...others, activeMutant: { ...activeMutant, id } })
    if (result.status === MutantRunStatus.Survived) sampled.push(id)
    else expect(result).toEqual({ status: MutantRunStatus.Error, errorMessage: notSampled })
  }
  expect(sampled).toEqual(["0", "3", "33"])
})

it("reads no result of the run before", async () => {
  const runner = new ProcessRunner(folder)
  await behave(reporting("failed", 1))
  await run(runner)
  await behave("exit 1")
  expect(await run(runner)).toMatchObject({ status: MutantRunStatus.Killed, killedBy: [] })
})

it("runs the tests first without a mutant, and stops there if they fail", async () => {
  await behave(`test -z "$__STRYKER_ACTIVE_MUTANT__" || exit 1\n${reporting("passed", 0)}`)
  expect(await new ProcessRunner(folder).dryRun()).toMatchObject({
    status: DryRunStatus.Complete,
    tests: [{ id: "test/src/cells/Store.test.ts" }],
  })
  await behave(reporting("failed", 1))
  expect(await new ProcessRunner(folder).dryRun()).toMatchObject({ status: DryRunStatus.Error })
})

it("ends what a run has started with the run", async () => {
  await behave("sleep 600 & echo $! > child; wait")
  const runner = new ProcessRunner(folder)
  const running = run(runner)
  const child = await vi.waitUntil(() => pidIn(join(folder, "child")), 10_000)
  await runner.dispose()
  await running
  await vi.waitUntil(() => !isAlive(child), 10_000)
  expect(isAlive(child)).toBe(false)
})
