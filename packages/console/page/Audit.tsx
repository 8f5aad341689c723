/** The audit: who did what to which record, the newest first, page by page, with filters. Source: D-111, D-469. */
import { useState } from "preact/hooks"
import { AuditEntry } from "./AuditEntry.tsx"
import { auditOperations } from "./AuditNames.tsx"
import { useHashParts } from "./Hash.ts"
import { usePager } from "./Pager.ts"
import { PagerButtons } from "./PagerButtons.tsx"
import type { AuditRecord } from "./Wire.ts"

interface Filter {
  readonly operation: string
  readonly target: string
  readonly actor: string
}

const pathOf = (filter: Filter): string => {
  const given = Object.entries(filter).filter(([, value]) => value !== "")
  return `/audit-records?${new URLSearchParams([["limit", "50"], ...given]).toString()}`
}

const List = ({ round, target }: { readonly round: number; readonly target: string }) => {
  const [filter, setFilter] = useState<Filter>({ operation: "", target, actor: "" })
  const pager = usePager<AuditRecord>(pathOf(filter), round)
  const records = pager.page?.data
  const apply = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const text = (name: string) => String(form.get(name)).trim()
    setFilter({ operation: text("operation"), target: text("target"), actor: text("actor") })
  }
  return (
    <section aria-labelledby="audit-title">
      <h2 id="audit-title" tabIndex={-1}>
        Audit
      </h2>
      <form class="filter" onSubmit={apply}>
        <div>
          <label for="audit-operation">What</label>
          <select id="audit-operation" name="operation">
            <option value="">Everything</option>
            {Object.entries(auditOperations).map(([name, text]) => (
              <option key={name} value={name}>
                {text}
              </option>
            ))}
          </select>
        </div>
        <label>
          Record
          <input name="target" defaultValue={target} maxLength={255} autocomplete="off" spellcheck={false} />
        </label>
        <label>
          API token or agent
          <input name="actor" maxLength={255} autocomplete="off" spellcheck={false} />
        </label>
        <button type="submit">Filter</button>
      </form>
      <div role="alert">{pager.problem === undefined ? null : <p class="problem">{pager.problem}</p>}</div>
      {records === undefined ? (
        <p class="soft">{pager.problem === undefined ? "Loading…" : ""}</p>
      ) : records.length === 0 ? (
        <div class="empty">
          <p class="name">
            {Object.values(filter).join("") === "" ? "There is nothing yet." : "Nothing fits the filter."}
          </p>
        </div>
      ) : (
        <ol class="panel history audit">
          {records.map((record) => (
            <AuditEntry key={record.id} record={record} />
          ))}
        </ol>
      )}
      <PagerButtons pager={pager} />
    </section>
  )
}

export const Audit = ({ round }: { readonly round: number }) => {
  const [, target = ""] = useHashParts()
  return <List key={target} round={round} target={target} />
}
