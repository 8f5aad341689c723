/** For every test file: an answer that does not match the document fails the test in which it was sent. */
import { readFileSync } from "node:fs"
import { afterEach, beforeAll, expect } from "vitest"
import { record } from "./Recorder.ts"

interface Traffic {
  readonly problems: Array<string>
  /** Whether answers are invented, as those of the fake service are. */
  isInvented: boolean
}
const key = Symbol.for("countersign:test:traffic")
const shared = globalThis as { [key]?: Traffic }

/** Files that share a process share its recorder. */
const start = (): Traffic => {
  const started: Traffic = { problems: [], isInvented: false }
  record(
    (found) => void started.problems.push(...found),
    () => !started.isInvented,
  )
  return started
}
const traffic = shared[key] ?? start()
shared[key] = traffic

beforeAll(() => {
  const { testPath = "" } = expect.getState()
  traffic.isInvented = /from "[./\w]*Fake(?:Service|Handlers)\.ts"/u.test(readFileSync(testPath, "utf8"))
})

afterEach(() => {
  const found = [...new Set(traffic.problems.splice(0))]
  expect(found, "answers that do not match the OpenAPI document").toEqual([])
})
