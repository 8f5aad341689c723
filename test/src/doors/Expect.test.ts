/** What an auditor expects fails where a test's would, and only there. */

import { describe, it, expect as testExpect } from "vitest"
import { type Expectation, expect } from "../../../packages/test/src/harness/Expect.ts"

type Case = readonly [actual: unknown, matcher: keyof Expectation, given: unknown]

const hold: ReadonlyArray<Case> = [
  [1, "toBe", 1],
  [Number.NaN, "toBe", Number.NaN],
  [{ a: [1, { b: undefined }] }, "toEqual", { a: [1, {}] }],
  [new Map([["a", { b: 1 }]]), "toEqual", new Map([["a", { b: 1 }]])],
  [{ a: { b: 1, c: 2 }, d: 3 }, "toMatchObject", { a: { b: 1 } }],
  ["COMPLETED", "toMatch", /^(PENDING|COMPLETED)$/u],
  [[1, 2], "toContain", 2],
  [new Set(["a"]), "toContain", "a"],
  ["abc", "toContain", "b"],
  [[1], "toHaveLength", 1],
  [{ rule: "LIMIT" }, "toHaveProperty", "rule"],
  [1, "toBeLessThan", 2],
  [2, "toBeLessThanOrEqual", 2],
  [2, "toBeGreaterThan", 1],
  [2, "toBeGreaterThanOrEqual", 2],
]
const fail: ReadonlyArray<Case> = [
  [0, "toBe", -0],
  [[1], "toBe", [1]],
  [{ a: 1 }, "toEqual", { a: 1, b: 2 }],
  [{ a: 1, b: 2 }, "toEqual", { a: 1 }],
  [["a", "b"], "toEqual", ["b", "a"]],
  [undefined, "toEqual", null],
  [new Map([["a", 1]]), "toEqual", new Map([["a", 2]])],
  [{ a: { c: 2 } }, "toMatchObject", { a: { b: 1 } }],
  [undefined, "toMatchObject", { a: 1 }],
  [{ a: [1, 2] }, "toMatchObject", { a: [1] }],
  [undefined, "toMatch", /^undefined$/u],
  [[{}], "toContain", {}],
  [[1, 2], "toHaveLength", 1],
  [{}, "toHaveProperty", "rule"],
  [undefined, "toHaveProperty", "rule"],
  [2, "toBeLessThan", 2],
  ["1", "toBeLessThan", 2],
  [3, "toBeLessThanOrEqual", 2],
  [1, "toBeGreaterThan", 1],
  [Number.NaN, "toBeGreaterThanOrEqual", 0],
]

const matched = (of: Expectation, matcher: keyof Expectation, given: unknown) =>
  (of[matcher] as (given: unknown) => void)(given)
const theirs = ([actual, matcher, given]: Case) => matched(testExpect(actual) as Expectation, matcher, given)
const ours = ([actual, matcher, given]: Case) => matched(expect(actual), matcher, given)

describe("what is expected", () => {
  it.each(hold)("%j %s %j", (...one) => {
    ours(one)
    theirs(one)
    const [actual, matcher, given] = one
    testExpect(() => matched(expect(actual).not, matcher, given)).toThrow()
  })

  it.each(fail)("%j not %s %j", (...one) => {
    testExpect(() => ours(one)).toThrow()
    testExpect(() => theirs(one)).toThrow()
    const [actual, matcher, given] = one
    matched(expect(actual).not, matcher, given)
  })

  it("is told with what it is about", () => {
    testExpect(() => expect(1, "the account").toBe(0)).toThrow("the account: 1 should be 0")
  })
})
