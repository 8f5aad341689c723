/** Bodies with holes: filled from a commit's facts at the first answer, at a replay and at delivery alike. */
import { type Facts, type Hole, Holes, type Template } from "@countersign/core"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const { fill, nest, plain } = Holes
const none: Facts = { balances: {}, counters: {} }
const facts: Facts = {
  balances: { cash: { balance: 700, sequence: 3 }, held: { balance: 50, sequence: 1 } },
  counters: { used: 4 },
}

describe("filling", () => {
  it("leaves a body without holes as it is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const body = JSON.parse(JSON.stringify(value))
        expect(fill(plain(body), facts)).toEqual(body)
      }),
    )
  })

  it("puts the sum of balances, or a counter, at the path", () => {
    const template: Template = {
      body: { account: { balance: null, total: null }, list: [{ used: null }, "kept"] },
      holes: [
        { path: ["account", "balance"], balances: ["cash"] },
        { path: ["account", "total"], balances: ["cash", "held"] },
        { path: ["list", 0, "used"], counter: "used" },
      ],
    }
    expect(fill(template, facts)).toEqual({ account: { balance: 700, total: 750 }, list: [{ used: 4 }, "kept"] })
  })

  it("takes what the facts do not show for zero", () => {
    const holes: ReadonlyArray<Hole> = [
      { path: ["a"], balances: ["cash", "other"] },
      { path: ["b"], counter: "other" },
      { path: ["c"] },
    ]
    expect(fill({ body: { a: null, b: null, c: null }, holes }, none)).toEqual({ a: 0, b: 0, c: 0 })
    expect(fill({ body: { a: null, b: null, c: null }, holes }, facts)).toEqual({ a: 700, b: 0, c: 0 })
  })

  it("fills the whole body where the path is empty", () => {
    expect(fill({ body: null, holes: [{ path: [], counter: "used" }] }, facts)).toBe(4)
  })

  it("adds the member where the body left it out, and changes nothing else", () => {
    expect(fill({ body: { b: 1 }, holes: [{ path: ["a"], counter: "used" }] }, facts)).toEqual({ a: 4, b: 1 })
    expect(fill({ body: ["x"], holes: [{ path: [1], counter: "used" }] }, facts)).toEqual(["x"])
    expect(fill({ body: "text", holes: [{ path: ["a"], counter: "used" }] }, facts)).toBe("text")
  })

  it("can be done again from the same template", () => {
    const template: Template = { body: { data: [{ n: null }] }, holes: [{ path: ["data", 0, "n"], counter: "used" }] }
    const before = structuredClone(template)
    expect(fill(template, facts)).toEqual({ data: [{ n: 4 }] })
    expect(template).toEqual(before)
    expect(fill(template, none)).toEqual({ data: [{ n: 0 }] })
  })
})

describe("nesting", () => {
  it("fills inside a larger body what it fills alone", () => {
    const inner: Template = {
      body: { balance: null, note: "n" },
      holes: [{ path: ["balance"], balances: ["held"] }],
    }
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b", "data"), { maxLength: 4 }), (path) => {
        const wrap = (body: Template["body"]) =>
          path.reduceRight<Template["body"]>((inside, name) => ({ [name]: inside, kept: 1 }), body)
        expect(fill({ body: wrap(inner.body), holes: nest(path, inner.holes) }, facts)).toEqual(
          wrap(fill(inner, facts)),
        )
      }),
    )
  })

  it("keeps what each hole asks for", () => {
    expect(
      nest(
        ["data", 2],
        [
          { path: ["n"], counter: "used" },
          { path: [], balances: ["cash"] },
        ],
      ),
    ).toEqual([
      { path: ["data", 2, "n"], counter: "used" },
      { path: ["data", 2], balances: ["cash"] },
    ])
  })
})
