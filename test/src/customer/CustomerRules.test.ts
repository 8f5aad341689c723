/**
 * The cross-field rules of a customer request.
 * Source: wire contract 5.11, 8.1.
 */

import { expect, it } from "vitest"
import { customerProblems } from "../../../packages/core/src/model/customer/CustomerRules.ts"

const supported = ["USD", "EUR"] as const

it("reports every unsupported and every repeated currency", () => {
  const request = { customerType: "INDIVIDUAL", currencies: ["USD", "GBP", "USD", "EUR"] } as const
  expect(customerProblems(request, supported)).toEqual([
    { field: "currencies.1", message: "must be a currency of the platform", constraint: { enum: ["USD", "EUR"] } },
    { field: "currencies.2", message: "must not repeat an earlier currency" },
  ])
})

it("accepts supported currencies and a request without currencies", () => {
  expect(customerProblems({ customerType: "BUSINESS", currencies: ["EUR", "USD"] }, supported)).toEqual([])
  expect(customerProblems({ customerType: "BUSINESS" }, supported)).toEqual([])
})

it("rejects a change of the customer type", () => {
  expect(customerProblems({ customerType: "BUSINESS" }, supported, "BUSINESS")).toEqual([])
  expect(customerProblems({ customerType: "BUSINESS" }, supported, "INDIVIDUAL")).toEqual([
    { field: "customerType", message: "must be INDIVIDUAL: it does not change", constraint: { enum: ["INDIVIDUAL"] } },
  ])
})
