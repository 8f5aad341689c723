/** What a shape says about an element: its first problem, with the path and what would be right. */
import { describe, expect, it } from "vitest"
import {
  choice,
  group,
  many,
  one,
  open,
  optional,
  problemOf,
  type Shape,
  some,
  text,
} from "../../../../packages/adapter-bank-files/src/xml/Shape.ts"
import type { XmlElement } from "../../../../packages/adapter-bank-files/src/xml/XmlElement.ts"
import { element } from "../../../../packages/adapter-bank-files/src/xml/XmlWriter.ts"

const digits = text(/^\d$/u)
const parts = { a: one(digits), b: optional(digits), c: many(digits), d: some(digits) }
const of = (...names: ReadonlyArray<string>) =>
  element(
    "x",
    names.map((name) => element(name, "1")),
  )

describe("a text", () => {
  const amount = text(/^\d$/u, { Ccy: /^[A-Z]{3}$/u })
  it.each<readonly [XmlElement, Shape, string | undefined]>([
    [element("x", "1"), digits, undefined],
    [element("x", "a"), digits, "x must match ^\\d$"],
    [element("x", ""), digits, "x must match ^\\d$"],
    [element("x", [element("y", "1")]), digits, "x must have a text"],
    [element("x", "1", { Ccy: "EUR" }), amount, undefined],
    [element("x", "1", { Ccy: "eur" }), amount, "x must have the attribute Ccy that matches ^[A-Z]{3}$"],
    [element("x", "1"), amount, "x must have the attribute Ccy that matches ^[A-Z]{3}$"],
    [element("x", "a", { Ccy: "EUR" }), amount, "x must match ^\\d$"],
    [element("x", "1"), text(/^\d$/u, { lang: /^$/u }), undefined],
  ])("%j has the problem of %j", (own, shape, problem) => {
    expect(problemOf(own, shape)).toBe(problem)
  })
})

describe("a group", () => {
  it.each([
    [["a", "c"], undefined],
    [["a", "b", "c", "c", "d", "d"], undefined],
    [["c"], "x must have 1 to 1 elements a"],
    [["a", "a", "c"], "x must have 1 to 1 elements a"],
    [["a", "b", "b", "c"], "x must have 0 to 1 elements b"],
    [["a", "b"], "x must have 1 to any number of elements c"],
    [["b", "a", "c"], "x/a must be before b"],
    [["a", "c", "d", "b"], "x/b must be before d"],
    [["a", "c", "d", "c"], "x/c must be before d"],
    [["a", "c", "z"], "x must not have the element z"],
    [["a", "c", "constructor"], "x must not have the element constructor"],
    [["a", "c", "z".repeat(90)], `x must not have the element ${"z".repeat(80)}`],
    [[], "x must have 1 to 1 elements a"],
  ])("of %j has the problem %j", (names, problem) => {
    expect(problemOf(of(...names), group(parts))).toBe(problem)
  })

  it("that is open ignores what it does not list, and holds what it does", () => {
    expect(problemOf(of("z", "a", "z", "c", "toString"), open(parts))).toBeUndefined()
    expect(problemOf(of("z", "b", "a", "c"), open(parts))).toBe("x/a must be before b")
    expect(problemOf(of("a", "z"), open(parts))).toBe("x must have 1 to any number of elements c")
  })

  it("has elements and no text", () => {
    expect(problemOf(element("x", "1"), group({ a: optional(digits) }))).toBe("x must have elements")
    expect(problemOf(element("x", ""), group({ a: optional(digits) }))).toBeUndefined()
  })

  it("names the path of a problem within it", () => {
    const nested = group({ y: one(group({ z: one(digits) })) })
    expect(problemOf(element("x", [element("y", [element("z", "?")])]), nested)).toBe("x/y/z must match ^\\d$")
    expect(problemOf(element("x", [element("y", [])]), nested, "root")).toBe("root/y must have 1 to 1 elements z")
  })

  it("that is a choice has one of its elements, once", () => {
    const either = choice({ a: optional(digits), b: optional(digits) })
    expect([["a"], ["b"], [], ["a", "b"], ["a", "a"], ["c"]].map((names) => problemOf(of(...names), either))).toEqual([
      undefined,
      undefined,
      "x must have one of a, b",
      "x must have one of a, b",
      "x must have one of a, b",
      "x must not have the element c",
    ])
  })
})
