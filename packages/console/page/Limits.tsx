/** What an execution now would leave of the policy's limits. */
import { count, money } from "./Format.ts"
import { usualDecimals } from "./Reasons.ts"
import type { Evaluation } from "./Wire.ts"

type Limit = Evaluation["limits"][number]

const labels: Readonly<Record<Limit["limit"], string>> = {
  perTransactionLimit: "Per action",
  dailyLimit: "Today",
  monthlyLimit: "This month",
  dailyTransactionLimit: "Actions today",
}

const One = ({
  currency,
  decimals,
  of,
}: {
  readonly of: Limit
  readonly currency: string
  readonly decimals: number
}) => {
  const shown = (value: number) =>
    of.currency === undefined
      ? count(value)
      : money(value, of.currency, of.currency === currency ? decimals : usualDecimals(of.currency))
  const after = of.used + of.amount
  const isPassed = of.remaining < 0
  return (
    <div class={isPassed ? "limit passed" : "limit"}>
      <dt>{labels[of.limit]}</dt>
      <dd>
        <progress max={of.value} value={Math.min(after, of.value)} aria-hidden="true" />
        <span class="number">
          {isPassed
            ? `${shown(-of.remaining)} over ${shown(of.value)}`
            : `${shown(of.remaining)} left of ${shown(of.value)}`}
        </span>
      </dd>
    </div>
  )
}

interface Props {
  readonly limits: Evaluation["limits"]
  readonly currency: string
  readonly decimals: number
}

export const Limits = ({ currency, decimals, limits }: Props) =>
  limits.length === 0 ? null : (
    <section class="limits" aria-label="Limits after approval">
      <h4>Limits after approval</h4>
      <dl>
        {limits.map((of) => (
          <One key={`${of.limit} ${of.accountId ?? ""}`} of={of} currency={currency} decimals={decimals} />
        ))}
      </dl>
    </section>
  )
