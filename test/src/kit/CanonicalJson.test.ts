/** Canonical JSON: equal values have one text, which parses to the same value. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as CanonicalJson from "../../../packages/core/src/foundation/kit/CanonicalJson.ts"

const { stringify } = CanonicalJson

/** Returns the value with the members of every object in reverse order. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== "object" || value === null) return value
  const result: unknown = JSON.parse("{}")
  for (const [name, member] of Object.entries(value).reverse()) {
    Object.defineProperty(result, name, {
      value: reversed(member),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return result
}

describe("the canonical text", () => {
  it("parses to the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(stringify(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it("does not depend on the order of members", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(stringify(reversed(value))).toBe(stringify(value))
      }),
    )
  })

  it("is different for different values", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const parsed = [JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other))]
        if (stringify(one) === stringify(other)) expect(parsed[0]).toEqual(parsed[1])
        else expect(parsed[0]).not.toStrictEqual(parsed[1])
      }),
    )
  })

  it("sorts members by code unit at every depth, keeps arrays, and has no white space", () => {
    expect(stringify({ b: [2, 1, { y: null, x: true }], a: "é\n", B: {}, "10": 1, "9": [] })).toBe(
      '{"10":1,"9":[],"B":{},"a":"é\\n","b":[2,1,{"x":true,"y":null}]}',
    )
  })

  it("omits undefined members and writes null for undefined elsewhere", () => {
    expect(stringify({ a: undefined, b: [undefined, 1] })).toBe('{"b":[null,1]}')
    expect(stringify(undefined)).toBe("null")
  })

  it("writes NaN and infinity as null, and minus zero as zero", () => {
    expect(stringify([Number.NaN, Number.POSITIVE_INFINITY, -0])).toBe("[null,null,0]")
  })

  it("keeps a member with the name __proto__", () => {
    expect(stringify(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}')
    expect(stringify(JSON.parse('{"__proto__":{"a":1}}'))).not.toBe(stringify({}))
  })
})
