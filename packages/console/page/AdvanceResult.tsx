/** What happened on the way of an advance: when work ran, and which. */
import type { SandboxClockAdvance } from "@countersign/core/models"
import { count, dateTime } from "./Format.ts"
import { jobName } from "./JobNames.ts"

const stopReasons: Readonly<Record<NonNullable<SandboxClockAdvance["stopReason"]>, string>> = {
  OUT_OF_TIME: "It stopped after 20 seconds of real time.",
  TOO_MUCH_WORK: "It stopped because there was too much work.",
  TAKEN_OVER: "It stopped because another call moved the time on.",
}

const left = ({ jobsLeft: { parked, running, waiting } }: SandboxClockAdvance): string | undefined => {
  const parts = [
    running > 0 ? `${count(running)} running` : "",
    waiting > 0 ? `${count(waiting)} put off` : "",
    parked > 0 ? `${count(parked)} given up` : "",
  ].filter((part) => part !== "")
  return parts.length === 0 ? undefined : `Due and not done: ${parts.join(", ")}.`
}

interface Props {
  readonly result: SandboxClockAdvance
  readonly isMoving: boolean
  readonly onGoOn: () => void
}

export const AdvanceResult = ({ isMoving, onGoOn, result }: Props) => {
  const { now, startedAt, stopReason, stops, stopsOmitted } = result
  return (
    <section class="panel moved" aria-labelledby="moved-title">
      <h3 id="moved-title">
        From {dateTime(startedAt)} to {dateTime(now)}
      </h3>
      {stopReason === undefined ? null : (
        <p class="problem">
          {stopReasons[stopReason]} The aim was {dateTime(result.target)}.{" "}
          <button type="button" disabled={isMoving} onClick={onGoOn}>
            Go on
          </button>
        </p>
      )}
      {stops.length === 0 ? (
        <p class="soft">No work of this platform ran on the way.</p>
      ) : (
        <ol class="stops">
          {stops.map(({ at, jobs }) => (
            <li key={at}>
              <time dateTime={at}>{dateTime(at)}</time>
              <span>
                {jobs
                  .map(({ attempts, kind }) =>
                    attempts === 1 ? jobName(kind) : `${jobName(kind)} × ${count(attempts)}`,
                  )
                  .join(", ")}
              </span>
            </li>
          ))}
        </ol>
      )}
      {stopsOmitted === undefined ? null : <p class="soft small">Work ran at {count(stopsOmitted)} later times.</p>}
      {left(result) === undefined ? null : <p class="small">{left(result)}</p>}
    </section>
  )
}
