/**
 * How a part of a change set is refused, and how a mistake in one is told: the first is an outcome, the second a defect.
 * Source: architecture, "Load, ask, decide, commit".
 */
import type { CommitOutcome } from "@countersign/core/store"
import { Result } from "effect"

/** The outcomes that change nothing and are decided again. */
export type Refusal = Exclude<CommitOutcome, { readonly _tag: "Committed" | "Replayed" }>

/** A part of the state with its share of the change set, or why not. */
export type Applied<A> = Result.Result<A, Refusal>

export const conflict = (on: string): Result.Result<never, Refusal> => Result.fail({ _tag: "Conflict", on })

/** A change set that no decision may make. */
export const mistake = (message: string): never => {
  throw new Error(`change set: ${message}`)
}

/** One key of several parts; none of them contains a NUL. */
export const key = (...parts: ReadonlyArray<string>): string => parts.join("\u0000")
