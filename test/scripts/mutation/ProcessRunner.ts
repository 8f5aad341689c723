/**
 * Stryker's test runner for areas whose tests need databases and processes: for each mutant it runs their files as `npm test` does, up to the
 * first failure, and first those that import the mutated file: they are quick, and most likely notice it. The mutant's number is in the
 * environment, so that the processes that tests start have the mutant as well.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync, rmSync } from "node:fs"
import { basename, join } from "node:path"
import { declareClassPlugin, PluginKind } from "@stryker-mutator/api/plugin"
import {
  type DryRunResult,
  DryRunStatus,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestRunner,
  TestStatus,
} from "@stryker-mutator/api/test-runner"
import { isSampled, notSampled } from "../../src/mutation/Report.ts"

/** The environment variable that mutated sources read. */
const active = "__STRYKER_ACTIVE_MUTANT__"
const reportFile = ".mutants.report.json"

const until = Number(process.env["COUNTERSIGN_MUTATION_UNTIL"] || Number.POSITIVE_INFINITY)

interface FileResult {
  readonly name: string
  readonly status: string
  readonly message: string
  readonly assertionResults: ReadonlyArray<{
    readonly fullName: string
    readonly status: string
    readonly failureMessages?: ReadonlyArray<string>
  }>
}

interface Ended {
  readonly code: number | null
  readonly files: ReadonlyArray<FileResult>
  readonly output: string
}

const allTests = (): ReadonlyArray<string> => JSON.parse(process.env["COUNTERSIGN_MUTATION_TESTS"] ?? "[]")

/** Without the variables of the run itself: a command that a test runs refuses those of its prefix that it does not know. */
const environment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("COUNTERSIGN_MUTATION_")))

/** `test/src/cells/Store.test.ts` */
const shortName = (path: string): string => path.slice(path.indexOf("test/src/"))

export class ProcessRunner implements TestRunner {
  #child: ChildProcess | undefined
  readonly #folder: string

  /** The folder of the copy. */
  constructor(folder = ".") {
    this.#folder = folder
  }

  capabilities() {
    return { reloadEnvironment: true }
  }

  /** Ends a run with all that it started: databases and servers of tests are in its process group. */
  async dispose() {
    const child = this.#child
    if (child?.pid === undefined || child.exitCode !== null) return
    const ended = once(child, "exit")
    process.kill(-child.pid, "SIGKILL")
    await ended
  }

  /** All tests of the area in two parts: those that import the file, and the others. */
  #parts(fileName: string): ReadonlyArray<ReadonlyArray<string>> {
    const imported = `/${basename(fileName)}"`
    const all = allTests()
    const near = all.filter((test) => {
      const path = join(this.#folder, test)
      return existsSync(path) && readFileSync(path, "utf8").includes(imported)
    })
    return [near, all.filter((test) => !near.includes(test))].filter((part) => part.length > 0)
  }

  async #run(mutant: string | undefined, tests = allTests()): Promise<Ended> {
    const report = join(this.#folder, reportFile)
    rmSync(report, { force: true })
    const words = ["run", "--bail", "1", "--reporter=json", `--outputFile=${reportFile}`, ...tests]
    const child = spawn("vitest", words, {
      cwd: this.#folder,
      detached: true,
      env: { ...environment(), ...(mutant === undefined ? {} : { [active]: mutant }) },
      stdio: ["ignore", "pipe", "pipe"],
    })
    this.#child = child
    let output = ""
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        output = (output + chunk.toString()).slice(-4000)
      })
    }
    await once(child, "exit")
    this.#child = undefined
    const files = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")).testResults : []
    return { code: child.exitCode, files, output }
  }

  async dryRun(): Promise<DryRunResult> {
    const began = Date.now()
    const { code, files, output } = await this.#run(undefined)
    if (code !== 0) return { status: DryRunStatus.Error, errorMessage: problemOf({ code, files, output }) }
    const timeSpentMs = (Date.now() - began) / files.length
    return {
      status: DryRunStatus.Complete,
      tests: files.map(({ name }) => {
        const fileName = shortName(name)
        return { id: fileName, name: fileName, fileName, timeSpentMs, status: TestStatus.Success }
      }),
    }
  }

  async mutantRun({ activeMutant }: MutantRunOptions): Promise<MutantRunResult> {
    const every = Number(process.env["COUNTERSIGN_MUTATION_EVERY"] || 1)
    if (Date.now() > until || !isSampled(activeMutant, every))
      return { status: MutantRunStatus.Error, errorMessage: notSampled }
    let nrOfTests = 0
    for (const part of this.#parts(activeMutant.fileName)) {
      const ended = await this.#run(activeMutant.id, part)
      nrOfTests += ended.files.length
      if (ended.code === 0) continue
      const failed = failureOf(ended.files)
      return {
        status: MutantRunStatus.Killed,
        killedBy: failed === undefined ? [] : [shortName(failed.name)],
        failureMessage: problemOf(ended),
        nrOfTests,
      }
    }
    return { status: MutantRunStatus.Survived, nrOfTests }
  }
}

const failedTestOf = ({ assertionResults }: FileResult) => assertionResults.find(({ status }) => status === "failed")

/** The file with the first failure. Files that the failure of another one has stopped count as failed, too, without a test. */
const failureOf = (files: ReadonlyArray<FileResult>): FileResult | undefined => {
  const failed = files.filter(({ status }) => status === "failed")
  return (
    failed.find((file) => failedTestOf(file) !== undefined) ?? failed.find(({ message }) => message !== "") ?? failed[0]
  )
}

/** The first test that failed, or what a run without results printed. */
const problemOf = ({ code, files, output }: Ended): string => {
  const failed = failureOf(files)
  if (failed === undefined) return `vitest ended with ${code}: ${output}`
  const test = failedTestOf(failed)
  const [reason = ""] = test?.failureMessages ?? []
  return `${shortName(failed.name)}: ${test?.fullName ?? failed.message}${reason === "" ? "" : `\n${reason}`}`
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, "process", ProcessRunner)]
