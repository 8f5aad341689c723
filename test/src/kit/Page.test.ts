/** Pages: the order of a list, and cursors, which are bound to their filters. */
import { Page } from "@countersign/core/store"
import { Base64Url } from "effect/encoding"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const { compare, decodeCursor, encodeCursor } = Page
const positions = fc.record({ createdAt: fc.maxSafeNat(), id: fc.string({ unit: "grapheme" }) })
/** Generates few different times and ids, so that ties are common. */
const collidingPositions = fc.record({ createdAt: fc.nat(3), id: fc.constantFrom("a", "b", "B", "ä", "") })
const orders = fc.constantFrom("asc" as const, "desc" as const)
const filters = fc.dictionary(
  fc.constantFrom("status", "customerId", "from"),
  fc.oneof(fc.string(), fc.nat(), fc.boolean()),
)

describe("a cursor", () => {
  it("decodes to its position, in any order of the filters", () => {
    fc.assert(
      fc.property(positions, filters, (position, where) => {
        const reordered = Object.fromEntries(Object.entries(where).reverse())
        expect(decodeCursor(encodeCursor(position, where), reordered)).toEqual(position)
      }),
    )
  })

  it("needs no escaping in a query", () => {
    fc.assert(
      fc.property(positions, filters, (position, where) => {
        expect(encodeCursor(position, where)).toMatch(/^[A-Za-z0-9_-]+$/u)
      }),
    )
  })

  it("is rejected with other filters", () => {
    const cursor = encodeCursor({ createdAt: 1, id: "Card:1" }, { state: "ACTIVE", limit: 20 })
    for (const other of [
      {},
      { state: "ACTIVE" },
      { state: "CLOSED", limit: 20 },
      { state: "ACTIVE", limit: "20" },
      null,
    ]) {
      expect(decodeCursor(cursor, other)).toBeUndefined()
    }
  })

  it("is rejected when the text is not a cursor", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), (text) => {
        expect(decodeCursor(text, {})).toBeUndefined()
      }),
    )
  })

  it("is rejected when its decoded value has another shape", () => {
    const valid = encodeCursor({ createdAt: 5, id: "x" }, {})
    const mark: unknown = JSON.parse(Buffer.from(valid, "base64url").toString()).at(2)
    const decodeForged = (inside: unknown) => decodeCursor(Base64Url.encode(JSON.stringify(inside)), {})
    expect(decodeForged([5, "x", mark])).toEqual({ createdAt: 5, id: "x" })
    for (const inside of [
      null,
      5,
      "x",
      {},
      [],
      [5, "x"],
      [5, "x", mark, 1],
      ["5", "x", mark],
      [5, 6, mark],
      [null, "x", mark],
      [5, "x", null],
    ]) {
      expect(decodeForged(inside)).toBeUndefined()
    }
  })

  it("is rejected when its time is not a safe integer", () => {
    const mark: unknown = JSON.parse(
      Buffer.from(encodeCursor({ createdAt: 5, id: "x" }, {}), "base64url").toString(),
    ).at(2)
    for (const time of ["1e999", "-1e999", "1.5", "9007199254740993"]) {
      expect(decodeCursor(Base64Url.encode(`[${time},"x",${JSON.stringify(mark)}]`), {})).toBeUndefined()
    }
  })
})

describe("the order of a list", () => {
  it("is total: any two positions compare, and only identical ones are equal", () => {
    fc.assert(
      fc.property(orders, collidingPositions, collidingPositions, (order, a, b) => {
        expect(Math.sign(compare(order)(a, b)) + Math.sign(compare(order)(b, a)) === 0).toBe(true)
        expect(compare(order)(a, b) === 0).toBe(a.createdAt === b.createdAt && a.id === b.id)
      }),
    )
  })

  it("is transitive", () => {
    fc.assert(
      fc.property(orders, collidingPositions, collidingPositions, collidingPositions, (order, a, b, c) => {
        const compared = compare(order)
        if (compared(a, b) <= 0 && compared(b, c) <= 0) expect(compared(a, c)).toBeLessThanOrEqual(0)
      }),
    )
  })

  it("descends from the newest with ties by id, and ascends in reverse", () => {
    const list = [
      { createdAt: 1, id: "b" },
      { createdAt: 2, id: "a" },
      { createdAt: 1, id: "a" },
    ]
    const names = (order: Page.SortOrder) =>
      list.toSorted(compare(order)).map(({ createdAt, id }) => `${createdAt}${id}`)
    expect(names("desc")).toEqual(["2a", "1b", "1a"])
    expect(names("asc")).toEqual(["1a", "1b", "2a"])
  })
})

it("pages have a default size of 20 and a maximum of 100", () => {
  expect([Page.limitDefault, Page.limitMax]).toEqual([20, 100])
})
