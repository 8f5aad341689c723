/** The fields of any resource: amounts as money, times as the reader writes them, ids as links. Source: D-467. */
import type { ComponentChildren } from "preact"
import { count, dateTime, money } from "./Format.ts"
import { fieldName, IdLink, placeOfId } from "./RecordNames.tsx"

const shownMax = 20
const depthMax = 5
const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/u

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

declare const CURRENCY_DECIMALS: Readonly<Record<string, number>>

/** Fields whose number is an amount in the smallest unit of the `currency` beside it. */
const amountNames: ReadonlySet<string> = new Set([
  "amount",
  "perTransactionLimit",
  "dailyLimit",
  "monthlyLimit",
  "maxSpendPerTransaction",
])

/** The amount of a field whose currency stands beside it as a code; `undefined`: it is something else. */
const amountBeside = ({ currency }: Fields, name: string, value: unknown): string | undefined => {
  if (typeof currency !== "string" || typeof value !== "number" || !amountNames.has(name)) return undefined
  const decimals = CURRENCY_DECIMALS[currency]
  return decimals === undefined ? undefined : money(value, currency, decimals)
}

/** An amount with its currency, in words; `undefined`: it is something else. */
const moneyOf = (value: Fields): string | undefined => {
  const { amount, currency } = value
  if (typeof amount !== "number" || !isFields(currency)) return undefined
  const { code, decimals } = currency
  return typeof code === "string" && typeof decimals === "number" ? money(amount, code, decimals) : undefined
}

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
        <dd>{amountBeside(fields, name, value) ?? <Value depth={depth + 1} value={value} />}</dd>
      </div>
    ))}
  </dl>
)

export const RecordFields = ({ fields }: { readonly fields: object }) => (
  <FieldList depth={0} fields={fields as Fields} />
)
