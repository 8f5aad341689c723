/** What a batch adds to accounts and counters, and when a batch cannot be exact. Source: `BalanceDeltas.ts`. */
import { amountMax } from "@countersign/core/models"
import { describe, expect, it } from "vitest"
import { addSet, BalanceDeltas, sumOffsets } from "../../../../packages/adapter-postgres/src/commit/BalanceDeltas.ts"
import { agentOf, alphaId, ann, bob, transfer } from "../../../../packages/test/src/conformance/Examples.ts"
import { encoded } from "./Pending.ts"

const ledgers = () => ({ accounts: new BalanceDeltas(), counters: new BalanceDeltas() })

describe("the sums of a batch", () => {
  it.each([
    [[amountMax], true],
    [[amountMax, 1], false],
    [[-amountMax], true],
    [[-amountMax, -1], false],
    [[amountMax, -amountMax], true],
    [[amountMax, -1, 1], false],
  ])("are exact for the amounts %j: %s", (amounts, isExact) => {
    const { accounts } = ledgers()
    accounts.of("p", "other").add(1)
    for (const amount of amounts) accounts.of("p", "a").add(amount)
    expect(accounts.isExact).toBe(isExact)
  })

  it("are numbered by name, those that move before those that are only observed", () => {
    const { accounts } = ledgers()
    for (const name of ["d", "b", "c", "a"]) accounts.of("p", name)
    accounts.of("p", "d").add(1)
    for (let n = 0; n < 3; n++) accounts.of("p", "b").add(-1)
    expect(accounts.numbered().map(({ count, id, number, total }) => [id, number, total, count])).toEqual([
      ["b", 1, -3, 3],
      ["d", 2, 1, 1],
      ["a", 3, 0, 0],
      ["c", 4, 0, 0],
    ])
    expect(accounts.of("p", "b")).toMatchObject({ decrease: -3, increase: 0, name: "p b" })
    expect(accounts.of("p", "d")).toMatchObject({ decrease: 0, increase: 1 })
  })
})

describe("a set of a batch", () => {
  it("moves its accounts, and observes the others", () => {
    const { accounts, counters } = ledgers()
    const set = encoded({ transfers: [transfer("a", "b", 5), transfer("a", "b", 2)], observes: ["c"] })
    const deltas = addSet(accounts, counters, set)
    expect(
      [...deltas.accounts].map(([name, { count, currency, customer, total }]) => [
        name,
        total,
        count,
        currency,
        customer,
      ]),
    ).toEqual([
      ["a", -7, 2, "USD", null],
      ["b", 7, 2, "USD", null],
      ["c", 0, 0, undefined, null],
    ])
    expect(deltas.accounts.get("a")?.platform).toBe(alphaId)
  })

  it("names no currency for an account that sets move in two", () => {
    const { accounts, counters } = ledgers()
    for (const currency of ["USD", "EUR", "USD"] as const)
      addSet(accounts, counters, encoded({ transfers: [transfer("a", "b", 5, currency)] }))
    expect(accounts.of(alphaId, "a").currency).toBeNull()
  })

  it("names the customer of the agent that moves an account, and none for agents of two", () => {
    const customers = (...callers: ReadonlyArray<string | undefined>) => {
      const { accounts, counters } = ledgers()
      for (const caller of callers) {
        const parts = { transfers: [transfer("a", "b", 1)] }
        addSet(accounts, counters, caller === undefined ? encoded(parts) : encoded(parts, agentOf(caller)))
      }
      return accounts.of(alphaId, "b").customer
    }
    expect([customers(undefined), customers(ann), customers(ann, ann), customers(ann, undefined)]).toEqual([
      null,
      ann,
      ann,
      ann,
    ])
    expect([customers(ann, bob), customers(ann, bob, ann)]).toEqual(["", ""])
  })

  it("bounds a counter by the smallest maximum, and names its owner", () => {
    const { accounts, counters } = ledgers()
    const changes = [
      { key: "k", delta: 2, max: 9, customerId: ann },
      { key: "k", delta: 1, max: 7, customerId: ann },
      { key: "k", delta: -1, max: 3, customerId: ann },
      { key: "free", delta: 1 },
    ]
    addSet(accounts, counters, encoded({ counters: changes }))
    expect(counters.of(alphaId, "k")).toMatchObject({ total: 2, count: 3, upperBound: 7, customer: ann })
    expect(counters.of(alphaId, "free")).toMatchObject({ upperBound: amountMax, customer: null })
  })

  it("knows what comes after it, from the last set to the first", () => {
    const { accounts, counters } = ledgers()
    const deltas = addSet(accounts, counters, encoded({ transfers: [transfer("a", "b", 5)] }))
    accounts.numbered()
    deltas.accounts.get("b")?.stepBack(5)
    deltas.accounts.get("b")?.stepBack(-2)
    expect(sumOffsets(deltas.accounts)).toEqual([
      { name: "a", index: 0, laterTotal: 0, laterCount: 0 },
      { name: "b", index: 1, laterTotal: 3, laterCount: 2 },
    ])
  })
})
