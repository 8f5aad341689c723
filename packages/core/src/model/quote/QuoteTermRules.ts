/**
 * The terms of a quote beside its rate: the platform's fee, its limits per currency, and how long a quote holds.
 * Source: wire contract 5.3 (platform fees) and 11 (5, 6); D-124, D-125.
 */

import { Currencies, type CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { OfferedRate } from "../../foundation/money/Rate.ts"
import type { PaymentRail } from "../account/AccountTypeRow.ts"
import type { Platform } from "../platform/Platform.ts"
import type { FeeTerms } from "./QuotePricing.ts"
import type { QuoteRequest } from "./QuoteResource.ts"

/** The one currency of which platforms may keep fees. */
export const platformFeeCurrency: CurrencyCode = "USD"

type Override = QuoteRequest["platformFeeOverride"]

/** The platform's own fee on an exchange: the one for this quote, else the configured one. */
const platformTerms = ({ feeConfigs, supportedCurrencies }: Platform, from: CurrencyCode, override: Override) => {
  const hasAccount = supportedCurrencies.some(({ currencyCode }) => currencyCode === from)
  if (from !== platformFeeCurrency || !hasAccount) return { platformFixed: 0, platformBps: 0 }
  if (override !== undefined) {
    return { platformFixed: override.platformFixedFee.amount, platformBps: override.platformVariableFeeBps }
  }
  const fee = feeConfigs?.find(({ sourceCurrency }) => sourceCurrency === from)
  return { platformFixed: fee?.fixedFee.amount ?? 0, platformBps: fee?.variableFeeBps ?? 0 }
}

/** All that is charged for an exchange. Without one nothing is. */
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

/** Whether the platform pays out in this currency; of one that it has not configured nothing forbids it. */
export const isOutgoingEnabled = ({ supportedCurrencies }: Platform, code: CurrencyCode): boolean =>
  supportedCurrencies.find(({ currencyCode }) => currencyCode === code)?.enabledTransactionTypes.includes("OUTGOING") ??
  true

/** How long a quote holds (ms). */
export interface Lifetimes {
  readonly standardMillis: number
  /** Where money is there at once on both sides. */
  readonly instantMillis: number
}

const instantRails: ReadonlyArray<string> = ["RTP", "SEPA_INSTANT"] satisfies ReadonlyArray<PaymentRail>

/** The end of a quote that begins now. */
export const expiryOf = (
  now: number,
  { instantMillis, standardMillis }: Lifetimes,
  [sending, receiving]: readonly [sending: CurrencyCode, receiving: CurrencyCode],
  rail: string | undefined,
): number => {
  const arrivesAtOnce = Currencies.get(receiving).crypto || instantRails.some((instant) => instant === rail)
  return now + (Currencies.get(sending).crypto && arrivesAtOnce ? instantMillis : standardMillis)
}
