/**
 * The reads of a store in cells: by key from the cell of the key, lists merged from all cells, sums added up. Each cell answers as of one
 * moment; several cells may answer as of moments that are milliseconds apart.
 * Source: D-514; ports/Store.ts.
 */
import { type Caller, CurrentCaller } from "@countersign/core"
import {
  type AccountEntries,
  type BalanceTotal,
  type DueJob,
  type Kind,
  Page,
  type ReadQuery,
  type ReadResult,
  type RecordRef,
  type RootUse,
  roleOf,
  type Store,
  type StoreUnavailable,
  type TrialBalanceLine,
} from "@countersign/core/store"
import { Effect } from "effect"
import type { NumberedPosting } from "../read/BookReading.ts"
import { nextDueStatement } from "../read/JobRows.ts"
import { postingReads, type ReadPort, readyIf, readyStatement, repeatable, type StoreReads } from "../read/Reads.ts"
import type * as BusinessTime from "../schema/BusinessTime.ts"
import type { CellPlaces } from "./CellPlaces.ts"
import { type CellOf, keyName, replayName } from "./Cells.ts"
import { beyondBridge, isBridge } from "./SplitChangeSet.ts"

type Port = Store["Service"]

/** Cells are read at the same time, but not all of many at once. */
const atOnce = { concurrency: 8 } as const

const byPosition = <A extends Page.Position>(order: Page.SortOrder) => Page.compare(order) as (a: A, b: A) => number

/** Merges sorted lists of each cell into the first `limit` of all. */
const firstOf = <A>(
  lists: ReadonlyArray<{ readonly rows: ReadonlyArray<A>; readonly hasMore: boolean }>,
  limit: number,
  compare: (a: A, b: A) => number,
): { readonly rows: ReadonlyArray<A>; readonly hasMore: boolean } => {
  const rows = lists.flatMap((list) => list.rows).toSorted(compare)
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit || lists.some(({ hasMore }) => hasMore) }
}

type CountedPage<A> = Omit<Page.Page<A>, "nextCursor">

const mergedPage = <A>(
  pages: ReadonlyArray<CountedPage<A>>,
  limit: number,
  compare: (a: A, b: A) => number,
): CountedPage<A> => {
  const { hasMore, rows } = firstOf(
    pages.map((page) => ({ rows: page.data, hasMore: page.hasMore })),
    limit,
    compare,
  )
  const counts = pages.map(({ totalCount }) => totalCount ?? Page.totalCountMax + 1)
  return { data: rows, hasMore, ...Page.totalCountOf(counts.reduce((sum, count) => sum + count, 0)) }
}

const text = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Adds up the lines that have the same key, in the order of `compare`. */
const summed = <A>(
  lines: ReadonlyArray<A>,
  keyOf: (line: A) => string,
  add: (a: A, b: A) => A,
  compare: (a: A, b: A) => number,
): ReadonlyArray<A> => {
  const byKey = new Map<string, A>()
  for (const line of lines) {
    const known = byKey.get(keyOf(line))
    byKey.set(keyOf(line), known === undefined ? line : add(known, line))
  }
  return [...byKey.values()].toSorted(compare)
}

const byCurrencyAndRole = <A extends { readonly currency: string; readonly role: string }>(a: A, b: A): number =>
  text(a.currency, b.currency) || text(a.role, b.role)

const bridgeRole = roleOf("bridge:")

const addLines = (a: TrialBalanceLine, b: TrialBalanceLine): TrialBalanceLine => ({
  ...a,
  accounts: a.accounts + b.accounts,
  debit: a.debit + b.debit,
  credit: a.credit + b.credit,
  balance: a.balance + b.balance,
  differing: a.differing + b.differing,
})

const addTotals = (a: BalanceTotal, b: BalanceTotal): BalanceTotal => ({
  ...a,
  accounts: a.accounts + b.accounts,
  entries: a.entries + b.entries,
  debitBalance: a.debitBalance + b.debitBalance,
  creditBalance: a.creditBalance + b.creditBalance,
})

/** What went over the bridges of all cells has arrived, and each of their accounts is the sum of its entries: they are nobody's money. */
const isEven = ({ balance, differing }: TrialBalanceLine): boolean => balance === 0n && differing === 0

const addUses = (a: RootUse, b: RootUse): RootUse => ({
  ...a,
  wallets: a.wallets + b.wallets,
  delegatedKeys: a.delegatedKeys + b.delegatedKeys,
})

