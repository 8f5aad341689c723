/**
 * What a list reads: for every combination of the filters that are offered, at any page, the database discards no record. So the cost of
 * a list does not depend on how many records there are.
 * Source: D-500.
 */
import { Migrations } from "@countersign/adapter-postgres"
import { type Caller, tenant } from "@countersign/core"
import { EventTypes } from "@countersign/core/models"
import type { EventFilter, Page, Where } from "@countersign/core/store"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Parameter, Statement } from "../../../packages/adapter-postgres/src/connection/Connection.ts"
import { pageStatement } from "../../../packages/adapter-postgres/src/read/EventReading.ts"
import { listResult, listStatement } from "../../../packages/adapter-postgres/src/read/Listing.ts"
import {
  type KindTable,
  kindTable,
  kindTables,
  partsOf,
} from "../../../packages/adapter-postgres/src/schema/KindTables.ts"
import { combinationsOf, fill, fillEvents, keyOf, owners, platform, subject } from "./ListedTables.ts"
import { explained } from "./ListReads.ts"
import * as TestDatabase from "./TestDatabase.ts"

const records = 3000
const limit = 5
const caller = tenant(platform)
const paged = kindTables.filter(({ isPaged }) => isPaged)

let database: TestDatabase.TestDatabase
beforeAll(async () => {
  database = await TestDatabase.create(2)
  await Effect.runPromise(Migrations.run(database.connection))
  await database.connection.session(async ({ script }) => {
    // What an asynchronous commit wrote is not visible to all at once, and then counted in the table.
    await script("set synchronous_commit = on")
    for (const kind of paged) await script(fill(kind, records))
    await script(fillEvents(records))
    await script("vacuum analyze")
  })
}, 600_000)
afterAll(() => database.close())

const query = async (text: string, values: Array<Parameter>) =>
  (await database.pool.query<{ "QUERY PLAN": unknown }>(text, values)).rows[0]?.["QUERY PLAN"]

/** All subsets. */
const subsets = <A>(all: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: 2 ** all.length }, (_, set) => all.filter((_one, index) => (set >> index) % 2 === 1))

const inTheMiddle = 1000 + records / 4
const pages: ReadonlyArray<Page.PageRequest> = (["asc", "desc"] as const).flatMap((order) => [
  { limit, order },
  { limit, order, after: { createdAt: inTheMiddle, id: "~" } },
])

/** The filters of a kind, each with a value that some records have: what selects a list, its parts, and bounds of the creation time. */
const filtersOf = (kind: KindTable): ReadonlyArray<Where> => {
  const parts = partsOf(kind).map(({ field, part }): Where => ({ [field]: { eq: part[0] ?? null } }))
  const bounds: Where = { createdAt: { from: 1100, to: 1000 + records / 3 } }
  const leading: ReadonlyArray<Where> = [
    {},
    { customerId: { eq: owners[0] } },
    { customerId: { eq: null } },
    ...kind.fields.filter(({ indexed }) => indexed).map((key): Where => ({ [key.field]: { eq: keyOf(key, 1) } })),
  ]
  return leading.flatMap((first) =>
    subsets([...parts, bounds]).map((rest) => Object.assign({}, first, ...rest) as Where),
  )
}

type Named = readonly [name: unknown, statement: Statement]

/**
 * Returns the lists that discard records or read more of them than they need. Those of an indexed field read the table for what they count and
 * merge, the others for their page only.
 */
const wasteful = async (
  statements: ReadonlyArray<Named>,
  combinations: number,
  readsTable = false,
): Promise<ReadonlyArray<unknown>> => {
  const found: Array<unknown> = []
  // The page, the sample and the count.
  const entriesMax = combinations * (limit + 1) + records / 8 + records
  const fetchedMax = 2 * (limit + 1) + (readsTable ? entriesMax : 0)
  for (const [name, statement] of statements) {
    const reads = await explained(query, statement)
    if (reads.discarded > 0 || reads.fetched > fetchedMax || reads.entries > entriesMax) found.push([name, reads])
  }
  return found
}

