/** Both evaluations of one action, rule by rule, with the numbers that each compared. Source: D-475. */
import { count, money } from "./Format.ts"
import type { DecimalsOf } from "./PolicyDraft.ts"
import { outcomeNames, ruleName } from "./PolicyNames.ts"
import { Scroll } from "./Scroll.tsx"
import type { Comparison, Evaluation } from "./Wire.ts"

type Row = Evaluation["rows"][number]

const resultNames = { PASSED: "passed", DECIDED: "decided", NOT_REACHED: "not reached" } as const

const badges = { APPROVED: "approved", PENDING_APPROVAL: "sandbox", REFUSED: "failed", FAILED: "failed" } as const

export const OutcomeBadge = ({ outcome }: { readonly outcome: Evaluation["outcome"] }) => (
  <span class={`badge ${badges[outcome]}`}>{outcomeNames[outcome]}</span>
)

const numbersOf = ({ compared = [] }: Row, decimalsOf: DecimalsOf) =>
  compared.map(({ amount, currency, remaining, used, value }) => {
    const shown = (number: number) =>
      currency === undefined ? count(number) : money(number, currency, decimalsOf(currency))
    const before = used === 0 ? "" : `${shown(used)} used, `
    const after = remaining < 0 ? `${shown(-remaining)} over` : `${shown(remaining)} left`
    return `${before}${shown(amount)} now, ${after} of ${shown(value)}`
  })

const Cell = ({ decimalsOf, row }: { readonly row: Row | undefined; readonly decimalsOf: DecimalsOf }) => (
  <td class={row?.result === "DECIDED" ? "decided" : row?.result === "NOT_REACHED" ? "soft" : ""}>
    {row === undefined ? "not checked" : resultNames[row.result]}
    {row?.message === undefined ? null : <span class="small">{row.message}</span>}
    {(row === undefined ? [] : numbersOf(row, decimalsOf)).map((text) => (
      <span key={text} class="soft small">
        {text}
      </span>
    ))}
  </td>
)

interface Props {
  readonly compared: Comparison["actions"][number]
  readonly decimalsOf: DecimalsOf
}

export const EvaluationTable = ({ compared: { present, proposed }, decimalsOf }: Props) => {
  const after = proposed ?? present
  const names = [...new Set([...present.rows, ...after.rows].map(({ rule }) => rule))]
  const rowOf = ({ rows }: Evaluation, rule: string) => rows.find((row) => row.rule === rule)
  return (
    <Scroll name="Rules of the tried action">
      <table>
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">
              Today <OutcomeBadge outcome={present.outcome} />
            </th>
            <th scope="col">
              After saving <OutcomeBadge outcome={after.outcome} />
            </th>
          </tr>
        </thead>
        <tbody>
          {names.map((rule) => (
            <tr key={rule}>
              <th scope="row">{ruleName(rule)}</th>
              <Cell row={rowOf(present, rule)} decimalsOf={decimalsOf} />
              <Cell row={rowOf(after, rule)} decimalsOf={decimalsOf} />
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
