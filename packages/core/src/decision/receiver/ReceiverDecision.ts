/**
 * The answer to the lookup of a receiver, and the id by which a quote refers to it.
 * Source: wire contract 5.2 and 5.10; D-250.
 */

import { hash } from "../../foundation/crypto/Secrets.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { currencyOf } from "../../foundation/money/Currencies.ts"
import type { OfferedRate } from "../../foundation/money/Rate.ts"
import { displayed } from "../../foundation/money/Rate.ts"
import { umaAddressKey } from "../../model/customer/UmaAddress.ts"
import type { Platform } from "../../model/platform/Platform.ts"
import { limitsOf } from "../../model/quote/QuoteTermRules.ts"
import type { UmaCurrency } from "../../model/receiver/FoundReceiver.ts"

/** A UMA address, or the id of an external account. */
type Receiver = string

/**
 * Returns the id of a platform's lookup of a receiver. The id is derived from both, so that a lookup writes nothing: a caller that
 * presents it has looked up this receiver. A quote reads again whatever can have changed since.
 */
export const lookupIdOf = (platformId: string, receiver: Receiver): string => {
  const hex = hash(`lookup ${platformId} ${receiver.startsWith("$") ? umaAddressKey(receiver) : receiver}`)
  return `Lookup:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** The narrower of the receiver's and the platform's limits. */
const boundsOf = (platform: Platform, { code, maxAmount, minAmount }: UmaCurrency) => {
  const limits = limitsOf(platform, code)
  return { min: Math.max(minAmount, limits.minAmount), max: Math.min(maxAmount, limits.maxAmount) }
}

/** The receiver's currencies as the wire shows them; those without a rate are omitted. */
export const currenciesOnWire = (
  platform: Platform,
  currencies: ReadonlyArray<UmaCurrency>,
  rates: ReadonlyMap<CurrencyCode, OfferedRate>,
) =>
  currencies.flatMap((currency) => {
    const rate = rates.get(currency.code)
    return rate === undefined
      ? []
      : [
          {
            currency: currencyOf(currency.code),
            estimatedExchangeRate: displayed(rate),
            ...boundsOf(platform, currency),
          },
        ]
  })
