/**
 * The worlds of the sandbox: saves its state under names, loads it, forks it, resets it and shares it as a file.
 * Source: D-470, D-471.
 */
import type { WorldListResponse, WorldResource, WorldState } from "@countersign/core/models"
import { useState } from "preact/hooks"
import { clockMoved } from "./ClockMoved.ts"
import { FaultSwitches } from "./FaultSwitches.tsx"
import { dateTime } from "./Format.ts"
import { useLoaded, useProblemOf } from "./Loaded.ts"
import { Scenarios } from "./Scenarios.tsx"
import { useSession } from "./Session.ts"
import { WorldDialog, type WorldStep } from "./WorldDialog.tsx"
import { download, worldIn } from "./WorldFiles.ts"
import { WorldForms } from "./WorldForms.tsx"
import { WorldList, type WorldVerb } from "./WorldList.tsx"

const replacing =
  "The present state is lost unless it is saved. Requests and work under way change nothing any more. Credentials and sessions stay."

export const Worlds = () => {
  const { announce, api } = useSession()
  const problemOf = useProblemOf()
  const [round, setRound] = useState(0)
  const [isAsking, setIsAsking] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [step, setStep] = useState<WorldStep>()
  const { problem: unlisted, value } = useLoaded<WorldListResponse>("/sandbox/worlds", round)

  /** Runs one call; resolves whether it was done. */
  const attempt = async (run: () => Promise<string>): Promise<boolean> => {
    setIsAsking(true)
    setProblem(undefined)
    try {
      announce(await run())
      setRound((known) => known + 1)
      return true
    } catch (failure) {
      setProblem(problemOf(failure))
      return false
    } finally {
      setIsAsking(false)
    }
  }

  const post = (path: string, body: object, said: string) =>
    attempt(async () => {
      await api.post<WorldResource>(path, body)
      return said
    })

  /** Asks first. */
  const ask = ({ run, ...question }: Omit<WorldStep, "run"> & { readonly run: () => Promise<string> }) => {
    setProblem(undefined)
    setStep({
      ...question,
      run: async () => {
        if (await attempt(run)) setStep(undefined)
      },
    })
  }

  /** Asks first, then replaces the running world. */
  const replaceBy = (path: string, title: string, verb: string) => {
    const run = async () => {
      const { businessTime } = await api.post<WorldState>(path)
      clockMoved()
      return `The world was replaced. Its time is ${dateTime(businessTime)}.`
    }
    ask({ title, text: replacing, verb, run })
  }

  const onVerb = (verb: WorldVerb, { name }: WorldResource) => {
    const path = `/sandbox/worlds/${name}`
    if (verb === "Load") return replaceBy(`${path}/load`, `Load ${name}?`, "Load")
    if (verb === "Download") {
      return void attempt(async () => {
        download(name, await api.get<object>(`${path}/file`))
        return `${name} was downloaded.`
      })
    }
    const isDelete = verb === "Delete"
    return ask({
      title: isDelete ? `Delete ${name}?` : `Replace ${name} by the present state?`,
      text: isDelete ? "The running world stays." : "The saved state of this name is lost.",
      verb,
      run: async () => {
        if (isDelete) await api.remove(path)
        else await api.post("/sandbox/worlds", { name, replaces: true })
        return isDelete ? `${name} was deleted.` : `${name} was replaced.`
      },
    })
  }

  return (
    <section aria-labelledby="worlds-title">
      <h2 id="worlds-title" tabIndex={-1}>
        Worlds
      </h2>
      <p class="soft">
        A world is the whole state of this sandbox with its time. Credentials and keys are not part of it.
      </p>
      {unlisted === undefined ? null : <p class="problem">{unlisted}</p>}
      {value === undefined ? (
        <p class="soft">{unlisted === undefined ? "Loading…" : ""}</p>
      ) : (
        <>
          <WorldForms
            isAsking={isAsking}
            onSave={(name) => post("/sandbox/worlds", { name }, `${name} was saved.`)}
            onFork={(name) => post("/sandbox/worlds/fork", { name }, `The sandbox goes on as ${name}.`)}
            onImport={(file) =>
              attempt(async () => {
                const { name } = await api.post<WorldResource>("/sandbox/worlds/import", await worldIn(file))
                return `${name} was added.`
              })
            }
          />
          <div role="alert">{problem === undefined || step ? null : <p class="problem">{problem}</p>}</div>
          <WorldList worlds={value} isAsking={isAsking} onVerb={onVerb} />
          <h3>An empty world</h3>
          <p class="soft small">
            Deletes all records but the platform with its configuration, and sets the time to the real time.
          </p>
          <button
            type="button"
            class="danger"
            disabled={isAsking}
            onClick={() => replaceBy("/sandbox/world/reset", "Reset the world?", "Reset")}
          >
            Reset the world
          </button>
        </>
      )}
      <Scenarios onRan={clockMoved} />
      <FaultSwitches />
      {step === undefined ? null : (
        <WorldDialog
          step={step}
          isAsking={isAsking}
          problem={problem}
          onConfirm={() => void step.run()}
          onClose={() => setStep(undefined)}
        />
      )}
    </section>
  )
}
