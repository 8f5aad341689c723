/** A comparison as a reconciliation of the service receives it: lines and orders with their verdicts, of the days of its period. */
import type { BankLine, BankOrder } from "@countersign/adapter-bank-files"
import { describe, expect, it } from "vitest"
import { compareRecords } from "../../../../packages/adapter-bank-files/src/CompareRecords.ts"
import { achBank, euroBank } from "../BankWorld.ts"
import { exampleLine, exampleOrder } from "../ExampleRows.ts"

const now = Date.parse("2026-03-31T12:00:00Z")
const accepted = Date.parse("2026-03-10T09:00:00Z")
const bank = euroBank({ folder: "unused" })
const period = { from: "2026-03-01", to: "2026-03-31" }

const order = (n: number, more: Partial<BankOrder> = {}) =>
  exampleOrder(n, { platformId: `Platform:${n}`, state: "BOOKED", acceptedAt: accepted, changedAt: accepted, ...more })
const line = exampleLine
const fact = ({ amount, currency, reference }: BankOrder, isExecuted = true) => ({
  reference,
  currency,
  amount,
  isExecuted,
})
const lineOf = { statementId: "S1", day: "2026-03-12", currency: "EUR", amount: 101, isCredit: false }
const orderOf = {
  reference: "Transaction:1",
  platformId: "Platform:1",
  direction: "push",
  currency: "EUR",
  amount: 101,
  day: "2026-03-10",
}
const owner = { reference: "Transaction:1", platformId: "Platform:1" }

const compare = (
  lines: ReadonlyArray<BankLine>,
  orders: ReadonlyArray<BankOrder>,
  facts = orders.map((each) => fact(each)),
) => compareRecords(bank, { lines, orders }, facts, period, now)

