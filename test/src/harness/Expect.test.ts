/** The assertions of the published auditors: they fail exactly when the same Vitest assertions fail. */

import { describe, it, expect as testExpect } from "vitest"
import { type Expectation, expect } from "../../../packages/test/src/harness/Expect.ts"

type Case = readonly [actual: unknown, matcher: keyof Expectation, expected: unknown]

const passing: ReadonlyArray<Case> = [
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
const failing: ReadonlyArray<Case> = [
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

const assertion = (of: Expectation, matcher: keyof Expectation, expected: unknown) =>
  (of[matcher] as (expected: unknown) => void)(expected)
const vitestAssertion = ([actual, matcher, expected]: Case) =>
  assertion(testExpect(actual) as Expectation, matcher, expected)
const ownAssertion = ([actual, matcher, expected]: Case) => assertion(expect(actual), matcher, expected)

describe("an assertion", () => {
  it.each(passing)("passes for %j %s %j", (...one) => {
    ownAssertion(one)
    vitestAssertion(one)
    const [actual, matcher, expected] = one
    testExpect(() => assertion(expect(actual).not, matcher, expected)).toThrow()
  })

  it.each(failing)("fails for %j %s %j", (...one) => {
    testExpect(() => ownAssertion(one)).toThrow()
    testExpect(() => vitestAssertion(one)).toThrow()
    const [actual, matcher, expected] = one
    assertion(expect(actual).not, matcher, expected)
  })

  it("starts its message with the label of the value", () => {
    testExpect(() => expect(1, "the account").toBe(0)).toThrow("the account: 1 should be 0")
  })
})
