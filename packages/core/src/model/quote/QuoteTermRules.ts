/**
 * The terms of a quote besides its rate: the platform's fee, the limits per currency, and the lifetime of a quote.
 * Source: wire contract 5.3 (platform fees) and 11 (5, 6); D-124, D-125.
 */

import { Currencies, type CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { OfferedRate } from "../../foundation/money/Rate.ts"
import type { PaymentRail } from "../account/AccountTypeRow.ts"
import type { Platform } from "../platform/Platform.ts"
import type { FeeTerms } from "./QuotePricing.ts"
import type { QuoteRequest } from "./QuoteResource.ts"

/** The only currency in which platforms may charge fees. */
export const platformFeeCurrency: CurrencyCode = "USD"

type Override = QuoteRequest["platformFeeOverride"]

/** Returns the platform's own fee on an exchange: the override for this quote, or the configured fee. */
const platformTerms = ({ feeConfigs, supportedCurrencies }: Platform, from: CurrencyCode, override: Override) => {
  const hasAccount = supportedCurrencies.some(({ currencyCode }) => currencyCode === from)
  if (from !== platformFeeCurrency || !hasAccount) return { platformFixed: 0, platformBps: 0 }
  if (override !== undefined) {
    return { platformFixed: override.platformFixedFee.amount, platformBps: override.platformVariableFeeBps }
  }
  const fee = feeConfigs?.find(({ sourceCurrency }) => sourceCurrency === from)
  return { platformFixed: fee?.fixedFee.amount ?? 0, platformBps: fee?.variableFeeBps ?? 0 }
}

/** Returns all fees of an exchange. A payment without an exchange has no platform fee. */
export const feeTerms = (platform: Platform, rate: OfferedRate, override?: Override): FeeTerms => ({
  serviceFixed: rate.fee?.fixed ?? 0,
  serviceBps: rate.fee?.variableBps ?? 0,
  ...(rate.from === rate.to ? { platformFixed: 0, platformBps: 0 } : platformTerms(platform, rate.from, override)),
})

export interface Limits {
  readonly minAmount: number
  readonly maxAmount: number
}

/** The limits of a currency that the platform has not configured. */
const defaultLimits: Limits = { minAmount: 1, maxAmount: 10_000_000_000 }

export const limitsOf = ({ supportedCurrencies }: Platform, code: CurrencyCode): Limits =>
  supportedCurrencies.find(({ currencyCode }) => currencyCode === code) ?? defaultLimits

/** Whether the platform pays out in this currency. A currency that it has not configured is allowed. */
export const isOutgoingEnabled = ({ supportedCurrencies }: Platform, code: CurrencyCode): boolean =>
  supportedCurrencies.find(({ currencyCode }) => currencyCode === code)?.enabledTransactionTypes.includes("OUTGOING") ??
  true

/** Lifetimes of quotes in milliseconds. */
export interface Lifetimes {
  readonly standardMillis: number
  /** For quotes whose money arrives instantly on both sides. */
  readonly instantMillis: number
}

const instantRails: ReadonlyArray<string> = ["RTP", "SEPA_INSTANT"] satisfies ReadonlyArray<PaymentRail>

/** Returns when a quote that is created at `now` expires (ms). */
export const expiryOf = (
  now: number,
  { instantMillis, standardMillis }: Lifetimes,
  [sending, receiving]: readonly [sending: CurrencyCode, receiving: CurrencyCode],
  rail: string | undefined,
): number => {
  const arrivesAtOnce = Currencies.get(receiving).crypto || instantRails.some((instant) => instant === rail)
  return now + (Currencies.get(sending).crypto && arrivesAtOnce ? instantMillis : standardMillis)
}
