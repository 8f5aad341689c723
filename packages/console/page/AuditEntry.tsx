/** An audit record in a list: what, who, when, and what was changed. Source: D-111, D-469. */
import { actorText, auditText, OutcomeBadge } from "./AuditNames.tsx"
import { dateTime } from "./Format.ts"
import { RecordFields } from "./RecordFields.tsx"
import { IdLink } from "./RecordNames.tsx"
import type { AuditRecord } from "./Wire.ts"

export const AuditDetails = ({ record: { details, requestId } }: { readonly record: AuditRecord }) =>
  requestId === undefined && Object.keys(details).length === 0 ? null : (
    <details>
      <summary class="small">Details</summary>
      <RecordFields fields={{ ...details, ...(requestId === undefined ? {} : { requestId }) }} />
    </details>
  )

export const AuditEntry = ({ record }: { readonly record: AuditRecord }) => (
  <li class="attempt">
    <p>
      <span class="name">{auditText(record)}</span> <OutcomeBadge record={record} />
    </p>
    <p class="small">
      By {actorText(record)},{" "}
      <time class="soft" dateTime={record.createdAt}>
        {dateTime(record.createdAt)}
      </time>
    </p>
    <p class="small">
      <IdLink id={record.target} />
    </p>
    <AuditDetails record={record} />
  </li>
)
