/**
 * Conformance: the ledger, its bounds and its facts.
 * Source: architecture, "The Store port" (Ledger); ports/ChangeSet.ts (LedgerTransfer, BalanceAssertion).
 */

import assert from "node:assert/strict"
import { amountMax } from "@countersign/core/models"
import type { CommitOutcome } from "@countersign/core/store"
import { Effect } from "effect"
import { changeSet } from "./ChangeSets.ts"
import { account, beta, betaId, bob, id, operationId, ownerOf, transfer } from "./Examples.ts"
import { balance, commit, committed, dies, meets, postings, type Suite, tally, trialBalance } from "./Suite.ts"

const outside = account("outside", { floor: null })

/** Opens accounts with these balances and an account `outside` without a floor. */
const opened = (balances: { readonly [name: string]: number }) =>
  committed(
    changeSet({
      ledgerAccounts: [outside, ...Object.keys(balances).map((name) => account(name))],
      transfers: Object.entries(balances).flatMap(([name, amount]) =>
        amount > 0 ? [transfer("outside", name, amount)] : [],
      ),
    }),
  )

const move = (...transfers: ReadonlyArray<ReturnType<typeof transfer>>) => changeSet({ transfers })
const violated = (bound: "Floor" | "Range", name: string): CommitOutcome => ({
  _tag: "BoundViolated",
  bound: { _tag: bound, account: name },
})

