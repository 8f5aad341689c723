/** What the service has answered to the clients of a simulated run about the keys that sign for the wallet's card. */
import type { AcceptedChange } from "./AcceptedChange.ts"

/** A purchase by the wallet's card that was decided. */
export interface WalletPurchase extends AcceptedChange {
  /** `undefined`: it was approved. */
  readonly declineReason: unknown
}

export interface DelegatedKeyAnswers {
  /** Those that were activated, by id. */
  readonly activated: Map<string, AcceptedChange>
  readonly revoked: Map<string, AcceptedChange>
  /** Those that wait, or waited, for their second signature. */
  readonly registered: Set<string>
  /** Number of registrations whose answer, and so whose id, was lost. */
  unknownRegistrations: number
  readonly purchases: Array<WalletPurchase>
}

export const noDelegatedKeyAnswers = (): DelegatedKeyAnswers => ({
  activated: new Map(),
  revoked: new Map(),
  registered: new Set(),
  unknownRegistrations: 0,
  purchases: [],
})
