/**
 * What a decision about the outcome of a transaction depends on.
 * Source: architecture, "Load, ask, decide, commit".
 */
import type { RailOutcome } from "../../ports/Rails.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import type { ReceivableBalance } from "../ledger/PostingChanges.ts"

/** An outcome that a rail or bank is certain of. */
export type DefiniteOutcome = Exclude<RailOutcome, { readonly _tag: "Unknown" }>

export interface OutcomeLoaded {
  readonly transaction: Stored<"Transaction">
  /** The transaction's internal account: it is credited by an incoming one; it pays or is refunded by an outgoing one. */
  readonly account: Stored<"InternalAccount"> | undefined
  /** The internal account that an outgoing transaction pays. */
  readonly destination?: Stored<"InternalAccount"> | undefined
  /** The destination owner's debt in the destination's currency. */
  readonly destinationReceivable?: ReceivableBalance
  /** The quote that an outgoing transaction executes. */
  readonly quote?: Stored<"Quote"> | undefined
  readonly available: { readonly balance: number; readonly sequence: number }
  /** The account owner's debt in the account's currency. */
  readonly accountReceivable: ReceivableBalance
  /** The agent's action that started the transaction, and the agent. */
  readonly action: Stored<"AgentAction"> | undefined
  readonly agent: Stored<"Agent"> | undefined
}
