/** Amounts among the fields of a record, its place in the books, and what is around an element of the page. Source: D-453, D-467. */
import { describe, expect, it } from "vitest"
import { ancestorsOf } from "../../../packages/console/page/Ancestors.ts"
import { booksOf } from "../../../packages/console/page/BooksPlace.ts"
import { amountBeside, isFields, moneyOf } from "../../../packages/console/page/FieldAmounts.ts"

const decimals = { USD: 2, JPY: 0 }

describe("a number beside a currency", () => {
  it.each(["amount", "perTransactionLimit", "dailyLimit", "monthlyLimit", "maxSpendPerTransaction"])(
    "is an amount of it as %s",
    (name) => {
      expect(amountBeside({ currency: "USD" }, name, 123_456, decimals)).toBe("$1,234.56")
      expect(amountBeside({ currency: "JPY" }, name, 1234, decimals)).toBe("¥1,234")
      expect(amountBeside({ currency: "USD" }, name, 0, decimals)).toBe("$0.00")
    },
  )

  it.each<readonly [what: string, fields: object, name: string, value: unknown]>([
    ["a number of actions", { currency: "USD" }, "dailyTransactionLimit", 5],
    ["a text", { currency: "USD" }, "amount", "5"],
    ["without a currency", {}, "amount", 5],
    ["beside a currency in full", { currency: { code: "USD", decimals: 2 } }, "amount", 5],
    ["in an unknown currency", { currency: "XXX" }, "amount", 5],
  ])("stays as it is: %s", (_, fields, name, value) => {
    expect(amountBeside({ ...fields }, name, value, decimals)).toBeUndefined()
  })
})

describe("an amount with its currency", () => {
  it("is written with the decimals that it names", () => {
    expect(moneyOf({ amount: 123_456, currency: { code: "USD", decimals: 2 } })).toBe("$1,234.56")
    expect(moneyOf({ amount: 5, currency: { code: "BTC", decimals: 8 } })?.replaceAll("\u00A0", " ")).toBe(
      "BTC 0.00000005",
    )
  })

  it.each([
    { amount: "5", currency: { code: "USD", decimals: 2 } },
    { amount: 5, currency: "USD" },
    { amount: 5, currency: { code: "USD" } },
    { amount: 5, currency: { decimals: 2 } },
    { currency: { code: "USD", decimals: 2 } },
  ])("does not exist in %j", (value) => {
    expect(moneyOf(value)).toBeUndefined()
  })

  it("may be in fields, and not in a list or nothing", () => {
    expect([{}, [], null, undefined, "a", 1].map(isFields)).toEqual([true, false, false, false, false, false])
  })
})

describe("the place of a record in the books", () => {
  it.each([
    ["InternalAccount", "InternalAccount:1", "#books/account/available%3AInternalAccount%3A1"],
    ["Transaction", "Transaction:1", "#books/transfers/Transaction%3A1"],
    ["CardTransaction", "CardTransaction:1", "#books/transfers/CardTransaction%3A1"],
    ["Customer", "Customer:1", undefined],
    ["ExternalAccount", "ExternalAccount:1", undefined],
  ] as const)("of type %s is that of its entries", (type, id, place) => {
    expect(booksOf({ id, type })).toBe(place)
  })
})

it("the elements around an element come nearest first", () => {
  interface Box {
    readonly name: string
    readonly parentElement: Box | null
  }
  const page: Box = { name: "page", parentElement: null }
  const part: Box = { name: "part", parentElement: page }
  const control: Box = { name: "control", parentElement: { name: "form", parentElement: part } }
  expect(ancestorsOf(control).map(({ name }) => name)).toEqual(["form", "part", "page"])
  expect(ancestorsOf(page)).toEqual([])
})
