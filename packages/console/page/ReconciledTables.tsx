/** The tables of a reconciliation: sums that must agree, and the counts of each day. */
import type { ReconciliationResponse } from "@countersign/core/models"
import { count, money } from "./Format.ts"
import { Scroll } from "./Scroll.tsx"

type Totals = ReconciliationResponse["totals"]
type Days = ReconciliationResponse["days"]

export const ReconciledTotals = ({ totals }: { readonly totals: Totals }) => (
  <section class="panel book" aria-labelledby="sums-title">
    <header>
      <h3 id="sums-title">Sums that must agree</h3>
    </header>
    <Scroll name="Sums that must agree">
      <table>
        <thead>
          <tr>
            <th scope="col">Bank</th>
            {["Statements", "Orders", "Ledger", "Open"].map((name) => (
              <th key={name} scope="col" class="sum">
                {name}
              </th>
            ))}
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          {totals.map(({ agrees, bank, currency, decimals, direction, ledger, open, orders, statement }) => {
            const shown = (sum: string) => money(BigInt(sum), currency, decimals)
            return (
              <tr key={`${bank} ${currency} ${direction}`}>
                <th scope="row">
                  {bank}, {direction === "IN" ? "in" : "out"}
                </th>
                <td class="sum">{statement === undefined ? "–" : shown(statement)}</td>
                <td class="sum">{shown(orders)}</td>
                <td class="sum">{shown(ledger)}</td>
                <td class="sum">{shown(open)}</td>
                <td>
                  <span class={agrees ? "badge approved" : "badge failed"}>{agrees ? "Agrees" : "Differs"}</span>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Scroll>
  </section>
)

const columns = [
  ["matched", "Matched"],
  ["unmatched", "Unmatched"],
  ["suspicious", "Suspicious"],
  ["orders", "Orders"],
  ["open", "Open"],
  ["suspiciousOrders", "Suspicious orders"],
] as const

interface DaysProps {
  readonly days: Days
  readonly banks: ReconciliationResponse["banks"]
}

export const ReconciledDays = ({ banks, days }: DaysProps) => {
  const accounts = new Map(banks.map(({ account, name }) => [name, account]))
  return (
    <section class="panel book" aria-labelledby="days-title">
      <header>
        <h3 id="days-title">Days</h3>
      </header>
      <Scroll name="Days">
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Bank</th>
              {columns.map(([name, title]) => (
                <th key={name} scope="col" class="sum">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <tr key={`${day.day} ${day.bank}`}>
                <th scope="row">{day.day}</th>
                <td>
                  {day.bank} <span class="soft small">{accounts.get(day.bank)}</span>
                </td>
                {columns.map(([name]) => (
                  <td key={name} class="sum">
                    {count(day[name])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  )
}
