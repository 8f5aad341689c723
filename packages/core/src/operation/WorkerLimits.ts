/**
 * The limits of the workers of one process, per queue, and why they have these values.
 * Source: architecture, "Jobs, external calls and time"; D-325, D-326.
 */
export const workerLimits = {
  /** How many jobs run at once. They wait for other servers most of the time; the processor is the limit of one process long before. */
  slots: 128,
  /** How long a claim lasts if the store cannot notice the death of the process. Longer than any handler takes (a webhook: 30 s). */
  leaseMillis: 120_000,
  /** A handler times out after this fraction of its lease, so that no other worker runs the job at the same time. */
  leaseUsable: 0.9,
  /** How long workers wait at most for a wake-up: one that is lost costs this much. */
  pollMillis: 1000,
  /** The wait of a job whose attempt failed only because the store was unavailable; the job itself did nothing wrong. */
  unavailableWaitMillis: 1000,
  /** How often a job is given back to a store that does not answer, until its worker leaves it to the lease. */
  giveBackMillis: 500,
  /** How long a process that stops waits for its running jobs. Others run the rest. */
  finishMillisMax: 10_000,
} as const
