/**
 * Payment rails: how money outside is pulled, pushed, called back and given back. A platform brings its own banks behind
 * this port.
 * Source: architecture, "Jobs, outside calls and time".
 */
import { Context, type Effect } from "effect"
import type { Json } from "../foundation/kit/CanonicalJson.ts"
import type { CurrencyCode } from "../foundation/money/Currencies.ts"
import type { PaymentRail } from "../model/account/AccountTypeRow.ts"
import type { AccountInfo } from "../model/account/ExternalAccount.ts"
import type { RemittanceField } from "../model/transaction/PaymentRails.ts"
import type { RailRefusal } from "../model/transaction/RailRefusals.ts"
import type { PullInspection } from "../model/transaction/TransferInRules.ts"

/** What a rail is told of the account outside: as it was when the transfer was made. A UMA address is one of that type. */
export interface RailAccount {
  readonly accountId: string
  readonly currency: CurrencyCode
  readonly accountInfo: AccountInfo
}

/** One pull. The same `reference` is asked again after an unknown outcome, and never pulls twice. */
export interface PullRequest {
  readonly reference: string
  readonly source: RailAccount
  /** Smallest unit of the source's currency. */
  readonly amount: number
  /** Business time (ms) of the first request. */
  readonly submittedAt: number
}

/** What travels to the recipient, and the field of the rail that carries it. */
export interface Remittance {
  readonly field: RemittanceField
  /** At most 80 characters. */
  readonly text: string
}

/** The quote that a payment executes; absent: it is a transfer in one currency. */
interface OfQuote {
  readonly quoteId?: string
}

/** One push. The same `reference` is asked again after an unknown outcome, and never pays twice. */
export interface PushRequest extends OfQuote {
  readonly reference: string
  readonly destination: RailAccount
  /** Absent: the destination is a wallet. */
  readonly rail?: PaymentRail
  /** Smallest unit of the destination's currency. */
  readonly amount: number
  readonly remittance?: Remittance
  readonly purposeOfPayment?: string
  /** What the receiver of a UMA address asked for of who pays. */
  readonly payerInformation?: { readonly [field: string]: Json }
  /** Business time (ms) at which the rail's word that it delivered was stored: it is asked whether that still holds. */
  readonly deliveredAt?: number
  /** Business time (ms) of the first request. */
  readonly submittedAt: number
}

/** Whether the money of a push that failed, came back or was cancelled is with the service again. */
export interface RefundRequest extends OfQuote {
  readonly reference: string
  readonly destination: RailAccount
  readonly amount: number
  /** Business time (ms) at which the refund began. */
  readonly initiatedAt: number
}

/** Calls a pull or push back that the rail has been asked for. */
export interface CancelRequest extends OfQuote {
  readonly reference: string
  readonly direction: "pull" | "push"
  readonly account: RailAccount
  /** Business time (ms) of the first request of what is called back. */
  readonly submittedAt: number
}

/** How a money port answers. `Unknown` is never failure: the same reference is asked again. */
export type RailOutcome =
  /** `askAgainAt` (ms): the bank that received a push may still return it; it is asked about again then. */
  | { readonly _tag: "Done"; readonly askAgainAt?: number }
  | { readonly _tag: "Refused"; readonly reason: RailRefusal }
  /** Not known before this business time (ms): ask then. `isQueued`: the rail has not begun, a push stays `PENDING`. */
  | { readonly _tag: "Later"; readonly at: number; readonly isQueued?: boolean }
  /** The receiving bank sent the money of a push back. */
  | { readonly _tag: "Returned" }
  /** Called back before it was delivered. */
  | { readonly _tag: "Cancelled" }
  | { readonly _tag: "Unknown"; readonly cause: string }

export class Rails extends Context.Service<
  Rails,
  {
    readonly inspectPull: (source: RailAccount, amount: number | undefined) => Effect.Effect<PullInspection>
    readonly pull: (request: PullRequest) => Effect.Effect<RailOutcome>
    readonly push: (request: PushRequest) => Effect.Effect<RailOutcome>
    /** `Done`: the money is back. `Refused`: it will not come back by itself. */
    readonly refund: (request: RefundRequest) => Effect.Effect<RailOutcome>
    /** `Done`: called back in time. `Refused`: too late, the pull or push goes on. */
    readonly cancel: (request: CancelRequest) => Effect.Effect<RailOutcome>
  }
>()("@countersign/core/Rails") {}
