/**
 * The refusal of a part of a change set, which is an outcome, and the error for an invalid change set, which is a defect.
 * Source: architecture, "Load, ask, decide, commit".
 */
import type { CommitOutcome } from "@countersign/core/store"
import { Result } from "effect"

/** The outcomes that change nothing and make the operation decide again. */
export type Refusal = Exclude<CommitOutcome, { readonly _tag: "Committed" | "Replayed" }>

/** A part of the state after its part of the change set, or the refusal. */
export type Applied<A> = Result.Result<A, Refusal>

export const conflict = (on: string): Result.Result<never, Refusal> => Result.fail({ _tag: "Conflict", on })

/** Throws for a change set that no decision may make. */
export const mistake = (message: string): never => {
  throw new Error(`change set: ${message}`)
}

/** Joins parts to one key. No part contains a NUL. */
export const key = (...parts: ReadonlyArray<string>): string => parts.join("\u0000")
