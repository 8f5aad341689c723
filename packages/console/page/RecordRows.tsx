/** Records in a list: what names each, its state, its amount and its age. Source: D-467. */
import { ago, dateTime, money, shortId } from "./Format.ts"
import { hashOf } from "./Hash.ts"
import { recordTypes, StateBadge } from "./RecordNames.tsx"
import type { RecordSummary } from "./Wire.ts"

const Row = ({ now, record }: { readonly now: number; readonly record: RecordSummary }) => {
  const { amount, createdAt, id, isDeleted, name, state, type } = record
  return (
    <li class="event">
      <div class="what">
        <a class="name" href={hashOf("records", id)}>
          {name ?? `${recordTypes[type].one} ${shortId(id)}`}
        </a>
        <p class="soft small id">{id}</p>
      </div>
      <div class="outcome">
        <span class="row">
          {amount === undefined ? null : (
            <span class="sum">{money(amount.amount, amount.currency.code, amount.currency.decimals)}</span>
          )}
          {isDeleted ? (
            <span class="badge rejected">Deleted</span>
          ) : state === undefined ? null : (
            <StateBadge state={state} />
          )}
        </span>
        <time class="soft small" dateTime={createdAt} title={dateTime(createdAt)}>
          {ago(createdAt, now)}
        </time>
      </div>
    </li>
  )
}

export const RecordRows = ({
  now,
  records,
}: {
  readonly now: number
  readonly records: ReadonlyArray<RecordSummary>
}) => (
  <ul class="panel history records">
    {records.map((record) => (
      <Row key={record.id} now={now} record={record} />
    ))}
  </ul>
)
