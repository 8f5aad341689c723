/** The scanner behind the word rules: what is code, what is literal, what is comment. */
import { describe, expect, it } from "vitest"
import { sources } from "./Repository.ts"
import { viewsOf } from "./Views.ts"

const code = (text: string) => viewsOf(text).code
const short = (text: string) => text.replaceAll(/ +/gu, " ").trim()

describe("the view of code", () => {
  it.each([
    ["a // b", "a"],
    ["a /* b\n c */ d", "a \n d"],
    ["f(\"a // b\", 'c')", "f(\" \", ' ')"],
    ['"a\\"b" + c', '" " + c'],
    ["`a ${b + `c ${d}`} e` + f", "` ${b + ` ${d}`} ` + f"],
    ["`${{ a: { b: 1 } }.a}` + c", "`${{ a: { b: 1 } }.a}` + c"],
    ["`a \\${b}` + c", "` ` + c"],
    ['x.replace(/[/"]\\//u, y)', "x.replace(/ /u, y)"],
    ["a / b / c // d", "a / b / c"],
    ["const r = /a/u", "const r = / /u"],
    ["(a + b) / 2 + list[0] / 3", "(a + b) / 2 + list[0] / 3"],
    ["/* open", ""],
  ])("of %j", (text, expected) => {
    expect(short(code(text))).toBe(short(expected))
  })

  it("is as long as the text, with its lines where they were", () => {
    const lengths = (text: string) => text.split("\n").map((line) => line.length)
    for (const { text } of sources()) {
      for (const view of Object.values<string>({ ...viewsOf(text) })) {
        expect(view.length).toBe(text.length)
        expect(lengths(view)).toEqual(lengths(text))
      }
    }
  })

  it("has as many brackets closed as opened, in every source", () => {
    for (const { path, text } of sources()) {
      const count = (bracket: string) => code(text).split(bracket).length
      expect([path, count("("), count("["), count("{")]).toEqual([path, count(")"), count("]"), count("}")])
    }
  })
})

it("keeps strings but not comments in the view of literals, and only comments in theirs", () => {
  const { comments, literal } = viewsOf('const a = "b // c" // d')
  expect(literal.trim()).toBe('const a = "b // c"')
  expect(comments.trim()).toBe("// d")
})
