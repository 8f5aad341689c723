/** What a platform sees of the comparison with its banks: days, totals and findings. Source: D-535. */
import type { BankComparison, ComparedLine, ComparedOrder } from "@countersign/core/ports"
import { describe, expect, it } from "vitest"
import {
  type ReconciliationInput,
  toReconciliation,
} from "../../../packages/core/src/decision/ledger/ReconciliationReport.ts"
import { totalsOf } from "../../../packages/core/src/decision/ledger/ReconciliationTotals.ts"
import { achAccount } from "../adapter-bank-files/BankWorld.ts"

const own = { reference: "Transaction:1", platformId: "Platform:1" }
const foreign = { reference: "Transaction:2", platformId: "Platform:2" }

const line = (more: Partial<ComparedLine> = {}): ComparedLine => ({
  statementId: "statement 1",
  day: "2026-03-02",
  currency: "EUR",
  amount: 700,
  isCredit: false,
  verdict: "MATCHED",
  orders: [own],
  ...more,
})

const order = (more: Partial<ComparedOrder> = {}): ComparedOrder => ({
  ...own,
  direction: "push",
  currency: "EUR",
  amount: 700,
  day: "2026-03-02",
  verdict: "AGREED",
  isExecuted: true,
  isOnStatement: true,
  isInLedger: true,
  ...more,
})

const report = (comparison: Partial<BankComparison>, more: Partial<ReconciliationInput> = {}) =>
  toReconciliation({
    period: { from: "2026-03-01", to: "2026-03-14" },
    now: Date.parse("2026-03-14T12:00:00Z"),
    banks: [{ name: "euro", account: "••3000" }],
    meanings: { AMOUNT_DIFFERS: "The amounts differ." },
    comparisons: [{ bank: "euro", lines: [], orders: [], ...comparison }],
    withoutOrder: [],
    platformId: own.platformId,
    isAlone: true,
    ...more,
  })

describe("the report of a reconciliation", () => {
  it("without lines and orders names the period and the banks, and agrees", () => {
    expect(report({})).toEqual({
      asOf: "2026-03-14T12:00:00Z",
      from: "2026-03-01",
      to: "2026-03-14",
      banks: [{ name: "euro", account: "••3000" }],
      agrees: true,
      days: [],
      totals: [],
      findings: [],
      findingsCount: 0,
    })
  })

  it("counts the lines and orders of each day by verdict, in the order of the days", () => {
    const lines = [
      line({ day: "2026-03-04" }),
      line(),
      line({ verdict: "UNMATCHED" }),
      line({ verdict: "UNMATCHED" }),
      line({ verdict: "SUSPICIOUS" }),
    ]
    const orders = [
      order(),
      order({ verdict: "OPEN" }),
      order({ verdict: "SUSPICIOUS" }),
      order({ verdict: "SUSPICIOUS" }),
      order({ day: "2026-03-03" }),
    ]
    const nothing = { bank: "euro", matched: 0, unmatched: 0, suspicious: 0, orders: 0, open: 0, suspiciousOrders: 0 }
    expect(report({ lines, orders }).days).toEqual([
      {
        ...nothing,
        day: "2026-03-02",
        matched: 1,
        unmatched: 2,
        suspicious: 1,
        orders: 4,
        open: 1,
        suspiciousOrders: 2,
      },
      { ...nothing, day: "2026-03-03", orders: 1 },
      { ...nothing, day: "2026-03-04", matched: 1 },
    ])
  })

  it("describes a line, an order and a transaction without an order, the suspicious ones first", () => {
    const payment = { account: achAccount(), amount: 12, submittedAt: Date.parse("2026-03-05T23:59:00Z") }
    const money = { currency: "EUR", decimals: 2 }
    const { agrees, findings, findingsCount } = report(
      {
        lines: [
          line(),
          line({ verdict: "UNMATCHED", isCredit: true, amount: 5, orders: [] }),
          line({ verdict: "SUSPICIOUS", problem: "AMOUNT_DIFFERS" }),
        ],
        orders: [
          order(),
          order({ verdict: "OPEN", direction: "pull", amount: 6 }),
          order({ verdict: "SUSPICIOUS", problem: "UNKNOWN" }),
        ],
      },
      {
        withoutOrder: [
          { ...payment, reference: "Transaction:3", direction: "pull" },
          { ...payment, reference: "Transaction:4", direction: "push" },
        ],
      },
    )
    const missing = {
      kind: "TRANSACTION",
      verdict: "SUSPICIOUS",
      day: "2026-03-05",
      amount: 12,
      currency: "USD",
      decimals: 2,
      problem: "ORDER_MISSING",
      meaning: "No bank has an order of the transaction.",
    }
    const day = "2026-03-02"
    const statementId = "statement 1"
    expect(findings).toEqual([
      {
        kind: "LINE",
        verdict: "SUSPICIOUS",
        bank: "euro",
        day,
        ...money,
        amount: 700,
        direction: "OUT",
        problem: "AMOUNT_DIFFERS",
        meaning: "The amounts differ.",
        transactionId: own.reference,
        statementId,
      },
      // The port explains no such problem.
      {
        kind: "ORDER",
        verdict: "SUSPICIOUS",
        bank: "euro",
        day,
        ...money,
        amount: 700,
        direction: "OUT",
        problem: "UNKNOWN",
        transactionId: own.reference,
      },
      { ...missing, direction: "IN", transactionId: "Transaction:3" },
      { ...missing, direction: "OUT", transactionId: "Transaction:4" },
      { kind: "LINE", verdict: "UNMATCHED", bank: "euro", day, ...money, amount: 5, direction: "IN", statementId },
      {
        kind: "ORDER",
        verdict: "OPEN",
        bank: "euro",
        day,
        ...money,
        amount: 6,
        direction: "IN",
        transactionId: own.reference,
      },
    ])
    expect([agrees, findingsCount]).toEqual([false, 6])
  })

  it("has the decimals of the currency, and two of a currency that the service does not have", () => {
    const currencies = ["RWF", "BTC", "SEK"]
    const { findings, totals } = report({
      lines: currencies.map((currency) => line({ currency, verdict: "UNMATCHED" })),
      orders: currencies.map((currency) => order({ currency })),
    })
    expect(findings.map(({ decimals }) => decimals)).toEqual([0, 8, 2])
    expect(totals.map(({ decimals }) => decimals)).toEqual([0, 8, 2])
  })

  it("shows the first 500 findings and counts all", () => {
    const { findings, findingsCount } = report({
      lines: Array.from({ length: 501 }, (_, index) => line({ verdict: "UNMATCHED", amount: index })),
    })
    expect(findings.map(({ amount }) => amount)).toEqual(Array.from({ length: 500 }, (_, index) => index))
    expect(findingsCount).toBe(501)
  })

  it("agrees with unmatched lines and open orders, and not where the sums differ or something is suspicious", () => {
    const usual = { lines: [line({ verdict: "UNMATCHED" })], orders: [order({ verdict: "OPEN" })] }
    expect(report(usual).agrees).toBe(true)
    expect(report({ orders: [order(), order({ isInLedger: false })] }).agrees).toBe(false)
    expect(report({ orders: [order({ currency: "USD", isInLedger: false }), order()] }).agrees).toBe(false)
    expect(report({ lines: [line({ verdict: "SUSPICIOUS" })] }).agrees).toBe(false)
  })

  it("confines a platform that is not alone to its own orders and the lines about them alone", () => {
    const comparison = {
      lines: [line(), line({ orders: [own, foreign] }), line({ orders: [foreign] }), line({ orders: [] })],
      orders: [order(), order(foreign)],
    }
    const of = (isAlone: boolean) => report(comparison, { isAlone }).days
    expect(of(true)).toMatchObject([{ matched: 4, orders: 2 }])
    expect(of(false)).toMatchObject([{ matched: 1, orders: 1 }])
  })
})

