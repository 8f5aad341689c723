/**
 * The audit records of calls that change an inbox.
 * Source: D-473.
 */
import type { AuditOperation } from "../../model/audit/AuditRecord.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext } from "../Decision.ts"

export const auditInbox =
  (operation: AuditOperation) =>
  (_loaded: unknown, context: DecisionContext): Decision<null> => {
    const { platformId } = context.caller
    return answer(200, null, auditRecord(context, operation, { id: platformId, platformId, customerId: null }))
  }
