/** The scan of a JSON text before it is parsed: depth, values, names. Source: D-310. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  depthMax,
  exceededLimit,
  isTooDeep,
  nameLengthMax,
  valuesMax,
} from "../../../packages/core/src/foundation/kit/JsonLimits.ts"

const zeros = (count: number) => Array.from({ length: count }, () => "0").join(",")
const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`
const name = (length: number) => "n".repeat(length)

describe("the limits of a JSON text", () => {
  it.each([
    ["the deepest nesting", nested(depthMax)],
    ["the largest number of values", `[${zeros(valuesMax - 1)}]`],
    ["the largest number of members", `{${Array.from({ length: valuesMax - 1 }, () => '"a":0').join(",")}}`],
    ["the longest name", `{"${name(nameLengthMax)}":0}`],
    ["a long text", `{"a":"${name(10_000)}"}`],
    ["a long text with escaped quotes and commas", JSON.stringify({ a: '",:[{'.repeat(3000) })],
    ["a long text that ends in a backslash", JSON.stringify({ a: `${name(300)}\\`, b: 1 })],
    ["a list of long texts", JSON.stringify([name(300), name(300)])],
    ["an unterminated text", `"${name(9)}\\`],
    ["nothing", ""],
  ])("permit %s", (_what, text) => {
    expect(exceededLimit(text)).toBeUndefined()
  })

  it.each([
    ["depth", nested(depthMax + 1)],
    ["depth", `{"a":${nested(depthMax)}}`],
    ["values", `[${zeros(valuesMax)}]`],
    ["values", `[${Array.from({ length: valuesMax / 2 }, () => "[]").join(",")}]`],
    ["values", `{${Array.from({ length: valuesMax / 2 }, () => '"a":{}').join(",")}}`],
    ["nameLength", `{"${name(nameLengthMax + 1)}":0}`],
    ["nameLength", `{"a":{"${name(nameLengthMax + 1)}" \n\t: 0}}`],
    ["nameLength", `{"${'\\"'.repeat(nameLengthMax / 2)}n":0}`],
  ])("report %s of a text beyond it", (limit, text) => {
    expect(exceededLimit(text)).toBe(limit)
  })

  it("count the values of any JSON", () => {
    const count = (value: unknown): number =>
      typeof value === "object" && value !== null
        ? Object.values(value).reduce((sum: number, inner) => sum + count(inner), 1)
        : 1
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const missing = valuesMax - 2 - count(value)
        const at = (zerosBefore: number) => exceededLimit(`[${zeros(zerosBefore)},${JSON.stringify(value)}]`)
        // An empty array or object counts as if it had one value.
        fc.pre(!/\[\]|\{\}/u.test(JSON.stringify(value)))
        expect([at(missing - 100), at(missing + 300)]).toEqual([undefined, "values"])
      }),
    )
  })

  it("see no structure in a text, and all of it behind one", () => {
    const unit = fc.constantFrom("a", "é", "💸", '"', "\\", "\n", "\u0001", ",", ":", "[", "}")
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 99 }), (text) => {
        const behind = (value: string) => exceededLimit(`[${JSON.stringify(text)},${value}]`)
        const around = [zeros(valuesMax - 2), zeros(valuesMax - 1), nested(depthMax - 1), nested(depthMax)]
        expect(around.map(behind)).toEqual([undefined, "values", undefined, "depth"])
      }),
    )
  })

  it("see all structure behind spaces and numbers of any length", () => {
    const run = fc.nat(99).map((length) => " ".repeat(length))
    fc.assert(
      fc.property(run, run, fc.integer({ min: 1, max: 99 }), (before, after, digits) => {
        const number = `${before}${"9".repeat(digits)}${after}`
        const behind = (value: string) => exceededLimit(`[${number},${before}${value}${after}]`)
        const around = [nested(depthMax - 1), nested(depthMax), `{"${name(nameLengthMax + 1)}"${before}:0}`]
        expect(around.map(behind)).toEqual([undefined, "depth", "nameLength"])
      }),
    )
  })

  it("of texts that do not come from requests are only those of depth", () => {
    expect([isTooDeep(`[${zeros(valuesMax * 2)}]`), isTooDeep(nested(depthMax + 1))]).toEqual([false, true])
  })
})