describe("a comparison", () => {
  it("has a line and an order that agree", () => {
    expect(compare([line("1")], [order(1)])).toEqual({
      lines: [{ ...lineOf, verdict: "MATCHED", orders: [owner] }],
      orders: [{ ...orderOf, verdict: "AGREED", isExecuted: true, isOnStatement: true, isInLedger: true }],
    })
  })

  it("has lines of others", () => {
    const foreign = line("1", { isCredit: true, orderIds: [] })
    expect(compare([foreign], []).lines).toEqual([{ ...lineOf, isCredit: true, verdict: "UNMATCHED", orders: [] }])
  })

  it("has a suspicious line with the order that it names, also where they do not agree", () => {
    const [wrong] = compare([line("1", { amount: 7 })], [order(1)]).lines
    expect(wrong).toEqual({ ...lineOf, amount: 7, verdict: "SUSPICIOUS", problem: "AMOUNT_DIFFERS", orders: [owner] })
    const [unknown] = compare([line("1", { orderIds: ["X"] })], [order(1)]).lines
    expect(unknown).toMatchObject({ problem: "UNKNOWN_REFERENCE", orders: [] })
    const [ambiguous] = compare([line("1", { orderIds: ["E1", "E2"] })], [order(1), order(2)]).lines
    expect(ambiguous).toMatchObject({ problem: "AMBIGUOUS", orders: [] })
  })

  it("has a suspicious total with all orders of its file", () => {
    const batchId = "B1"
    const orders = [order(1, { batchId }), order(2, { batchId }), order(3)]
    const references = (found: ReturnType<typeof compare>) =>
      found.lines.map((each) => each.orders.map((one) => one.reference))
    const total = line("1", { orderIds: [], batchId, amount: 7 })
    expect(references(compare([total], orders))).toEqual([["Transaction:1", "Transaction:2"]])
    // Once each, although it names one of them as well.
    const whole = { ...total, amount: 203, orderIds: ["E2"] }
    expect(references(compare([whole, { ...whole, key: "2" }], orders))).toEqual([
      ["Transaction:1", "Transaction:2"],
      ["Transaction:1", "Transaction:2"],
    ])
  })

  it("has what is open or suspicious of an order, and whether it is on a statement and in the ledger", () => {
    const recent = { acceptedAt: now - 3_600_000, changedAt: now - 3_600_000 }
    const waiting = order(1, { ...recent, state: "BATCHED" })
    const base = { ...orderOf, day: "2026-03-31" }
    const { isExecuted: _, ...open } = fact(waiting)
    expect(compareRecords(bank, { lines: [], orders: [waiting] }, [open], period, now).orders).toEqual([
      { ...base, verdict: "OPEN", isExecuted: false, isOnStatement: false, isInLedger: false },
    ])
    expect(compare([], [order(1)]).orders).toEqual([
      {
        ...orderOf,
        verdict: "SUSPICIOUS",
        problem: "MISSING",
        isExecuted: true,
        isOnStatement: false,
        isInLedger: true,
      },
    ])
    expect(compare([line("1")], [order(1)], []).orders).toEqual([
      {
        ...orderOf,
        verdict: "SUSPICIOUS",
        problem: "LEDGER_MISSING",
        isExecuted: true,
        isOnStatement: true,
        isInLedger: false,
      },
    ])
    const [rejected] = compare([], [order(1, { state: "REJECTED" })], [fact(order(1), false)]).orders
    expect(rejected).toMatchObject({ verdict: "AGREED", isExecuted: false, isInLedger: false })
  })

  it("counts money that came back as no movement of the order", () => {
    const back = line("2", { isCredit: true, isReturn: true })
    const onStatement = (lines: ReadonlyArray<BankLine>, own = order(1, { state: "RETURNED" })) =>
      compare(lines, [own], [fact(own, false)]).orders.map(({ isOnStatement }) => isOnStatement)
    expect([onStatement([line("1")]), onStatement([line("1"), back]), onStatement([back])]).toEqual([
      [true],
      [false],
      [false],
    ])
    expect(onStatement([line("1", { isMovement: false })], order(1))).toEqual([false])
    // A second movement is suspicious, and one still.
    expect(onStatement([line("1"), back, line("3")])).toEqual([true])
  })

  it("says nothing of statements where the bank writes none", () => {
    const ach = achBank({ folder: "unused" })
    const own = order(1, { bank: "ach", currency: "USD" })
    const [found] = compareRecords(ach, { lines: [], orders: [own] }, [fact(own)], period, now).orders
    expect(found).toEqual({ ...orderOf, currency: "USD", verdict: "AGREED", isExecuted: true, isInLedger: true })
  })

  it("leaves the ledger ten minutes to learn an outcome", () => {
    const changed = (minutes: number) => order(1, { changedAt: now - minutes * 60_000 })
    const verdicts = [9.99, 10].map((minutes) => {
      const own = changed(minutes)
      return compare([line("1")], [own], [fact(own, false)]).orders.map(({ verdict }) => verdict)
    })
    expect(verdicts).toEqual([["OPEN"], ["SUSPICIOUS"]])
  })

  it("misses a line after five days", () => {
    const changed = (days: number) => order(1, { changedAt: now - days * 86_400_000 })
    const verdicts = [4.99, 5].map((days) => compare([], [changed(days)]).orders.map(({ verdict }) => verdict))
    expect(verdicts).toEqual([["OPEN"], ["SUSPICIOUS"]])
  })

  it("has the lines and orders of the days of its period, both included", () => {
    const days = ["2026-02-28", "2026-03-01", "2026-03-31", "2026-04-01"]
    const lines = days.map((bookedOn, n) => line(String(n), { bookedOn, isCredit: true, orderIds: [] }))
    // The day of an order is that of the bank's clock.
    const times = ["2026-02-28T22:59:59Z", "2026-02-28T23:00:00Z", "2026-03-31T21:59:59Z", "2026-03-31T22:00:00Z"]
    const orders = times.map((time, n) => order(n, { acceptedAt: Date.parse(time), state: "CANCELLED" }))
    const found = compareRecords(bank, { lines, orders }, [], period, Date.parse("2026-04-02T00:00:00Z"))
    expect(found.lines.map(({ day }) => day)).toEqual(["2026-03-01", "2026-03-31"])
    expect(found.orders.map(({ day, reference }) => [day, reference])).toEqual([
      ["2026-03-01", "Transaction:1"],
      ["2026-03-31", "Transaction:2"],
    ])
  })
})
