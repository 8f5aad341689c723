/** Published suites find the runner that runs them; the examples prove it in each. */

import { expect, it } from "vitest"
import * as Runner from "../../../packages/test/src/runner/Runner.ts"

it("is this one", async () => {
  const vitest = await import("vitest")
  expect(Runner.it).toBe(vitest.it)
  expect(Runner.describe).toBe(vitest.describe)
})

it("is the one of the global scope, where one stands there whole", async () => {
  const globals = { describe: () => undefined, it: () => undefined }
  expect(await Runner.find(globals, { VITEST: "true" })).toEqual(globals)
  expect(Runner.ofGlobals({ describe: globals.describe })).toBeUndefined()
  expect(Runner.ofGlobals({ describe: 1, it: 2 })).toBeUndefined()
})

it("is not guessed where Jest hides its own", async () => {
  await expect(Runner.find({}, { JEST_WORKER_ID: "1" })).rejects.toThrow("injectGlobals")
})

it("is Node's own where there is no other", async () => {
  const vitest = await import("vitest")
  const found = await Runner.find({}, {})
  expect(found.it).not.toBe(vitest.it)
})
