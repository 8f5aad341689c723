/**
 * The one line by which a decision is put on record: a part of its change set, so that neither is there without the other.
 * Source: wire contract 11 (60); architecture, "The rooms" (operation/Audit); D-111.
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

/** What it was done to, and whose that is: a stored record, or what stands for one. */
interface Target extends Owner {
  readonly id: string
}

interface AuditOptions {
  /** Absent: `DONE`. */
  readonly outcome?: AuditOutcome
  readonly details?: AuditDetails
  /** Who did it, where that is not the caller: a request without credentials. */
  readonly by?: AuditActor
}

const actorOf = (caller: Caller): AuditActor => {
  if (caller._tag === "Agent") return { type: "AGENT", id: caller.agentId }
  return caller.tokenId === null ? { type: "SERVICE" } : { type: "PLATFORM", id: caller.tokenId }
}

/** Records who decided what about `target`. Details name rules, numbers and ids: no secret, and nothing of a person. */
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
  return Changes.insert("AuditRecord", ids("AuditRecord"), target, data)
}
