/**
 * Decides an answer that can be guessed, such as a code. Whatever the check found, the commit asserts the count of the wrong answers
 * that the check was decided on. Of any number of concurrent answers only those within the limit are therefore ever distinguished: the
 * others conflict, load the new count and are refused before their check is read.
 * Source: D-334.
 */
import type { Refusal } from "../foundation/errors/ServiceError.ts"
import * as Changes from "../store/Changes.ts"
import { type Decision, refuse } from "./Decision.ts"

/** An answer that has been checked. */
export interface Guess<A> {
  /** Why no answer is accepted now, right or wrong. */
  readonly refused: Refusal | undefined
  readonly isRight: boolean
  /** The refusal of a wrong answer, and the changes that count it. */
  readonly wrong: { readonly refusal: Refusal; readonly counted: Changes.Changes }
  /**
   * What a right answer decides, and the changes that assert the count or clear it. They are committed even with a refusal, which
   * never clears the count: the secret stays open.
   */
  readonly right: () => { readonly decision: Decision<A>; readonly counted: Changes.Changes }
}

/** A guard alone is no write: without a write nothing is committed, and nothing asserts the count. */
const requireWrite = (counted: Changes.Changes): Changes.Changes => {
  if (Changes.isEmpty(counted)) throw new Error("The answer to a guess must write the count of the guesses.")
  return counted
}

export const decideGuess = <A>({ isRight, refused, right, wrong }: Guess<A>): Decision<A> => {
  if (refused !== undefined) return refuse(refused)
  if (!isRight) return refuse(wrong.refusal, requireWrite(wrong.counted))
  const { counted, decision } = right()
  return { ...decision, changes: Changes.combine(requireWrite(counted), decision.changes) }
}
