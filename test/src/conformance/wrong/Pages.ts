/** Stores with wrong pages. */
import type { Page } from "@countersign/core/store"
import { Effect } from "effect"
import { every, type Service, type WrongStore } from "./WrongStore.ts"

const listed = "a filtered list has each matching record once, in order, and no other"
const listedEvents = "a filtered list of events has each matching event once, in order, and no other"

type Listing = Parameters<Service["list"]>
type Found = Effect.Success<ReturnType<Service["list"]>>

/** A store that changes the requests or the results of its lists. */
const listing =
  (change: (store: Service, request: Listing) => ReturnType<Service["list"]>): WrongStore["wrap"] =>
  (store) => ({
    list: ((kind, where, page) => change(store, [kind, where, page])) as Service["list"],
  })

const onPages = (change: (found: Found, page: Page.PageRequest) => Found) =>
  listing(({ list }, [kind, where, page]) => Effect.map(list(kind, where, page), (found) => change(found, page)))

export const pages: ReadonlyArray<WrongStore> = [
  {
    name: "skips the first record of each further page of a filtered list",
    section: "load",
    law: listed,
    wrap: listing(({ list }, [kind, where, page]) =>
      page.after === undefined || Object.keys(where).length === 0
        ? list(kind, where, page)
        : Effect.map(list(kind, where, { ...page, limit: page.limit + 1 }), (found) => ({
            ...found,
            data: found.data.slice(1),
          })),
    ),
  },
  {
    name: "begins a page again with the millisecond of its cursor",
    section: "pages",
    law: "returns every record once in order asc, with ties ordered by id, and the total count",
    wrap: listing(({ list }, [kind, where, page]) =>
      list(
        kind,
        where,
        page.after === undefined ? page : { ...page, after: { ...page.after, id: page.order === "asc" ? "" : "~" } },
      ),
    ),
  },
  {
    name: "ignores the filter of customers on the second page",
    section: "load",
    law: listed,
    wrap: listing(({ list }, [kind, where, page]) => {
      const { customerId: _customerId, ...rest } = where
      return list(kind, page.after === undefined ? where : rest, page)
    }),
  },
  {
    name: "counts the records of a filtered list from the cursor",
    section: "load",
    law: listed,
    wrap: listing(({ list }, [kind, where, page]) =>
      Effect.map(list(kind, where, page), (found) =>
        page.after === undefined || found.hasMore ? found : { ...found, totalCount: found.data.length },
      ),
    ),
  },
  {
    name: "orders the records of one millisecond by their id from the end",
    section: "pages",
    law: "returns every record once in order asc, with ties ordered by id, and the total count",
    wrap: onPages((found) => ({
      ...found,
      data: found.data.toSorted((a, b) => (a.createdAt === b.createdAt ? (a.id < b.id ? 1 : -1) : 0)),
    })),
  },
  {
    name: "promises a further page when a page is full",
    section: "load",
    law: listed,
    wrap: onPages((found, { limit }) => ({ ...found, hasMore: found.data.length === limit })),
  },
  {
    name: "begins at the start for the cursor of another filter",
    section: "load",
    law: listed,
    wrap: listing(
      Effect.fnUntraced(function* ({ list }, [kind, where, page]) {
        if (page.after === undefined) return yield* list(kind, where, page)
        const { createdAt, id } = page.after
        const at = yield* list(
          kind,
          { ...where, createdAt: { from: createdAt, to: createdAt } },
          { limit: 100, order: "asc" },
        )
        const { after: _after, ...first } = page
        return yield* list(kind, where, at.data.some((record) => record.id === id) ? page : first)
      }),
    ),
  },
  {
    name: "leaves out the records of the last millisecond of a range",
    section: "pages",
    law: "combines filters by equality, by a set of values and by inclusive ranges with AND",
    wrap: listing(({ list }, [kind, where, page]) => {
      const { createdAt } = where
      return createdAt !== undefined && "to" in createdAt && createdAt.to !== undefined
        ? list(kind, { ...where, createdAt: { ...createdAt, to: createdAt.to - 1 } }, page)
        : list(kind, where, page)
    }),
  },
  {
    name: "filters by the first value of a set",
    section: "pages",
    law: "combines filters by equality, by a set of values and by inclusive ranges with AND",
    wrap: listing(({ list }, [kind, where, page]) => {
      const only = Object.entries(where).map(([name, condition]) => [
        name,
        "in" in condition ? { in: condition.in.slice(0, 1) } : condition,
      ])
      return list(kind, Object.fromEntries(only), page)
    }),
  },
  {
    name: "leaves one record in 60 out of its pages",
    section: "load",
    law: "a list has each committed record once, in its last version",
    wrap: (store) => {
      const isLeftOut = every(60)
      return onPages((found) => ({ ...found, data: found.data.filter(() => !isLeftOut()) }))(store)
    },
  },
  {
    name: "ignores the filter of customers on the second page of events",
    section: "load",
    law: listedEvents,
    wrap: ({ events }) => ({
      events: (filter, page) => {
        const { customerId: _customerId, ...rest } = filter
        return events(page.after === undefined ? filter : rest, page)
      },
    }),
  },
  {
    name: "begins a page of events again with the millisecond of its cursor",
    section: "load",
    law: "each event of a committed set is listed once, as it was committed",
    wrap: ({ events }) => ({
      events: (filter, page) =>
        events(
          filter,
          page.after === undefined ? page : { ...page, after: { ...page.after, id: page.order === "asc" ? "" : "~" } },
        ),
    }),
  },
  {
    name: "counts the events of a type and not of a customer",
    section: "load",
    law: listedEvents,
    wrap: ({ events }) => ({
      events: Effect.fnUntraced(function* ({ customerId, ...filter }, page) {
        const found = yield* events(customerId === undefined ? filter : { ...filter, customerId }, page)
        const { totalCount = 0 } = yield* events(filter, { limit: 1, order: "asc" })
        return { ...found, totalCount }
      }),
    }),
  },
  {
    name: "repeats the last parked job of a page",
    section: "load",
    law: "the pages of parked jobs have each parked job once",
    wrap: ({ parkedJobs }) => ({
      parkedJobs: ({ after, ...page }) =>
        parkedJobs(after === undefined ? page : { ...page, after: `${after.slice(0, -1)}/` }),
    }),
  },
  {
    name: "pages jobs by their due time alone",
    section: "load",
    law: "the pages of due jobs have each job once, by due time and id",
    wrap: ({ dueJobs }) => ({
      dueJobs: ({ after, ...page }) => dueJobs(after === undefined ? page : { ...page, after: { ...after, id: "~" } }),
    }),
  },
  {
    name: "ignores the currency on the second page of accounts",
    section: "load",
    law: "the pages of accounts have each matching account once, by id",
    wrap: ({ accountBalances }) => ({
      accountBalances: ({ currency, ...page }) =>
        accountBalances(currency === undefined || page.after !== undefined ? page : { ...page, currency }),
    }),
  },
  {
    name: "skips an entry between two pages of an account",
    section: "load",
    law: "the pages of an account have each entry once, newest first",
    wrap: ({ accountEntries }) => ({
      accountEntries: ({ before, ...page }) =>
        accountEntries(before === undefined ? page : { ...page, before: before - 1 }),
    }),
  },
]
