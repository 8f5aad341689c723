/** The agent's latest actions under both policies, those first in mind whose outcome would change. Source: D-476, D-477. */
import { useState } from "preact/hooks"
import { OutcomeBadge } from "./EvaluationTable.tsx"
import { count, dateTime, many, money } from "./Format.ts"
import type { DecimalsOf } from "./PolicyDraft.ts"
import { type Outcome, typeNames } from "./PolicyNames.ts"
import { Scroll } from "./Scroll.tsx"
import type { Comparison } from "./Wire.ts"

type Recent = Comparison["recent"]

const numberOf = (recent: Recent, outcome: Outcome, which: "present" | "proposed") =>
  recent.filter((each) => (each[which] ?? each.present).outcome === outcome).length

const isChanged = ({ present, proposed }: Recent[number]) =>
  proposed !== undefined && proposed.outcome !== present.outcome

/** What the proposed policy would have done with the recent actions, in words. */
export const recentSummary = (recent: Recent): string => {
  if (recent.length === 0) return "The agent has submitted no action yet."
  const part = (outcome: Outcome, name: string) =>
    `${count(numberOf(recent, outcome, "proposed"))} would have ${name}, today ${count(numberOf(recent, outcome, "present"))}`
  return `Of the last ${many(recent.length, "action")} ${part("PENDING_APPROVAL", "needed approval")}; ${part("REFUSED", "been refused")}.`
}

interface Props {
  readonly recent: Recent
  readonly decimalsOf: DecimalsOf
}

export const RecentTable = ({ decimalsOf, recent }: Props) => {
  const [isOnlyChanged, setOnlyChanged] = useState(false)
  const shown = isOnlyChanged ? recent.filter(isChanged) : recent
  return recent.length === 0 ? null : (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={isOnlyChanged}
          onChange={({ currentTarget }) => setOnlyChanged(currentTarget.checked)}
        />
        Only actions that would change
      </label>
      {shown.length === 0 ? (
        <p class="soft">No recent action would change.</p>
      ) : (
        <Scroll name="Recent actions">
          <table>
            <thead>
              <tr>
                <th scope="col">Submitted</th>
                <th scope="col">Action</th>
                <th scope="col" class="sum">
                  Amount
                </th>
                <th scope="col">Today</th>
                <th scope="col">After saving</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((each) => (
                <tr key={each.actionId} class={isChanged(each) ? "changed" : ""}>
                  <td>
                    {dateTime(each.createdAt)}
                    {each.asOf === each.createdAt ? null : <span class="soft small">with today's usage</span>}
                  </td>
                  <td>{typeNames[each.type]}</td>
                  <td class="sum">{money(each.amount, each.currency, decimalsOf(each.currency))}</td>
                  <td>
                    <OutcomeBadge outcome={each.present.outcome} />
                  </td>
                  <td>
                    <OutcomeBadge outcome={(each.proposed ?? each.present).outcome} />
                    {isChanged(each) ? <span class="small">changes</span> : null}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </>
  )
}
