/**
 * The tables of magic suffixes for providers of stablecoins: of credentials, tokens and accounts.
 * Source: wire contract areas 1.6.9.
 */
import * as Table from "../foundation/kit/Table.ts"
import type { StablecoinIssuanceStatus } from "../model/stablecoin/Stablecoin.ts"
import type { StablecoinFailureReason } from "../model/stablecoin/StablecoinOperation.ts"

/** The time (ms) after which a delayed change happens. */
const delayMillis = 30_000

/** What the provider does, and how long (ms) after the link. */
export interface LinkBehaviour {
  readonly effect: "refuses the credentials" | "withdraws the access" | "reaches several accounts"
  readonly afterMillis: number
}

/** The last three characters of `apiClientId`. */
export const ProviderLinkSuffixes = Table.make("ProviderLinkSuffixes", {
  "002": { effect: "refuses the credentials", afterMillis: 0 },
  "003": { effect: "refuses the credentials", afterMillis: delayMillis },
  "004": { effect: "withdraws the access", afterMillis: delayMillis },
  "006": { effect: "reaches several accounts", afterMillis: 0 },
} satisfies { readonly [suffix: string]: LinkBehaviour })

/** How the issuance of a token begins and ends. */
export interface TokenBehaviour {
  readonly first: StablecoinIssuanceStatus
  readonly last: StablecoinIssuanceStatus
  /** Milliseconds from the registration to the last status. */
  readonly afterMillis: number
}

/** The last three characters of `providerTokenIdentifier`. */
export const StablecoinTokenSuffixes = Table.make("StablecoinTokenSuffixes", {
  "001": { first: "PENDING_REVIEW", last: "PROVISIONED", afterMillis: delayMillis },
  "002": { first: "REJECTED", last: "REJECTED", afterMillis: 0 },
  "003": { first: "PROVISIONING", last: "FAILED", afterMillis: delayMillis },
} satisfies { readonly [suffix: string]: TokenBehaviour })

/** How a mint or burn ends, and how long it takes. */
export interface OperationBehaviour {
  /** Why it fails; absent: it completes. */
  readonly failure?: StablecoinFailureReason
  /** The time (ms) in `PROCESSING`. */
  readonly processingMillis: number
  /** Funding from outside never arrives. */
  readonly isNeverFunded?: true
  /** The provider does not answer. */
  readonly isUnavailable?: true
}

/** The time (ms) until the funding arrives, or the provider begins by itself. */
export const fundingAfterMillis = 2000

/** The behaviour of any other suffix. */
export const completes: OperationBehaviour = { processingMillis: 1000 }

const fails = (failure: StablecoinFailureReason, processingMillis = 1000): OperationBehaviour => ({
  failure,
  processingMillis,
})

/** The last three characters of the main identifier of the account that pays or is paid. */
export const StablecoinOperationSuffixes = Table.make("StablecoinOperationSuffixes", {
  "002": fails("FUNDING_RETURNED"),
  "003": fails("DESTINATION_REJECTED"),
  "004": fails("PROVIDER_TRANSFER_FAILED"),
  "005": fails("PROVIDER_TRANSFER_FAILED", delayMillis),
  "006": { ...completes, isNeverFunded: true },
  "007": { ...completes, isUnavailable: true },
} satisfies { readonly [suffix: string]: OperationBehaviour })
