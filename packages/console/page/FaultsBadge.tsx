/** The faults that are on, on every page, so that nobody searches for the reason of one that was forgotten. Source: D-480. */
import { useRound } from "./Changes.ts"
import { portNames } from "./FaultNames.ts"
import { useLoaded } from "./Loaded.ts"
import type { Faults } from "./Wire.ts"

export const FaultsBadge = () => {
  const round = useRound("faults")
  const { value } = useLoaded<Faults>("/sandbox/faults", round)
  const on = value?.on ?? []
  return (
    <p class="faults-on" role="status">
      {on.length === 0 ? null : (
        <a class="badge failed" href="#worlds">
          Faults on: {on.map((port) => portNames[port].short).join(", ")}
        </a>
      )}
    </p>
  )
}
