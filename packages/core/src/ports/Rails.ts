/**
 * Payment rails: how money outside is pulled. A platform brings its own banks behind this port.
 * Source: architecture, "Jobs, outside calls and time".
 */
import { Context, type Effect } from "effect"
import type { AccountInfo } from "../account/ExternalAccount.ts"
import type { CurrencyCode } from "../money/Currencies.ts"

/** What a rail is told of the account that pays. */
export interface PullSource {
  readonly accountId: string
  readonly currency: CurrencyCode
  readonly accountInfo: AccountInfo
}

/** What a rail knows before any money moves. It changes nothing. */
export interface PullInspection {
  /** Whether the account can be pulled at all. */
  readonly pullable: boolean
  /** What can be pulled now (smallest unit); absent: the rail cannot report it. */
  readonly reported?: number
  /** Whether the wanted amount is there, as far as the rail can tell beforehand. */
  readonly funds: "sufficient" | "insufficient" | "unknown"
}

/** One pull. The same `reference` is asked again after an unknown outcome, and never pulls twice. */
export interface PullRequest {
  readonly reference: string
  readonly source: PullSource
  /** Smallest unit of the source's currency. */
  readonly amount: number
  /** Business time (ms) of the first request. */
  readonly submittedAt: number
}

/** How a money port answers. `Unknown` is never failure: the same reference is asked again. */
export type RailOutcome =
  | { readonly _tag: "Done" }
  | { readonly _tag: "Refused"; readonly reason: RailRefusal }
  /** Not known before this business time (ms): ask then. */
  | { readonly _tag: "Later"; readonly at: number }
  | { readonly _tag: "Unknown"; readonly cause: string }

export type RailRefusal = "INSUFFICIENT_FUNDS" | "ACCOUNT_INVALID" | "BANK_REJECTED" | "TIMED_OUT"

export class Rails extends Context.Service<
  Rails,
  {
    readonly inspectPull: (source: PullSource, amount: number | undefined) => Effect.Effect<PullInspection>
    readonly pull: (request: PullRequest) => Effect.Effect<RailOutcome>
  }
>()("@countersign/core/Rails") {}
