/**
 * Payment rails: pull, push, cancel and refund external money. A platform provides its own banks behind this port.
 *
 * `pull` and `push` are instructions. The service gives one, after it has stored that it will. From then on it only asks (`inquire`), after
 * an unknown outcome and after the end of its process alike, and instructs again only if the rail answers `NotReceived`.
 * Source: architecture, "Jobs, external calls and time"; D-321.
 */
import { Context, type Effect } from "effect"
import type { Json } from "../foundation/kit/CanonicalJson.ts"
import type { CurrencyCode } from "../foundation/money/Currencies.ts"
import type { PaymentRail } from "../model/account/AccountTypeRow.ts"
import type { AccountInfo } from "../model/account/ExternalAccount.ts"
import type { RemittanceField } from "../model/transaction/PaymentRails.ts"
import type { PullConsent } from "../model/transaction/QuotePullCriteria.ts"
import type { RailRefusal } from "../model/transaction/RailRefusals.ts"
import type { PullInspection } from "../model/transaction/TransferInRules.ts"

/** The external account as it was when the transfer was created. A UMA address is an account of that type. */
export interface RailAccount {
  readonly accountId: string
  readonly currency: CurrencyCode
  readonly accountInfo: AccountInfo
}

/** What money is pulled for: a transfer that names the account, or a quote, whose payer may also send the money. */
export type PullPurpose = { readonly _tag: "Transfer" } | ({ readonly _tag: "Quote" } & PullConsent)

/** The purpose of a pull that a transfer names, without the consent that a quote has. */
export const forTransfer: PullPurpose = { _tag: "Transfer" }

/** One pull. `reference` is the same in every instruction and inquiry: give it to the bank, so that it can refuse a second one. */
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

/** One push. `reference` is the same in every instruction and inquiry: give it to the bank, so that it can refuse a second one. */
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
  /** Only in inquiries: business time (ms) at which the rail's delivery was stored. Was it returned since? */
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

/** Cancels a submitted pull or push. It is repeated after an unknown outcome: a second cancellation moves no money. */
export interface CancelRequest extends OfQuote {
  readonly reference: string
  readonly direction: "pull" | "push"
  readonly account: RailAccount
  /** Business time (ms) of the first request of the cancelled pull or push. */
  readonly submittedAt: number
}

/** A pull or push, as it is instructed and asked about. */
export type RailInstruction =
  | { readonly _tag: "Push"; readonly request: PushRequest }
  | { readonly _tag: "Pull"; readonly request: PullRequest }

/** The outcome of a port that moves money. `Unknown` is never a failure: the rail is asked about the same reference. */
export type RailOutcome =
  /**
   * `askAgainAt` (ms): the receiving bank may still return a push; ask again then. `transactionHash`: of the payment's transaction on a
   * chain, when the account is a wallet.
   */
  | { readonly _tag: "Done"; readonly askAgainAt?: number; readonly transactionHash?: string }
  | { readonly _tag: "Refused"; readonly reason: RailRefusal }
  /** Not known before this business time (ms): ask then. `isQueued`: the rail has not begun, a push stays `PENDING`. */
  | { readonly _tag: "Later"; readonly at: number; readonly isQueued?: boolean }
  /** The receiving bank returned the money of a push. */
  | { readonly _tag: "Returned" }
  /** Cancelled before delivery. */
  | { readonly _tag: "Cancelled" }
  | { readonly _tag: "Unknown"; readonly cause: string }

/**
 * `NotReceived`: the rail has no instruction with this reference, and will execute none that is still on its way. It is then instructed
 * (again). A rail that cannot exclude an instruction on its way answers `Unknown`.
 */
export type InquiryOutcome = RailOutcome | { readonly _tag: "NotReceived" }

export class Rails extends Context.Service<
  Rails,
  {
    /** A quote whose source is not pullable waits for its payer. */
    readonly inspectPull: (
      source: RailAccount,
      amount: number | undefined,
      purpose: PullPurpose,
    ) => Effect.Effect<PullInspection>
    /** Instructs a pull: once for a reference, and again only if `inquire` answers `NotReceived`. A job calls it. */
    readonly pull: (request: PullRequest) => Effect.Effect<RailOutcome>
    /** Instructs a push, under the same rule as `pull`. */
    readonly push: (request: PushRequest) => Effect.Effect<RailOutcome>
    /** Returns the outcome of an instruction that may have been given. It moves no money. */
    readonly inquire: (instruction: RailInstruction) => Effect.Effect<InquiryOutcome>
    /** `Done`: the money is back. `Refused`: it will not come back without intervention. */
    readonly refund: (request: RefundRequest) => Effect.Effect<RailOutcome>
    /** `Done`: cancelled in time. `Refused`: too late, the pull or push continues. */
    readonly cancel: (request: CancelRequest) => Effect.Effect<RailOutcome>
  }
>()("@countersign/core/Rails") {}
