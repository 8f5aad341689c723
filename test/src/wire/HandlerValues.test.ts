/** What handlers make of a request before the core takes it: absent members stay absent. */
import { describe, expect, it } from "vitest"
import { optionalField, withDates, withTimes } from "../../../packages/adapter-http/src/handlers/OptionalField.ts"
import { transferIn, transferOut } from "../../../packages/adapter-http/src/handlers/Orders.ts"
import { requestedActionOf } from "../../../packages/adapter-http/src/handlers/RequestedAction.ts"

describe("an optional member", () => {
  it("is absent without a value, and present with any other", () => {
    expect(Object.keys(optionalField("at", undefined))).toEqual([])
    expect([optionalField("at", null), optionalField("at", 0), optionalField("at", "")]).toEqual([
      { at: null },
      { at: 0 },
      { at: "" },
    ])
  })
})

describe("the bounds of a list", () => {
  it("are renamed, each where it is given", () => {
    const bounds = { createdAfter: 1, createdBefore: 2, updatedAfter: 3, updatedBefore: 4 }
    const renamed = { createdFrom: 1, createdTo: 2, updatedFrom: 3, updatedTo: 4 }
    const given = { limit: 5, ...bounds }
    expect(withTimes(given)).toStrictEqual({ limit: 5, ...renamed })
    for (const [at, name] of Object.keys(bounds).entries()) {
      const [renamedName = "", value] = Object.entries(renamed)[at] ?? []
      expect(withTimes({ [name]: value })).toStrictEqual({ [renamedName]: value })
    }
  })

  it("of dates are renamed, each where it is given", () => {
    const dates = { limit: 5, startDate: 1, endDate: 2 }
    const { limit } = dates
    expect(withDates(dates)).toStrictEqual({ limit, from: 1, to: 2 })
    for (const [given, taken] of [
      [{ startDate: 1 }, { from: 1 }],
      [{ endDate: 2 }, { to: 2 }],
    ])
      expect(withDates({ ...given })).toStrictEqual(taken)
  })
})

describe("a transfer", () => {
  const accounts = { source: { accountId: "one" }, destination: { accountId: "other" } }
  const ids = { sourceAccountId: "one", destinationAccountId: "other" }

  it("becomes an order with its accounts, terms and rail", () => {
    expect(transferIn({ ...accounts, amount: 5 } as Parameters<typeof transferIn>[0])).toStrictEqual({
      ...ids,
      amount: 5,
    })
    const out = { ...accounts, destination: { accountId: "other", paymentRail: "ACH" }, amount: 5 }
    expect(transferOut(out as Parameters<typeof transferOut>[0])).toStrictEqual({
      ...ids,
      paymentRail: "ACH",
      amount: 5,
    })
  })

  it("becomes the action of an agent, as does a quote", () => {
    const action = (request: object) => requestedActionOf(request as Parameters<typeof requestedActionOf>[0])
    expect(action({ type: "TRANSFER_IN", ...accounts, amount: 5 })).toStrictEqual({
      type: "TRANSFER_IN",
      order: { ...ids, amount: 5 },
    })
    expect(action({ type: "TRANSFER_OUT", ...accounts, amount: 5 })).toStrictEqual({
      type: "TRANSFER_OUT",
      order: { ...ids, amount: 5 },
    })
    expect(action({ type: "TRANSFER_OUT", ...accounts })).toStrictEqual({ type: "TRANSFER_OUT", order: ids })
    const quote = { type: "EXECUTE_QUOTE", quoteId: "Quote:1" }
    expect(action(quote)).toStrictEqual(quote)
  })
})
