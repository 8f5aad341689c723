/** The rules of a platform's configuration, without a service. Source: wire contract 5.8 and 5.12. */
import { describe, expect, it } from "vitest"
import type { PlatformConfigUpdateRequest } from "../../../packages/core/src/model/platform/PlatformConfigResource.ts"
import { configRefusal } from "../../../packages/core/src/model/platform/PlatformConfigRules.ts"

type Currency = NonNullable<PlatformConfigUpdateRequest["supportedCurrencies"]>[number]
type Fee = NonNullable<PlatformConfigUpdateRequest["feeConfigs"]>[number]

const currency = (currencyCode: Currency["currencyCode"], minAmount = 1, maxAmount = 100): Currency => ({
  currencyCode,
  minAmount,
  maxAmount,
  requiredCounterpartyFields: [],
  enabledTransactionTypes: ["INCOMING"],
})

const fee = (sourceCurrency: Fee["sourceCurrency"], fixedCurrency: Fee["sourceCurrency"] = "USD"): Fee => ({
  feeType: "CROSS_CURRENCY_TRANSACTION",
  sourceCurrency,
  variableFeeBps: 10,
  fixedFee: { amount: 5, currency: fixedCurrency },
})

const fieldsOf = (update: PlatformConfigUpdateRequest) => configRefusal(update)?.details?.["errors"]

describe("an update of the configuration", () => {
  it("is accepted without lists, and with distinct currencies and fees", () => {
    expect(configRefusal({})).toBeUndefined()
    const update = {
      supportedCurrencies: [currency("USD"), currency("EUR", 7, 7)],
      feeConfigs: [fee("USD"), fee("EUR")],
    }
    expect(configRefusal(update)).toBeUndefined()
  })

  it("reports each repetition of a currency at its place", () => {
    const supportedCurrencies = [currency("USD"), currency("EUR"), currency("USD"), currency("USD")]
    expect(fieldsOf({ supportedCurrencies })).toEqual([
      { field: "supportedCurrencies.2.currencyCode", message: "must not repeat an earlier currency" },
      { field: "supportedCurrencies.3.currencyCode", message: "must not repeat an earlier currency" },
    ])
  })

  it("reports a minimum above the maximum", () => {
    expect(fieldsOf({ supportedCurrencies: [currency("USD", 101, 100)] })).toEqual([
      { field: "supportedCurrencies.0.minAmount", message: "must not be above maxAmount" },
    ])
  })

  it("reports a repeated fee", () => {
    expect(fieldsOf({ feeConfigs: [fee("USD"), fee("EUR"), fee("USD")] })).toEqual([
      { field: "feeConfigs.2.sourceCurrency", message: "must not repeat an earlier fee" },
    ])
  })

  it("refuses a fixed fee in another currency than USD, after all problems of its fields", () => {
    const refusal = { code: "NOT_IMPLEMENTED", message: "A fixed fee must be in USD." }
    expect(configRefusal({ feeConfigs: [fee("USD"), fee("EUR", "EUR")] })).toEqual(refusal)
    expect(configRefusal({ feeConfigs: [fee("EUR", "EUR"), fee("EUR", "EUR")] })?.code).toBe("INVALID_INPUT")
  })
})
