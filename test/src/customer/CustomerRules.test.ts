/** What the fields of a customer cannot say one by one. Wire contract 5.11, 8.1. */

import { expect, it } from "vitest"
import { customerProblems } from "../../../packages/core/src/model/customer/CustomerRules.ts"

const supported = ["USD", "EUR"] as const

it("names every currency that the platform has not, and every one that is repeated", () => {
  const request = { customerType: "INDIVIDUAL", currencies: ["USD", "GBP", "USD", "EUR"] } as const
  expect(customerProblems(request, supported)).toEqual([
    { field: "currencies.1", message: "must be a currency of the platform", constraint: { enum: ["USD", "EUR"] } },
    { field: "currencies.2", message: "must not repeat an earlier currency" },
  ])
})

it("has nothing against the platform's currencies, or none", () => {
  expect(customerProblems({ customerType: "BUSINESS", currencies: ["EUR", "USD"] }, supported)).toEqual([])
  expect(customerProblems({ customerType: "BUSINESS" }, supported)).toEqual([])
})

it("a customer stays what it is, a person or a business", () => {
  expect(customerProblems({ customerType: "BUSINESS" }, supported, "BUSINESS")).toEqual([])
  expect(customerProblems({ customerType: "BUSINESS" }, supported, "INDIVIDUAL")).toEqual([
    { field: "customerType", message: "must be INDIVIDUAL: it does not change", constraint: { enum: ["INDIVIDUAL"] } },
  ])
})
