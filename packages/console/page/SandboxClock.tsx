/** The time of the sandbox, always in sight: it moves on with real time, and jumps when it is advanced. */
import type { SandboxClock as Clock } from "@countersign/core/models"
import { useEffect, useState } from "preact/hooks"
import { onClockMoved } from "./ClockMoved.ts"
import { aheadText, dateTime } from "./Format.ts"
import { useSession } from "./Session.ts"

const tickMillis = 1_000

/** `round` grows whenever the clock should be asked for anew. */
export const SandboxClock = ({ round }: { readonly round: number }) => {
  const { api } = useSession()
  const [aheadMillis, setAheadMillis] = useState<number>()
  const [now, setNow] = useState(Date.now())

  const [moves, setMoves] = useState(0)

  useEffect(() => onClockMoved(() => setMoves((known) => known + 1)), [])
  useEffect(() => {
    api.get<Clock>("/sandbox/clock").then(
      (clock) => setAheadMillis(Date.parse(clock.now) - Date.now()),
      () => undefined,
    )
  }, [round, moves])
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMillis)
    return () => clearInterval(timer)
  }, [])

  if (aheadMillis === undefined) return null
  const at = new Date(now + aheadMillis).toISOString()
  return (
    <p class="clock small">
      <span class="soft">Sandbox time </span>
      <time dateTime={at}>{dateTime(at)}</time>
      <span class="soft"> {aheadText(aheadMillis)}</span>
    </p>
  )
}
