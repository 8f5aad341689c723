/** The records of a type, the newest first, page by page, with filters. Source: D-467. */
import type { RecordTypeName } from "@countersign/core/models"
import { useState } from "preact/hooks"
import { EmptyHint } from "./EmptyHint.tsx"
import { hashOf } from "./Hash.ts"
import { usePager } from "./Pager.ts"
import { PagerButtons } from "./PagerButtons.tsx"
import { RecordFind } from "./RecordFind.tsx"
import { IdLink, recordTypeNames, recordTypes } from "./RecordNames.tsx"
import { RecordRows } from "./RecordRows.tsx"
import type { RecordSummary } from "./Wire.ts"

interface Props {
  readonly type: RecordTypeName
  /** The id of the record that they name; empty: any. */
  readonly relatedTo: string
  readonly now: number
  readonly round: number
}

const queryOf = (type: RecordTypeName, relatedTo: string, state: string): string => {
  const filters = { type, limit: "50", ...(relatedTo === "" ? {} : { relatedTo }), ...(state === "" ? {} : { state }) }
  return `/operator/records?${new URLSearchParams(filters).toString()}`
}

export const RecordList = ({ now, relatedTo, round, type }: Props) => {
  const [state, setState] = useState("")
  const { hasStates, many } = recordTypes[type]
  const pager = usePager<RecordSummary>(queryOf(type, relatedTo, hasStates ? state : ""), round)
  const records = pager.page?.data
  const states = [...new Set((records ?? []).flatMap((each) => each.state ?? []))].toSorted()

  const filter = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    setState(String(form.get("state") ?? "").trim())
    location.hash = hashOf("records", "type", String(form.get("type")), ...(relatedTo === "" ? [] : [relatedTo]))
  }
  return (
    <section aria-labelledby="records-title">
      <h2 id="records-title" tabIndex={-1}>
        {many}
      </h2>
      <RecordFind now={now} />
      <form class="filter" key={type} onSubmit={filter}>
        <div>
          <label for="record-type">Type</label>
          <select id="record-type" name="type" value={type}>
            {recordTypeNames.map((each) => (
              <option key={each} value={each}>
                {recordTypes[each].many}
              </option>
            ))}
          </select>
        </div>
        {hasStates ? (
          <label>
            State
            <input name="state" list="record-states" value={state} autocomplete="off" spellcheck={false} />
          </label>
        ) : null}
        <datalist id="record-states">
          {states.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
        <button type="submit">Filter</button>
      </form>
      {relatedTo === "" ? null : (
        <p class="small of">
          Of <IdLink id={relatedTo} /> <a href={hashOf("records", "type", type)}>Show all</a>
        </p>
      )}
      <div role="alert">{pager.problem === undefined ? null : <p class="problem">{pager.problem}</p>}</div>
      {records === undefined ? (
        <p class="soft">{pager.problem === undefined ? "Loading…" : ""}</p>
      ) : records.length === 0 ? (
        <div class="empty">
          <p class="name">{state === "" && relatedTo === "" ? "There are none yet." : "No record fits the filter."}</p>
          {state === "" && relatedTo === "" ? <EmptyHint /> : null}
        </div>
      ) : (
        <RecordRows now={now} records={records} />
      )}
      <PagerButtons pager={pager} />
    </section>
  )
}
