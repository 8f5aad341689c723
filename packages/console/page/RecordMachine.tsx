/** The machine of a record's state: as a picture, and in words what can happen now and what takes it. Source: D-468. */
import { type Drawing, drawings } from "./Drawings.ts"
import { MachineFigure } from "./MachineFigure.tsx"
import { machineName, StateBadge, triggerName } from "./RecordNames.tsx"

interface Step {
  readonly from: string
  readonly trigger: string
  readonly to: string
}

const stepsOf = ({ arrows }: Drawing): ReadonlyArray<Step> =>
  arrows.flatMap(({ from, to, triggers }) => triggers.map((trigger) => ({ from, trigger, to })))

const Taken = ({ step: { to, trigger }, takers }: { readonly step: Step; readonly takers: Drawing["takers"] }) => (
  <li>
    <p>
      <span class="name">{triggerName(trigger)}</span> to <StateBadge state={to} /> <span class="soft small">by</span>
    </p>
    <ul class="takers small">
      {(takers[trigger] ?? []).map((taker) => (
        <li key={taker}>{taker}</li>
      ))}
    </ul>
  </li>
)

export const RecordMachine = ({ name, state }: { readonly name: string; readonly state: string }) => {
  const drawing = drawings[name]
  if (drawing === undefined) return null
  const steps = stepsOf(drawing)
  const possible = steps.filter(({ from }) => from === state)
  return (
    <div class="panel machine-panel">
      <MachineFigure drawing={drawing} name={name} present={state} />
      <h4>Possible now</h4>
      {possible.length === 0 ? (
        <p>
          Nothing: <StateBadge state={state} /> is a final state.
        </p>
      ) : (
        <ul class="steps">
          {possible.map((step) => (
            <Taken key={`${step.trigger} ${step.to}`} step={step} takers={drawing.takers} />
          ))}
        </ul>
      )}
      <details>
        <summary>All transitions of {machineName(name)}</summary>
        <ul class="small">
          {steps.map(({ from, to, trigger }) => (
            <li key={`${from} ${trigger} ${to}`}>
              <StateBadge state={from} /> {triggerName(trigger)} <StateBadge state={to} />
            </li>
          ))}
        </ul>
      </details>
    </div>
  )
}
