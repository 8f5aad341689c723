/** The fields of any resource: amounts as money, times as the reader writes them, ids as links. Source: D-467. */
import type { ComponentChildren } from "preact"
import { amountBeside, type Fields, isFields, moneyOf } from "./FieldAmounts.ts"
import { count, dateTime } from "./Format.ts"
import { fieldName, IdLink, placeOfId } from "./RecordNames.tsx"

const shownMax = 20
const depthMax = 5
const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/u

declare const CURRENCY_DECIMALS: Readonly<Record<string, number>>

const Value = ({ depth, value }: { readonly depth: number; readonly value: unknown }): ComponentChildren => {
  if (value === null || value === undefined) return <span class="soft">none</span>
  if (typeof value === "boolean") return value ? "yes" : "no"
  if (typeof value === "number") return String(value)
  if (typeof value === "string") {
    if (time.test(value)) return <time dateTime={value}>{dateTime(value)}</time>
    return placeOfId(value) === undefined ? value : <IdLink id={value} />
  }
  if (Array.isArray(value)) return <List depth={depth} values={value} />
  if (!isFields(value)) return null
  const amount = moneyOf(value)
  if (amount !== undefined) return amount
  return depth >= depthMax ? (
    <span class="id">{JSON.stringify(value)}</span>
  ) : (
    <FieldList depth={depth} fields={value} />
  )
}

const List = ({ depth, values }: { readonly depth: number; readonly values: ReadonlyArray<unknown> }) => {
  if (values.length === 0) return <span class="soft">none</span>
  if (values.length <= shownMax && values.every((each) => typeof each === "string" && placeOfId(each) === undefined)) {
    return values.join(", ")
  }
  return (
    <ul class="values">
      {values.slice(0, shownMax).map((each, index) => (
        <li key={String(index)}>
          <Value depth={depth + 1} value={each} />
        </li>
      ))}
      {values.length > shownMax ? <li class="soft">and {count(values.length - shownMax)} more</li> : null}
    </ul>
  )
}

const FieldList = ({ depth, fields }: { readonly depth: number; readonly fields: Fields }) => (
  <dl class="fields">
    {Object.entries(fields).map(([name, value]) => (
      <div key={name}>
        <dt class="soft">{fieldName(name)}</dt>
        <dd>{amountBeside(fields, name, value, CURRENCY_DECIMALS) ?? <Value depth={depth + 1} value={value} />}</dd>
      </div>
    ))}
  </dl>
)

export const RecordFields = ({ fields }: { readonly fields: object }) => (
  <FieldList depth={0} fields={fields as Fields} />
)
