/** Checks the threat model: each threat has a defence and tests, and each test that it cites exists in the file that it names. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { repository } from "../packages/Packed.ts"

const guide = readFileSync(join(repository, "docs/guides/threat-model.md"), "utf8")

/** The rows of all tables with a column of tests. */
const threats = guide
  .split("\n## ")
  .filter((section) => section.includes("| Threat | Defence | Test |"))
  .flatMap((section) => section.match(/^\|.*$/gmu)?.slice(2) ?? [])
  .map((row) => row.split("|").map((cell) => cell.trim()))

it("has a defence and a test for each threat", () => {
  expect(threats.length).toBeGreaterThan(30)
  for (const [, threat = "", defence = "", tests = ""] of threats) {
    expect([threat, defence.length > 10, tests]).toEqual([
      threat,
      true,
      expect.stringMatching(/^`[\w/-]+\.test\.ts` "/u),
    ])
  }
})

it.each(threats.map(([, threat = "", , tests = ""]) => [threat, tests] as const))(
  "cites tests that exist against: %s",
  (_, tests) => {
    const cited = [...tests.matchAll(/`([\w/-]+\.test\.ts)` "([^"]+)"/gu)]
    expect(cited.length).toBe(tests.split("; ").length)
    for (const [, file = "", title = ""] of cited) {
      const path = join(repository, "test/src", file)
      expect([file, existsSync(path)]).toEqual([file, true])
      expect([title, readFileSync(path, "utf8").includes(title)]).toEqual([title, true])
    }
  },
)
