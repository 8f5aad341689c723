/** Rule lists: the first failing row decides, and later rows are not evaluated. */
import { Rules } from "@countersign/core/verify"
import fc from "fast-check"
import { expect, it } from "vitest"

it("returns the refusal of the first failing row", () => {
  fc.assert(
    fc.property(fc.array(fc.boolean()), (holding) => {
      const rules = Rules.make<ReadonlyArray<boolean>, number>(
        "Any",
        holding.map((_, at) => [`row ${at}`, (facts) => (facts[at] === true ? undefined : at)]),
      )
      const first = holding.indexOf(false)
      expect(rules.first(holding)).toEqual(first < 0 ? undefined : { rule: `row ${first}`, refusal: first })
    }),
  )
})

it("evaluates no row after the first failing one", () => {
  const evaluated: Array<string> = []
  const rules = Rules.make<string, string>("Order", [
    ["one", (facts) => void evaluated.push(`one ${facts}`)],
    [
      "two",
      (facts) => {
        evaluated.push(`two ${facts}`)
        return "no"
      },
    ],
    ["three", () => void evaluated.push("three")],
  ])
  expect(rules.first("now")).toEqual({ rule: "two", refusal: "no" })
  expect(evaluated).toEqual(["one now", "two now"])
})

it("treats any value except undefined as a refusal", () => {
  for (const refusal of [0, "", false, null]) {
    expect(Rules.make("Any", [["row", () => refusal]]).first(undefined)).toEqual({ rule: "row", refusal })
  }
})

it("keeps its rows in order with their names", () => {
  const rules = Rules.make<number, string>("Named", [
    ["low", (n) => (n < 1 ? "too low" : undefined)],
    ["high", (n) => (n > 9 ? "too high" : undefined)],
  ])
  expect(rules.name).toBe("Named")
  expect(rules.rows.map((row) => row.name)).toEqual(["low", "high"])
  expect(rules.rows.map((row) => row.test(10))).toEqual([undefined, "too high"])
})

it("traces every row: those before the deciding one passed, and those behind it were not tested", () => {
  fc.assert(
    fc.property(fc.array(fc.boolean()), (holding) => {
      const tested: Array<number> = []
      const rules = Rules.make<ReadonlyArray<boolean>, number>(
        "Any",
        holding.map((_, at) => [
          `row ${at}`,
          (facts) => {
            tested.push(at)
            return facts[at] === true ? undefined : at
          },
        ]),
      )
      const first = rules.first(holding)
      const before = tested.splice(0)
      const traced = rules.trace(holding)
      expect(tested).toEqual(before)
      expect(traced.map(({ rule }) => rule)).toEqual(rules.rows.map(({ name }) => name))
      expect(
        traced.flatMap((row) => (row.result === "DECIDED" ? [{ rule: row.rule, refusal: row.refusal }] : [])),
      ).toEqual(first === undefined ? [] : [first])
      const deciding = traced.findIndex(({ result }) => result === "DECIDED")
      const end = deciding < 0 ? traced.length : deciding
      expect(traced.slice(0, end).every(({ result }) => result === "PASSED")).toBe(true)
      expect(traced.slice(end + 1).every(({ result }) => result === "NOT_REACHED")).toBe(true)
    }),
  )
})
