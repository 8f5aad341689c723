/**
 * Stryker's test runner for the rooms. In one process it evaluates the bundle of a room's tests again for each mutant,
 * because tables are created when their modules load and must be created with the mutant.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { resolve } from "node:path"
import { Script } from "node:vm"
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
import { bundleName } from "./Bundle.ts"
import { makeSuite } from "./Suite.ts"

type Evaluate = (require: (id: string) => unknown) => { readonly [file: string]: () => unknown }

/** The state that the mutated sources read. They keep a reference, so the object is never replaced. */
const context: InstrumenterContext = {}
Object.assign(globalThis, { [INSTRUMENTER_CONSTANTS.NAMESPACE]: context })

class RoomRunner implements TestRunner {
  readonly #require = createRequire(resolve("package.json"))
  #evaluate: Evaluate | undefined

  capabilities() {
    return { reloadEnvironment: true }
  }

  async init() {
    // A fixed seed gives the same cases each time, so that survival of a mutant is deterministic.
    fc.configureGlobal({ seed: 1 })
    const code = readFileSync(resolve(bundleName), "utf8")
    const script = new Script(`(require) => { const module = { exports: {} }, exports = module.exports; ${code}
      return module.exports.files }`)
    this.#evaluate = script.runInThisContext()
  }

  /** Loads the tests, with all modules of this repository evaluated again. */
  #load() {
    const tests = makeSuite()
    const files = this.#evaluate?.((id) => tests.modules.get(id) ?? this.#require(id)) ?? {}
    for (const [name, file] of Object.entries(files)) tests.load(name, file)
    return tests
  }

  async dryRun(): Promise<DryRunResult> {
    delete context.activeMutant
    const ended = await this.#load().run(() => true, {
      bail: false,
      onTest: (id) => {
        if (id === undefined) delete context.currentTestId
        else context.currentTestId = id
      },
    })
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
    context.hitCount = 0
    context.hitLimit = hitLimit ?? Number.POSITIVE_INFINITY
    if (mutantActivation === "static") context.activeMutant = activeMutant.id
    else delete context.activeMutant
    try {
      const tests = this.#load()
      context.activeMutant = activeMutant.id
      const filter = testFilter && new Set(testFilter)
      const ended = await tests.run((id) => filter?.has(id) ?? true, { bail: true })
      const reached = determineHitLimitReached(context.hitCount, hitLimit)
      const failed = ended.find(({ failure }) => failure !== undefined)
      if (reached !== undefined) return { status: MutantRunStatus.Timeout, reason: reached.reason ?? "" }
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
