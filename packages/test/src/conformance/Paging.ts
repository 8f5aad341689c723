/**
 * Conformance: pages of a list, under inserts and with filters.
 * Source: wire contract 0.3; kit/Page.ts; ports/Store.ts (list).
 */

import assert from "node:assert/strict"
import { Page, type Store, type Stored, type Where } from "@countersign/core/store"
import { Effect } from "effect"
import { changeSet } from "./ChangeSets.ts"
import { agent, ann, bob, customer, customerUpdate, id, ownerOf } from "./Examples.ts"
import { committed, dies, list, type Suite } from "./Suite.ts"

const orders = ["asc", "desc"] as const
const idOf = ({ id }: { readonly id: string }) => id

/** Inserts the customers `from` to `to`, three in each millisecond, so that creation times tie. */
const insertMany = Effect.fnUntraced(function* (from: number, to: number) {
  for (let n = to; n >= from; n--) yield* committed(changeSet({ at: 1000 + Math.floor(n / 3), inserts: [customer(n)] }))
})

/** Reads all pages and runs `between` after each page but the last. */
const walk = Effect.fnUntraced(function* (
  order: Page.SortOrder,
  limit: number,
  between: (page: number) => Effect.Effect<unknown, unknown, Store> = () => Effect.void,
) {
  const seen: Array<Stored<"Customer">> = []
  const totals: Array<number | undefined> = []
  let after: Page.Position | undefined
  for (let page = 0; ; page++) {
    const found = yield* list("Customer", {}, after === undefined ? { limit, order } : { limit, order, after })
    seen.push(...found.data)
    totals.push(found.totalCount)
    if (!found.hasMore) return { seen, totals }
    assert.strictEqual(found.data.length, limit)
    after = found.data.at(-1)
    yield* between(page)
  }
})

const expected = (order: Page.SortOrder, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => ({
    id: id("Customer", from + i),
    createdAt: 1000 + Math.floor((from + i) / 3),
  }))
    .sort(Page.compare(order))
    .map(idOf)

const idsWhere = (where: Where) =>
  Effect.map(list("Customer", where, { limit: 100, order: "asc" }), (found) => {
    assert.strictEqual(found.totalCount, found.data.length)
    return found.data.map(idOf)
  })

