/**
 * Payment rails: pull, push, cancel and refund external money. A platform provides its own banks behind this port.
 * Source: architecture, "Jobs, external calls and time".
 */
import { Context, type Effect } from "effect"
import type { Json } from "../foundation/kit/CanonicalJson.ts"
import type { CurrencyCode } from "../foundation/money/Currencies.ts"
import type { PaymentRail } from "../model/account/AccountTypeRow.ts"
import type { AccountInfo } from "../model/account/ExternalAccount.ts"
import type { RemittanceField } from "../model/transaction/PaymentRails.ts"
import type { RailRefusal } from "../model/transaction/RailRefusals.ts"
import type { PullInspection } from "../model/transaction/TransferInRules.ts"

/** The external account as it was when the transfer was created. A UMA address is an account of that type. */
export interface RailAccount {
  readonly accountId: string
  readonly currency: CurrencyCode
  readonly accountInfo: AccountInfo
}

/** One pull. After an unknown outcome the same `reference` is sent again and never pulls twice. */
export interface PullRequest {
  readonly reference: string
  readonly source: RailAccount
  /** Smallest unit of the source's currency. */
  readonly amount: number
  /** Business time (ms) of the first request. */
  readonly submittedAt: number
}

/** The remittance information for the recipient, and the field of the rail that carries it. */
export interface Remittance {
  readonly field: RemittanceField
  /** At most 80 characters. */
  readonly text: string
}

/** The quote that a payment executes; absent: a transfer in one currency. */
interface OfQuote {
  readonly quoteId?: string
}

/** One push. After an unknown outcome the same `reference` is sent again and never pays twice. */
export interface PushRequest extends OfQuote {
  readonly reference: string
  readonly destination: RailAccount
  /** Absent: the destination is a wallet. */
  readonly rail?: PaymentRail
  /** Smallest unit of the destination's currency. */
  readonly amount: number
  readonly remittance?: Remittance
  readonly purposeOfPayment?: string
  /** The payer's data that the receiver of a UMA address requires. */
  readonly payerInformation?: { readonly [field: string]: Json }
  /** Business time (ms) at which the rail's delivery was stored: the rail is asked whether it was returned since. */
  readonly deliveredAt?: number
  /** Business time (ms) of the first request. */
  readonly submittedAt: number
}

/** Asks whether the service has the money again of a push that failed, was returned or was cancelled. */
export interface RefundRequest extends OfQuote {
  readonly reference: string
  readonly destination: RailAccount
  readonly amount: number
  /** Business time (ms) at which the refund began. */
  readonly initiatedAt: number
}

/** Cancels a submitted pull or push. */
export interface CancelRequest extends OfQuote {
  readonly reference: string
  readonly direction: "pull" | "push"
  readonly account: RailAccount
  /** Business time (ms) of the first request of the cancelled pull or push. */
  readonly submittedAt: number
}

/** The outcome of a port that moves money. `Unknown` is never a failure: the same reference is sent again. */
export type RailOutcome =
  /** `askAgainAt` (ms): the receiving bank may still return a push; ask again then. */
  | { readonly _tag: "Done"; readonly askAgainAt?: number }
  | { readonly _tag: "Refused"; readonly reason: RailRefusal }
  /** Not known before this business time (ms): ask then. `isQueued`: the rail has not begun, a push stays `PENDING`. */
  | { readonly _tag: "Later"; readonly at: number; readonly isQueued?: boolean }
  /** The receiving bank returned the money of a push. */
  | { readonly _tag: "Returned" }
  /** Cancelled before delivery. */
  | { readonly _tag: "Cancelled" }
  | { readonly _tag: "Unknown"; readonly cause: string }

export class Rails extends Context.Service<
  Rails,
  {
    readonly inspectPull: (source: RailAccount, amount: number | undefined) => Effect.Effect<PullInspection>
    readonly pull: (request: PullRequest) => Effect.Effect<RailOutcome>
    readonly push: (request: PushRequest) => Effect.Effect<RailOutcome>
    /** `Done`: the money is back. `Refused`: it will not come back without intervention. */
    readonly refund: (request: RefundRequest) => Effect.Effect<RailOutcome>
    /** `Done`: cancelled in time. `Refused`: too late, the pull or push continues. */
    readonly cancel: (request: CancelRequest) => Effect.Effect<RailOutcome>
  }
>()("@countersign/core/Rails") {}
