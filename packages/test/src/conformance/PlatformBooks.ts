/**
 * Conformance: the books of the caller's platform, of which no other platform and no agent sees anything.
 * Source: store/Books.ts (BalanceTotal, AccountEntries); D-454.
 */

import assert from "node:assert/strict"
import { amountMax } from "@countersign/core/models"
import { Effect } from "effect"
import { changeSet } from "./ChangeSets.ts"
import { account, agentOf, ann, beta, betaId, bob, id, operationId, ownerOf, transfer } from "./Examples.ts"
import {
  accountBalances,
  accountEntries,
  balance,
  balanceTotals,
  committed,
  ownPostings,
  postings,
  type Suite,
} from "./Suite.ts"

const foreign = { platformId: betaId, customerId: null }
const own = id("Transaction", 1)

/** Both platforms move money under the same reference. */
const bothPlatforms = Effect.gen(function* () {
  yield* committed(
    changeSet({
      ledgerAccounts: [
        account("outside:a", { floor: null }),
        account("available:a"),
        account("available:b", ownerOf(bob)),
        account("available:e", { currency: "EUR" }),
      ],
      transfers: [transfer("outside:a", "available:a", 70), transfer("available:a", "available:b", 20)],
    }),
  )
  yield* committed(
    changeSet({
      ledgerAccounts: [
        account("outside:z", { floor: null, ...foreign }),
        account("available:y", foreign),
        account("available:z", foreign),
      ],
      transfers: [transfer("outside:z", "available:z", amountMax)],
    }),
    beta,
  )
})

