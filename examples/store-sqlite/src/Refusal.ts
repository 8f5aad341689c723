/** An outcome that changes nothing. It is thrown, so that the transaction rolls back. */
import type { CommitOutcome } from "@countersign/core/store"

export class Refusal extends Error {
  readonly outcome: CommitOutcome

  constructor(outcome: CommitOutcome) {
    super(outcome._tag)
    this.outcome = outcome
  }
}

export const conflict = (on: string): never => {
  throw new Refusal({ _tag: "Conflict", on })
}
