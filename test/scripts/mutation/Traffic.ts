/**
 * Holds what mutants answer against the OpenAPI document of the sources without a mutant, and judges the texts of refusals, as the setup of every
 * test file does.
 * Source: D-366, D-545.
 */
import { OpenApiDocument } from "@countersign/adapter-http"
import { Api } from "@countersign/client/api"
import { recordedTraffic } from "../../src/traffic/RecordedTraffic.ts"
import type { SuiteHooks } from "./Suite.ts"

/** Begins to check the answers of this process. The hooks fail the test that received one with a problem. */
export const watchTraffic = (): SuiteHooks => {
  const traffic = recordedTraffic({ document: () => OpenApiDocument.make(Api, ""), append: () => undefined })
  return {
    afterEach: () => {
      const [problem] = traffic.problems.splice(0)
      if (problem !== undefined) throw new Error(`an answer does not match the OpenAPI document: ${problem}`)
    },
    afterFile: () => {
      traffic.isInvented = false
    },
  }
}
