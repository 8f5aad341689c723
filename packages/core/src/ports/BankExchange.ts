/**
 * The exchange with banks that answer later, such as by files. The workers of every process run a cycle again and again for the lifetime of
 * the service, so that the program has no loop of its own. Absent: nothing is exchanged here.
 * Source: D-535.
 */
import { Context, type Effect } from "effect"
import type { RailOutcome } from "./Rails.ts"

/** Stores the outcome of an order for its platform; a late or repeated one is dropped. */
export type ReportOutcome<E> = (
  order: { readonly reference: string; readonly platformId: string },
  outcome: Exclude<RailOutcome, { readonly _tag: "Unknown" }>,
) => Effect.Effect<void, E>

export interface BankExchange {
  /** The pause between two cycles. */
  readonly everyMillis: number
  /** One cycle. Several processes run it at the same time, and each may end in it. A failure of a report ends the cycle. */
  readonly cycle: <E>(report: ReportOutcome<E>) => Effect.Effect<void, E>
}

export const BankExchange = Context.Reference<BankExchange | undefined>("@countersign/core/BankExchange", {
  defaultValue: () => undefined,
})
