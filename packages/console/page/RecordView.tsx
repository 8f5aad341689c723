/** One record of any type: its states, its fields, what belongs to it, and its history. Source: D-467. */
import { Fragment } from "preact"
import { dateTime, money, shortId } from "./Format.ts"
import { hashOf } from "./Hash.ts"
import { useLoaded } from "./Loaded.ts"
import { RecordFields } from "./RecordFields.tsx"
import { RecordHistory } from "./RecordHistory.tsx"
import { RecordMachine } from "./RecordMachine.tsx"
import { fieldName, IdLink, recordTypes, StateBadge } from "./RecordNames.tsx"
import { RecordRelated } from "./RecordRelated.tsx"
import type { Page, RecordDetail } from "./Wire.ts"

interface Listed {
  readonly id: string
}

/** The resource itself; of a list its entry. */
const Resource = ({ id, path, round }: { readonly id: string; readonly path: string; readonly round: number }) => {
  const { problem, value } = useLoaded<object | Page<Listed>>(path, round)
  if (value === undefined) return <p class={problem === undefined ? "soft" : "problem"}>{problem ?? "Loading…"}</p>
  const fields = "data" in value ? value.data.find((each) => each.id === id) : value
  if (fields === undefined) return <p class="soft">It is no longer listed.</p>
  // The id is shown above.
  return <RecordFields fields={Object.fromEntries(Object.entries(fields).filter(([name]) => name !== "id"))} />
}

const Shown = ({ record, round }: { readonly record: RecordDetail; readonly round: number }) => (
  <>
    {record.states.map(({ field, machine, state }) =>
      machine === undefined ? null : (
        <Fragment key={field}>
          <h3>What changes {fieldName(field).toLowerCase()}</h3>
          <RecordMachine name={machine} state={state} />
        </Fragment>
      ),
    )}
    <h3>Fields</h3>
    <div class="panel fields-panel">
      {record.resourcePath === undefined ? (
        <RecordFields fields={Object.fromEntries(record.links.map(({ field, id }) => [field, id]))} />
      ) : (
        <Resource id={record.id} path={record.resourcePath} round={round} />
      )}
    </div>
    <h3>Belongs to it</h3>
    <RecordRelated record={record} />
    <h3>History</h3>
    <RecordHistory record={record} round={round} />
  </>
)

export const RecordView = ({ id, round }: { readonly id: string; readonly round: number }) => {
  const { problem, value: record } = useLoaded<RecordDetail>(`/operator/records/${encodeURIComponent(id)}`, round)
  const amount = record?.amount
  return (
    <section aria-labelledby="record-title" class="record">
      <p class="small">
        <a href={record === undefined ? "#records" : hashOf("records", "type", record.type)}>
          {record === undefined ? "Records" : recordTypes[record.type].many}
        </a>
      </p>
      <h2 id="record-title" tabIndex={-1}>
        {record === undefined
          ? "Record"
          : `${recordTypes[record.type].one} ${record.name ?? shortId(record.id)} ${
              amount === undefined ? "" : money(amount.amount, amount.currency.code, amount.currency.decimals)
            }`}
      </h2>
      <div role="alert">{problem === undefined ? null : <p class="problem">{problem}</p>}</div>
      {record === undefined ? (
        <p class="soft">{problem === undefined ? "Loading…" : ""}</p>
      ) : (
        <>
          <dl class="panel event-facts">
            <dt class="soft">Id</dt>
            <dd class="id">{record.id}</dd>
            {record.states.map(({ field, state }) => (
              <Fragment key={field}>
                <dt class="soft">{fieldName(field)}</dt>
                <dd>
                  <StateBadge state={state} />
                </dd>
              </Fragment>
            ))}
            {record.isDeleted ? (
              <>
                <dt class="soft">Deleted</dt>
                <dd>yes</dd>
              </>
            ) : null}
            {record.customerId === undefined || record.customerId === record.id ? null : (
              <>
                <dt class="soft">Customer</dt>
                <dd>
                  <IdLink id={record.customerId} />
                </dd>
              </>
            )}
            <dt class="soft">Created</dt>
            <dd>{dateTime(record.createdAt)}</dd>
            <dt class="soft">Changed</dt>
            <dd>{dateTime(record.updatedAt)}</dd>
          </dl>
          <Shown record={record} round={round} />
        </>
      )}
    </section>
  )
}
