/**
 * Under load: pages of jobs and of the books.
 * Source: D-518; ports/Store.ts (parkedJobs, dueJobs); store/Books.ts.
 */
import { Effect } from "effect"
import { changeSet } from "../ChangeSets.ts"
import { account, job, transfer } from "../Examples.ts"
import { BrokenLaw, equal } from "../Law.ts"
import { accountBalances, accountEntries, claim, committed, dueJobs, parkedJobs } from "../Suite.ts"
import * as Generator from "./Generator.ts"

/** Walks through pages with cursors of their own, and requires what they have. */
const walked = Effect.fnUntraced(function* <A, E, R>(
  law: string,
  expected: ReadonlyArray<unknown>,
  pageAfter: (
    last: A | undefined,
  ) => Effect.Effect<{ readonly page: ReadonlyArray<A>; readonly hasMore: boolean }, E, R>,
  shown: (one: A) => unknown,
) {
  const found: Array<unknown> = []
  for (let last: A | undefined; ; ) {
    const { hasMore, page } = yield* pageAfter(last)
    found.push(...page.map(shown))
    last = page.at(-1)
    if (!hasMore || last === undefined) break
    if (found.length > expected.length) throw new BrokenLaw(law, "the pages have no end")
  }
  equal(law, found, expected)
})

const jobPages = Effect.fnUntraced(function* ({ below, isOneIn, many }: Generator.Generator) {
  const jobs = many(40, (index) => job(index + 1, { dueAt: 100 * below(8) }))
  yield* committed(changeSet({ jobs }))
  yield* claim({ limit: 100 })
  const parked = jobs.filter(() => isOneIn(2))
  const returns = parked.map(({ id }) => ({ id, attempt: 1, outcome: "parked", notBefore: 0, error: "spent" }) as const)
  yield* committed(changeSet({ returns }))
  const ids = parked.map(({ id }) => id).toSorted()
  yield* walked(
    "the pages of parked jobs have each parked job once",
    ids,
    (last: { readonly id: string } | undefined) =>
      Effect.map(
        parkedJobs({ limit: 6, ...(last === undefined ? {} : { after: last.id }) }),
        ({ hasMore, jobs: page }) => ({
          hasMore,
          page,
        }),
      ),
    ({ id }) => id,
  )
  const due = jobs.filter(({ id }) => !ids.includes(id)).toSorted((a, b) => a.dueAt - b.dueAt || (a.id < b.id ? -1 : 1))
  yield* walked(
    "the pages of due jobs have each job once, by due time and id",
    due.map(({ id }) => id),
    (last: { readonly id: string; readonly dueAt: number } | undefined) =>
      Effect.map(
        dueJobs({ limit: 3, ...(last === undefined ? {} : { after: { dueAt: last.dueAt, id: last.id } }) }),
        ({ hasMore, jobs: page }) => ({ hasMore, page }),
      ),
    ({ id }) => id,
  )
})

const bookPages = Effect.fnUntraced(function* ({ below, many, pick }: Generator.Generator) {
  const made = many(24, (index) => {
    const currency = pick(["USD", "EUR"])
    return account(`available:${String(index).padStart(2, "0")}`, { currency })
  })
  const outside = (["USD", "EUR"] as const).map((currency) => account(`outside:${currency}`, { currency, floor: null }))
  const moved = many(60, () => pick([made[below(made.length)] ?? outside[0]]))
  yield* committed(
    changeSet({
      ledgerAccounts: [...made, ...outside],
      transfers: moved.flatMap((to) =>
        to === undefined ? [] : [transfer(`outside:${to.currency}`, to.id, 1 + below(9), to.currency)],
      ),
    }),
  )
  const withEntries = made.filter((one) => moved.includes(one))
  for (const currency of ["USD", "EUR"] as const) {
    yield* walked(
      "the pages of accounts have each matching account once, by id",
      withEntries.filter((one) => one.currency === currency).map(({ id }) => id),
      (last: { readonly account: string } | undefined) =>
        Effect.map(
          accountBalances({
            limit: 4,
            role: "available",
            currency,
            ...(last === undefined ? {} : { after: last.account }),
          }),
          ({ accounts, hasMore }) => ({ hasMore, page: accounts }),
        ),
      (one) => one.account,
    )
  }
  const sequence = moved.filter((to) => to?.currency === "USD").length
  yield* walked(
    "the pages of an account have each entry once, newest first",
    many(sequence, (index) => sequence - index),
    (last: { readonly sequence: number } | undefined) =>
      Effect.map(
        accountEntries({ account: "outside:USD", limit: 5, ...(last === undefined ? {} : { before: last.sequence }) }),
        (page) => ({ hasMore: page?.hasMore ?? false, page: page?.entries ?? [] }),
      ),
    (entry) => entry.sequence,
  )
})

export const workPages = Effect.fnUntraced(function* (seed: number) {
  const generator = Generator.make(seed)
  yield* jobPages(generator)
  yield* bookPages(generator)
})
