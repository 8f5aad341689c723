/**
 * Decides that a parked job is resumed or dropped.
 * Source: D-354.
 */
import { notFound } from "../../foundation/errors/ServiceError.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import type { ParkedJobResource } from "../../model/platform/ParkedJobResource.ts"
import type { ParkedJobDecision } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { JobKinds } from "../../store/JobKinds.ts"
import type { JobView } from "../../store/Store.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import { jobSubject } from "./JobSubject.ts"

/** Whether nothing but the job itself is lost when a job of this kind is dropped. */
const isDroppable = (kind: string): boolean =>
  JobKinds.entries.some(([name, { isDroppable: droppable }]) => name === kind && droppable === true)

export const toParkedJob = ({ attempt, customerId, dueAt, error, id, kind, lane }: JobView): ParkedJobResource => ({
  id,
  kind,
  ...(customerId === null ? {} : { customerId }),
  ...jobSubject(lane),
  attempts: attempt,
  ...(error === undefined ? {} : { error }),
  dueAt: iso(dueAt),
  isDroppable: isDroppable(kind),
})

/** `isForced`: the operator drops a job although a record waits for it. */
export const decideParkedJob =
  (outcome: ParkedJobDecision["outcome"], isForced = false) =>
  ({ job }: { readonly job: JobView | undefined }, context: DecisionContext): Decision<ParkedJobResource> => {
    if (job === undefined) return refuse(notFound("parked job"))
    const { attempt, customerId, id, kind, platformId } = job
    if (outcome === "dropped" && !isForced && !isDroppable(kind)) {
      return refuse({
        code: "CONFLICT",
        message: "A record waits for this job, so that it cannot be dropped.",
        details: { reason: "JOB_NOT_DROPPABLE", kind },
      })
    }
    const operation = outcome === "resumed" ? "JOB_RESUME" : "JOB_DROP"
    const target = { id, platformId, customerId }
    const details = { kind, attempts: attempt, ...(isForced ? { isForced } : {}) }
    return answer(
      200,
      toParkedJob(job),
      Changes.combine({ returns: [{ id, attempt, outcome }] }, auditRecord(context, operation, target, { details })),
    )
  }
