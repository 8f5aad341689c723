/** Leaves out all mutants but every n-th, by COUNTERSIGN_MUTATION_EVERY: a sample tells the score of a large area within minutes. */
import { type Checker, type CheckResult, CheckStatus } from "@stryker-mutator/api/check"
import type { Mutant } from "@stryker-mutator/api/core"
import { declareClassPlugin, PluginKind } from "@stryker-mutator/api/plugin"
import { isSampled, notSampled } from "../../src/mutation/Report.ts"

const every = Number(process.env["COUNTERSIGN_MUTATION_EVERY"] ?? 1)

class SampleChecker implements Checker {
  async init() {}

  async check(mutants: Array<Mutant>): Promise<Record<string, CheckResult>> {
    return Object.fromEntries(
      mutants.map((mutant): [string, CheckResult] => [
        mutant.id,
        isSampled(mutant, every)
          ? { status: CheckStatus.Passed }
          : { status: CheckStatus.CompileError, reason: notSampled },
      ]),
    )
  }

  async group(mutants: Array<Mutant>) {
    return [mutants.map(({ id }) => id)]
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, "sample", SampleChecker)]
