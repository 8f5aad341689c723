/**
 * The rules of a customer request that a schema of single fields cannot check. All problems are reported together.
 * Source: wire contract 5.11, 8.1.
 */
import type { FieldProblem } from "../../foundation/errors/FieldProblems.ts"
import { repeatedIndexes } from "../../foundation/kit/Repeated.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { CustomerUpdateRequest } from "./CustomerRequest.ts"

/** Accepts each currency of the platform once. */
const currencyProblems = (
  currencies: ReadonlyArray<CurrencyCode>,
  supported: ReadonlyArray<CurrencyCode>,
): ReadonlyArray<FieldProblem> => {
  const repeated = new Set(repeatedIndexes(currencies))
  return currencies.flatMap((currency, index) => {
    const field = `currencies.${index}`
    if (!supported.includes(currency)) {
      return [{ field, message: "must be a currency of the platform", constraint: { enum: [...supported] } }]
    }
    return repeated.has(index) ? [{ field, message: "must not repeat an earlier currency" }] : []
  })
}

/** Returns every problem of a request. `customerType`: the type of an existing customer, which cannot change. */
export const customerProblems = (
  request: Pick<CustomerUpdateRequest, "currencies" | "customerType">,
  supported: ReadonlyArray<CurrencyCode>,
  customerType: CustomerUpdateRequest["customerType"] = request.customerType,
): ReadonlyArray<FieldProblem> => [
  ...(request.customerType === customerType
    ? []
    : [
        {
          field: "customerType",
          message: `must be ${customerType}: it does not change`,
          constraint: { enum: [customerType] },
        },
      ]),
  ...currencyProblems(request.currencies ?? [], supported),
]
