/** The references in the texts of a tape: how they are written, split, resolved and found. Source: D-449. */
import { describe, expect, it } from "vitest"
import {
  at,
  literal,
  mapTexts,
  parts,
  refer,
  referSealed,
  referVariable,
  type TextPart,
  texts,
} from "../../../packages/client/src/tape/References.ts"
import type { Json } from "../../../packages/client/src/tape/Tape.ts"

const member = (step: number, path: string, isSealed = false) => ({ isSealed, step, path })

describe("the parts of a text", () => {
  it.each<readonly [text: string, found: ReadonlyArray<TextPart>]>([
    ["", []],
    ["plain", ["plain"]],
    ["{{0:id}}", [member(0, "id")]],
    ["{{12:a.0.b-c}}", [member(12, "a.0.b-c")]],
    ["{{otp:3:bundle}}", [member(3, "bundle", true)]],
    ["{{env:AUTHORIZATION_1}}", [{ variable: "AUTHORIZATION_1" }]],
    ["{{env:A}}", [{ variable: "A" }]],
    [`{{env:A${"b".repeat(63)}}}`, [{ variable: `A${"b".repeat(63)}` }]],
    [`{{env:A${"b".repeat(64)}}}`, [`{{env:A${"b".repeat(64)}}}`]],
    ["{{env:a}}", ["{{env:a}}"]],
    ["{{env:A-B}}", ["{{env:A-B}}"]],
    ["{{braces}}", ["{{"]],
    ["a{{braces}}0:id}}", ["a{{0:id}}"]],
    ["/a/{{0:id}}/b/{{1:x}}", ["/a/", member(0, "id"), "/b/", member(1, "x")]],
    ["{{0:id}}{{1:x}}", [member(0, "id"), member(1, "x")]],
    ["{{0:a}}{{braces}}{{1:b}} end", [member(0, "a"), "{{", member(1, "b"), " end"]],
    ["a{{0:a}}b", ["a", member(0, "a"), "b"]],
    ["{{0:}}", ["{{0:}}"]],
    ["{{:id}}", ["{{:id}}"]],
    ["{{0:a{b}}", ["{{0:a{b}}"]],
    ["{0:id}", ["{0:id}"]],
    ["{{ 0:id }}", ["{{ 0:id }}"]],
    ["{{otp:env:A}}", ["{{otp:env:A}}"]],
  ])("of %j are found", (text, found) => {
    expect(parts(text)).toEqual(found)
  })

  it("are what was written", () => {
    expect(parts(refer(4, "a.b"))).toEqual([member(4, "a.b")])
    expect(parts(referSealed(4, "a.b"))).toEqual([member(4, "a.b", true)])
    expect(parts(referVariable("TEXT_2"))).toEqual([{ variable: "TEXT_2" }])
  })

  it.each(["{{0:id}}", "{{braces}}", "{{{{", "a {{ b }} {{env:A}}", "{{{0:id}}"])(
    "of a caller's %j are only that text",
    (text) => {
      expect(parts(literal(text))).toEqual([text])
    },
  )
})

describe("a member", () => {
  const value: Json = { a: { b: [{ c: 5 }, null] }, "": 1, text: "abc" }
  it.each<readonly [path: string, found: Json | undefined]>([
    ["a.b.0.c", 5],
    ["a.b.1", null],
    ["a.b.1.c", undefined],
    ["a.b.2", undefined],
    ["a.b.length", undefined],
    ["text.0", undefined],
    ["toString", undefined],
    ["", 1],
    ["a", { b: [{ c: 5 }, null] }],
  ])("at %j is %j", (path, found) => {
    expect(at(value, path)).toEqual(found)
  })

  it("of an absent response is absent", () => {
    expect(at(undefined, "a")).toBeUndefined()
  })
})

describe("the texts of a value", () => {
  it.each<readonly [value: Json | undefined, found: ReturnType<typeof texts>]>([
    ["a", [["", "a"]]],
    [undefined, []],
    [null, []],
    [5, []],
    [
      { a: "x", b: [true, "y", { c: "z" }] },
      [
        ["a", "x"],
        ["b.1", "y"],
        ["b.2.c", "z"],
      ],
    ],
    [{ "a.b": "x", "{c": "y", "d}": "z", e: { "f.g": "x" } }, []],
    [{ a: { "": "x" } }, [["a.", "x"]]],
  ])("of %j have their paths", (value, found) => {
    expect(texts(value)).toEqual(found)
  })

  it("are changed wherever they are, and nothing else", () => {
    const value: Json = { a: "x", b: ["y", 5, null, { "c.d": "z" }], e: true }
    expect(mapTexts(value, (text) => `${text}!`)).toEqual({ a: "x!", b: ["y!", 5, null, { "c.d": "z!" }], e: true })
    expect(mapTexts("x", () => 5)).toBe(5)
    expect(value).toEqual({ a: "x", b: ["y", 5, null, { "c.d": "z" }], e: true })
  })
})
