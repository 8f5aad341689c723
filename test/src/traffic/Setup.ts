/** For every test file: an answer that does not match the document fails the test in which it was sent. */
import { afterAll, afterEach, expect } from "vitest"
import { recordedTraffic } from "./RecordedTraffic.ts"

const traffic = recordedTraffic()

afterEach(() => {
  const found = [...new Set(traffic.problems.splice(0))]
  expect(found, "answers that do not match the OpenAPI document").toEqual([])
})

// A fake service of this file invents no answers of the next one.
afterAll(() => {
  traffic.isInvented = false
})
