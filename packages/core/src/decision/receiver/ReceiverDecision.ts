/**
 * What a lookup of a receiver answers, and the name by which a quote refers to it.
 * Source: wire contract 5.2 and 5.10; D-250.
 */

import { hash } from "../../foundation/crypto/Secrets.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { currencyOf } from "../../foundation/money/Currencies.ts"
import type { OfferedRate } from "../../foundation/money/Rate.ts"
import { displayed } from "../../foundation/money/Rate.ts"
import type { Platform } from "../../model/platform/Platform.ts"
import { limitsOf } from "../../model/quote/QuoteTermRules.ts"
import type { UmaCurrency } from "../../model/receiver/FoundReceiver.ts"

/** What a lookup was of: a UMA address, or the id of an external account. */
type Receiver = string

/**
 * The id of a platform's lookup of a receiver. It is made of both, so that looking up writes nothing; whoever has it has asked for
 * this receiver, and a quote asks anew what can have changed since.
 */
export const lookupIdOf = (platformId: string, receiver: Receiver): string => {
  const hex = hash(`lookup ${platformId} ${receiver.startsWith("$") ? receiver.toLowerCase() : receiver}`)
  return `Lookup:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** The bounds on both sides: the receiver's and the platform's. */
const boundsOf = (platform: Platform, { code, maxAmount, minAmount }: UmaCurrency) => {
  const limits = limitsOf(platform, code)
  return { min: Math.max(minAmount, limits.minAmount), max: Math.min(maxAmount, limits.maxAmount) }
}

/** What a lookup shows of the currencies of which there is a rate. */
export const currenciesOnWire = (
  platform: Platform,
  currencies: ReadonlyArray<UmaCurrency>,
  rates: ReadonlyMap<CurrencyCode, OfferedRate>,
) =>
  currencies.flatMap((one) => {
    const rate = rates.get(one.code)
    return rate === undefined
      ? []
      : [{ currency: currencyOf(one.code), estimatedExchangeRate: displayed(rate), ...boundsOf(platform, one) }]
  })
