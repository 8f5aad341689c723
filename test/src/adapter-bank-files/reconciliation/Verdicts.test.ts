/** The verdict on a line and on an order, by the state of the order and what the bank did with its money. */
import { type BankLine, type BankOrder, type ReconciliationInput, reconcile } from "@countersign/adapter-bank-files"
import { describe, expect, it } from "vitest"
import { orderStates } from "../../../../packages/adapter-bank-files/src/orders/BankOrder.ts"
import { exampleLine, exampleOrder } from "../ExampleRows.ts"

const dayMillis = 86_400_000
const now = Date.parse("2026-03-31T12:00:00Z")

const order = (n: number, more: Partial<BankOrder> = {}) =>
  exampleOrder(n, { state: "BOOKED", acceptedAt: now - 20 * dayMillis, changedAt: now - 10 * dayMillis, ...more })
const line = exampleLine
const out = line("1")
const back = line("2", { isCredit: true, isReturn: true })

const found = (
  orders: ReadonlyArray<BankOrder>,
  lines: ReadonlyArray<BankLine>,
  more: Partial<ReconciliationInput> = {},
) =>
  reconcile({
    orders,
    lines,
    from: now - 30 * dayMillis,
    now,
    missingAfterMillis: 5 * dayMillis,
    confirms: true,
    ...more,
  })

/** The verdict on the one order of a reconciliation. */
const verdict = ({ orders }: ReturnType<typeof reconcile>): string => {
  const [problem] = orders.suspicious
  return problem === undefined ? (orders.open.length > 0 ? "open" : "agreed") : problem.problem
}

describe("an order", () => {
  const lines = { nothing: [], out: [out], "out and back": [out, back], back: [back] } as const
  it.each([
    ["ACCEPTED", ["open", "CONTRADICTION", "CONTRADICTION", "CONTRADICTION"]],
    ["BATCHED", ["MISSING", "CONTRADICTION", "CONTRADICTION", "CONTRADICTION"]],
    ["BOOKED", ["MISSING", "agreed", "CONTRADICTION", "CONTRADICTION"]],
    ["REJECTED", ["agreed", "CONTRADICTION", "agreed", "agreed"]],
    ["RETURNED", ["NOT_RETURNED", "NOT_RETURNED", "agreed", "MISSING"]],
    ["CANCELLED", ["agreed", "CONTRADICTION", "CONTRADICTION", "CONTRADICTION"]],
  ] as const)("that is %s is judged by its lines: %j", (state, expected) => {
    expect(orderStates).toContain(state)
    const own = order(1, { state })
    expect(Object.values(lines).map((each) => verdict(found([own], each)))).toEqual(expected)
  })

  it("of a bank that confirms nothing is never missing", () => {
    const verdicts = orderStates.map((state) => verdict(found([order(1, { state })], [], { confirms: false })))
    expect(verdicts).toEqual(["open", "open", "agreed", "agreed", "NOT_RETURNED", "agreed"])
    expect(verdict(found([order(1, { state: "RETURNED" })], [back], { confirms: false }))).toBe("agreed")
  })

  it("that came back is open until its line is due", () => {
    const recent = order(1, { state: "RETURNED", changedAt: now - dayMillis })
    expect(verdict(found([recent], [back]))).toBe("open")
    expect(verdict(found([order(1, { state: "BATCHED", changedAt: now - dayMillis })], []))).toBe("open")
  })

  it("is not moved by a notice in its direction", () => {
    const notice = { ...out, isMovement: false }
    expect(verdict(found([order(1)], [notice]))).toBe("MISSING")
    expect(verdict(found([order(1, { state: "RETURNED" })], [out, { ...back, isMovement: false }]))).toBe("agreed")
  })

  it("has the problem of its line before others", () => {
    const doubled = found([order(1)], [out, { ...out, key: "3" }], { ledger: [] })
    expect(doubled.orders.suspicious).toEqual([{ reference: "Transaction:1", problem: "DOUBLED" }])
  })
})

