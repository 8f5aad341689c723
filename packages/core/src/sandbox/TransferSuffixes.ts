/**
 * The table of magic suffixes for transfers from and to an external account; any other suffix succeeds.
 * Spec: 4.6 Sandbox endpoints and magic values; wire contract 7.3.
 */
import * as Table from "../foundation/kit/Table.ts"
import type { RailRefusal } from "../model/transaction/RailRefusals.ts"

/** How the rail refuses a transfer with a magic suffix. */
export interface TransferBehaviour {
  /** Why the rail refuses. */
  readonly refusal: RailRefusal
  /** Milliseconds until the rail answers; 0: at once. */
  readonly delayMillis: number
}

const refuses = (refusal: RailRefusal, delayMillis = 0): TransferBehaviour => ({ refusal, delayMillis })

export const TransferSuffixes = Table.make("TransferSuffixes", {
  "002": refuses("INSUFFICIENT_FUNDS"),
  "003": refuses("ACCOUNT_INVALID"),
  "004": refuses("BANK_REJECTED"),
  "005": refuses("TIMED_OUT", 30_000),
})
