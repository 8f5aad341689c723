/**
 * Lists records, or the entries of a directory, by a client's query: one page, with a cursor that is bound to the query's filters.
 * Source: wire contract 0.3 and 11 (34).
 */
import { Effect } from "effect"
import { invalidInput, ServiceError } from "../foundation/errors/ServiceError.ts"
import * as Page from "../foundation/kit/Page.ts"
import type { Stored } from "../store/ChangeSet.ts"
import type { Kind } from "../store/Kinds.ts"
import { type Condition, Store, type Where } from "../store/Store.ts"

/** The paging part of a list's query. */
export interface ListQuery {
  readonly limit?: number
  readonly cursor?: string
  readonly sortOrder?: Page.SortOrder
}

/** Inclusive bounds on a time in Unix milliseconds; `undefined` without bounds. */
export const between = (from: number | undefined, to: number | undefined): Condition | undefined =>
  from === undefined && to === undefined
    ? undefined
    : { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }

/** Builds the conditions of the present filters; a filter without a value is ignored. */
export const where = (filters: { readonly [field: string]: Condition | string | boolean | undefined }): Where =>
  Object.fromEntries(
    Object.entries(filters).flatMap(([field, filter]) =>
      filter === undefined ? [] : [[field, typeof filter === "object" ? filter : { eq: filter }]],
    ),
  )

/** Returns the position of a query's cursor, or fails with `INVALID_INPUT` if it is malformed or belongs to other filters. */
export const positionAfter = (cursor: string | undefined, bound: unknown) => {
  const after = cursor === undefined ? undefined : Page.decodeCursor(cursor, bound)
  const message = "must be the nextCursor of the previous page of the same list"
  return cursor !== undefined && after === undefined
    ? Effect.fail(new ServiceError(invalidInput([{ field: "cursor", message }])))
    : Effect.succeed(after)
}

/** Returns a page of a kind. A cursor that is malformed or belongs to other filters fails with `INVALID_INPUT`. */
export const listPage = <K extends Kind>(kind: K, filters: Where, query: ListQuery) =>
  listOf([[kind, filters]], { kind, filters }, query)

/**
 * Returns one page over several lists, each of a kind with its filters; no record may be in two of them. The cursor is bound to
 * `cursorBinding`.
 */
export const listOf = <K extends Kind>(
  lists: ReadonlyArray<readonly [kind: K, filters: Where]>,
  cursorBinding: { readonly [name: string]: unknown },
  query: ListQuery,
) =>
  Effect.gen(function* () {
    const store = yield* Store
    const order = query.sortOrder ?? "desc"
    const bound = { ...cursorBinding, order }
    const after = yield* positionAfter(query.cursor, bound)
    const limit = query.limit ?? Page.limitDefault
    const request = { limit, order, ...(after === undefined ? {} : { after }) }
    const pages = yield* Effect.forEach(lists, ([kind, filters]) => store.list(kind, filters, request))
    const found = pages.flatMap((page) => page.data).toSorted(Page.compare(order))
    const data = found.slice(0, limit)
    const hasMore = found.length > limit || pages.some((page) => page.hasMore)
    const last = data.at(-1)
    const result: Page.Page<Stored<K>> = {
      data,
      hasMore,
      ...Page.totalCountOf(pages.reduce((total, { totalCount = Number.POSITIVE_INFINITY }) => total + totalCount, 0)),
      ...(hasMore && last !== undefined ? { nextCursor: Page.encodeCursor(last, bound) } : {}),
    }
    return result
  })

/** Returns all matching records of a kind, newest first: for lists without pagination. */
export const listAll = <K extends Kind>(kind: K, filters: Where) =>
  Effect.gen(function* () {
    const store = yield* Store
    const all: Array<Stored<K>> = []
    for (;;) {
      const last = all.at(-1)
      const after = last === undefined ? {} : { after: { createdAt: last.createdAt, id: last.id } }
      const page = yield* store.list(kind, filters, { limit: Page.limitMax, order: "desc", ...after })
      all.push(...page.data)
      if (!page.hasMore || page.data.length === 0) return all
    }
  })

/** Returns one page of a directory of the deployment, whose entries have no creation time: their unique names order them. */
export const directoryPage = Effect.fnUntraced(function* <A>(
  entries: ReadonlyArray<A>,
  nameOf: (entry: A) => string,
  cursorBinding: { readonly [name: string]: unknown },
  { cursor, limit = Page.limitDefault, sortOrder: order = "asc" }: ListQuery,
) {
  const bound = { ...cursorBinding, order }
  const after = yield* positionAfter(cursor, bound)
  const positionOf = (entry: A): Page.Position => ({ createdAt: 0, id: nameOf(entry) })
  const compare = Page.compare(order)
  const ordered = entries.toSorted((a, b) => compare(positionOf(a), positionOf(b)))
  const rest = after === undefined ? ordered : ordered.filter((entry) => compare(positionOf(entry), after) > 0)
  const data = rest.slice(0, limit)
  const last = data.at(-1)
  const hasMore = rest.length > limit
  const result: Page.Page<A> = {
    data,
    hasMore,
    ...(hasMore && last !== undefined ? { nextCursor: Page.encodeCursor(positionOf(last), bound) } : {}),
    ...Page.totalCountOf(entries.length),
  }
  return result
})
