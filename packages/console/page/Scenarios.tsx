/** The scenarios of the sandbox: each fills the world, and its result links to the records that it made. Source: D-472. */
import type { ScenarioListResponse, ScenarioRun } from "@countersign/core/models"
import { useEffect, useRef, useState } from "preact/hooks"
import { Refused } from "./Api.ts"
import { useLoaded, useProblemOf } from "./Loaded.ts"
import { fieldName, IdLink } from "./RecordNames.tsx"
import { useSession } from "./Session.ts"

/** The ids of what a run had made before it stopped. */
const leftBy = (failure: unknown): ReadonlyArray<string> => {
  const made = failure instanceof Refused ? failure.details["made"] : undefined
  return Array.isArray(made) ? made.filter((id) => typeof id === "string") : []
}

interface Outcome {
  readonly name: string
  readonly title: string
  readonly problem?: string | undefined
  readonly records: ScenarioRun["records"]
}

const Result = ({ outcome: { problem, records, title } }: { readonly outcome: Outcome }) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div class="scenario-result">
      <h4 ref={heading} tabIndex={-1}>
        {problem === undefined ? `${title}: what it made` : `${title}: it stopped`}
      </h4>
      {problem === undefined ? null : <p class="problem">{problem}</p>}
      {records.length === 0 ? null : (
        <dl>
          {records.map(({ id, name }) => (
            <div key={id}>
              <dt>{name}</dt>
              <dd>
                <IdLink id={id} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

/** `treasury.agentId` as "Treasury agent". */
const recordName = (name: string): string => fieldName(name.replace(/Id$/u, "")).replace(/\s+/gu, " ")

export const Scenarios = ({ onRan }: { readonly onRan: () => void }) => {
  const { announce, api } = useSession()
  const problemOf = useProblemOf()
  const { problem: unlisted, value } = useLoaded<ScenarioListResponse>("/sandbox/scenarios", 0)
  const [running, setRunning] = useState<string>()
  const [outcome, setOutcome] = useState<Outcome>()

  const run = async (name: string, title: string) => {
    setRunning(name)
    setOutcome(undefined)
    announce(`${title}: running.`)
    try {
      const { records } = await api.post<ScenarioRun>(`/sandbox/scenarios/${name}/run`)
      setOutcome({ name, title, records: records.map((record) => ({ ...record, name: recordName(record.name) })) })
      announce(`${title}: ${records.length} records were made.`)
    } catch (failure) {
      const problem = problemOf(failure)
      setOutcome({ name, title, problem, records: leftBy(failure).map((id) => ({ id, name: id.split(":")[0] ?? "" })) })
      announce(`${title}: it stopped.`, true)
    } finally {
      setRunning(undefined)
      onRan()
    }
  }

  return (
    <section class="scenarios" aria-labelledby="scenarios-title">
      <h3 id="scenarios-title">Scenarios</h3>
      <p class="soft small">
        Each adds the records of one area to the present world, by the requests that you would send.
      </p>
      {unlisted === undefined ? null : <p class="problem">{unlisted}</p>}
      <ul>
        {(value?.data ?? []).map(({ description, makes, name, title }) => (
          <li key={name}>
            <h4>{title}</h4>
            <p class="soft small">{description}</p>
            <p class="small">Makes {makes.join(", ")}.</p>
            <button
              type="button"
              aria-label={`Run: ${title}`}
              disabled={running !== undefined}
              onClick={() => void run(name, title)}
            >
              {running === name ? "Running…" : "Run"}
            </button>
            {outcome?.name === name ? <Result outcome={outcome} /> : null}
          </li>
        ))}
      </ul>
    </section>
  )
}
