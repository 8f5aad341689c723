/** What falls due next, job by job. */
import type { UpcomingJobListResponse, UpcomingJobResource } from "@countersign/core/models"
import { useState } from "preact/hooks"
import { dateTime, lengthText } from "./Format.ts"
import { jobName } from "./JobNames.ts"
import { useProblemOf } from "./Loaded.ts"
import { ShortIdLink } from "./RecordNames.tsx"
import { useSession } from "./Session.ts"

const stateOf = ({ isBehind, isDue, retryAt, state }: UpcomingJobResource): string => {
  if (state === "RUNNING") return "Running"
  if (isBehind) return "Waits for an earlier one"
  if (retryAt !== undefined) return `Tried again at ${dateTime(retryAt)} real time`
  return isDue ? "Due" : ""
}

const JobLine = ({ job, now }: { readonly job: UpcomingJobResource; readonly now: string }) => {
  const { attempts, dueAt, error, isDue, kind, subject } = job
  const state = stateOf(job)
  return (
    <li>
      <span>
        <span class="name">{jobName(kind)}</span>
        {subject === undefined ? null : (
          <span class="small">
            <ShortIdLink id={subject} />
          </span>
        )}
        {error === undefined ? null : (
          <span class="small">
            After {attempts} {attempts === 1 ? "attempt" : "attempts"}: {error}
          </span>
        )}
      </span>
      <span class="sum">
        <time dateTime={dueAt}>{dateTime(dueAt)}</time>
        <span class="soft small">
          {isDue ? state : ["in", lengthText(Math.max(1_000, Date.parse(dueAt) - Date.parse(now)))].join(" ")}
          {isDue || state === "" ? null : <span>{state}</span>}
        </span>
      </span>
    </li>
  )
}

/** `first` is the newest first page; further pages are read on request, until the first one changes. */
export const UpcomingJobs = ({ first }: { readonly first: UpcomingJobListResponse }) => {
  const { api } = useSession()
  const problemOf = useProblemOf()
  const [rest, setRest] = useState<{
    readonly after: string | undefined
    readonly pages: ReadonlyArray<UpcomingJobListResponse>
  }>({ after: undefined, pages: [] })
  const [problem, setProblem] = useState<string>()
  const pages = [first, ...(rest.after === first.nextCursor ? rest.pages : [])]
  const cursor = pages.at(-1)?.nextCursor
  const more = async () => {
    try {
      const next = await api.get<UpcomingJobListResponse>(`/operator/jobs?limit=50&cursor=${cursor}`)
      setRest({ after: first.nextCursor, pages: [...pages.slice(1), next] })
      setProblem(undefined)
    } catch (failure) {
      setProblem(problemOf(failure))
    }
  }
  const jobs = pages.flatMap(({ data }) => data)
  return (
    <section aria-labelledby="due-title">
      <h3 id="due-title">What falls due next</h3>
      {jobs.length === 0 ? (
        <div class="empty">
          <p class="name">Nothing falls due.</p>
          <p class="soft">Work appears here by itself.</p>
        </div>
      ) : (
        <ul class="panel ledger">
          {jobs.map((job) => (
            <JobLine key={job.id} job={job} now={first.now} />
          ))}
        </ul>
      )}
      <div role="alert">{problem === undefined ? null : <p class="problem">{problem}</p>}</div>
      {cursor === undefined ? null : (
        <button type="button" onClick={() => void more()}>
          Show later ones
        </button>
      )}
    </section>
  )
}
