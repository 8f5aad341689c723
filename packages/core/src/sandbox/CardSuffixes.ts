/**
 * The tables of magic suffixes for cards; any other suffix succeeds.
 * Source: wire contract 7.5.
 */

import * as Table from "../foundation/kit/Table.ts"
import type { DeclineReason } from "../model/card/CardAuthorizationRules.ts"

const day = 24 * 60 * 60 * 1000

/** What becomes of a card. */
export type CardBehaviour =
  | { readonly _tag: "Delayed"; readonly millis: number }
  /** Never: asked for again and again, at long intervals. */
  | { readonly _tag: "Waiting"; readonly millis: number }
  | { readonly _tag: "Refused" }

/** The end of a given `platformCardId`, else of the `cardholderId`. */
export const CardSuffixes = Table.make("CardSuffixes", {
  "001": { _tag: "Waiting", millis: 365 * day },
  "002": { _tag: "Refused" },
  "005": { _tag: "Delayed", millis: 30_000 },
} satisfies { readonly [suffix: string]: CardBehaviour })

/** The end of an account's id in `fundingSources`; only where `FundingSourceSuffixesOn` says so, since ids are random. */
export const FundingSourceSuffixes = Table.make("FundingSourceSuffixes", {
  "002": "INELIGIBLE",
  "003": "INELIGIBLE",
})

/** The end of `merchant.descriptor`: the authorization is declined. */
export const MerchantDeclines = Table.make("MerchantDeclines", {
  "002": "INSUFFICIENT_FUNDS",
  "003": "CARD_PAUSED",
} satisfies { readonly [suffix: string]: DeclineReason })

/** The end of `merchant.descriptor`: what becomes of the pulls. */
export const MerchantPulls = Table.make("MerchantPulls", {
  "005": { _tag: "Delayed", millis: 30_000 },
  "006": { _tag: "Refused" },
} satisfies { readonly [suffix: string]: CardBehaviour })
