/** The parts of a decision's changes that are not empty, for tests that compare all of them. */
import type { Decision } from "../../../packages/core/src/decision/Decision.ts"
import type { Changes } from "../../../packages/core/src/store/Changes.ts"

/** Returns the lists that have members, and `validUntil`. */
export const partsOf = (changes: Changes | undefined): Changes =>
  Object.fromEntries(
    Object.entries(changes ?? {}).filter(([, part]) => (Array.isArray(part) ? part.length > 0 : part !== undefined)),
  )

export const partsWritten = (decision: Decision<unknown>): Changes => partsOf(decision.changes)
