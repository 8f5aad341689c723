/** Moves the time: to the next due work, by a duration, or to a date. */
import type { SandboxClock } from "@countersign/core/models"
import { useState } from "preact/hooks"
import { dateTime, zoneName } from "./Format.ts"

interface Props {
  readonly clock: SandboxClock
  readonly isMoving: boolean
  /** Sends the body of an advance; without one, to the next due job. */
  readonly onAdvance: (body?: object) => Promise<void>
}

const units = [
  ["minutes", 60],
  ["hours", 3_600],
  ["days", 86_400],
  ["weeks", 604_800],
] as const

/** The time that an input of the browser's own zone shows, as an instant; `undefined` if it is incomplete. */
const instantOf = (local: string): string | undefined => {
  const date = new Date(local)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

const ByDuration = ({ isMoving, onAdvance }: Omit<Props, "clock">) => {
  const [many, setMany] = useState("1")
  const [unit, setUnit] = useState("3600")
  const seconds = Math.round(Number(many) * Number(unit))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void onAdvance({ seconds })
      }}
    >
      <label for="advance-by">Advance by</label>
      <div class="row">
        <input
          id="advance-by"
          type="number"
          min="1"
          step="1"
          required
          value={many}
          onInput={({ currentTarget }) => setMany(currentTarget.value)}
        />
        <select aria-label="Unit" value={unit} onChange={({ currentTarget }) => setUnit(currentTarget.value)}>
          {units.map(([name, size]) => (
            <option key={name} value={String(size)}>
              {name}
            </option>
          ))}
        </select>
        <button type="submit" disabled={isMoving}>
          Advance
        </button>
      </div>
    </form>
  )
}

const ToDate = ({ isMoving, onAdvance }: Omit<Props, "clock">) => {
  const [local, setLocal] = useState("")
  const to = instantOf(local)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (to !== undefined) void onAdvance({ to })
      }}
    >
      <label for="advance-to">Advance to ({zoneName()})</label>
      <div class="row">
        <input
          id="advance-to"
          type="datetime-local"
          required
          value={local}
          onInput={({ currentTarget }) => setLocal(currentTarget.value)}
        />
        <button type="submit" disabled={isMoving}>
          Go to date
        </button>
      </div>
    </form>
  )
}

export const AdvanceForm = ({ clock: { nextDueAt }, ...move }: Props) => (
  <div class="panel advance">
    <div class="next">
      <button
        type="button"
        class="primary"
        disabled={move.isMoving || nextDueAt === undefined}
        onClick={() => void move.onAdvance()}
      >
        Advance to the next due job
      </button>
      <p class="soft small" aria-live="polite">
        {move.isMoving
          ? "The time moves, and all work that falls due is done…"
          : nextDueAt === undefined
            ? "Nothing falls due."
            : `It is due at ${dateTime(nextDueAt)}.`}
      </p>
    </div>
    <ByDuration {...move} />
    <ToDate {...move} />
  </div>
)
