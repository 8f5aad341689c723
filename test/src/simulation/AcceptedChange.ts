/** A change that the service has accepted from a client of a simulated run, and whether another one has replaced it. */

/** Times are numbers of requests: those of all clients together. */
export interface AcceptedChange {
  readonly begunAt: number
  /** When it was answered. */
  readonly endedAt: number
}

/** Whether another change was begun after this one was answered. Of two that overlap either may be the last. */
export const isReplaced = ({ endedAt }: AcceptedChange, all: ReadonlyArray<AcceptedChange>): boolean =>
  all.some(({ begunAt }) => begunAt >= endedAt)