describe("a line", () => {
  const problems = (orders: ReadonlyArray<BankOrder>, ...lines: ReadonlyArray<BankLine>) => {
    const { suspicious, unmatched } = found(orders, lines)
    return [...suspicious.map(({ problem, reference }) => [problem, reference]), ...unmatched.map(({ key }) => [key])]
  }

  it("whose ids name different orders is ambiguous", () => {
    expect(problems([order(1), order(2)], line("1", { orderIds: ["E1", "E2"] }))).toEqual([["AMBIGUOUS", undefined]])
  })

  it("with an unknown id is strange if money left or came back, and otherwise of others", () => {
    const unknown = { orderIds: ["X"] }
    expect(problems([], line("1", unknown))).toEqual([["UNKNOWN_REFERENCE", undefined]])
    expect(problems([], line("1", { ...unknown, isCredit: true, isReturn: true }))).toEqual([
      ["UNKNOWN_REFERENCE", undefined],
    ])
    expect(problems([], line("1", { ...unknown, isCredit: true }))).toEqual([["1"]])
    expect(problems([], line("1", { orderIds: [] }))).toEqual([["1"]])
  })

  it("of an unknown batch is strange if money left or came back, and otherwise of others", () => {
    const unknown = { orderIds: [], batchId: "X" }
    expect(problems([order(1)], line("1", unknown))).toEqual([["UNKNOWN_REFERENCE", undefined]])
    expect(problems([order(1)], line("1", { ...unknown, isCredit: true, isReturn: true }))).toEqual([
      ["UNKNOWN_REFERENCE", undefined],
    ])
    expect(problems([order(1)], line("1", { ...unknown, isCredit: true }))).toEqual([["1"]])
  })

  it("that is the total of a file moves each of its orders, once", () => {
    const batchId = "B1"
    const orders = [order(1, { batchId }), order(2, { batchId }), order(3, { batchId, state: "REJECTED" })]
    const total = line("1", { orderIds: [], batchId, amount: 203 })
    const one = found(orders, [total])
    expect(one.matched).toEqual([{ line: total, references: ["Transaction:1", "Transaction:2"] }])
    expect(one.orders.agreed).toEqual(["Transaction:1", "Transaction:2", "Transaction:3"])
    expect(problems(orders, total, { ...total, key: "2" })).toEqual([["DOUBLED", "Transaction:1"]])
    expect(problems(orders, { ...total, amount: 204 })).toEqual([["AMOUNT_DIFFERS", undefined]])
    // An earlier line of its second order, and an order that is in no file.
    expect(problems(orders, line("0", { orderIds: ["E2"], amount: 102 }), total)).toEqual([
      ["DOUBLED", "Transaction:2"],
    ])
    expect(problems([...orders, order(4)], total)).toEqual([])
    expect(found([...orders, ...orders], [total]).orders).toEqual(one.orders)
    // A second line of one of its orders is doubled, too.
    expect(problems(orders, total, line("2"))).toEqual([["DOUBLED", "Transaction:1"]])
  })

  it("contradicts an order of its total", () => {
    const batchId = "B1"
    const orders = [order(1, { batchId }), order(2, { batchId, state: "CANCELLED" })]
    const total = line("1", { orderIds: [], batchId, amount: 203 })
    expect(problems(orders, total)).toEqual([["CONTRADICTION", "Transaction:2"]])
  })

  it("in the other direction, or a notice, is not doubled", () => {
    expect(problems([order(1, { state: "RETURNED" })], out, back, { ...back, key: "3", isMovement: false })).toEqual([])
    expect(problems([order(1, { state: "RETURNED" })], out, back, { ...back, key: "3" })).toEqual([
      ["DOUBLED", "Transaction:1"],
    ])
  })

  it("is doubled by the earlier day, then by the smaller key", () => {
    const doubled = (...lines: ReadonlyArray<BankLine>) =>
      found([order(1)], lines).suspicious.map(({ line: { key } }) => key)
    const late = line("1", { bookedOn: "2026-03-13" })
    const early = line("9")
    expect([doubled(late, early), doubled(early, late)]).toEqual([["1"], ["1"]])
    expect([doubled(line("a"), line("b")), doubled(line("b"), line("a"))]).toEqual([["b"], ["b"]])
  })
})

describe("the ledger", () => {
  const fact = (isExecuted: boolean | undefined) => ({
    reference: "Transaction:1",
    currency: "EUR",
    amount: 101,
    ...(isExecuted === undefined ? {} : { isExecuted }),
  })
  const linesOf = { BOOKED: [out], RETURNED: [out, back] } as Readonly<Record<string, ReadonlyArray<BankLine>>>

  it.each([
    ["ACCEPTED", undefined],
    ["BATCHED", undefined],
    ["BOOKED", true],
    ["REJECTED", false],
    ["RETURNED", false],
    ["CANCELLED", false],
  ] as const)("has an order that is %s as executed: %s", (state, isExecuted) => {
    const own = order(1, { state, changedAt: now })
    const lines = linesOf[state] ?? []
    for (const stated of [true, false, undefined]) {
      const expected =
        stated === isExecuted ? (["ACCEPTED", "BATCHED"].includes(state) ? "open" : "agreed") : "LEDGER_STATE"
      const facts = [fact(stated)]
      expect([stated, verdict(found([own], lines, { ledger: facts }))]).toEqual([stated, expected])
    }
    expect(verdict(found([own], lines, { ledger: [] }))).toBe("LEDGER_MISSING")
  })

  it("may lag behind by a time that is given", () => {
    const changed = (millis: number) => order(1, { changedAt: now - millis })
    const judged = (own: BankOrder, stated: boolean | undefined) =>
      verdict(found([own], [out], { ledger: [fact(stated)], ledgerAfterMillis: 1000 }))
    expect([judged(changed(999), undefined), judged(changed(1000), undefined)]).toEqual(["open", "LEDGER_STATE"])
    expect([judged(changed(999), true), judged(changed(1000), true)]).toEqual(["agreed", "agreed"])
    const other = { ledger: [{ ...fact(true), amount: 1 }], ledgerAfterMillis: 1000 }
    expect(verdict(found([changed(1)], [out], other))).toBe("LEDGER_AMOUNT")
  })
})

it("judges the orders of the period, from its first instant on", () => {
  const from = now - 30 * dayMillis
  const orders = [
    order(1, { acceptedAt: from - 1 }),
    order(2, { acceptedAt: from }),
    order(3, { acceptedAt: from + 1 }),
  ]
  expect(found(orders, []).orders.suspicious.map(({ reference }) => reference)).toEqual([
    "Transaction:2",
    "Transaction:3",
  ])
})
