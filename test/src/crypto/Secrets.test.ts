/** The comparison of secrets: equal texts only, of whatever lengths. */
import fc from "fast-check"
import { expect, it } from "vitest"
import { equal } from "../../../packages/core/src/foundation/crypto/Secrets.ts"

it("finds equal texts equal, and no others", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
      expect(equal(a, a)).toBe(true)
      expect(equal(a, b)).toBe(a === b)
      expect(equal(a, `${a}${b}`)).toBe(b === "")
    }),
  )
})

it.each([
  ["", ""],
  ["abc", "abc"],
])("finds %j and %j equal", (a, b) => expect(equal(a, b)).toBe(true))

it.each([
  ["", "a"],
  ["a", ""],
  ["ab", "a"],
  ["aa", "a"],
  ["a", "aa"],
  ["abab", "ab"],
  ["abc", "abd"],
  ["xbc", "abc"],
  ["ab\u0000", "ab"],
])("finds %j and %j different", (a, b) => expect(equal(a, b)).toBe(false))
