/** The state of an order after each event, and the orders that lines and ids are about. */
import type { BankLine, BankOrder } from "@countersign/adapter-bank-files"
import type { RailAccount } from "@countersign/core/ports"
import { describe, expect, it } from "vitest"
import { orderStates } from "../../../../packages/adapter-bank-files/src/orders/BankOrder.ts"
import { holderOf } from "../../../../packages/adapter-bank-files/src/orders/Holder.ts"
import {
  eventOfLine,
  hasAmountOf,
  isForward,
  isTotalOf,
  orderIndex,
  orderOf,
  ordersOfTotal,
} from "../../../../packages/adapter-bank-files/src/orders/Matching.ts"
import { afterEvent, type OrderEvent } from "../../../../packages/adapter-bank-files/src/orders/OrderEvent.ts"
import { ibanAccount } from "../BankWorld.ts"
import { exampleLine, exampleOrder } from "../ExampleRows.ts"

const order = (n: number, more: Partial<BankOrder> = {}) => exampleOrder(n, { state: "BATCHED", ...more })
const line = (more: Partial<BankLine> = {}) => exampleLine("K", { bookedOn: "2026-03-04", ...more })

describe("an event", () => {
  const reason = { code: "AC04", refusal: "ACCOUNT_INVALID" } as const
  const events = {
    Confirmed: { _tag: "Confirmed" },
    Rejected: { _tag: "Rejected", ...reason },
    Returned: { _tag: "Returned", ...reason },
  } as const

  it("moves an order that is in a file, and one that was booked if it comes back", () => {
    const found = orderStates.flatMap((state) =>
      Object.values(events).flatMap((event) => {
        const before = order(1, { state })
        const after = afterEvent(before, event, 9)
        return after === before ? [] : [[state, event._tag, after]]
      }),
    )
    const changed = { changedAt: 9, isReported: false }
    expect(found).toEqual([
      ["BATCHED", "Confirmed", order(1, { state: "BOOKED", ...changed })],
      ["BATCHED", "Rejected", order(1, { state: "REJECTED", ...reason, ...changed })],
      ["BATCHED", "Returned", order(1, { state: "REJECTED", ...reason, ...changed })],
      ["BOOKED", "Returned", order(1, { state: "RETURNED", ...reason, ...changed })],
    ])
  })

  it("of a change keeps the state, and is noted once", () => {
    const event: OrderEvent = { _tag: "Corrected", code: "C01", data: "1" }
    const noted = afterEvent(order(1, { state: "BOOKED" }), event, 9)
    expect(noted).toEqual(order(1, { state: "BOOKED", correction: { code: "C01", data: "1" } }))
    expect(afterEvent(noted, event, 10)).toBe(noted)
    for (const other of [
      { ...event, code: "C02" },
      { ...event, data: "2" },
    ]) {
      const { code, data } = other
      expect(afterEvent(noted, other, 10).correction).toEqual({ code, data })
    }
  })
})