export const paging = ({ test }: Suite): void => {
  for (const order of orders) {
    test(`returns every record once in order ${order}, with ties ordered by id, and the total count`, () =>
      Effect.gen(function* () {
        yield* insertMany(1, 25)
        const { seen, totals } = yield* walk(order, 7)
        assert.deepStrictEqual(seen.map(idOf), expected(order, 1, 25))
        assert.deepStrictEqual(totals, [25, 25, 25, 25])
      }))

    test(`inserts between two pages in order ${order} neither hide nor repeat existing records`, () =>
      Effect.gen(function* () {
        yield* insertMany(31, 60)
        // After each page: one older record, one record in the middle and one newer record.
        const { seen } = yield* walk(order, 7, (page) =>
          Effect.gen(function* () {
            yield* insertMany(1 + page, 1 + page)
            yield* committed(changeSet({ at: 1015, inserts: [customer(200 + page)] }))
            yield* insertMany(101 + page, 101 + page)
          }),
        )
        const ids = seen.map(idOf)
        assert.strictEqual(new Set(ids).size, ids.length, "a record was returned twice")
        const original = new Set(expected(order, 31, 60))
        assert.deepStrictEqual(
          ids.filter((seenId) => original.has(seenId)),
          expected(order, 31, 60),
        )
      }))
  }

  test("counts up to 10,000 records and leaves the total count out beyond", () =>
    Effect.gen(function* () {
      const total = (where: Where) =>
        Effect.map(list("Customer", where, { limit: 1, order: "desc" }), ({ totalCount }) => totalCount)
      const isIndividual = { customerType: { eq: "INDIVIDUAL" } } as const
      for (let n = 0; n < 10; n++) {
        yield* committed(changeSet({ inserts: Array.from({ length: 1000 }, (_, m) => customer(n * 1000 + m + 1)) }))
      }
      assert.deepStrictEqual([yield* total({}), yield* total(isIndividual)], [10_000, 10_000])
      yield* committed(changeSet({ inserts: [customer(10_001)] }))
      assert.deepStrictEqual([yield* total({}), yield* total(isIndividual)], [undefined, undefined])
      assert.strictEqual(yield* total({ platformCustomerId: { eq: "customer-7" } }), 1)
    }))

  test("reports no further page when a page ends exactly with the list", () =>
    Effect.gen(function* () {
      yield* insertMany(1, 4)
      const page = yield* list("Customer", {}, { limit: 4, order: "desc" })
      assert.deepStrictEqual([page.data.length, page.hasMore, page.totalCount], [4, false, 4])
      const after = page.data.at(-1)
      const end = yield* list("Customer", {}, { limit: 4, order: "desc", ...(after === undefined ? {} : { after }) })
      assert.deepStrictEqual(end, { data: [], hasMore: false, totalCount: 4 })
    }))

  test("returns an empty page for a kind without records", () =>
    Effect.gen(function* () {
      yield* insertMany(1, 3)
      assert.deepStrictEqual(yield* list("Agent", {}, { limit: 5, order: "desc" }), {
        data: [],
        hasMore: false,
        totalCount: 0,
      })
    }))

  test("an update keeps the position of a record, and filters use its new values", () =>
    Effect.gen(function* () {
      yield* insertMany(1, 3)
      yield* committed(changeSet({ at: 9000, updates: [customerUpdate(2, 1, { isDeleted: true })] }))
      const { seen } = yield* walk("asc", 2)
      assert.deepStrictEqual(seen.map(idOf), expected("asc", 1, 3))
      assert.deepStrictEqual(seen.map(({ version }) => version).sort(), [1, 1, 2])
      assert.deepStrictEqual(yield* idsWhere({ isDeleted: { eq: true } }), [bob])
      assert.deepStrictEqual(yield* idsWhere({ updatedAt: { from: 9000 } }), [bob])
    }))

  test("combines filters by equality, by a set of values and by inclusive ranges with AND", () =>
    Effect.gen(function* () {
      for (let n = 1; n <= 6; n++) {
        const customerType = n % 2 === 0 ? "BUSINESS" : "INDIVIDUAL"
        yield* committed(changeSet({ at: 1000 * n, inserts: [customer(n, { customerType })] }))
      }
      const customerIds = (...ns: ReadonlyArray<number>) => ns.map((n) => id("Customer", n))
      assert.deepStrictEqual(yield* idsWhere({ customerType: { eq: "BUSINESS" } }), customerIds(2, 4, 6))
      assert.deepStrictEqual(
        yield* idsWhere({ platformCustomerId: { in: ["customer-1", "customer-5", "x"] } }),
        customerIds(1, 5),
      )
      assert.deepStrictEqual(yield* idsWhere({ platformCustomerId: { in: [] } }), [])
      assert.deepStrictEqual(yield* idsWhere({ createdAt: { from: 2000, to: 4000 } }), customerIds(2, 3, 4))
      assert.deepStrictEqual(yield* idsWhere({ createdAt: { from: 5000 } }), customerIds(5, 6))
      assert.deepStrictEqual(yield* idsWhere({ createdAt: { to: 1999 } }), customerIds(1))
      assert.deepStrictEqual(
        yield* idsWhere({ customerType: { eq: "BUSINESS" }, createdAt: { from: 3000 } }),
        customerIds(4, 6),
      )
      assert.deepStrictEqual(yield* idsWhere({ customerId: { eq: ann } }), [ann])
      assert.deepStrictEqual(yield* idsWhere({ customerId: { in: [ann, bob] }, customerType: { eq: "BUSINESS" } }), [
        bob,
      ])
      const page = yield* list("Customer", { customerType: { eq: "BUSINESS" } }, { limit: 2, order: "desc" })
      assert.deepStrictEqual([page.data.map(idOf), page.hasMore, page.totalCount], [customerIds(6, 4), true, 3])
    }))

  test("matches `has` against the values of a list field, and never against a single value", () =>
    Effect.gen(function* () {
      const currencyLists = [["USD"], ["EUR", "USD"], ["EUR"], []] as const
      for (const [n, currencies] of currencyLists.entries()) {
        yield* committed(changeSet({ at: 1000 + n, inserts: [customer(n + 1, { currencies })] }))
      }
      const customerIds = (...ns: ReadonlyArray<number>) => ns.map((n) => id("Customer", n))
      assert.deepStrictEqual(yield* idsWhere({ currencies: { has: "USD" } }), customerIds(1, 2))
      assert.deepStrictEqual(yield* idsWhere({ currencies: { has: "EUR" }, createdAt: { from: 1002 } }), customerIds(3))
      assert.deepStrictEqual(yield* idsWhere({ currencies: { has: "US" } }), [])
      assert.deepStrictEqual(yield* idsWhere({ platformCustomerId: { has: "customer-1" } }), [])
      assert.deepStrictEqual(yield* idsWhere({ customerId: { has: ann } }), [])
      assert.deepStrictEqual(yield* idsWhere({ currencies: { eq: "USD" } }), [])
    }))

  for (const order of orders) {
    test(`pages through every filtered list in order ${order}: each matching record once, and no other`, () =>
      Effect.gen(function* () {
        const regions = ["US", "BR", undefined] as const
        const made = Array.from({ length: 40 }, (_, n) => ({
          n: n + 1,
          customerType: n % 2 === 0 ? ("BUSINESS" as const) : ("INDIVIDUAL" as const),
          region: regions[n % 3],
          isDeleted: n % 5 === 0,
        }))
        for (const { customerType, isDeleted, n, region } of made) {
          const changes = { customerType, isDeleted, ...(region === undefined ? {} : { region }) }
          yield* committed(changeSet({ at: 1000 + Math.floor(n / 3), inserts: [customer(n, changes)] }))
        }
        const isBusiness = { customerType: { eq: "BUSINESS" } } as const
        const isPresent = { isDeleted: { eq: false } } as const
        const isUs = { region: { eq: "US" } } as const
        const times = { createdAt: { from: 1003, to: 1010 } } as const
        type Made = (typeof made)[number]
        const filters: ReadonlyArray<readonly [Where, (one: Made) => boolean]> = [
          [isBusiness, (one) => one.customerType === "BUSINESS"],
          [isPresent, (one) => !one.isDeleted],
          [isUs, (one) => one.region === "US"],
          [{ region: { eq: null } }, (one) => one.region === undefined],
          [{ region: { in: ["US", "BR"] } }, (one) => one.region !== undefined],
          [times, ({ n }) => n >= 9 && n <= 32],
        ]
        const pairs = filters.flatMap(([a, isA], index) =>
          filters
            .slice(index)
            .filter(([b]) => a === b || !Object.keys(b).some((name) => name in a))
            .map(([b, isB]) => [{ ...a, ...b }, (one: Made) => isA(one) && isB(one)] as const),
        )
        for (const [where, isMatch] of [...pairs, [{ customerType: { eq: "NONE" } }, () => false] as const]) {
          const matching = expected(order, 1, made.length).filter((customerId) =>
            made.some((one) => id("Customer", one.n) === customerId && isMatch(one)),
          )
          const seen: Array<string> = []
          for (let after: Page.Position | undefined, hasMore = true; hasMore; ) {
            const page = yield* list("Customer", where, { limit: 4, order, ...(after === undefined ? {} : { after }) })
            assert.strictEqual(page.totalCount, matching.length)
            seen.push(...page.data.map(idOf))
            after = page.data.at(-1)
            hasMore = page.hasMore
          }
          assert.deepStrictEqual(seen, matching)
        }
      }))
  }

  test("lists records without a customer by a filter for `null`", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ inserts: [agent(1), agent(2, ownerOf(null)), agent(3, ownerOf(bob))] }))
      const found = yield* list("Agent", { customerId: { eq: null } }, { limit: 5, order: "desc" })
      assert.deepStrictEqual([found.data.map(idOf), found.totalCount], [[id("Agent", 2)], 1])
    }))

  test("treats a filter by an undeclared field as a defect", () =>
    dies(list("Customer", { shoeSize: { eq: 44 } }, { limit: 5, order: "desc" })))
}
