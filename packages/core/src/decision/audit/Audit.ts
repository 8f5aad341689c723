/**
 * Records a decision in the audit. The audit record is part of the decision's change set, so that both are committed together.
 * Source: wire contract 11 (60); architecture, "Layers are folders" (operation/Audit); D-111.
 */
import type {
  AuditActor,
  AuditDetails,
  AuditOperation,
  AuditOutcome,
  AuditRecord,
} from "../../model/audit/AuditRecord.ts"
import type { Owner } from "../../model/record/Record.ts"
import type { Caller } from "../../store/Caller.ts"
import * as Changes from "../../store/Changes.ts"
import type { DecisionContext } from "../Decision.ts"

/** The record that the operation changed, with its owner. */
interface Target extends Owner {
  readonly id: string
}

interface AuditOptions {
  /** Absent: `DONE`. */
  readonly outcome?: AuditOutcome
  readonly details?: AuditDetails
  /** The actor of a request without credentials. Absent: the caller. */
  readonly by?: AuditActor
}

const ownerOf = (caller: Caller): AuditActor => {
  if (caller._tag === "Agent") return { type: "AGENT", id: caller.agentId }
  const { approver, operator, tokenId } = caller
  return tokenId === null
    ? { type: "SERVICE", ...(operator === undefined ? {} : { operator }) }
    : { type: "PLATFORM", id: tokenId, ...(approver === undefined ? {} : { approver }) }
}

const actorOf = (caller: Caller): AuditActor => {
  const { resender } = caller
  return resender === undefined ? ownerOf(caller) : { ...ownerOf(caller), resender }
}

/** Returns the insertion of an audit record about `target`. `details` may name rules, numbers and ids: no secret, no personal data. */
export const auditRecord = (
  { caller, ids, requestId }: Pick<DecisionContext, "caller" | "ids" | "requestId">,
  operation: AuditOperation,
  target: Target,
  { by, details = {}, outcome = "DONE" }: AuditOptions = {},
): Changes.Changes => {
  const data: AuditRecord = {
    actor: by ?? actorOf(caller),
    operation,
    target: target.id,
    outcome,
    ...(requestId === undefined ? {} : { requestId }),
    details,
  }
  return Changes.insert("AuditRecord", ids("AuditRecord", target.customerId), target, data)
}
