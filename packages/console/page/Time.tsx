/** The time of the sandbox: now, what falls due next, and moving on. */
import type { SandboxClock, SandboxClockAdvance, UpcomingJobListResponse } from "@countersign/core/models"
import { useState } from "preact/hooks"
import { AdvanceForm } from "./AdvanceForm.tsx"
import { AdvanceResult } from "./AdvanceResult.tsx"
import { Refused } from "./Api.ts"
import { clockMoved } from "./ClockMoved.ts"
import { aheadText, dateTime, isRealTime } from "./Format.ts"
import { useProblemOf } from "./Loaded.ts"
import { useNow } from "./Now.ts"
import { usePolling } from "./Polling.ts"
import { useSession } from "./Session.ts"
import { UpcomingJobs } from "./UpcomingJobs.tsx"

const Now = ({ clock }: { readonly clock: SandboxClock }) => (
  <dl class="times">
    <div>
      <dt>Sandbox time</dt>
      <dd>
        <time dateTime={clock.now}>{dateTime(clock.now)}</time>
      </dd>
    </div>
    <div>
      <dt>Real time</dt>
      <dd>
        <time dateTime={clock.realTime}>{dateTime(clock.realTime)}</time>
      </dd>
    </div>
    <div>
      <dt>Difference</dt>
      <dd>{isRealTime(clock.aheadMillis) ? "none" : aheadText(clock.aheadMillis)}</dd>
    </div>
  </dl>
)

export const Time = () => {
  const { announce, api } = useSession()
  const problemOf = useProblemOf()
  const [clock, setClock] = useState<SandboxClock>()
  const [jobs, setJobs] = useState<UpcomingJobListResponse>()
  const [isMoving, setIsMoving] = useState(false)
  const [result, setResult] = useState<SandboxClockAdvance>()
  const [problem, setProblem] = useState<string>()
  const [unread, setUnread] = useState<string>()
  const [answeredAt, setAnsweredAt] = useState(0)
  const now = useNow()

  const { refresh } = usePolling(
    async () => {
      try {
        const [read, due] = await Promise.all([
          api.get<SandboxClock>("/sandbox/clock"),
          api.get<UpcomingJobListResponse>("/operator/jobs?limit=50"),
        ])
        setClock(read)
        setJobs(due)
        setAnsweredAt(Date.now())
        setUnread(undefined)
        return true
      } catch (failure) {
        setUnread(problemOf(failure))
        return false
      }
    },
    "jobs",
    "clock",
  )
  const since = (at: string): string => new Date(Date.parse(at) + now - answeredAt).toISOString()

  const move = async (body: object) => {
    const moved = await api.post<SandboxClockAdvance>("/sandbox/clock/advance", body)
    setResult(moved)
    announce(`It is now ${dateTime(moved.now)}.`)
    clockMoved()
  }
  /** `body`: where to; without one, to the next due job. */
  const advance = async (body?: object) => {
    setIsMoving(true)
    setProblem(undefined)
    try {
      await (body === undefined ? advanceToNext() : move(body))
    } catch (failure) {
      setProblem(problemOf(failure))
    }
    setIsMoving(false)
    refresh()
  }

  /** Work that was due next may be done meanwhile: the time of the next is read, and again if it has passed before it is asked for. */
  const advanceToNext = async (tries = 3): Promise<void> => {
    try {
      const { nextDueAt } = await api.get<SandboxClock>("/sandbox/clock")
      if (nextDueAt !== undefined) await move({ to: nextDueAt })
    } catch (failure) {
      if (failure instanceof Refused && failure.status === 400 && tries > 1) return advanceToNext(tries - 1)
      throw failure
    }
  }

  return (
    <section aria-labelledby="time-title">
      <h2 id="time-title" tabIndex={-1}>
        Time
      </h2>
      {clock === undefined ? (
        <p class="soft">{unread ?? "Loading…"}</p>
      ) : (
        <Now clock={{ ...clock, now: since(clock.now), realTime: since(clock.realTime) }} />
      )}
      {clock === undefined ? null : <AdvanceForm clock={clock} isMoving={isMoving} onAdvance={advance} />}
      <div role="alert">{problem === undefined ? null : <p class="problem">{problem}</p>}</div>
      {result === undefined ? null : (
        <AdvanceResult result={result} isMoving={isMoving} onGoOn={() => advance({ to: result.target })} />
      )}
      {jobs === undefined ? null : <UpcomingJobs first={{ ...jobs, now: since(jobs.now) }} />}
    </section>
  )
}
