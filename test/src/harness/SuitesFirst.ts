/**
 * The order of the test files. Those that run a whole suite, or processes for a long time, are small: by their size they would begin last, and
 * the run would wait for one of them.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node"

const isLong =
  /(?:Conformance|Seeds|Crash|Histories|HistoryRun|SoakRun|WrongStores|SerialCommits|Pglite|Server|Day)\.test\.ts$/u

export class SuitesFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    // Folders whose tests need a process for themselves keep their place before all others.
    const rankOf = ({ moduleId, project }: TestSpecification) =>
      project.config.isolate ? 0 : isLong.test(moduleId) ? 1 : 2
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}
