/** The last look before a policy is saved: what changes, named one by one. Source: D-477. */
import { useEffect, useRef, useState } from "preact/hooks"
import { Refused } from "./Api.ts"
import type { PolicyChange } from "./PolicyChanges.ts"
import { useSession } from "./Session.ts"
import type { Agent, PolicyUpdate } from "./Wire.ts"

interface Props {
  readonly agent: Agent
  readonly update: PolicyUpdate
  readonly changes: ReadonlyArray<PolicyChange>
  /** `saved`: the agent with the saved policy; absent: nothing was saved. */
  readonly onClose: (saved?: Agent) => void
}

const sayOf = (failure: unknown): string => {
  if (!(failure instanceof Refused)) return "Something went wrong."
  if (failure.status === 403) return "This session may not save policies: that needs the permission MANAGE."
  return failure.message
}

export const SavePolicy = ({ agent, changes, onClose, update }: Props) => {
  const { announce, api, signOut } = useSession()
  const [problem, setProblem] = useState<string>()
  const [isAsking, setIsAsking] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])

  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isAsking) return
    setIsAsking(true)
    setProblem(undefined)
    try {
      const saved = await api.patch<Agent>(`/agents/${agent.id}/policy`, update)
      announce(`The policy of ${agent.name} is saved. It is in force at once.`)
      onClose(saved)
    } catch (failure) {
      if (failure instanceof Refused && failure.status === 401) signOut("Your session has ended. Nothing was saved.")
      else {
        setIsAsking(false)
        setProblem(sayOf(failure))
      }
    }
  }
  return (
    <dialog
      ref={dialog}
      aria-labelledby="save-title"
      onCancel={(event) => {
        event.preventDefault()
        if (!isAsking) onClose()
      }}
    >
      <form onSubmit={save}>
        <h2 id="save-title">Save the policy of {agent.name}?</h2>
        <p class="soft">It is in force at once, also for actions that wait for an approval.</p>
        <ul class="changes">
          {changes.map(({ after, before, what }) => (
            <li key={what}>
              {what}: {before} → <strong>{after}</strong>
            </li>
          ))}
        </ul>
        <div role="alert">{problem === undefined ? null : <p class="problem">{problem}</p>}</div>
        <div class="buttons">
          <button type="button" onClick={() => onClose()} disabled={isAsking}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={isAsking}>
            {isAsking ? "One moment…" : "Save"}
          </button>
        </div>
      </form>
    </dialog>
  )
}