export const platformBooks = ({ test }: Suite): void => {
  test("sums the balances of one platform by role and currency, in order", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* balanceTotals(), [])
      yield* bothPlatforms
      const line = (role: string, accounts: number, entries: number, debitBalance: bigint, creditBalance: bigint) => ({
        role,
        currency: "USD" as const,
        accounts,
        entries,
        debitBalance,
        creditBalance,
      })
      assert.deepStrictEqual(yield* balanceTotals(), [
        { ...line("available", 1, 0, 0n, 0n), currency: "EUR" },
        line("available", 2, 3, 0n, 70n),
        line("outside", 1, 1, 70n, 0n),
      ])
      const most = BigInt(amountMax)
      assert.deepStrictEqual(yield* balanceTotals(beta), [
        line("available", 2, 1, 0n, most),
        line("outside", 1, 1, most, 0n),
      ])
      assert.deepStrictEqual(yield* balanceTotals(agentOf(ann)), [])
    }))

  test("sums more than one balance can hold exactly", () =>
    Effect.gen(function* () {
      const names = ["a", "b", "c"]
      yield* committed(
        changeSet({
          ledgerAccounts: names.flatMap((name) => [
            account(`outside:${name}`, { floor: null }),
            account(`available:${name}`),
          ]),
          transfers: names.map((name) => transfer(`outside:${name}`, `available:${name}`, amountMax)),
        }),
      )
      const most = 3n * BigInt(amountMax)
      assert.deepStrictEqual(
        (yield* balanceTotals()).map(({ creditBalance, debitBalance, role }) => [role, debitBalance, creditBalance]),
        [
          ["available", 0n, most],
          ["outside", most, 0n],
        ],
      )
    }))

  test("lists the accounts that have entries in pages by id, of one platform, role and currency", () =>
    Effect.gen(function* () {
      yield* bothPlatforms
      const page = (query: Parameters<typeof accountBalances>[0], caller?: Parameters<typeof accountBalances>[1]) =>
        Effect.map(accountBalances(query, caller), ({ accounts, hasMore }) => [
          accounts.map(({ account: name, balance, sequence }) => [name, balance, sequence]),
          hasMore,
        ])
      const [a, b, outside] = [
        ["available:a", 50, 2],
        ["available:b", 20, 1],
        ["outside:a", -70, 1],
      ]
      assert.deepStrictEqual(yield* page({ limit: 2 }), [[a, b], true])
      assert.deepStrictEqual(yield* page({ limit: 2, after: "available:b" }), [[outside], false])
      assert.deepStrictEqual(yield* page({ limit: 9, role: "available" }), [[a, b], false])
      assert.deepStrictEqual(yield* page({ limit: 9, role: "available", after: "available:a" }), [[b], false])
      assert.deepStrictEqual(yield* page({ limit: 9, role: "avail" }), [[], false])
      assert.deepStrictEqual(yield* page({ limit: 9, currency: "EUR" }), [[], false])
      assert.deepStrictEqual(yield* page({ limit: 9, role: "outside", currency: "USD" }), [[outside], false])
      const [first] = (yield* accountBalances({ limit: 1 })).accounts
      assert.deepStrictEqual(first, {
        account: "available:a",
        customerId: ann,
        currency: "USD",
        balance: 50,
        sequence: 2,
      })
      assert.deepStrictEqual(yield* page({ limit: 9, role: "outside" }, beta), [[["outside:z", -amountMax, 1]], false])
      assert.deepStrictEqual(yield* page({ limit: 9 }, agentOf(ann)), [[], false])
    }))

  test("lists the entries of an account in pages, newest first, each with the account of its other side", () =>
    Effect.gen(function* () {
      const accounts = ["a", "b", "c"].map((name) => account(name))
      const move = (n: number, at: number, transfers: ReadonlyArray<ReturnType<typeof transfer>>) =>
        committed(changeSet({ operationId: operationId(n), at, transfers }))
      yield* committed(changeSet({ ledgerAccounts: [account("outside", { floor: null }), ...accounts] }))
      yield* move(801, 5, [transfer("outside", "a", 100)])
      // Both transfers of the operation have the same time and, from the same account, opposite amounts.
      yield* move(802, 5, [transfer("a", "b", 30), transfer("c", "a", 30), transfer("outside", "c", 30)])
      yield* move(803, 9, [transfer("b", "a", 7)])
      const entry = (
        sequence: number,
        amount: number,
        balanceAfter: number,
        more: readonly [number, string, number],
      ) => {
        const [n, counterAccount, at] = more
        return { sequence, amount, balanceAfter, reference: own, operationId: operationId(n), counterAccount, at }
      }
      const newest = [entry(4, 7, 107, [803, "b", 9]), entry(3, 30, 100, [802, "c", 5])]
      const oldest = [entry(2, -30, 70, [802, "b", 5]), entry(1, 100, 100, [801, "outside", 5])]
      const shown = { account: "a", customerId: ann, currency: "USD" as const, balance: 107, sequence: 4 }
      assert.deepStrictEqual(yield* accountEntries({ account: "a", limit: 2 }), {
        ...shown,
        entries: newest,
        hasMore: true,
      })
      assert.deepStrictEqual(yield* accountEntries({ account: "a", limit: 2, before: 3 }), {
        ...shown,
        entries: oldest,
        hasMore: false,
      })
      assert.deepStrictEqual(yield* accountEntries({ account: "a", limit: 9, before: 1 }), {
        ...shown,
        entries: [],
        hasMore: false,
      })
    }))

  test("lists each entry once while others are added, and their sum is the balance", () =>
    Effect.gen(function* () {
      yield* committed(
        changeSet({
          ledgerAccounts: [account("outside", { floor: null }), account("a"), account("b")],
          transfers: [transfer("outside", "a", 1000)],
        }),
      )
      const moved = (n: number) =>
        committed(changeSet({ transfers: [n % 3 === 0 ? transfer("b", "a", n) : transfer("a", "b", n)] }))
      for (let n = 1; n <= 20; n++) yield* moved(n)
      const seen: Array<number> = []
      let before: number | undefined
      for (;;) {
        const page = yield* accountEntries({ account: "a", limit: 6, ...(before === undefined ? {} : { before }) })
        seen.push(...(page?.entries ?? []).map(({ sequence }) => sequence))
        before = page?.entries.at(-1)?.sequence
        if (page?.hasMore !== true) break
        yield* moved(1)
      }
      assert.deepStrictEqual(
        seen,
        Array.from({ length: 21 }, (_, n) => 21 - n),
      )
      const all = yield* accountEntries({ account: "a", limit: 100 })
      const sum = all?.entries.reduce((total, { amount }) => total + amount, 0)
      assert.strictEqual(sum, (yield* balance("a")).balance)
      assert.strictEqual(sum, all?.balance)
    }))

  test("shows an account without entries, and no account of another platform or name", () =>
    Effect.gen(function* () {
      yield* bothPlatforms
      const empty = { account: "available:e", customerId: ann, currency: "EUR" as const, balance: 0, sequence: 0 }
      const page = (account: string) => ({ account, limit: 5 })
      assert.deepStrictEqual(yield* accountEntries(page("available:e")), { ...empty, entries: [], hasMore: false })
      assert.strictEqual((yield* accountEntries(page("available:z"), beta))?.customerId, null)
      assert.strictEqual(yield* accountEntries(page("available:z")), undefined)
      assert.strictEqual(yield* accountEntries(page("available:a"), beta), undefined)
      assert.strictEqual(yield* accountEntries(page("available:a"), agentOf(ann)), undefined)
      assert.strictEqual(yield* accountEntries(page("nowhere")), undefined)
    }))

  test("lists the postings of a reference in the caller's books only", () =>
    Effect.gen(function* () {
      yield* bothPlatforms
      const pairs = (all: ReadonlyArray<{ readonly from: { account: string }; readonly to: { account: string } }>) =>
        all.map(({ from, to }) => [from.account, to.account])
      const ours = [
        ["outside:a", "available:a"],
        ["available:a", "available:b"],
      ]
      const theirs = [["outside:z", "available:z"]]
      assert.deepStrictEqual(pairs(yield* ownPostings(own)), ours)
      assert.deepStrictEqual(pairs(yield* ownPostings(own, beta)), theirs)
      assert.deepStrictEqual(yield* ownPostings(own, agentOf(ann)), [])
      assert.deepStrictEqual(yield* ownPostings(id("Transaction", 2)), [])
      const all = yield* postings(own)
      assert.deepStrictEqual(
        all.filter(({ from }) => from.account !== "outside:z"),
        yield* ownPostings(own),
      )
      assert.strictEqual(all.length, 3)
    }))
}