describe("ids", () => {
  const first = order(1, { traceNumber: "T1" })
  const second = order(2, { traceNumber: "T1" })
  const third = order(3)
  const index = orderIndex([first, second, third])

  it("find the order that has one of them", () => {
    expect([["E1"], ["I2"], ["E3", "I3"], ["X", "E1"]].map((ids) => orderOf(index, ids))).toEqual([
      first,
      second,
      third,
      first,
    ])
  })

  it("find no order if none has them, or several have", () => {
    expect([[], ["X"], ["T1"], ["E1", "E2"], ["undefined"]].map((ids) => orderOf(index, ids))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  it("that several orders have find the one that has all of them", () => {
    expect([orderOf(index, ["T1", "I2"]), orderOf(index, ["T1", "I1"])]).toEqual([second, first])
    expect(orderOf(index, ["T1", "I3"])).toBeUndefined()
    const twin = orderIndex([first, order(9, { ...first, reference: "Transaction:9" })])
    expect(orderOf(twin, ["T1", "I1"])).toBeUndefined()
  })
})

describe("a line", () => {
  const confirmed = { _tag: "Confirmed" }
  const reason = { code: "AC04", refusal: "ACCOUNT_INVALID" } as const
  it.each<readonly [string, BankOrder, BankLine, unknown]>([
    ["moves money out", order(1), line(), confirmed],
    ["moves money in", order(1, { direction: "pull" }), line({ isCredit: true }), confirmed],
    ["has another amount", order(1), line({ amount: 100 }), undefined],
    ["has another currency", order(1), line({ currency: "USD" }), undefined],
    ["is a notice", order(1), line({ isMovement: false }), undefined],
    ["is a reversal in the direction of the order", order(1), line({ isReturn: true }), undefined],
    ["brings money back", order(1), line({ isCredit: true, ...reason }), { _tag: "Returned", ...reason }],
    [
      "brings money back without a code",
      order(1),
      line({ isCredit: true, refusal: "BANK_REJECTED" }),
      { _tag: "Returned", code: "NARR", refusal: "BANK_REJECTED" },
    ],
    ["brings money back for a reason between banks", order(1), line({ isCredit: true, code: "R61" }), undefined],
    ["takes money back", order(1, { direction: "pull" }), line(reason), { _tag: "Returned", ...reason }],
  ])("that %s is the event of its order", (_, own, of, event) => {
    expect(eventOfLine(of, own)).toEqual(event)
  })

  it("moves money as its order does, or back", () => {
    const pull = order(1, { direction: "pull" })
    expect([isForward(line(), order(1)), isForward(line({ isCredit: true }), order(1))]).toEqual([true, false])
    expect([isForward(line(), pull), isForward(line({ isCredit: true }), pull)]).toEqual([false, true])
    expect([hasAmountOf(line(), order(1)), hasAmountOf(line(), order(2))]).toEqual([true, false])
  })

  it("is the total of a file if its orders that were not rejected add up to it", () => {
    const orders = [order(1), order(2), order(3, { state: "REJECTED" })]
    expect(ordersOfTotal(orders)).toEqual(orders.slice(0, 2))
    const total = line({ amount: 203 })
    expect(isTotalOf(total, orders)).toBe(true)
    expect(isTotalOf(line({ amount: 306 }), orders)).toBe(false)
    expect(isTotalOf({ ...total, isCredit: true }, orders)).toBe(false)
    expect(isTotalOf({ ...total, currency: "USD" }, orders)).toBe(false)
    expect(isTotalOf(total, [order(1), order(2, { direction: "pull" })])).toBe(false)
    expect(isTotalOf(line({ amount: 0 }), [order(3, { state: "REJECTED" })])).toBe(false)
    expect(isTotalOf(line({ amount: 0 }), [])).toBe(false)
  })
})

describe("the holder of an account", () => {
  type Info = RailAccount["accountInfo"][string]
  const holder = (beneficiary: Info) =>
    holderOf({ ...ibanAccount(), accountInfo: { accountType: "EUR_ACCOUNT", beneficiary } })
  it.each<readonly [Info, unknown]>([
    [
      { beneficiaryType: "INDIVIDUAL", fullName: "Ada" },
      { name: "Ada", isBusiness: false },
    ],
    [
      { fullName: "Ada", legalName: "Engines" },
      { name: "Ada", isBusiness: false },
    ],
    [
      { beneficiaryType: "BUSINESS", businessInfo: { legalName: "Engines" }, fullName: "Ada" },
      { name: "Engines", isBusiness: true },
    ],
    [
      { beneficiaryType: "BUSINESS", legalName: "Engines" },
      { name: "Engines", isBusiness: true },
    ],
    [
      { beneficiaryType: "BUSINESS", businessInfo: { legalName: "A" }, legalName: "B" },
      { name: "A", isBusiness: true },
    ],
    [
      { beneficiaryType: "BUSINESS", businessInfo: null },
      { name: "", isBusiness: true },
    ],
    [
      { beneficiaryType: "BUSINESS", fullName: "Ada" },
      { name: "", isBusiness: true },
    ],
    [{ fullName: 5 }, { name: "", isBusiness: false }],
    [{}, { name: "", isBusiness: false }],
    [null, { name: "", isBusiness: false }],
    ["Ada", { name: "", isBusiness: false }],
    [Object.assign([], { fullName: "Ada" }), { name: "", isBusiness: false }],
  ])("case %#: of %j is %j", (beneficiary, expected) => {
    expect(holder(beneficiary)).toEqual(expected)
  })

  it("has no name where the account names none", () => {
    const account = { ...ibanAccount(), accountInfo: { accountType: "EUR_ACCOUNT" } }
    expect(holderOf(account)).toEqual({ name: "", isBusiness: false })
  })
})
