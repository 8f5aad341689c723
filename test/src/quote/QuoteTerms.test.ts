/** The terms of a quote besides its rate: fees, limits, currencies and lifetimes. Wire contract 5.3, 11 (5, 6); D-124, D-125. */

import type { CurrencyCode, Platform } from "@countersign/core/models"
import { describe, expect, it } from "vitest"
import * as Terms from "../../../packages/core/src/model/quote/QuoteTermRules.ts"
import { platform as configured, override } from "./QuoteFacts.ts"

const usd = {
  currencyCode: "USD",
  minAmount: 10,
  maxAmount: 1000,
  requiredCounterpartyFields: [],
  enabledTransactionTypes: ["OUTGOING"],
} as const
const eur = { ...usd, currencyCode: "EUR", minAmount: 2, maxAmount: 3, enabledTransactionTypes: ["INCOMING"] } as const
const fee = (amount: number) => ({ amount, currency: "USD" }) as const
const platform: Platform = {
  ...configured,
  supportedCurrencies: [eur, usd],
  feeConfigs: [
    { feeType: "CROSS_CURRENCY_TRANSACTION", sourceCurrency: "EUR", fixedFee: fee(7), variableFeeBps: 8 },
    { feeType: "CROSS_CURRENCY_TRANSACTION", sourceCurrency: "USD", fixedFee: fee(5), variableFeeBps: 15 },
  ],
}
const { feeConfigs: _, ...withoutFees } = platform
const rate = (from: CurrencyCode, to: CurrencyCode) => ({ from, to, numerator: 1n, denominator: 1n })
const charged = { fee: { fixed: 10, variableBps: 50 } }
const service = { serviceFixed: 10, serviceBps: 50 }
const noPlatformOrServiceFee = { serviceFixed: 0, serviceBps: 0, platformFixed: 0, platformBps: 0 }

describe("the fees of a quote", () => {
  it.each([
    [
      "the service's fee and the platform's",
      platform,
      { ...rate("USD", "GBP"), ...charged },
      undefined,
      { ...service, platformFixed: 5, platformBps: 15 },
    ],
    [
      "the platform's fee alone, if the rate has none",
      platform,
      rate("USD", "GBP"),
      undefined,
      { ...noPlatformOrServiceFee, platformFixed: 5, platformBps: 15 },
    ],
    [
      "the service's fee alone, without an exchange",
      platform,
      { ...rate("USD", "USD"), ...charged },
      undefined,
      { ...service, platformFixed: 0, platformBps: 0 },
    ],
    [
      "the override instead of the configured fee",
      platform,
      rate("USD", "GBP"),
      { ...override, platformFixedFee: fee(3), platformVariableFeeBps: 4 },
      { ...noPlatformOrServiceFee, platformFixed: 3, platformBps: 4 },
    ],
    ["zero without an exchange, even with an override", platform, rate("USD", "USD"), override, noPlatformOrServiceFee],
    [
      "zero in a currency other than the dollar, configured or overridden",
      platform,
      rate("EUR", "GBP"),
      override,
      noPlatformOrServiceFee,
    ],
    ["zero if no fees are configured", withoutFees, rate("USD", "GBP"), undefined, noPlatformOrServiceFee],
    [
      "zero if no fee is configured for the dollar",
      { ...platform, feeConfigs: platform.feeConfigs?.slice(0, 1) ?? [] },
      rate("USD", "GBP"),
      undefined,
      noPlatformOrServiceFee,
    ],
    [
      "zero if the platform does not support the dollar",
      { ...platform, supportedCurrencies: [eur] },
      rate("USD", "GBP"),
      override,
      noPlatformOrServiceFee,
    ],
    [
      "zero if the platform supports no currency",
      { ...platform, supportedCurrencies: [] },
      rate("USD", "GBP"),
      undefined,
      noPlatformOrServiceFee,
    ],
  ] as const)("are %s", (_what, of, at, given, terms) => {
    expect(Terms.feeTerms(of, at, given)).toEqual(terms)
  })
})

it("uses the platform's configured limits of a currency, otherwise the defaults", () => {
  expect(Terms.limitsOf(platform, "USD")).toMatchObject({ minAmount: 10, maxAmount: 1000 })
  expect(Terms.limitsOf(platform, "EUR")).toMatchObject({ minAmount: 2, maxAmount: 3 })
  expect(Terms.limitsOf(platform, "GBP")).toEqual({ minAmount: 1, maxAmount: 10_000_000_000 })
})

it("pays out a currency that is enabled or not configured", () => {
  expect(Terms.isOutgoingEnabled(platform, "USD")).toBe(true)
  expect(Terms.isOutgoingEnabled(platform, "EUR")).toBe(false)
  expect(Terms.isOutgoingEnabled(platform, "GBP")).toBe(true)
})

it.each([
  ["bank to bank", "USD", "GBP", undefined, "standard"],
  ["bank to bank by an instant rail", "USD", "EUR", "SEPA_INSTANT", "standard"],
  ["crypto to crypto", "BTC", "USDC", undefined, "instant"],
  ["crypto to a bank", "BTC", "USD", undefined, "standard"],
  ["crypto to a bank by a rail that takes its time", "BTC", "USD", "ACH", "standard"],
  ["crypto to a bank by RTP", "BTC", "USD", "RTP", "instant"],
  ["crypto to a bank by SEPA_INSTANT", "USDC", "EUR", "SEPA_INSTANT", "instant"],
  ["bank to crypto", "USD", "BTC", undefined, "standard"],
] as const)("expires a quote from %s after its lifetime", (_what, sending, receiving, rail, lifetime) => {
  const millis = { standard: 300_000, instant: 30_000 }
  const lifetimes = { standardMillis: millis.standard, instantMillis: millis.instant }
  expect(Terms.expiryOf(1000, lifetimes, [sending, receiving], rail)).toBe(1000 + millis[lifetime])
})
