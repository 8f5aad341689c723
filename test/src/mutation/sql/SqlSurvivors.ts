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
    reason: "Runs of one job have no second, and no kind and no head have no run.",
    mutants: ["claim_jobs:262 > => >=", "claim_jobs:262 and => or"],
  },
  {
    reason: "How many jobs are looked at decides how often the search is repeated, and not which jobs it finds.",
    mutants: [
      "claim_jobs:130 - => +",
      "claim_jobs:142 < => <=",
      "claim_jobs:165 >= => >",
      "claim_jobs:165 or => and",
      "claim_jobs:198 > => >=",
      "claim_jobs:248 or => and",
    ],
  },
  {
    reason:
      "A second protection. Jobs of a run wait and have no attempt, because claims of a queue come one after another; and a job of a lane that is open too early is not claimed while an earlier one holds the lane.",
    mutants: [
      "claim_jobs:285 and => or",
      "commit_group:331 and => or",
      "commit_group:341 and => or",
      "open_lane:16 and => or",
      "open_lane:17 and => or",
    ],
  },
  {
    reason:
      "Rows of several sets are locked in one order before they change, so that two calls do not wait for each other in a circle. The database ends such a circle, and the sets are sent again.",
    mutants: [
      "commit_serial:127 perform 1 from ( select distinct (element->>'platform') coll => null;",
      "commit_serial:151 for no key update => nothing",
      "commit_serial:541 and => or",
      "commit_group:110 true => false",
    ],
  },
  {
    reason: "The next check refuses the set as well, in other words.",
    mutants: ["commit_serial:468 raise exception '%', 'change set: ' || 'ledger account ' ||  => null;"],
  },
  {
    reason: "A part without rows has no effect.",
    mutants: ["commit_group:306 > => >=", "commit_group:454 > => >="],
  },
  {
    reason: "The two halves of an advisory lock's key are compared together; one half alone is hardly ever equal.",
    mutants: ["find_locked:48 and => or"],
  },
]
