/** Bounded lists of field problems. Source: D-310. */
import { describe, expect, it, vi } from "vitest"
import {
  boundedProblems,
  cut,
  problemList,
  problemsMax,
} from "../../../packages/core/src/foundation/errors/FieldProblems.ts"
import { invalidInput } from "../../../packages/core/src/foundation/errors/ServiceError.ts"
import { repeatedIndexes } from "../../../packages/core/src/foundation/kit/Repeated.ts"

const many = (count: number, field = "a", message = "is required") =>
  Array.from({ length: count }, (_, index) => ({ field: `${field}${index}`, message }))

describe("a list of problems", () => {
  it("never builds a problem that it has no room for", () => {
    const list = problemList()
    const make = vi.fn(() => ({ field: "a", message: "b" }))
    for (let index = 0; index < 10_000; index++) list.add(make)
    expect(make).toHaveBeenCalledTimes(problemsMax)
    expect(list.bounded()).toMatchObject({ omitted: 10_000 - problemsMax })
  })

  it.each([
    ["ASCII", "m"],
    ["characters of three bytes", "\u20ac"],
    ["characters of four bytes", "💸"],
    ["escapes", "\u0001"],
  ])("has at most 20 kB of %s", (_what, character) => {
    const { omitted, problems } = boundedProblems(many(50, "a", character.repeat(500)))
    expect(Buffer.byteLength(JSON.stringify(problems))).toBeLessThanOrEqual(21_000)
    expect(problems.length + omitted).toBe(50)
    expect(problems.length).toBeGreaterThan(5)
  })

  it("always has the first problem", () => {
    expect(boundedProblems(many(2, "a", "m".repeat(30_000))).problems).toHaveLength(1)
  })
})

describe("a refusal", () => {
  it("counts the problems that it leaves out, in its details and its message", () => {
    const refusal = invalidInput(many(60))
    expect(refusal.details).toMatchObject({ omitted: 10 })
    expect(refusal.message).toMatch(/a49: is required; and 10 more$/u)
  })

  it("of few problems has no count", () => {
    expect(invalidInput(many(2))).toEqual({
      code: "INVALID_INPUT",
      message: "a0: is required; a1: is required",
      details: { errors: many(2) },
    })
  })
})

describe("a cut text", () => {
  it.each([
    ["abc", 3, "abc"],
    ["abcd", 3, "abc…"],
    ["ab💸", 3, "ab…"],
    ["ab💸", 4, "ab💸"],
  ])("of %s at %i is %s", (text, max, expected) => {
    expect(cut(text, max)).toBe(expected)
  })
})

describe("repeated items", () => {
  it("are those that an earlier item equals", () => {
    expect(repeatedIndexes(["a", "b", "a", "c", "b", "a"])).toEqual([2, 4, 5])
    expect(repeatedIndexes([])).toEqual([])
  })
})
