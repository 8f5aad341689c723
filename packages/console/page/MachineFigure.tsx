/** A state machine as a picture: the present state lit, and the arrows that are possible now. Source: D-468. */
import type { Drawing } from "./Drawings.ts"
import { machineName, stateName, triggerName } from "./RecordNames.tsx"
import { makeReachable } from "./Scroll.tsx"

const stateHeight = 30
const lineHeight = 15
const headHalf = 4

type Arrow = Drawing["arrows"][number]

/** The triangle at an arrow's end. */
const headOf = ([x, y, toX, toY]: Arrow["head"]): string => {
  const length = Math.hypot(toX - x, toY - y) || 1
  const [dx, dy] = [((toY - y) / length) * headHalf, ((x - toX) / length) * headHalf]
  return `${x + dx},${y + dy} ${toX},${toY} ${x - dx},${y - dy}`
}

const ArrowPath = ({ arrow, isPossible }: { readonly arrow: Arrow; readonly isPossible: boolean }) => (
  <g class={isPossible ? "arrow possible" : "arrow"}>
    <path d={arrow.path} />
    <polygon points={headOf(arrow.head)} />
    <text>
      {arrow.triggers.map((trigger, line) => (
        <tspan key={trigger} x={arrow.x} y={arrow.y + (line - (arrow.triggers.length - 1) / 2) * lineHeight}>
          {triggerName(trigger)}
        </tspan>
      ))}
    </text>
  </g>
)

interface Props {
  readonly drawing: Drawing
  readonly name: string
  readonly present: string
}

export const MachineFigure = ({ drawing: { arrows, height, states, width }, name, present }: Props) => (
  <section ref={makeReachable} class="machine" aria-label={`State machine of ${machineName(name)}`}>
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`States of ${machineName(name)}; the present one is ${stateName(present)}`}
    >
      {arrows.map((arrow) => (
        <ArrowPath key={`${arrow.from} ${arrow.to}`} arrow={arrow} isPossible={arrow.from === present} />
      ))}
      {states.map((state) => (
        <g key={state.name} class={state.name === present ? "state present" : "state"}>
          <rect
            x={state.x - state.width / 2}
            y={state.y - stateHeight / 2}
            width={state.width}
            height={stateHeight}
            rx={8}
          />
          <text x={state.x} y={state.y}>
            {stateName(state.name)}
          </text>
        </g>
      ))}
    </svg>
  </section>
)
