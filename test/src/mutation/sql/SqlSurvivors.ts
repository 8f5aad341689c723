/** Mutants of the database functions that change nothing that anyone could notice, with the reason. */

export interface ExplainedSql {
  readonly reason: string
  /** Parts of the names of mutants, as the run prints them. */
  readonly mutants: ReadonlyArray<string>
}

export const explained: ReadonlyArray<ExplainedSql> = []
