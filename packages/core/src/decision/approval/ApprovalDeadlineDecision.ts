/**
 * Decides what time alone does with a held action: the end of its time to be approved, and the escalation to a further group.
 * Source: D-532.
 */
import { isExpired } from "../../model/approval/ApprovalRequirement.ts"
import type { Owner } from "../../model/record/Record.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { job } from "../../store/JobKinds.ts"
import { reject } from "../agent/ActionChanges.ts"
import { auditRecord } from "../audit/Audit.ts"
import type { DecisionContext } from "../Decision.ts"

const expiredReason = "The time to approve the action is over."

/** Returns the jobs at the times of a requirement. */
export const deadlineJobs = (
  actionId: string,
  { customerId }: Owner,
  { requirement }: Stored<"AgentAction">["data"],
  { ids }: Pick<DecisionContext, "ids">,
): Changes.Changes => {
  const { escalation, expiresAt } = requirement ?? {}
  const at = (kind: "approval.escalate" | "approval.expire", dueAt: number | undefined) =>
    dueAt === undefined
      ? []
      : [job(ids, kind, { customerId, dueAt, lane: `${kind}:${actionId}`, payload: { actionId } })]
  return { jobs: [...at("approval.escalate", escalation?.at), ...at("approval.expire", expiresAt)] }
}

/** Rejects a held action whose time is over. `undefined`: it is decided already, or its time is not over. */
export const expireApproval = (
  action: Stored<"AgentAction"> | undefined,
  context: DecisionContext,
): Changes.Changes | undefined => {
  const requirement = action?.data.requirement
  if (action?.data.status !== "PENDING_APPROVAL" || requirement === undefined) return undefined
  if (!isExpired(requirement, context.now)) return undefined
  const { needed, row, votes } = requirement
  const details = { reason: "APPROVAL_EXPIRED", row, needed, votes: votes.length }
  return Changes.combine(
    reject(action, expiredReason, context.now).changes,
    auditRecord(context, "AGENT_ACTION_REJECT", action, { details }),
  )
}

/** Records that a further group may approve, which the console notices. The group may from the time on, whether this has run or not. */
export const escalateApproval = (
  action: Stored<"AgentAction"> | undefined,
  context: DecisionContext,
): Changes.Changes | undefined => {
  const requirement = action?.data.requirement
  const escalation = requirement?.escalation
  if (action?.data.status !== "PENDING_APPROVAL" || requirement === undefined || escalation === undefined) {
    return undefined
  }
  const { needed, row, votes } = requirement
  const details = { row, from: requirement.approvers, to: escalation.to, needed, votes: votes.length }
  return Changes.combine(Changes.guard(action), auditRecord(context, "AGENT_ACTION_ESCALATE", action, { details }))
}
