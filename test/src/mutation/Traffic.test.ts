/** The answers of mutants are judged after each test, as those of `npm test` are. */
import { expect, it } from "vitest"
import { makeSuite } from "../../scripts/mutation/Suite.ts"
import { watchTraffic } from "../../scripts/mutation/Traffic.ts"
import { processTraffic } from "../traffic/ProcessTraffic.ts"

it("fails the test that received an answer with a problem, and no other", async () => {
  const tests = makeSuite(watchTraffic())
  const { it: test } = Object(tests.modules.get("vitest"))
  await tests.load("File", () => {
    test("wrong", () => void processTraffic().problems.push("the status 299", "another"))
    test("right", () => undefined)
  })
  const ended = await tests.run({ isSelected: () => true, bail: false })
  expect(ended.map(({ failure }) => failure)).toEqual([
    "an answer does not match the OpenAPI document: the status 299",
    undefined,
  ])
})

it("judges nothing that a fake service of a file answers, until the file ends", async () => {
  const tests = makeSuite(watchTraffic())
  const { it: test } = Object(tests.modules.get("vitest"))
  const seen: Array<boolean> = []
  const note = () => void seen.push(processTraffic().isInvented)
  await tests.load("Fake", () => {
    test("invents", () => {
      processTraffic().isInvented = true
    })
    test("still invents", note)
  })
  await tests.load("Next", () => test("is real", note))
  await tests.run({ isSelected: () => true, bail: false })
  expect(seen).toEqual([true, false])
})