const everyPage = (where: Where, by: Caller, kind: KindTable) =>
  pages.map((page) => [{ where, page }, listStatement(kind.kind, where, page, by)] as const)

describe("a list of a kind", { timeout: 300_000 }, () => {
  it.each(paged.map((kind) => [kind.kind, kind] as const))("%s discards no record", async (_, kind) => {
    const ofField = (where: Where) => kind.fields.some(({ field, indexed }) => indexed && field in where)
    const [of, others] = [filtersOf(kind).filter(ofField), filtersOf(kind).filter((where) => !ofField(where))]
    const statements = (filters: typeof of) => filters.flatMap((where) => everyPage(where, caller, kind))
    expect(await wasteful(statements(others), combinationsOf(kind))).toEqual([])
    expect(await wasteful(statements(of), combinationsOf(kind), true)).toEqual([])
  })

  it("Transaction discards no record of an agent's customer", async () => {
    const kind = kindTable("Transaction")
    const agent: Caller = {
      _tag: "Agent",
      platformId: platform,
      customerId: owners[0],
      agentId: "Agent:1",
      budget: "agent",
    }
    const filters: ReadonlyArray<Where> = [{}, { status: { eq: "COMPLETED" } }, { type: { eq: "INCOMING" } }]
    const statements = filters.flatMap((where) => everyPage(where, agent, kind))
    expect(await wasteful(statements, combinationsOf(kind))).toEqual([])
  })

  it.each(paged.filter(({ isListedByUpdate }) => isListedByUpdate).map((kind) => [kind.kind, kind] as const))(
    "%s by the time of the last update reads the few that were updated",
    async (_, kind) => {
      const where: Where = { updatedAt: { from: 1000 + records / 2 - 5 } }
      expect(await wasteful(everyPage(where, caller, kind), combinationsOf(kind))).toEqual([])
    },
  )

  it.each(["Transaction", "CardTransaction"] as const)("%s reads the few with unapplied money", async (name) => {
    // Its small index orders by the time alone: after a position it meets those of the same millisecond again.
    const statements = everyPage({ isUnapplied: { eq: true } }, caller, kindTable(name)).filter(
      ([{ page }]) => page.after === undefined,
    )
    expect(await wasteful(statements, 1)).toEqual([])
  })
})

it("the total count of a list that is half longer than any total count reads a sample only", {
  timeout: 300_000,
}, async () => {
  const kind = kindTable("BeneficialOwner")
  await database.connection.session(async ({ script }) => {
    await script("set synchronous_commit = on")
    await script("delete from countersign.beneficial_owner")
    await script(fill(kind, 20_000))
    await script("vacuum analyze countersign.beneficial_owner")
  })
  const statement = listStatement(kind.kind, {}, { limit, order: "desc" }, caller)
  const [answer] = await database.connection.query(statement)
  expect(listResult(answer, limit)).toEqual({ data: expect.any(Array), hasMore: true })
  const { entries, fetched } = await explained(query, statement)
  expect(fetched).toBeLessThanOrEqual(2 * (limit + 1))
  expect(entries).toBeLessThan(1000)
})

it("a list of events discards no event", { timeout: 300_000 }, async () => {
  const type: EventFilter = { type: "TEST" }
  const bounds: EventFilter = { from: 1100, to: 1000 + records / 3 }
  const filters = [
    ...[{}, { customerId: owners[0] }].flatMap((first) => subsets([type, bounds]).map((rest) => ({ first, rest }))),
    ...subsets([bounds]).map((rest) => ({ first: { subject }, rest })),
  ].map(({ first, rest }): EventFilter => Object.assign({}, first, ...rest))
  const statements = filters.flatMap((filter) =>
    pages.map((page) => [{ filter, page }, pageStatement(filter, page, caller, 0)] as const),
  )
  expect(await wasteful(statements, EventTypes.keys.length)).toEqual([])
})
