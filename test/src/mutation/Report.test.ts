/** The report of a mutation run: the score, and the survivors with their explanations. */
import { describe, expect, it } from "vitest"
import {
  type MutantReport,
  pageOf,
  percentOf,
  problemsOfChange,
  problemsOfLoading,
  problemsOfSurvivors,
  scoreOf,
  sum,
  survivorsOf,
} from "./Report.ts"

const source = "const a = b\n  ? 1\n  : 2\n"
const mutant = (status: string, replacement = "") => ({
  mutatorName: "Conditional",
  replacement,
  status,
  location: { start: { line: 1, column: 11 }, end: { line: 3, column: 6 } },
})
const report = (...statuses: ReadonlyArray<string>): MutantReport => ({
  files: { "packages/core/src/kit/A.ts": { source, mutants: statuses.map((status) => mutant(status, "1")) } },
})
const survivor = "kit/A.ts: b ? 1 : 2 => 1"

describe("the score", () => {
  const found = scoreOf(report("Killed", "Killed", "Timeout", "Survived", "NoCoverage", "RuntimeError", "Ignored"))

  it("is the percentage of detected mutants among killed, timed-out and surviving ones", () => {
    expect(found).toEqual({ killed: 2, timedOut: 1, survived: 2, unloadable: 1, ignored: 1 })
    expect(percentOf(found)).toBe(60)
    expect(percentOf(sum([found, scoreOf(report("Killed", "Killed", "Killed", "Killed", "Killed"))]))).toBe(80)
    expect(percentOf(scoreOf(report()))).toBe(100)
  })

  it("is not computed for an incomplete run", () => {
    expect(() => scoreOf(report("Pending"))).toThrow("a mutant is Pending")
  })
})

describe("a room of which most mutants do not load", () => {
  it("is a problem, whatever its score", () => {
    const results = [
      { room: "blind", score: scoreOf(report("Killed", "RuntimeError", "RuntimeError")) },
      { room: "seeing", score: scoreOf(report("Killed", "Survived", "RuntimeError", "RuntimeError")) },
    ]
    expect(problemsOfLoading(results)).toEqual(["blind: 2 mutants do not load, and 1 do"])
  })
})

describe("a survivor", () => {
  it("is named by its source text and replacement", () => {
    expect(survivorsOf(report("Killed", "Survived", "Timeout"))).toEqual([survivor])
    expect(survivorsOf(report("NoCoverage"))).toEqual([survivor])
  })

  it("is reported without an explanation, as is an explanation without a survivor or a reason", () => {
    const why = { why: "It is the same.", mutants: [survivor] }
    const check = (found: ReadonlyArray<string>, ...explained: Parameters<typeof problemsOfSurvivors>[1]) =>
      problemsOfSurvivors(found, explained, (path) => path === "kit/A.ts")
    expect(check([survivor], why)).toEqual([])
    expect(check([survivor])).toEqual([`survives unexplained: ${survivor}`])
    expect(check([], why)).toEqual([`is explained, and does not survive: ${survivor}`])
    expect(check([], { ...why, mutants: ["kit/B.ts: x => y"] })).toEqual([])
    expect(check([survivor], { ...why, why: " " })).toEqual([`survives for no reason: ${survivor}`])
  })

  it("is listed on the page below the score", () => {
    const results = [{ room: "kit", sources: 1, score: scoreOf(report("Killed", "Survived")), seconds: 61 }]
    const page = pageOf(results, [{ why: "It is the same.", mutants: ["kit/A.ts: a || b => a"] }], ["- **kit**"])
    expect(page).toContain("| kit | 1 | 50.0 | 1 | 0 | 1 | 0 | 0 | 61 |")
    expect(page).toContain("It is the same.\n\n- `kit/A.ts: a \\|\\| b => a`\n")
    expect(page).toContain("took 2 minutes")
  })
})

describe("the mutants of a change", () => {
  const result = (killed: number, survived: number) => ({
    score: { killed, survived, timedOut: 0, unloadable: 0, ignored: 0 },
  })

  it("fail the run if the tests notice fewer than 70 of a hundred", () => {
    expect(problemsOfChange([result(10, 6), result(4, 0)])).toEqual([])
    expect(problemsOfChange([result(10, 6), result(3, 1)])).toEqual([
      "the score of the changed lines is 65.0 %, less than 70 %",
    ])
  })

  it("are not judged while they are fewer than twenty", () => {
    expect(problemsOfChange([result(0, 19)])).toEqual([])
    expect(problemsOfChange([result(0, 20)])).toHaveLength(1)
    expect(problemsOfChange([])).toEqual([])
  })
})
