/**
 * Stryker's test runner for the rooms. In one process it evaluates the bundle of a room's tests again for each mutant,
 * because tables are created when their modules load and must be created with the mutant.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { resolve } from "node:path"
import { INSTRUMENTER_CONSTANTS, type InstrumenterContext } from "@stryker-mutator/api/core"
import { declareClassPlugin, PluginKind } from "@stryker-mutator/api/plugin"
import {
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestRunner,
  TestStatus,
} from "@stryker-mutator/api/test-runner"
import fc from "fast-check"
import { notSampled } from "../../src/mutation/Report.ts"
import { bundleName } from "./Bundle.ts"
import { type Evaluate, evaluatorOf } from "./Evaluator.ts"
import { makeSuite } from "./Suite.ts"

/** The state that the mutated sources read. They keep a reference, so the object is never replaced. */
const context: InstrumenterContext = {}
Object.assign(globalThis, { [INSTRUMENTER_CONSTANTS.NAMESPACE]: context })

/** How long each test took without a mutant, for a process that takes the place of another. */
const timesFile = resolve(".mutants.times.json")

const until = Number(process.env["COUNTERSIGN_MUTATION_UNTIL"] || Number.POSITIVE_INFINITY)

class RoomRunner implements TestRunner {
  readonly #require = createRequire(resolve("package.json"))
  #evaluate: Evaluate | undefined
  #times: ReadonlyMap<string, number> = new Map()
  #isRunning = false

  capabilities() {
    return { reloadEnvironment: true }
  }

  async init() {
    // A fixed seed gives the same cases each time, so that survival of a mutant is deterministic.
    fc.configureGlobal({ seed: 1 })
    const code = readFileSync(resolve(bundleName), "utf8")
    // Here, because processes that only choose mutants load this file as well, and without the sources.
    const { watchTraffic } = await import("./Traffic.ts")
    this.#evaluate = evaluatorOf(code, watchTraffic())
    if (existsSync(timesFile)) this.#times = new Map(Object.entries(JSON.parse(readFileSync(timesFile, "utf8"))))
  }

  async #load() {
    return this.#evaluate?.((id) => this.#require(id)) ?? makeSuite()
  }

  async dryRun(): Promise<DryRunResult> {
    delete context.activeMutant
    const tests = await this.#load()
    const ended = await tests.run({
      isSelected: () => true,
      bail: false,
      onTest: (id) => {
        if (id === undefined) delete context.currentTestId
        else context.currentTestId = id
      },
    })
    this.#times = new Map(ended.map(({ id, millis }) => [id, millis]))
    writeFileSync(timesFile, JSON.stringify(Object.fromEntries(this.#times)))
    const { mutantCoverage } = context
    return {
      status: DryRunStatus.Complete,
      tests: ended.map(({ failure, id, millis }) => ({
        id,
        name: id,
        // By a change of its file the results of mutants are known to be old.
        fileName: `test/src/${id.split(" > ", 1)[0]}.test.ts`,
        timeSpentMs: millis,
        ...(failure === undefined
          ? { status: TestStatus.Success }
          : { status: TestStatus.Failed, failureMessage: failure }),
      })),
      ...(mutantCoverage === undefined ? {} : { mutantCoverage }),
    }
  }

  async mutantRun({
    activeMutant,
    hitLimit,
    mutantActivation,
    testFilter,
  }: MutantRunOptions): Promise<MutantRunResult> {
    if (Date.now() > until) return { status: MutantRunStatus.Error, errorMessage: notSampled }
    // Stryker replaces this process, and repeats the mutant in another.
    if (this.#isRunning) throw new Error("a test of the last mutant may still be running")
    context.hitCount = 0
    context.hitLimit = hitLimit ?? Number.POSITIVE_INFINITY
    if (mutantActivation === "static") context.activeMutant = activeMutant.id
    else delete context.activeMutant
    try {
      const tests = await this.#load()
      context.activeMutant = activeMutant.id
      const filter = testFilter && new Set(testFilter)
      const ended = await tests.run({
        isSelected: (id) => filter?.has(id) ?? true,
        bail: true,
        // What the mutant prevents, a test may wait for.
        limitOf: (id) => 10_000 + 4 * (this.#times.get(id) ?? 0),
      })
      const reached = determineHitLimitReached(context.hitCount, hitLimit)
      const failed = ended.find(({ failure }) => failure !== undefined)
      this.#isRunning = failed?.isLate === true
      if (reached !== undefined) return { status: MutantRunStatus.Timeout, reason: reached.reason ?? "" }
      if (failed?.isLate === true) return { status: MutantRunStatus.Timeout, reason: failed.id }
      return failed === undefined
        ? { status: MutantRunStatus.Survived, nrOfTests: ended.length }
        : {
            status: MutantRunStatus.Killed,
            killedBy: [failed.id],
            failureMessage: failed.failure ?? "",
            nrOfTests: ended.length,
          }
    } catch (thrown) {
      if (determineHitLimitReached(context.hitCount, hitLimit) !== undefined) return { status: MutantRunStatus.Timeout }
      return { status: MutantRunStatus.Error, errorMessage: `the modules do not load: ${String(thrown)}` }
    }
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, "room", RoomRunner)]
