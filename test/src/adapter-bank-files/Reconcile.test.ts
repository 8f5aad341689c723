/** The reconciliation as a pure function: what it reports of each kind of line, and that it loses nothing. */
import { type BankLine, type BankOrder, reconcile, reconciliationTable } from "@countersign/adapter-bank-files"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { exampleLine, exampleOrder } from "./ExampleRows.ts"

const dayMillis = 24 * 60 * 60 * 1000
const now = Date.parse("2026-03-31T12:00:00Z")

const order = (n: number, more: Partial<BankOrder> = {}) =>
  exampleOrder(n, {
    batchId: `B${n % 3}`,
    state: "BOOKED",
    acceptedAt: now - 20 * dayMillis,
    changedAt: now - 10 * dayMillis,
    ...more,
  })

const line = (key: string, { amount, currency, direction, endToEndId }: BankOrder, more: Partial<BankLine> = {}) =>
  exampleLine(key, { currency, amount, isCredit: direction === "pull", orderIds: [endToEndId], ...more })

const input = (orders: ReadonlyArray<BankOrder>, lines: ReadonlyArray<BankLine>) => ({
  orders,
  lines,
  from: now - 30 * dayMillis,
  now,
  missingAfterMillis: 5 * dayMillis,
  confirms: true,
})

const one = order(1)
const back = (key: string, of: BankOrder) => line(key, of, { isCredit: of.direction === "push", isReturn: true })

describe("a line", () => {
  it.each<readonly [string, BankOrder, ReadonlyArray<BankLine>, ReadonlyArray<string>]>([
    ["that agrees with its order is matched", one, [line("1", one)], []],
    ["in two files counts once", one, [line("1", one), line("1", one)], []],
    ["with another amount is suspicious", one, [line("1", one, { amount: 7 })], ["AMOUNT_DIFFERS"]],
    ["in another currency is suspicious", one, [line("1", one, { currency: "USD" })], ["AMOUNT_DIFFERS"]],
    ["that moves the money a second time is suspicious", one, [line("1", one), line("2", one)], ["DOUBLED"]],
    [
      "of money that left under an unknown reference is suspicious",
      one,
      [line("1", one), line("2", order(9))],
      ["UNKNOWN_REFERENCE"],
    ],
    [
      "for an order that was cancelled is suspicious",
      order(1, { state: "CANCELLED" }),
      [line("1", one)],
      ["CONTRADICTION"],
    ],
    [
      "for a rejected order is suspicious, unless the money is back",
      order(1, { state: "REJECTED" }),
      [line("1", one)],
      ["CONTRADICTION"],
    ],
    [
      "for a rejected order is matched if the money is back",
      order(1, { state: "REJECTED" }),
      [line("1", one), back("2", one)],
      [],
    ],
    [
      "of a return of a booked order is suspicious",
      one,
      [line("1", one), back("2", one)],
      ["CONTRADICTION", "CONTRADICTION"],
    ],
    ["of a return is matched", order(1, { state: "RETURNED" }), [line("1", one), back("2", one)], []],
    ["that is the total of a file is matched", one, [line("1", one, { orderIds: [], batchId: "B1" })], []],
    [
      "that is not the total of a file is suspicious",
      one,
      [line("1", one, { orderIds: [], batchId: "B1", amount: 1 })],
      ["AMOUNT_DIFFERS"],
    ],
  ])("%s", (_, own, lines, problems) => {
    const found = reconcile(input([own], lines))
    expect(found.suspicious.map(({ problem }) => problem)).toEqual(problems)
    expect(found.unmatched).toEqual([])
  })

  it("of money that arrives under a reference of another is no order of ours", () => {
    const found = reconcile(input([one], [line("1", one), line("2", order(9), { isCredit: true })]))
    expect([found.unmatched.map(({ key }) => key), found.suspicious]).toEqual([["2"], []])
  })
})