export const books = ({ test }: Suite): void => {
  test("moves money between two accounts and returns both balances", () =>
    Effect.gen(function* () {
      yield* opened({ a: 100, b: 0 })
      const facts = yield* committed(move(transfer("a", "b", 30)))
      const after = { a: { balance: 70, sequence: 2 }, b: { balance: 30, sequence: 1 } }
      assert.deepStrictEqual(facts, { balances: after, counters: {} })
      assert.deepStrictEqual(yield* balance("a"), after.a)
      assert.deepStrictEqual(yield* balance("b"), after.b)
      assert.deepStrictEqual(yield* balance("outside"), { balance: -100, sequence: 1 })
    }))

  test("rejects a transfer below a floor of 0 and names the account", () =>
    Effect.gen(function* () {
      yield* opened({ a: 100, b: 0 })
      yield* meets(move(transfer("a", "b", 101)), violated("Floor", "a"))
      yield* committed(move(transfer("a", "b", 100)))
      yield* meets(move(transfer("a", "b", 1)), violated("Floor", "a"))
      assert.deepStrictEqual(yield* balance("b"), { balance: 100, sequence: 1 })
    }))

  test("checks bounds on the balance after the whole set, in any order of its transfers", () =>
    Effect.gen(function* () {
      yield* opened({ a: 50, b: 0, c: 0 })
      yield* committed(move(transfer("b", "c", 50), transfer("a", "b", 50)))
      assert.deepStrictEqual(yield* balance("b"), { balance: 0, sequence: 2 })
      assert.deepStrictEqual(yield* balance("c"), { balance: 50, sequence: 1 })
      yield* meets(move(transfer("b", "a", 2), transfer("c", "b", 1)), violated("Floor", "b"))
    }))

  test("allows an account without a floor to go below 0", () =>
    Effect.gen(function* () {
      yield* opened({ a: 0 })
      const facts = yield* committed(move(transfer("outside", "a", 5)))
      assert.deepStrictEqual(facts.balances["outside"], { balance: -5, sequence: 1 })
    }))

  test("keeps a balance within the integers that JSON represents exactly, on both sides", () =>
    Effect.gen(function* () {
      yield* opened({ a: amountMax, b: 0 })
      yield* meets(move(transfer("outside", "b", 1)), violated("Range", "outside"))
      yield* committed(changeSet({ ledgerAccounts: [account("other", { floor: null })] }))
      yield* meets(move(transfer("other", "a", 1)), violated("Range", "a"))
      yield* committed(move(transfer("other", "a", amountMax), transfer("a", "b", amountMax)))
      assert.strictEqual((yield* balance("a")).balance, amountMax)
      assert.strictEqual((yield* balance("b")).balance, amountMax)
    }))

  test("accepts an assertion of an unchanged account and reports a conflict after a change", () =>
    Effect.gen(function* () {
      yield* opened({ a: 100, b: 0 })
      const all = (amount: number, sequence: number) =>
        changeSet({ transfers: [transfer("a", "b", amount)], assertions: [{ account: "a", sequence }] })
      const { sequence } = yield* balance("a")
      const stale = all(100, sequence)
      yield* committed(move(transfer("a", "b", 1)))
      // A conflict, not a floor violation: the amount was right for the balance that the decision read.
      yield* meets(stale, { _tag: "Conflict", on: "ledger account a" })
      yield* committed(all(99, sequence + 1))
      assert.strictEqual((yield* balance("a")).balance, 0)
    }))

  test("returns the balances of observed accounts that do not change", () =>
    Effect.gen(function* () {
      yield* opened({ a: 100, b: 7 })
      const facts = yield* committed(changeSet({ observes: ["b", "nowhere"] }))
      assert.deepStrictEqual(facts.balances, { b: { balance: 7, sequence: 1 }, nowhere: { balance: 0, sequence: 0 } })
    }))

  test("opens an account once; opening it again with the same properties changes nothing", () =>
    Effect.gen(function* () {
      yield* opened({ a: 100 })
      yield* committed(changeSet({ ledgerAccounts: [account("a")] }))
      assert.deepStrictEqual(yield* balance("a"), { balance: 100, sequence: 1 })
      for (const other of [{ currency: "EUR" as const }, { floor: null }, ownerOf(bob)]) {
        yield* dies(commit(changeSet({ ledgerAccounts: [account("a", other)] })))
      }
      assert.deepStrictEqual(yield* balance("a"), { balance: 100, sequence: 1 })
    }))

  test("transfers only whole amounts, in the accounts' currency, between two open accounts", () =>
    Effect.gen(function* () {
      yield* opened({ a: 100, b: 0 })
      yield* committed(changeSet({ ledgerAccounts: [account("euro", { currency: "EUR" })] }))
      const invalidTransfers = [
        transfer("a", "b", 0),
        transfer("a", "b", -1),
        transfer("a", "b", 1.5),
        transfer("a", "b", Number.NaN),
        transfer("a", "a", 1),
        transfer("a", "nowhere", 1),
        transfer("nowhere", "b", 1),
        transfer("a", "euro", 1),
        transfer("a", "b", 1, "EUR"),
      ]
      for (const invalid of invalidTransfers) yield* dies(commit(move(invalid)))
      assert.deepStrictEqual(yield* balance("a"), { balance: 100, sequence: 1 })
      assert.deepStrictEqual(yield* balance("b"), { balance: 0, sequence: 0 })
    }))

  test("queues 200 concurrent commits on one account without a conflict or an overdraft", () =>
    Effect.gen(function* () {
      yield* opened({ hot: 150, sink: 0 })
      const sets = Array.from({ length: 200 }, () => move(transfer("hot", "sink", 1)))
      const outcomes = yield* Effect.forEach(sets, (set) => commit(set), { concurrency: "unbounded" })
      assert.deepStrictEqual(tally(outcomes), { Committed: 150, BoundViolated: 50 })
      const seen = outcomes.flatMap((outcome) => (outcome._tag === "Committed" ? [outcome.facts.balances["hot"]] : []))
      const left = seen.map((facts) => facts?.balance ?? -1).sort((a, b) => a - b)
      assert.deepStrictEqual(
        left,
        Array.from({ length: 150 }, (_, n) => n),
      )
      assert.strictEqual(new Set(seen.map((facts) => facts?.sequence)).size, 150)
      assert.deepStrictEqual(yield* balance("hot"), { balance: 0, sequence: 151 })
      assert.deepStrictEqual(yield* balance("sink"), { balance: 150, sequence: 150 })
    }))

  test("sums the trial balance of all tenants by role and currency, in order", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* trialBalance, [])
      const own = (name: string, changes: Parameters<typeof account>[1] = {}) => account(name, changes)
      const foreign = { platformId: betaId, customerId: null }
      yield* committed(
        changeSet({
          ledgerAccounts: [
            own("outside:a", { floor: null }),
            own("available:a"),
            own("available:b", ownerOf(bob)),
            own("held:a"),
            own("available:e", { currency: "EUR" }),
          ],
          transfers: [
            transfer("outside:a", "available:a", 70),
            transfer("available:a", "available:b", 20),
            transfer("available:a", "held:a", 5),
          ],
        }),
      )
      yield* committed(
        changeSet({
          ledgerAccounts: [own("outside:z", { floor: null, ...foreign }), own("available:z", foreign)],
          transfers: [transfer("outside:z", "available:z", amountMax)],
        }),
        beta,
      )
      const most = BigInt(amountMax)
      assert.deepStrictEqual(yield* trialBalance, [
        { role: "available", currency: "EUR", accounts: 1, debit: 0n, credit: 0n, balance: 0n, differing: 0 },
        {
          role: "available",
          currency: "USD",
          accounts: 3,
          debit: 25n,
          credit: most + 90n,
          balance: most + 65n,
          differing: 0,
        },
        { role: "held", currency: "USD", accounts: 1, debit: 0n, credit: 5n, balance: 5n, differing: 0 },
        {
          role: "outside",
          currency: "USD",
          accounts: 2,
          debit: most + 70n,
          credit: 0n,
          balance: -most - 70n,
          differing: 0,
        },
      ])
    }))

  test("lists a transaction's postings transfer by transfer, in order", () =>
    Effect.gen(function* () {
      yield* opened({ a: 100, b: 0, c: 0 })
      const moved = (n: number, at: number, transfers: ReadonlyArray<ReturnType<typeof transfer>>) =>
        committed(
          changeSet({
            operationId: operationId(n),
            at,
            transfers: transfers.map((one) => ({ ...one, reference: id("Transaction", 9) })),
          }),
        )
      // The balances alone allow other orders of the transfers.
      yield* moved(901, 7, [transfer("a", "b", 10), transfer("b", "c", 10), transfer("c", "outside", 10)])
      yield* moved(902, 8, [transfer("outside", "c", 4)])
      // Of one moment: by operation, whichever was committed first.
      for (const n of [905, 904]) yield* moved(n, 9, [transfer("outside", "b", 1)])
      const of = (account: string, sequence: number, balanceAfter: number) => ({ account, sequence, balanceAfter })
      const posting = (n: number, at: number, amount: number) => ({
        operationId: operationId(n),
        at,
        amount,
        currency: "USD" as const,
      })
      assert.deepStrictEqual(yield* postings(id("Transaction", 9)), [
        { ...posting(901, 7, 10), from: of("a", 2, 90), to: of("b", 1, 10) },
        { ...posting(901, 7, 10), from: of("b", 2, 0), to: of("c", 1, 10) },
        { ...posting(901, 7, 10), from: of("c", 2, 0), to: of("outside", 2, -90) },
        { ...posting(902, 8, 4), from: of("outside", 3, -94), to: of("c", 3, 4) },
        { ...posting(904, 9, 1), from: of("outside", 5, -96), to: of("b", 4, 2) },
        { ...posting(905, 9, 1), from: of("outside", 4, -95), to: of("b", 3, 1) },
      ])
      assert.deepStrictEqual(yield* postings(id("Transaction", 10)), [])
    }))

  test("lists the postings of concurrent commits one by one", () =>
    Effect.gen(function* () {
      yield* opened({ a: 100, b: 0, c: 0 })
      const sets = Array.from({ length: 40 }, (_, n) =>
        changeSet({
          transfers: [transfer("a", "b", 1), transfer("b", "c", 1)].map((one) => ({
            ...one,
            reference: id("Transaction", 100 + (n % 4)),
          })),
        }),
      )
      yield* Effect.forEach(sets, (set) => committed(set), { concurrency: "unbounded" })
      for (const n of [0, 1, 2, 3]) {
        const posted = yield* postings(id("Transaction", 100 + n))
        assert.strictEqual(posted.length, 20)
        for (const [, pair] of Map.groupBy(posted, (posting) => posting.operationId)) {
          assert.deepStrictEqual(
            pair.map(({ from, to }) => `${from.account} ${to.account}`),
            ["a b", "b c"],
          )
        }
      }
    }))

  test("continues each entry from the balance before it, where concurrent commits move one account", () =>
    Effect.gen(function* () {
      yield* opened({ a: 1000, b: 0 })
      const reference = id("Transaction", 100)
      // No set can overdraw, whatever its place, so that a store may commit them together.
      const sets = Array.from({ length: 40 }, (_, n) =>
        changeSet({ transfers: [{ ...transfer("a", "b", 1 + n), reference }] }),
      )
      yield* Effect.forEach(sets, (set) => committed(set), { concurrency: "unbounded" })
      const posted = (yield* postings(reference)).toSorted((x, y) => x.to.sequence - y.to.sequence)
      assert.strictEqual(posted.length, 40)
      let moved = 0
      for (const { amount, from, to } of posted) {
        moved += amount
        assert.deepStrictEqual([from.balanceAfter, to.balanceAfter], [1000 - moved, moved])
      }
    }))

  test("preserves both balances under concurrent transfers in both directions", () =>
    Effect.gen(function* () {
      yield* opened({ a: 500, b: 500 })
      const sets = Array.from({ length: 100 }, (_, n) =>
        move(n % 2 === 0 ? transfer("a", "b", 3) : transfer("b", "a", 3)),
      )
      const outcomes = yield* Effect.forEach(sets, (set) => commit(set), { concurrency: "unbounded" })
      assert.deepStrictEqual(tally(outcomes), { Committed: 100 })
      assert.deepStrictEqual(yield* balance("a"), { balance: 500, sequence: 101 })
      assert.deepStrictEqual(yield* balance("b"), { balance: 500, sequence: 101 })
    }))
}
