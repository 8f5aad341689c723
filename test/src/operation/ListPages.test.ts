/**
 * Pages over several lists and of a directory: each entry once, with the limits below, at and above the number of entries.
 * Source: wire contract 0.3 and 11 (34).
 */
import { CurrentCaller, tenant } from "@countersign/core"
import { Page, Store } from "@countersign/core/store"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import * as Listing from "../../../packages/core/src/operation/Listing.ts"
import { customer } from "../../../packages/test/src/conformance/Examples.ts"

const stored = (n: number) => ({ ...customer(n), createdAt: 1000 + n, updatedAt: 1000 + n, version: 1 })

type List = Store["Service"]["list"]

const mocked = (list: List) =>
  Layer.merge(
    Layer.mock(Store, { aheadMillis: () => 0, list }),
    Layer.succeed(CurrentCaller, tenant("PlatformConfig:p")),
  )

/** A store whose list of each name has these customers, and answers pages as the port says. */
const storeOf = (lists: Readonly<Record<string, ReadonlyArray<number>>>) =>
  mocked((_kind, filters, { after, limit, order }) => {
    const compare = Page.compare(order)
    const named = Object.values(filters).flatMap((condition) => ("eq" in condition ? [String(condition.eq)] : []))
    const all = named.flatMap((name) => lists[name] ?? []).map(stored)
    const rest = all.toSorted(compare).filter((one) => after === undefined || compare(one, after) > 0)
    return Effect.succeed({
      data: rest.slice(0, limit) as never,
      hasMore: rest.length > limit,
      totalCount: all.length,
    })
  })

const pageOf = (lists: Readonly<Record<string, ReadonlyArray<number>>>, query: Listing.ListQuery) =>
  Listing.listOf(
    Object.keys(lists).map((name) => ["Customer", { name: { eq: name } }] as const),
    { names: Object.keys(lists) },
    query,
  ).pipe(Effect.provide(storeOf(lists)))

/** The numbers of the customers of each page, to the end. */
const pagesOf = (lists: Readonly<Record<string, ReadonlyArray<number>>>, query: Listing.ListQuery) =>
  Effect.runPromise(
    Effect.gen(function* () {
      const pages: Array<ReadonlyArray<number>> = []
      let cursor: string | undefined
      for (;;) {
        const page = yield* pageOf(lists, { ...query, ...(cursor === undefined ? {} : { cursor }) })
        pages.push(page.data.map(({ createdAt }) => createdAt - 1000))
        expect(page.totalCount).toBe(Object.values(lists).flat().length)
        expect([page.hasMore, page.data.length <= (query.limit ?? 20)]).toEqual([page.nextCursor !== undefined, true])
        if (page.nextCursor === undefined) return pages
        cursor = page.nextCursor
      }
    }),
  )

describe("a page over several lists", () => {
  it.each([
    [1, [[5], [4], [3], [2], [1]]],
    [2, [[5, 4], [3, 2], [1]]],
    [
      3,
      [
        [5, 4, 3],
        [2, 1],
      ],
    ],
    [4, [[5, 4, 3, 2], [1]]],
    [5, [[5, 4, 3, 2, 1]]],
    [6, [[5, 4, 3, 2, 1]]],
  ])("with the limit %i has the newest of all lists, and a cursor exactly while more follow", async (limit, pages) => {
    expect(await pagesOf({ odd: [1, 3, 5], even: [2, 4] }, { limit })).toEqual(pages)
    const oldestFirst = pages.flat().toReversed()
    expect((await pagesOf({ odd: [1, 3, 5], even: [2, 4] }, { limit, sortOrder: "asc" })).flat()).toEqual(oldestFirst)
  })

  it("has 20 entries unless the query says otherwise", async () => {
    const numbers = Array.from({ length: 21 }, (_, index) => index)
    expect((await pagesOf({ one: numbers }, {})).map(({ length }) => length)).toEqual([20, 1])
    expect((await pagesOf({ one: numbers.slice(1) }, {})).map(({ length }) => length)).toEqual([20])
  })

  it("is empty, without a cursor, if no list has an entry", async () => {
    expect(await pagesOf({ odd: [], even: [] }, { limit: 1 })).toEqual([[]])
    expect(await pagesOf({}, { limit: 1 })).toEqual([[]])
  })

  it("refuses the cursor of another order and of other lists", async () => {
    const { nextCursor: cursor = "" } = await Effect.runPromise(pageOf({ one: [1, 2] }, { limit: 1 }))
    const refusal = (lists: Readonly<Record<string, ReadonlyArray<number>>>, query: Listing.ListQuery) =>
      Effect.runPromise(Effect.flip(pageOf(lists, query)))
    for (const [lists, query] of [
      [{ one: [1, 2] }, { cursor, sortOrder: "asc" }],
      [{ other: [1, 2] }, { cursor }],
      [{ one: [1, 2] }, { cursor: "no cursor" }],
    ] as const) {
      const problem = { field: "cursor", message: "must be the nextCursor of the previous page of the same list" }
      expect(await refusal(lists, query)).toMatchObject({ code: "INVALID_INPUT", details: { errors: [problem] } })
    }
  })

  it("states no total count above the largest one", async () => {
    const uncounted = mocked(() => Effect.succeed({ data: [], hasMore: false }))
    const page = Listing.listPage("Customer", {}, {}).pipe(Effect.provide(uncounted))
    expect(await Effect.runPromise(page)).toEqual({ data: [], hasMore: false })
  })
})

