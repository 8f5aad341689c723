/**
 * The tables of magic suffixes for cards; any other suffix succeeds.
 * Source: wire contract 7.5.
 */

import * as Table from "../foundation/kit/Table.ts"
import type { DeclineReason } from "../model/card/CardAuthorizationRules.ts"

const day = 24 * 60 * 60 * 1000

/** The outcome of a card or of a pull. */
export type CardBehaviour =
  | { readonly _tag: "Delayed"; readonly millis: number }
  /** Never decided: it is asked again at long intervals. */
  | { readonly _tag: "Waiting"; readonly millis: number }
  | { readonly _tag: "Refused" }

/** The suffix of the platform's `platformCardId`, otherwise of the `cardholderId`. */
export const CardSuffixes = Table.make("CardSuffixes", {
  "001": { _tag: "Waiting", millis: 365 * day },
  "002": { _tag: "Refused" },
  "005": { _tag: "Delayed", millis: 30_000 },
} satisfies { readonly [suffix: string]: CardBehaviour })

/** The suffix of an account's id in `fundingSources`; only with `FundingSourceSuffixesOn`, because ids are random. */
export const FundingSourceSuffixes = Table.make("FundingSourceSuffixes", {
  "002": "INELIGIBLE",
  "003": "INELIGIBLE",
})

/** The suffix of `merchant.descriptor`: why the authorization is declined. */
export const MerchantDeclines = Table.make("MerchantDeclines", {
  "002": "INSUFFICIENT_FUNDS",
  "003": "CARD_PAUSED",
} satisfies { readonly [suffix: string]: DeclineReason })

/** The suffix of `merchant.descriptor`: the outcome of the pulls. */
export const MerchantPulls = Table.make("MerchantPulls", {
  "005": { _tag: "Delayed", millis: 30_000 },
  "006": { _tag: "Refused" },
} satisfies { readonly [suffix: string]: CardBehaviour })
