/** The parts of an action that a waiting and a decided one show alike. */
import { ago, dateTime, money } from "./Format.ts"
import type { Names, Party } from "./Names.ts"
import { type Reason, reasonOf } from "./Reasons.ts"
import type { Action } from "./Wire.ts"

export const kinds: Readonly<Record<Action["type"], { readonly name: string; readonly arrow: string }>> = {
  TRANSFER_IN: { name: "Transfer in", arrow: "M12 4v14m0 0-6-6m6 6 6-6" },
  TRANSFER_OUT: { name: "Transfer out", arrow: "M12 20V6m0 0-6 6m6-6 6 6" },
  EXECUTE_QUOTE: { name: "Quote", arrow: "M5 8h13m0 0-4-4m4 4-4 4M19 16H6m0 0 4-4m-4 4 4 4" },
}

/** The currency in which the action takes money. */
export const currencyOf = ({ quote, transferDetails }: Action): string =>
  transferDetails?.currency ?? quote?.sendingCurrency.code ?? ""

/** What it takes; of a quote also what that brings. */
export const amountOf = ({ quote, transferDetails, type }: Action, names: Names | undefined): string => {
  if (transferDetails !== undefined) {
    return money(transferDetails.amount, transferDetails.currency, names?.decimals ?? 2)
  }
  if (quote === undefined) return kinds[type].name
  const { receivingCurrency, sendingCurrency, totalReceivingAmount, totalSendingAmount } = quote
  const sent = money(totalSendingAmount, sendingCurrency.code, sendingCurrency.decimals)
  return `${sent} for ${money(totalReceivingAmount, receivingCurrency.code, receivingCurrency.decimals)}`
}

export const reasonFor = (action: Action, details: Action["details"], names: Names | undefined): Reason | undefined =>
  reasonOf(details, currencyOf(action), names?.decimals ?? 2)

/** An amount to somebody: what a decision is about, in one line. */
export const summary = (action: Action, names: Names | undefined): string => {
  if (names === undefined) return kinds[action.type].name
  const { from, to } = names
  return `${amountOf(action, names)} ${action.type === "TRANSFER_IN" ? `from ${from.name}` : `to ${to.name}`}`
}

export const Direction = ({ type }: { readonly type: Action["type"] }) => (
  <span class={`direction ${type === "TRANSFER_IN" ? "in" : "out"}`} aria-hidden="true">
    <svg
      viewBox="0 0 24 24"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      aria-hidden="true"
    >
      <path d={kinds[type].arrow} stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  </span>
)

const PartyLine = ({ label, of }: { readonly label: string; readonly of: Party | undefined }) => (
  <div>
    <dt>{label}</dt>
    <dd>
      <span class="name">{of?.name ?? "…"}</span>
      <span class="soft small">{of?.detail ?? ""}</span>
    </dd>
  </div>
)

export const Parties = ({ names }: { readonly names: Names | undefined }) => (
  <dl class="parties">
    <PartyLine label="From" of={names?.from} />
    <PartyLine label="To" of={names?.to} />
    <PartyLine label="Agent" of={names && { name: names.agent, detail: `for ${names.customer.name}` }} />
  </dl>
)

export const Submitted = ({ at, now }: { readonly at: string; readonly now: number }) => (
  <time class="soft small" dateTime={at} title={dateTime(at)}>
    {ago(at, now)}
  </time>
)

export const ReasonText = ({ reason }: { readonly reason: Reason }) => (
  <>
    <p>{reason.message}</p>
    {reason.numbers.length === 0 ? null : (
      <dl class="numbers">
        {reason.numbers.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    )}
  </>
)
