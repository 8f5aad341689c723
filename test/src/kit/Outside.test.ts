/** Texts and values from outside, and the form in which a store can keep them. Source: D-359. */
import { Outside } from "@countersign/core"
import { Redacted, Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const dirtyText = fc
  .array(fc.oneof(fc.constantFrom("\u0000", "\ud83d", "\udc00", "😀"), fc.string()))
  .map((parts) => parts.join(""))
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(dirtyText, fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(dirtyText, tie("value"), { maxKeys: 4 }),
  ),
})).value

const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels)

describe("clean", () => {
  it("makes every value storable and changes no storable value", () => {
    fc.assert(
      fc.property(values, (value) => {
        const cleaned = Outside.clean(value)
        expect(Outside.isStorable(cleaned)).toBe(true)
        if (Outside.isStorable(value)) expect(cleaned).toBe(value)
        expect(Outside.clean(cleaned)).toBe(cleaned)
      }),
    )
  })

  it("replaces one code unit by U+FFFD and keeps the others", () => {
    expect(Outside.clean({ "a\u0000": ["b\ud800c", "😀", 1, true, null, undefined] })).toEqual({
      "a\uFFFD": ["b\uFFFDc", "😀", 1, true, null, undefined],
    })
  })

  it("cuts a text after 65,536 code units, and a pair that the cut divides", () => {
    const fits = "a".repeat(Outside.textLengthMax)
    expect(Outside.clean(fits)).toBe(fits)
    expect(Outside.clean(`${fits}b`)).toBe(fits)
    expect(Outside.clean(`${fits.slice(1)}😀`)).toBe(`${fits.slice(1)}\uFFFD`)
  })

  it("looks into redacted values and leaves objects of a class alone", () => {
    const secret = Outside.clean({ code: Redacted.make("1\u00002") })
    expect(Redacted.value(secret.code)).toBe("1\uFFFD2")
    const bytes = Uint8Array.of(0)
    expect(Outside.clean({ bytes, at: "\u0000" })).toEqual({ bytes, at: "\uFFFD" })
    expect(Outside.isStorable(new Error("\u0000"))).toBe(true)
  })

  it("throws for a value nested deeper than 100 levels", () => {
    expect(Outside.clean(JSON.parse(nested(101)))).toEqual(JSON.parse(nested(101)))
    expect(() => Outside.clean(JSON.parse(nested(102)))).toThrow("nested too deep")
  })
})

describe("JSON from outside", () => {
  it("is parsed into a clean value, or refused with the reason", () => {
    expect(Outside.parseClean(String.raw`{"a":"\u0000\ud800"}`)).toEqual(Result.succeed({ a: "\uFFFD\uFFFD" }))
    expect(Outside.parseClean(nested(101))).toEqual(Result.fail("too deep"))
    for (const text of ["", "{", "NaN", "'a'"]) expect(Outside.parseClean(text)).toEqual(Result.fail("not JSON"))
  })

  it("is refused where its texts identify something and are not storable", () => {
    expect(Outside.parseStorable('{"a":"b"}')).toEqual(Result.succeed({ a: "b" }))
    for (const text of [String.raw`["\u0000"]`, String.raw`{"\udfff":1}`])
      expect(Outside.parseStorable(text)).toEqual(Result.fail("not storable"))
    expect(Outside.parseStorable("[")).toEqual(Result.fail("not JSON"))
  })
})
