/**
 * Actions that page through a list while other clients write: no record is on two pages, none that existed before is missing, and the order
 * and the count agree with the pages.
 * Source: wire contract 0.3.
 */
import type { Body } from "./Answers.ts"
import type { Client, ClientActions } from "./ClientRequests.ts"

/** Lists whose records are never removed and never change their filter; `isSortable`: its order can be chosen. */
const lists: readonly [
  { readonly path: (client: Client) => string; readonly isSortable: boolean },
  ...Array<{ readonly path: (client: Client) => string; readonly isSortable: boolean }>,
] = [
  { path: () => "/transactions?", isSortable: true },
  { path: () => "/transactions?type=OUTGOING&", isSortable: true },
  { path: ({ pay }) => `/transactions?customerId=${pay.customerId}&`, isSortable: true },
  { path: ({ pay }) => `/cards?cardholderId=${pay.customerId}&`, isSortable: false },
  { path: () => "/customers?", isSortable: false },
]

const pagesMax = 100

interface Page {
  readonly data: ReadonlyArray<Body>
  readonly hasMore?: boolean
  readonly nextCursor?: string
  readonly totalCount?: number
}

const idsOf = (records: ReadonlyArray<Body>) => records.map(({ id }) => String(id))

/** Whether two neighbours have the order of the list: by creation, then by id. */
const isOrdered = (before: Body, after: Body, direction: number): boolean => {
  const [first, second] = [before, after].map(({ createdAt, id }) => `${Date.parse(String(createdAt))} ${String(id)}`)
  return direction > 0 ? String(first) < String(second) : String(first) > String(second)
}

const walkProblems = (
  path: string,
  {
    before,
    direction,
    pages,
  }: { readonly before: Page; readonly direction: number; readonly pages: ReadonlyArray<Page> },
): ReadonlyArray<string> => {
  const records = pages.flatMap(({ data }) => data)
  const ids = idsOf(records)
  const walked = new Set(ids)
  const counts = pages.flatMap(({ totalCount }) => (totalCount === undefined ? [] : [totalCount]))
  return [
    ...(walked.size === ids.length ? [] : [`${path} has a record on two pages`]),
    ...idsOf(before.data)
      .filter((id) => !walked.has(id))
      .map((id) => `${path} omits ${id}, which existed before`),
    ...records
      .slice(1)
      .filter((record, index) => !isOrdered(records[index] ?? record, record, direction))
      .map(({ id }) => `${path} has ${String(id)} at a wrong place`),
    ...(counts.every((count, index) => count >= before.data.length && count >= (counts[index - 1] ?? 0))
      ? []
      : [`${path} counts ${counts.join()}, and had ${before.data.length} records before`]),
    ...(pages.length < pagesMax ? [] : [`${path} has no end`]),
  ]
}

export const listActions: ClientActions = {
  "list walked": {
    weight: 3,
    run: async (client) => {
      const { answers, insist, random } = client
      const { isSortable, path } = random.pick(lists)
      const isAscending = isSortable && random.once(2)
      const read = async (query: string) => (await insist("GET", query)).body as Page
      const base = `${path(client)}${isAscending ? "sortOrder=asc&" : ""}`
      const before = await read(`${base}limit=100`)
      const limit = 1 + random.below(4)
      const pages: Array<Page> = []
      let cursor: string | undefined
      do {
        const page: Page = await read(
          `${base}limit=${limit}${cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`}`,
        )
        pages.push(page)
        cursor = page.nextCursor
      } while (cursor !== undefined && pages.length < pagesMax)
      answers.problems.push(...walkProblems(base, { before, pages, direction: isAscending ? 1 : -1 }))
      return true
    },
  },
}
