/** Amounts, times, reasons and changes of policies as the page writes them. Source: D-453, D-477. */
import { describe, expect, it } from "vitest"
import * as Format from "../../../packages/console/page/Format.ts"
import { hashOf } from "../../../packages/console/page/Hash.ts"
import { changesOf } from "../../../packages/console/page/PolicyChanges.ts"
import type { PolicyDraft } from "../../../packages/console/page/PolicyDraft.ts"
import { reasonOf, usualDecimals } from "../../../packages/console/page/Reasons.ts"

const plain = (text: string) => text.replaceAll("\u00A0", " ").replaceAll("\u202F", " ")

describe("an amount", () => {
  it.each([
    [123_456, "USD", 2, "$1,234.56"],
    [5, "USD", 2, "$0.05"],
    [-5, "USD", 2, "-$0.05"],
    [-123_456, "USD", 2, "-$1,234.56"],
    [0, "USD", 2, "$0.00"],
    [1234, "JPY", 0, "¥1,234"],
    [100_000_000, "BTC", 8, "BTC 1.00"],
    [1, "BTC", 8, "BTC 0.00000001"],
    [1_500_000, "USDCX", 6, "1.50 USDCX"],
    [9_007_199_254_740_993n, "USD", 2, "$90,071,992,547,409.93"],
    [-1n, "USD", 2, "-$0.01"],
  ] as const)("of %s in %s with %i decimals is %s", (amount, currency, decimals, expected) => {
    expect(plain(Format.money(amount, currency, decimals))).toBe(expected)
  })

  it.each([
    ["USD", 2],
    ["JPY", 0],
    ["USDCX", 6],
    ["usd", 6],
  ])("of %s has usually %i decimals", (currency, decimals) => expect(usualDecimals(currency)).toBe(decimals))
})

describe("a time", () => {
  const now = Date.parse("2027-01-31T12:00:00Z")
  const before = (seconds: number) => Format.ago(new Date(now - seconds * 1000).toISOString(), now)

  it.each([
    [-10, "now"],
    [0, "now"],
    [0.6, "1 second ago"],
    [59, "59 seconds ago"],
    [60, "1 minute ago"],
    [119, "1 minute ago"],
    [3599, "59 minutes ago"],
    [3600, "1 hour ago"],
    [86_399, "23 hours ago"],
    [86_400, "yesterday"],
    [3 * 86_400 - 1, "2 days ago"],
  ])("of %d seconds ago is %s", (seconds, expected) => expect(before(seconds)).toBe(expected))

  it("has a date, seconds and the zone of the reader", () => {
    const text = plain(Format.dateTime("2027-01-31T12:34:56Z"))
    expect(text).toMatch(/2027/u)
    expect(text).toMatch(/34:56/u)
    expect(text.endsWith(Format.zoneName())).toBe(true)
  })

  it.each([
    [0, ""],
    [1000, "1 second"],
    [61_000, "1 minute 1 second"],
    [3_600_000, "1 hour"],
    [3_660_500, "1 hour 1 minute"],
    [86_400_000 + 7_200_000 + 60_000, "1 day 2 hours"],
    [86_400_000 + 60_000, "1 day 1 minute"],
  ])("of %d milliseconds is as long as %j", (millis, expected) => expect(Format.lengthText(millis)).toBe(expected))

  it.each([
    [0, "real time"],
    [1499, "real time"],
    [1500, "2 seconds ahead"],
    [86_400_000, "1 day ahead"],
  ])("that is %d milliseconds ahead is %s", (millis, expected) => expect(Format.aheadText(millis)).toBe(expected))
})

describe("a text", () => {
  it.each([
    [0, "0 actions"],
    [1, "1 action"],
    [1234, "1,234 actions"],
  ])("of %i has its noun", (value, expected) => expect(Format.many(value, "action")).toBe(expected))

  it("has another plural where the noun has one", () => {
    expect([Format.many(2, "entry", "entries"), Format.many(1, "entry", "entries")]).toEqual(["2 entries", "1 entry"])
  })

  it("of an id is its end, and a path has its colons", () => {
    expect(Format.shortId("Customer:0123456789ab")).toBe("…6789ab")
    expect(Format.pathText("/agents/Agent%3A1/actions/AgentAction%3a2?x=%3F")).toBe(
      "/agents/Agent:1/actions/AgentAction:2?x=%3F",
    )
    expect(hashOf("books", "account", "available:1 / a")).toBe("#books/account/available%3A1%20%2F%20a")
  })
})