describe("a list without pages", () => {
  it("has every entry, newest first, from as many reads as needed", async () => {
    for (const count of [0, 1, 99, 100, 101, 250]) {
      const numbers = Array.from({ length: count }, (_, index) => index)
      const all = Listing.listAll("Customer", { name: { eq: "one" } }).pipe(Effect.provide(storeOf({ one: numbers })))
      const found = (await Effect.runPromise(all)).map(({ createdAt }) => createdAt - 1000)
      expect(found).toEqual(numbers.toReversed())
    }
  })

  it("ends at an empty page, even if the store says that more follow", async () => {
    const endless = mocked(() => Effect.succeed({ data: [], hasMore: true }))
    expect(await Effect.runPromise(Listing.listAll("Customer", {}).pipe(Effect.provide(endless)))).toEqual([])
  })
})

describe("a page of a directory", () => {
  const names = ["b", "d", "a", "c"]
  const pageOfNames = (query: Listing.ListQuery, binding: object = { list: "names" }) =>
    Effect.runPromise(Listing.directoryPage(names, (name) => name, { ...binding }, query))

  it.each([
    [1, ["a"], ["b"]],
    [3, ["a", "b", "c"], ["d"]],
    [4, ["a", "b", "c", "d"], undefined],
    [5, ["a", "b", "c", "d"], undefined],
  ])("with the limit %i is ordered by name, and a cursor exactly while more follow", async (limit, data, second) => {
    const first = await pageOfNames({ limit })
    expect(first).toMatchObject({ data, hasMore: second !== undefined, totalCount: 4 })
    const cursor = first.nextCursor
    expect(cursor !== undefined).toBe(second !== undefined)
    if (cursor !== undefined) expect((await pageOfNames({ limit, cursor })).data).toEqual(second)
  })

  it("is ordered backwards on request, and refuses the cursor of another order and list", async () => {
    const { data, nextCursor: cursor = "" } = await pageOfNames({ limit: 2, sortOrder: "desc" })
    expect(data).toEqual(["d", "c"])
    expect((await pageOfNames({ limit: 2, sortOrder: "desc", cursor })).data).toEqual(["b", "a"])
    for (const refused of [
      pageOfNames({ limit: 2, cursor }),
      pageOfNames({ limit: 2, sortOrder: "desc", cursor }, { list: "others" }),
    ])
      await expect(refused).rejects.toMatchObject({ code: "INVALID_INPUT" })
  })

  it("has 20 entries unless the query says otherwise", async () => {
    const many = Array.from({ length: 21 }, (_, index) => String(index).padStart(2, "0"))
    const page = await Effect.runPromise(Listing.directoryPage(many, (name) => name, {}, {}))
    expect(page).toMatchObject({ data: many.slice(0, 20), hasMore: true })
  })
})

describe("the filters of a list", () => {
  it("are the present ones: a text and a truth value by equality, a condition as it is", () => {
    expect(Listing.where({ a: "x", b: false, c: undefined, d: { from: 1 } })).toEqual({
      a: { eq: "x" },
      b: { eq: false },
      d: { from: 1 },
    })
  })

  it("have the bounds of time that are given", () => {
    expect(Listing.between(undefined, undefined)).toBeUndefined()
    expect([Listing.between(1, undefined), Listing.between(undefined, 2), Listing.between(0, 0)]).toEqual([
      { from: 1 },
      { to: 2 },
      { from: 0, to: 0 },
    ])
  })
})
