/**
 * The table of magic suffixes of a deposit's `source.accountIdentifier`; any other suffix is credited at once.
 * Source: wire contract areas 2.13 (sandbox).
 */
import * as Table from "../foundation/kit/Table.ts"
import type { PendingReason } from "../model/account/Deposit.ts"

/** What becomes of a deposit with a magic suffix. */
export interface DepositBehaviour {
  /** Why it is held. */
  readonly hold?: PendingReason
  /** Milliseconds until the hold ends; absent: it ends when the customer's platform acts. */
  readonly holdMillis?: number
  /** Why it is given back. */
  readonly refusal?: "COMPLIANCE_REJECTED" | "COLLECTION_FAILED"
  /** Whether it cannot be given back. */
  readonly refundFails?: true
}

export const DepositSuffixes = Table.make("DepositSuffixes", {
  "001": { hold: "COMPLIANCE_REVIEW", holdMillis: 30_000 },
  "002": { refusal: "COMPLIANCE_REJECTED" },
  "003": { refusal: "COLLECTION_FAILED", refundFails: true },
  "004": { hold: "COUNTERPARTY_INFORMATION_REQUIRED", holdMillis: 30_000 },
  "005": { hold: "COUNTERPARTY_DECLARATION_REQUIRED" },
} satisfies { readonly [suffix: string]: DepositBehaviour })

export const depositBehaviour = (suffix: string): DepositBehaviour | undefined => DepositSuffixes.find(suffix)