describe("the reason of an action", () => {
  it("has the sentence of the service and its numbers, in their order", () => {
    const details = {
      message: "Above the limit.",
      rule: "DAILY_LIMIT",
      currency: "USD",
      amount: 500,
      used: 9_600,
      value: 10_000,
    }
    expect(reasonOf(details, "USD", 2)).toEqual({
      message: "Above the limit.",
      numbers: [
        ["Limit", "$100.00"],
        ["Used before", "$96.00"],
        ["This action", "$5.00"],
      ],
    })
  })

  it("shows counts as they are, and limits of another currency with its usual decimals", () => {
    expect(reasonOf({ rule: "DAILY_TRANSACTION_LIMIT", value: 3 }, "USD", 2)?.numbers).toEqual([["Limit", "3"]])
    expect(reasonOf({ rule: "X", value: 300, currency: "JPY" }, "USD", 2)?.numbers).toEqual([["Limit", "¥300"]])
    expect(reasonOf({ rule: "X", value: 1, currency: "USD" }, "USD", 4)?.numbers).toEqual([["Limit", "$0.0001"]])
    expect(reasonOf({ rule: "X", threshold: "1", available: 7 }, "USD", 2)?.numbers).toEqual([["Available", "7"]])
  })

  it.each<readonly [object, string]>([
    [{ message: "The transfer failed.", reason: "BANK_REJECTED" }, "The transfer failed: the bank rejected it."],
    [{ message: "The transfer failed", reason: "RETURNED" }, "The transfer failed: the bank returned it."],
    [{ message: "No funds.", rule: "FUNDS", reason: "INSUFFICIENT_FUNDS" }, "No funds."],
    [{ message: "It failed.", reason: "SOMETHING_NEW" }, "It failed."],
    [{ rule: "DAILY_LIMIT" }, "DAILY_LIMIT"],
    [{}, ""],
  ])("of %j is %j", (details, message) => {
    expect(reasonOf({ ...details }, "USD", 2)).toEqual({ message, numbers: [] })
  })

  it("is unknown without details", () => expect(reasonOf(undefined, "USD", 2)).toBeUndefined())
})

describe("the changes of a policy", () => {
  const draft: PolicyDraft = {
    permissions: ["VIEW_TRANSACTIONS"],
    currency: "USD",
    perTransactionLimit: "50.00",
    dailyLimit: "100.00",
    monthlyLimit: "",
    dailyTransactionLimit: "3",
    mode: "APPROVAL_REQUIRED",
    threshold: "",
    thresholdCurrency: "USD",
    isRestricted: false,
    accounts: [
      { accountId: "InternalAccount:000001", currency: "USD", isAllowed: false, limit: "", mode: "" },
      { accountId: "InternalAccount:000002", currency: "JPY", isAllowed: true, limit: "5", mode: "AUTO" },
    ],
  } as const

  it.each<readonly [Partial<PolicyDraft>, ReadonlyArray<readonly [string, string, string]>]>([
    [{}, []],
    [{ perTransactionLimit: " 50.00 " }, []],
    [
      { permissions: ["CREATE_QUOTES"] },
      [
        ["The agent may read transactions and balances", "yes", "no"],
        ["The agent may create quotes", "no", "yes"],
      ],
    ],
    [{ perTransactionLimit: "" }, [["Limit per action", "50.00 USD", "none"]]],
    [{ dailyLimit: "7" }, [["Limit per day", "100.00 USD", "7 USD"]]],
    [{ monthlyLimit: "9" }, [["Limit per month", "none", "9 USD"]]],
    [{ dailyTransactionLimit: "4" }, [["Actions per day", "3", "4"]]],
    [{ mode: "AUTO" }, [["Every action", "needs an approval", "runs at once"]]],
    [{ threshold: "1", thresholdCurrency: "EUR" }, [["Approval above", "none", "1 EUR"]]],
    [
      { isRestricted: true },
      [
        ["May use USD …000001", "yes", "no"],
        ["Accounts", "all", "only some"],
      ],
    ],
  ])("%j are %j", (change, lines) => {
    expect(changesOf(draft, { ...draft, ...change }).map(({ after, before, what }) => [what, before, after])).toEqual(
      lines,
    )
  })

  it("name the account", () => {
    const [first, second] = draft.accounts
    if (first === undefined || second === undefined) throw new Error("no account")
    const accounts = [{ ...first, mode: "AUTO", limit: "1" } as const, { ...second, mode: "" } as const]
    expect(changesOf(draft, { ...draft, accounts })).toEqual([
      { what: "Actions on USD …000001", before: "as every action", after: "runs at once" },
      { what: "Limit per action on USD …000001", before: "none", after: "1 USD" },
      { what: "Actions on JPY …000002", before: "runs at once", after: "as every action" },
    ])
  })
})
