/** Audit records as people read them: what was done, by whom, and how it ended. Source: D-111, D-469. */
import { shortId } from "./Format.ts"
import type { AuditRecord } from "./Wire.ts"

/** The build puts the table of audited operations here: what each means. */
declare const AUDIT_OPERATIONS: Readonly<Record<string, string>>

export const auditOperations = AUDIT_OPERATIONS

export const auditText = ({ operation }: AuditRecord): string => auditOperations[operation] ?? operation

const proofs = { SECRET: "by the client secret", PASSKEY: "by a passkey" } as const

const ownerText = ({ approver, id, operator, type }: AuditRecord["actor"]): string => {
  if (approver !== undefined) return `${approver.name}, ${proofs[approver.proof]}`
  if (type === "SERVICE") return operator === undefined ? "the service" : `${operator}, operator`
  return `${type === "AGENT" ? "agent" : "API token"} ${id === undefined ? "" : shortId(id)}`
}

/** Who did it: of a person the name, and what proved it. Of a request that was sent again, also who sent it. */
export const actorText = ({ actor }: AuditRecord): string => {
  const { resender } = actor
  if (resender === undefined) return ownerText(actor)
  return `${ownerText(actor)}, sent again by ${ownerText({ type: "PLATFORM", ...resender })}`
}

const outcomes = { DONE: undefined, HELD: "Held", REFUSED: "Refused", FAILED: "Failed" } as const

export const OutcomeBadge = ({ record: { outcome } }: { readonly record: AuditRecord }) =>
  outcomes[outcome] === undefined ? null : (
    <span class={`badge ${outcome === "HELD" ? "sandbox" : "failed"}`}>{outcomes[outcome]}</span>
  )
