/** A claimed job for a handler that a test calls itself. */
import type { ClaimedJob } from "@countersign/core/store"

export const claimedJob = (platformId: string, payload: ClaimedJob["payload"]): ClaimedJob => ({
  id: "Job:00000000-0000-4000-8000-00000000dead",
  platformId,
  customerId: null,
  kind: "test",
  queue: "work",
  attempt: 1,
  firstClaimedAt: 0,
  dueAt: 0,
  payload,
})