describe("the totals of a bank", () => {
  const total = {
    bank: "euro",
    currency: "EUR",
    direction: "OUT",
    statement: "700",
    orders: "700",
    ledger: "700",
    open: "0",
    agrees: true,
  }

  it("are by currency and direction", () => {
    const orders = [order(), order({ direction: "pull" }), order({ currency: "USD" }), order({ amount: 1 })]
    expect(totalsOf("euro", orders)).toEqual([
      { ...total, statement: "701", orders: "701", ledger: "701" },
      { ...total, direction: "IN" },
      { ...total, currency: "USD" },
    ])
  })

  it.each<[string, Partial<ComparedOrder>, object]>([
    ["not executed", { isExecuted: false }, { orders: "700", statement: "705", ledger: "705", agrees: false }],
    ["not in the ledger", { isInLedger: false }, { ledger: "700", orders: "705", statement: "705", agrees: false }],
    ["not on a statement", { isOnStatement: false }, { statement: "700", orders: "705", ledger: "705", agrees: false }],
    ["open", { verdict: "OPEN" }, { open: "5" }],
  ])("leave an order that is %s out of that sum", (_title, more, expected) => {
    expect(totalsOf("euro", [order(), order({ amount: 5, ...more })])).toEqual([{ ...total, ...expected }])
  })

  it("have no sum of statements if the bank confirms no order that is due", () => {
    const { isOnStatement: _, ...unconfirmed } = order()
    const { statement: __, ...without } = total
    expect(totalsOf("euro", [unconfirmed])).toEqual([without])
    expect(totalsOf("euro", [unconfirmed, order({ verdict: "OPEN" })])).toEqual([{ ...without, open: "700" }])
    expect(totalsOf("euro", [unconfirmed, order()])).toEqual([
      { ...total, orders: "1400", ledger: "1400", agrees: false },
    ])
    expect(totalsOf("euro", [])).toEqual([])
  })
})
