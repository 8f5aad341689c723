/** Bodies with placeholders, which are filled from the facts of a commit in responses, replays and deliveries. */
import { type CommitFacts, type Placeholder, Placeholders, type Template } from "@countersign/core/store"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const { fill, nestPlaceholders, withoutPlaceholders } = Placeholders
const none: CommitFacts = { balances: {}, counters: {} }
const facts: CommitFacts = {
  balances: { cash: { balance: 700, sequence: 3 }, held: { balance: 50, sequence: 1 } },
  counters: { used: 4 },
}

describe("fill", () => {
  it("returns a body without placeholders unchanged", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const body = JSON.parse(JSON.stringify(value))
        expect(fill(withoutPlaceholders(body), facts)).toEqual(body)
      }),
    )
  })

  it("writes the sum of balances or a counter at the path", () => {
    const template: Template = {
      body: { account: { balance: null, total: null }, list: [{ used: null }, "kept"] },
      placeholders: [
        { path: ["account", "balance"], balances: ["cash"] },
        { path: ["account", "total"], balances: ["cash", "held"] },
        { path: ["list", 0, "used"], counter: "used" },
      ],
    }
    expect(fill(template, facts)).toEqual({ account: { balance: 700, total: 750 }, list: [{ used: 4 }, "kept"] })
  })

  it("writes 0 for an account or counter that the facts do not contain", () => {
    const placeholders: ReadonlyArray<Placeholder> = [
      { path: ["a"], balances: ["cash", "other"] },
      { path: ["b"], counter: "other" },
      { path: ["c"] },
    ]
    expect(fill({ body: { a: null, b: null, c: null }, placeholders }, none)).toEqual({ a: 0, b: 0, c: 0 })
    expect(fill({ body: { a: null, b: null, c: null }, placeholders }, facts)).toEqual({ a: 700, b: 0, c: 0 })
  })

  it("replaces the whole body when the path is empty", () => {
    expect(fill({ body: null, placeholders: [{ path: [], counter: "used" }] }, facts)).toBe(4)
  })

  it("adds a missing member and changes nothing else", () => {
    expect(fill({ body: { b: 1 }, placeholders: [{ path: ["a"], counter: "used" }] }, facts)).toEqual({ a: 4, b: 1 })
    expect(fill({ body: ["x"], placeholders: [{ path: [1], counter: "used" }] }, facts)).toEqual(["x"])
    expect(fill({ body: "text", placeholders: [{ path: ["a"], counter: "used" }] }, facts)).toBe("text")
  })

  it("does not change the template", () => {
    const template: Template = {
      body: { data: [{ n: null }] },
      placeholders: [{ path: ["data", 0, "n"], counter: "used" }],
    }
    const before = structuredClone(template)
    expect(fill(template, facts)).toEqual({ data: [{ n: 4 }] })
    expect(template).toEqual(before)
    expect(fill(template, none)).toEqual({ data: [{ n: 0 }] })
  })
})

describe("nestPlaceholders", () => {
  it("fills a nested body like the body alone", () => {
    const inner: Template = {
      body: { balance: null, note: "n" },
      placeholders: [{ path: ["balance"], balances: ["held"] }],
    }
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b", "data"), { maxLength: 4 }), (path) => {
        const wrap = (body: Template["body"]) =>
          path.reduceRight<Template["body"]>((inside, name) => ({ [name]: inside, kept: 1 }), body)
        expect(
          fill({ body: wrap(inner.body), placeholders: nestPlaceholders(path, inner.placeholders) }, facts),
        ).toEqual(wrap(fill(inner, facts)))
      }),
    )
  })

  it("keeps the balances or the counter of each placeholder", () => {
    expect(
      nestPlaceholders(
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