describe("an order", () => {
  const ledger = (more: object) => [
    { reference: one.reference, currency: "EUR", amount: one.amount, isExecuted: true, ...more },
  ]

  it("without a line is open, and missing after days", () => {
    const early = order(1, { changedAt: now - 5 * dayMillis + 1 })
    expect(reconcile(input([early], [])).orders).toEqual({ agreed: [], open: [one.reference], suspicious: [] })
    const late = order(1, { changedAt: now - 5 * dayMillis })
    const missing = { agreed: [], open: [], suspicious: [{ reference: one.reference, problem: "MISSING" }] }
    expect(reconcile(input([late], [])).orders).toEqual(missing)
    expect(reconcile({ ...input([late], []), confirms: false }).orders.agreed).toEqual([one.reference])
  })

  it("that counts as returned without a line that says so is suspicious", () => {
    const found = reconcile(input([order(1, { state: "RETURNED" })], [line("1", one)]))
    expect(found.orders.suspicious).toEqual([{ reference: one.reference, problem: "NOT_RETURNED" }])
  })

  it.each([
    [[], "LEDGER_MISSING"],
    [ledger({ amount: 1 }), "LEDGER_AMOUNT"],
    [ledger({ currency: "USD" }), "LEDGER_AMOUNT"],
    [ledger({ isExecuted: false }), "LEDGER_STATE"],
    [ledger({ isExecuted: undefined }), "LEDGER_STATE"],
  ])("is compared with the ledger %j", (facts, problem) => {
    const found = reconcile({ ...input([one], [line("1", one)]), ledger: facts })
    expect(found.orders.suspicious).toEqual([{ reference: one.reference, problem }])
    expect(reconciliationTable(found)).toContain(`${problem}: `)
  })

  it("of before the period is found by its line, and is not judged", () => {
    const old = order(1, { acceptedAt: now - 90 * dayMillis, state: "RETURNED" })
    const found = reconcile(input([old], [back("1", old)]))
    expect([found.matched.length, found.orders]).toEqual([1, { agreed: [], open: [], suspicious: [] }])
  })
})

const states = ["ACCEPTED", "BATCHED", "BOOKED", "REJECTED", "RETURNED", "CANCELLED"] as const
const orders = fc
  .array(
    fc.record({
      n: fc.nat(12),
      state: fc.constantFrom(...states),
      direction: fc.constantFrom("push" as const, "pull" as const),
    }),
    { maxLength: 12 },
  )
  .map((all) => [...new Map(all.map(({ n, ...more }) => [n, order(n, more)])).values()])
const lines = fc
  .array(
    fc.record({
      n: fc.nat(14),
      key: fc.nat(30),
      isCredit: fc.boolean(),
      isMovement: fc.boolean(),
      off: fc.constantFrom(0, 0, 0, 1),
      total: fc.boolean(),
    }),
    { maxLength: 20 },
  )
  .map((all) =>
    all.map(({ isCredit, isMovement, key, n, off, total }) => {
      const of = order(n)
      const ids = total && off === 0 ? { orderIds: [], batchId: `B${n % 4}` } : {}
      // The same key is the same line.
      return line(`${key}-${n}-${isCredit}-${isMovement}-${off}-${total}`, of, {
        isCredit,
        isMovement,
        amount: of.amount + off,
        ...ids,
      })
    }),
  )

it("places every line and every order once, whatever their order, and however often they arrive", () => {
  fc.assert(
    fc.property(orders, lines, fc.boolean(), (own, statement, confirms) => {
      const found = reconcile({ ...input(own, statement), confirms })
      const keys = [
        ...found.matched.map(({ line: { key } }) => key),
        ...found.unmatched.map(({ key }) => key),
        ...found.suspicious.map(({ line: { key } }) => key),
      ]
      expect(keys.toSorted()).toEqual([...new Set(statement.map(({ key }) => key))].toSorted())
      const { agreed, open, suspicious } = found.orders
      const references = [...agreed, ...open, ...suspicious.map(({ reference }) => reference)]
      expect(references.toSorted()).toEqual(own.map(({ reference }) => reference).toSorted())
      const again = { ...input(own.toReversed(), [...statement.toReversed(), ...statement]), confirms }
      expect(reconcile(again)).toEqual(found)
      // A matched line has the direction and amount of orders that agree.
      for (const {
        line: { amount },
        references: of,
      } of found.matched) {
        const sum = own
          .filter(({ reference }) => of.includes(reference))
          .reduce((total, each) => total + each.amount, 0)
        expect(sum).toBe(amount)
      }
    }),
    { numRuns: 500 },
  )
})
