/** Texts of bank files have the characters of their format, or do not exist. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isoText, nachaText } from "../../../../packages/adapter-bank-files/src/text/Characters.ts"

describe("a text of ISO 20022", () => {
  it.each([
    ["ß", "ss"],
    ["ẞ", "SS"],
    ["æ", "ae"],
    ["Æ", "AE"],
    ["œ", "oe"],
    ["Œ", "OE"],
    ["ø", "o"],
    ["Ø", "O"],
    ["đ", "d"],
    ["Đ", "D"],
    ["ð", "d"],
    ["Ð", "D"],
    ["þ", "th"],
    ["Þ", "TH"],
    ["ł", "l"],
    ["Ł", "L"],
    ["ħ", "h"],
    ["Ħ", "H"],
    ["ı", "i"],
    ["ŋ", "ng"],
    ["Ŋ", "NG"],
    ["Ñandú", "Nandu"],
    ["ﬁn", "fin"],
    ["Az09/-?:().,'+ z", "Az09/-?:().,'+ z"],
    ["a_b&c;d", "a b c d"],
    ["a  &  b", "a b"],
    ["٣", undefined],
    ["aЖ", undefined],
    ["&&", undefined],
    ["/", undefined],
    ["//", undefined],
    ["a///b", "a/b"],
    ["/ /x", "x"],
    ["x/ /", "x"],
  ])("%j is %j", (text, written) => {
    expect(isoText(text, 35)).toBe(written)
  })

  it("is cut to its length, without a space or slash at its end", () => {
    expect([isoText("abcd", 3), isoText("ab cd", 3), isoText("ab/cd", 3), isoText("ßßß", 3)]).toEqual([
      "abc",
      "ab",
      "ab",
      "sss",
    ])
  })

  it("has the Latin set alone, neither begins nor ends with a slash or space, and stays as it is", () => {
    const unit = fc.constantFrom(..."/ /  a1-ß&É№日\n")
    fc.assert(
      fc.property(fc.string({ unit }), fc.integer({ min: 1, max: 12 }), (text, lengthMax) => {
        const written = isoText(text, lengthMax)
        if (written === undefined) return
        expect(written).toMatch(/^(?![/ ])(?!.*(?:\/\/| {2}))[A-Za-z0-9/\-?:().,'+ ]+(?<![/ ])$/u)
        expect(written.length).toBeLessThanOrEqual(lengthMax)
        expect(isoText(written, lengthMax)).toBe(written)
      }),
      { numRuns: 1000 },
    )
  })
})

describe("a text of NACHA", () => {
  it.each([
    ["Ada & Co. <1>", "ADA & CO. <1>"],
    ["straße~", "STRASSE~"],
    ["a\u007fb", "A B"],
    ["//a//", "//A//"],
    ["Ж", undefined],
    [" ", undefined],
  ])("%j is %j", (text, written) => {
    expect(nachaText(text, 22)).toBe(written)
  })

  it("is cut to its length", () => {
    expect(nachaText("abc def", 4)).toBe("ABC")
  })
})
