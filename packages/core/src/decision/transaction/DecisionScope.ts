/**
 * The identifiers, time and records that every decision about an outgoing transaction uses.
 * Source: architecture, "Load, ask, decide, commit".
 */
import type { IdSource } from "../../foundation/ids/IdPool.ts"
import type { DailyVolumeLimits } from "../../model/limit/DailyVolume.ts"
import type { Quote } from "../../model/quote/Quote.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import type { ReceivableBalance } from "../ledger/PostingChanges.ts"

export interface DecisionScope {
  readonly ids: IdSource
  readonly now: number
  /** The limits of the day's volume; absent: none, or the payment does not begin here. */
  readonly volumeLimits?: DailyVolumeLimits | undefined
  /** The internal account that pays and receives refunds; absent when that account is outside the service. */
  readonly source: Stored<"InternalAccount"> | undefined
  /** The source owner's debt in the source's currency; absent means no debt. */
  readonly sourceReceivable?: ReceivableBalance
  /** The internal account that is paid; absent when the money leaves the service. */
  readonly destination?: Stored<"InternalAccount"> | undefined
  /** The destination owner's debt in the destination's currency; absent means no debt. */
  readonly destinationReceivable?: ReceivableBalance
  /** The quote that the transaction executes: its status follows the transaction's. */
  readonly quote?: Stored<"Quote"> | undefined
  /** New data of the quote apart from its status; absent when only the status changes. */
  readonly updatedQuote?: Quote | undefined
}