/** Joins the two halves of each posting between two cells. */
const joinedPostings = (postings: ReadonlyArray<NumberedPosting>): ReadonlyArray<NumberedPosting> => {
  const nameOf = ({ operationId, transfer }: NumberedPosting): string => `${operationId} ${transfer}`
  const arrivals = new Map(
    postings.filter(({ from }) => isBridge(from.account)).map((arrival) => [nameOf(arrival), arrival]),
  )
  return postings
    .filter(({ from }) => !isBridge(from.account))
    .map((posting) => ({ ...posting, to: arrivals.get(nameOf(posting))?.to ?? posting.to }))
    .toSorted((a, b) => a.at - b.at || text(a.operationId, b.operationId) || a.transfer - b.transfer)
}

const grouped = <A>(items: ReadonlyArray<A>, nameOf: (item: A) => string, cellOf: CellOf) =>
  Map.groupBy(items, (item) => cellOf(nameOf(item)))

export const make = (
  cells: ReadonlyArray<ReadPort>,
  cellOf: CellOf,
  clockOffset: BusinessTime.ClockOffset,
  ask: CellPlaces["ask"],
): StoreReads => {
  const cellAt = (cell: number): ReadPort => {
    const found = cells[cell]
    if (found === undefined) throw new Error(`the store has no cell ${cell}`)
    return found
  }
  const of = (name: string): ReadPort => cellAt(cellOf(name))
  const each = <A, E, R>(read: (cell: ReadPort) => Effect.Effect<A, E, R>): Effect.Effect<ReadonlyArray<A>, E, R> =>
    Effect.forEach(cells, read, atOnce)

  /** The cells that can have records of this customer, or of any. An agent has those of its customer. */
  const ofCustomer = (caller: Caller, customerId: string | undefined): ReadonlyArray<ReadPort> => {
    const owner = caller._tag === "Agent" ? caller.customerId : customerId
    return owner === undefined ? cells : [of(owner)]
  }

  const holderOf = Effect.fnUntraced(function* (key: string) {
    const held = yield* of(keyName(key, "")).keyHolder(key)
    return held === undefined ? undefined : yield* of(held.id).recordOf(held)
  })

  const read: Port["read"] = Effect.fnUntraced(function* (query) {
    const caller = yield* CurrentCaller
    const { platformId } = caller
    const { balances = [], counters = [], holder, ownersOf = [], platform, records = [], replay } = query
    const queries = new Map<number, ReadQuery>()
    const add = (cell: number, part: ReadQuery) => queries.set(cell, { ...queries.get(cell), ...part })
    for (const [cell, refs] of grouped(records, ({ id }) => id, cellOf)) add(cell, { records: refs })
    for (const [cell, refs] of grouped(ownersOf, ({ id }) => id, cellOf)) add(cell, { ownersOf: refs })
    for (const [cell, names] of grouped(balances, (name) => name, cellOf)) add(cell, { balances: names })
    for (const [cell, keys] of grouped(counters, (key) => key, cellOf)) add(cell, { counters: keys })
    if (platform === true) add(cellOf(platformId), { platform })
    if (replay !== undefined) add(cellOf(replayName(replay, caller)), { replay })
    const [found, heldBy] = yield* Effect.all(
      [
        Effect.forEach(
          [...queries],
          ([cell, part]) => Effect.map(cellAt(cell).read(part), (result) => [cell, result] as const),
          atOnce,
        ),
        holder === undefined ? Effect.undefined : holderOf(holder),
      ],
      { concurrency: "unbounded" },
    )
    const byCell = new Map(found)
    const at = (name: string): ReadResult | undefined => byCell.get(cellOf(name))
    const results: ReadResult = {
      record: (kind, id) => at(id)?.record(kind, id),
      owner: (account) => at(account.id)?.owner(account),
      platform: platform === true ? at(platformId)?.platform : undefined,
      balance: (account) => at(account)?.balance(account) ?? { balance: 0, sequence: 0 },
      counter: (key) => at(key)?.counter(key) ?? 0,
      replay: replay === undefined ? undefined : at(replayName(replay, caller))?.replay,
      holder: heldBy,
    }
    return results
  })

  const list: Port["list"] = Effect.fnUntraced(function* <K extends Kind>(
    kind: K,
    where: Parameters<Port["list"]>[1],
    page: Page.PageRequest,
  ) {
    const caller = yield* CurrentCaller
    const named = where["customerId"]
    const customerId = named !== undefined && "eq" in named && typeof named.eq === "string" ? named.eq : undefined
    const pages = yield* Effect.forEach(ofCustomer(caller, customerId), (cell) => cell.list(kind, where, page), atOnce)
    return mergedPage(pages, page.limit, byPosition(page.order))
  })

  const events: Port["events"] = Effect.fnUntraced(function* (filter, page) {
    const caller = yield* CurrentCaller
    const pages = yield* Effect.forEach(
      ofCustomer(caller, filter.customerId),
      (cell) => cell.events(filter, page),
      atOnce,
    )
    const compare = byPosition(page.order)
    return mergedPage(pages, page.limit, (a, b) => compare(a.event, b.event))
  })

  const accountEntries: Port["accountEntries"] = (page) =>
    Effect.map(of(page.account).accountEntries(page), (found): AccountEntries | undefined =>
      found === undefined || isBridge(page.account)
        ? undefined
        : {
            ...found,
            entries: found.entries.map((entry) => ({ ...entry, counterAccount: beyondBridge(entry.counterAccount) })),
          },
    )

  const numberedPostings: ReadPort["numberedPostings"] = (reference, platformId) =>
    Effect.map(
      each((cell) => cell.numberedPostings(reference, platformId)),
      (found) => joinedPostings(found.flat()),
    )

  const add = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0)

  const sumOf = <R>(count: (cell: ReadPort) => Effect.Effect<number, StoreUnavailable, R>) =>
    Effect.map(each(count), add)

  return {
    read,
    list,
    events,
    history: (ref: RecordRef, latest) => of(ref.id).history(ref, latest),
    event: (id) => of(id).event(id),
    delivery: (id) => of(id).delivery(id),
    resolve: ({ key, scope }) => (scope === "global" ? holderOf(key) : Effect.undefined),
    nextDue: (after) =>
      Effect.map(
        repeatable(() => ask(nextDueStatement(after))),
        (found) => {
          const times = [...found.values()].flatMap((time) => (time === null ? [] : [Number(time)]))
          return times.length === 0 ? undefined : Math.min(...times)
        },
      ),
    jobs: Effect.map(
      each((cell) => cell.jobs),
      (found) => found.flat(),
    ),
    countJobs: (query) =>
      Effect.map(
        sumOf((cell) => cell.countJobs(query)),
        (count) => Math.min(count, query.max),
      ),
    parkedJobs: (page) =>
      Effect.map(
        each((cell) => cell.parkedJobs(page)),
        (found) => {
          const { hasMore, rows } = firstOf(
            found.map(({ hasMore: more, jobs }) => ({ rows: jobs, hasMore: more })),
            page.limit,
            (a, b) => text(a.id, b.id),
          )
          return { jobs: rows, hasMore }
        },
      ),
    dueJobs: (page) =>
      Effect.map(
        each((cell) => cell.dueJobs(page)),
        (found) => {
          const { hasMore, rows } = firstOf<DueJob>(
            found.map(({ hasMore: more, jobs }) => ({ rows: jobs, hasMore: more })),
            page.limit,
            (a, b) => a.dueAt - b.dueAt || text(a.id, b.id),
          )
          return { jobs: rows, hasMore }
        },
      ),
    balanceTotals: Effect.map(
      each((cell) => cell.balanceTotals),
      (found) =>
        summed(
          found.flat().filter(({ role }) => role !== bridgeRole),
          ({ currency, role }) => `${currency} ${role}`,
          addTotals,
          byCurrencyAndRole,
        ),
    ),
    accountBalances: (page) =>
      Effect.map(
        each((cell) => cell.accountBalances(page)),
        (found) => {
          const { hasMore, rows } = firstOf(
            found.map(({ accounts, hasMore: more }) => ({ rows: accounts, hasMore: more })),
            page.limit,
            (a, b) => text(a.account, b.account),
          )
          return { accounts: rows, hasMore }
        },
      ),
    accountEntries,
    ...postingReads(numberedPostings),
    trialBalance: Effect.map(
      each((cell) => cell.trialBalance),
      (found) =>
        summed(found.flat(), ({ currency, role }) => `${currency} ${role}`, addLines, byCurrencyAndRole).filter(
          (line) => line.role !== bridgeRole || !isEven(line),
        ),
    ),
    rootUses: Effect.map(
      each((cell) => cell.rootUses),
      (found) =>
        summed(
          found.flat(),
          ({ rootId = "" }) => rootId,
          addUses,
          // A root without a name is last, as in one cell.
          (a, b) =>
            Number(a.rootId === undefined) - Number(b.rootId === undefined) || text(a.rootId ?? "", b.rootId ?? ""),
        ),
    ),
    workload: (wallNow) =>
      Effect.map(
        each((cell) => cell.workload(wallNow)),
        (found) => ({
          running: add(found.map(({ running }) => running)),
          claims: add(found.map(({ claims }) => claims)),
        }),
      ),
    platformCount: sumOf((cell) => cell.platformCount),
    aheadMillis: clockOffset.aheadMillis,
    // A process that cannot reach some cells serves the others.
    ready: readyIf(() => ask(readyStatement)),
  }
}
