/** Mutants of the database functions that change nothing that anyone could notice, with the reason. */

export interface ExplainedSql {
  readonly reason: string
  /** Parts of the names of mutants, as the run prints them. */
  readonly mutants: ReadonlyArray<string>
}

export const explained: ReadonlyArray<ExplainedSql> = [
  {
    reason:
      "A claim leaves out what is locked. Without the short wait it does so after the wait of all functions, a quarter of a second.",
    mutants: ["perform set_config('lock_timeout', '1', true); => null;"],
  },
  {
    reason: "A platform more is looked at, which has no open job.",
    mutants: ["claim_jobs:85 and => or"],
  },
  {
    reason: "Runs of one job have no second.",
    mutants: ["claim_jobs:262 > => >="],
  },
]
