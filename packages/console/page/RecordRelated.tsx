/** What belongs to a record, by type: each list is read when it is opened. Source: D-467. */
import type { RecordTypeName } from "@countersign/core/models"
import { useState } from "preact/hooks"
import { booksOf } from "./BooksPlace.ts"
import { hashOf } from "./Hash.ts"
import { useLoaded } from "./Loaded.ts"
import { isSandbox } from "./Mode.ts"
import { recordTypes } from "./RecordNames.tsx"
import { RecordRows } from "./RecordRows.tsx"
import type { Page, RecordDetail, RecordSummary } from "./Wire.ts"

const shown = 5

interface ListProps {
  readonly id: string
  readonly type: RecordTypeName
}

const List = ({ id, type }: ListProps) => {
  const path = `/operator/records?type=${type}&limit=${shown}&relatedTo=${encodeURIComponent(id)}`
  const { problem, value } = useLoaded<Page<RecordSummary>>(path, 0)
  if (value === undefined) return <p class={problem === undefined ? "soft" : "problem"}>{problem ?? "Loading…"}</p>
  if (value.data.length === 0) return <p class="soft">None.</p>
  return (
    <>
      <RecordRows now={Date.now()} records={value.data} />
      {value.hasMore ? (
        <p>
          <a href={hashOf("records", "type", type, id)}>All {recordTypes[type].many.toLowerCase()} of this record</a>
        </p>
      ) : null}
    </>
  )
}

const Related = ({ id, type }: ListProps) => {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{recordTypes[type].many}</summary>
      {isOpen ? <List id={id} type={type} /> : null}
    </details>
  )
}

export const RecordRelated = ({ record }: { readonly record: RecordDetail }) => {
  const books = isSandbox() ? booksOf(record) : undefined
  return (
    <div class="panel related">
      {record.related.map((type) => (
        <Related key={type} id={record.id} type={type} />
      ))}
      <p class="row">
        <a href={hashOf("events", "record", record.id)}>Its events</a>
        {books === undefined ? null : <a href={books}>Its ledger entries</a>}
      </p>
    </div>
  )
}
