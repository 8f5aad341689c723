/** The samples of areas: their table, its place on the page, their floors, and the lines that a change adds. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { rangesIn } from "../../scripts/mutation/ChangedLines.ts"
import { areas, floorOf } from "./Areas.ts"
import { areaSection, problemsOfFloors, type Samples, withAreas } from "./AreaTable.ts"
import { percentOf } from "./Report.ts"

const score = (killed: number, survived: number) => ({ killed, survived, timedOut: 0, unloadable: 1, ignored: 2 })
const samples: Samples = {
  cards: { every: 50, of: 900, score: score(15, 5) },
  agents: { every: 40, of: 100, score: score(10, 0) },
}
const explained = [{ why: "It is the same.", mutants: ["service/card/Cards.ts: a => b"] }]
const measured: Samples = JSON.parse(readFileSync(fileURLToPath(new URL("measured.json", import.meta.url)), "utf8"))

describe("the section of areas", () => {
  it("has a row for each measured area and one for all of them", () => {
    const section = areaSection(samples, explained)
    expect(section.split("\n").filter((line) => /^\| (?:agents|cards|all) /u.test(line))).toEqual([
      "| agents | 100 | 40 | 10 | 100.0 | 10 | 0 | 0 | 1 |",
      "| cards | 900 | 50 | 20 | 75.0 | 15 | 0 | 5 | 1 |",
      "| all | 1000 | | 30 | 83.3 | 25 | 0 | 5 | 2 |",
    ])
    expect(section).toContain("It is the same.\n\n- `service/card/Cards.ts: a => b`\n")
  })

  it("takes its own place on the page, and otherwise its end", () => {
    const first = withAreas("# Page\n\n## Survivors\n", areaSection({}, []))
    expect(first.startsWith("# Page\n\n## Survivors\n\n<!-- areas -->\n")).toBe(true)
    const second = withAreas(`${first}\nafter\n`, areaSection(samples, explained))
    expect(second).toBe(`# Page\n\n## Survivors\n\n${areaSection(samples, explained)}\nafter\n`)
  })
})

describe("the floor of an area", () => {
  it("fails a run below it", () => {
    expect(problemsOfFloors(samples, () => 75)).toEqual([])
    expect(problemsOfFloors(samples, () => 76)).toEqual(["the score of cards is 75.0 %, less than its floor of 76 %"])
  })

  it("is at most what was measured, and has been measured", () => {
    expect(Object.keys(measured).filter((name) => !(name in areas))).toEqual([])
    const scoreOf = (name: string) => (measured[name] === undefined ? 0 : percentOf(measured[name].score))
    expect(Object.keys(areas).filter((name) => floorOf(name) > scoreOf(name))).toEqual([])
  })
})

it("finds the lines that a difference adds, and none where it only removes", () => {
  const difference = `diff --git a/packages/a.ts b/packages/a.ts
--- a/packages/a.ts
+++ b/packages/a.ts
@@ -1 +1 @@ const a = 1
-x
+y
@@ -10,0 +11,3 @@
+p
@@ -20,2 +23,0 @@
-q
--- a/packages/gone.ts
+++ /dev/null
@@ -1,2 +0,0 @@
`
  expect(rangesIn(difference)).toEqual(["packages/a.ts:1-1", "packages/a.ts:11-13"])
})
