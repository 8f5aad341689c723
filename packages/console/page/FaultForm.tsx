/** One port with its fault: what it is, how often, and the switch. Source: D-480. */
import { useState } from "preact/hooks"
import { fieldsOf, portNames } from "./FaultNames.ts"
import type { FaultPort, Faults } from "./Wire.ts"

export type Fault = NonNullable<Faults[FaultPort]>

interface Props {
  readonly port: FaultPort
  readonly faults: Faults
  readonly isAsking: boolean
  /** `undefined` switches it off. */
  readonly onSwitch: (fault: Fault | undefined) => void
}

export const FaultForm = ({ faults, isAsking, onSwitch, port }: Props) => {
  const { kinds, title } = portNames[port]
  const present = faults[port] as Readonly<Record<string, unknown>> | undefined
  const [kind, setKind] = useState<string>(String(present?.["kind"] ?? Object.keys(kinds)[0]))
  const [typed, setTyped] = useState<Readonly<Record<string, number>>>({})
  const fields = fieldsOf(port, kind)
  const shown = (member: string, initial: number): number => {
    const known = typed[member] ?? present?.[member]
    return typeof known === "number" ? known : initial
  }
  const met = faults.met[port]
  const asFault = () =>
    ({ kind, ...Object.fromEntries(fields.map(({ initial, member }) => [member, shown(member, initial)])) }) as Fault
  return (
    <form
      class="fault"
      aria-labelledby={`fault-${port}`}
      onSubmit={(event) => {
        event.preventDefault()
        onSwitch(asFault())
      }}
    >
      <h4 id={`fault-${port}`}>
        {title}{" "}
        <span class={present === undefined ? "badge rejected" : "badge failed"}>
          {present === undefined ? "Off" : "On"}
        </span>
        {met === 0 ? null : <span class="soft small"> met {met === 1 ? "once" : `${met} times`}</span>}
      </h4>
      <div class="fault-fields">
        <div>
          <label for={`fault-${port}-kind`}>{title}: what happens</label>
          <select id={`fault-${port}-kind`} value={kind} onChange={({ currentTarget }) => setKind(currentTarget.value)}>
            {Object.entries(kinds).map(([name, text]) => (
              <option key={name} value={name}>
                {text}
              </option>
            ))}
          </select>
        </div>
        {fields.map(({ initial, label, max, member, min }) => (
          <div key={member}>
            <label for={`fault-${port}-${member}`}>
              {title}: {label.toLowerCase()}
            </label>
            <input
              id={`fault-${port}-${member}`}
              type="number"
              required
              step={1}
              min={min}
              max={max}
              value={shown(member, initial)}
              onInput={({ currentTarget }) => setTyped({ ...typed, [member]: currentTarget.valueAsNumber })}
            />
          </div>
        ))}
        <div class="row">
          <button type="submit" class={present === undefined ? "primary" : ""} disabled={isAsking}>
            {present === undefined ? `Switch on: ${title}` : `Change: ${title}`}
          </button>
          {present === undefined ? null : (
            <button type="button" disabled={isAsking} onClick={() => onSwitch(undefined)}>
              Switch off: {title}
            </button>
          )}
        </div>
      </div>
    </form>
  )
}
