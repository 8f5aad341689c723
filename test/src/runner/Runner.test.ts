/** Detection of the test runner. The examples run the published suites in each runner. */

import { expect, it } from "vitest"
import * as Runner from "../../../packages/test/src/runner/Runner.ts"

it("detects Vitest without globals", async () => {
  const vitest = await import("vitest")
  expect(Runner.it).toBe(vitest.it)
  expect(Runner.describe).toBe(vitest.describe)
})

it("prefers a complete runner in the global scope", async () => {
  const globals = { describe: () => undefined, it: () => undefined }
  expect(await Runner.find(globals, { VITEST: "true" })).toEqual(globals)
  expect(Runner.ofGlobals({ describe: globals.describe })).toBeUndefined()
  expect(Runner.ofGlobals({ describe: 1, it: 2 })).toBeUndefined()
})

it("throws when Jest does not inject its globals", async () => {
  await expect(Runner.find({}, { JEST_WORKER_ID: "1" })).rejects.toThrow("injectGlobals")
})

it("falls back to the runner of Node", async () => {
  const vitest = await import("vitest")
  const found = await Runner.find({}, {})
  expect(found.it).not.toBe(vitest.it)
})
