/** The last look before a decision; a rejection may give a reason, which the agent is shown. */
import { useEffect, useRef, useState } from "preact/hooks"
import { summary } from "./ActionParts.tsx"
import { Refused } from "./Api.ts"
import { many } from "./Format.ts"
import type { Names } from "./Names.ts"
import { NoPasskey } from "./Passkey.ts"
import { useSession } from "./Session.ts"
import { ShownTerms } from "./ShownTerms.tsx"
import { approveShown } from "./Votes.ts"
import { missing } from "./VotesPanel.tsx"
import type { Action, Votes } from "./Wire.ts"

export interface Decision {
  readonly how: "approve" | "reject"
  readonly action: Action
  readonly names: Names | undefined
  /** Absent: one approval is enough. */
  readonly votes: Votes | undefined
}

interface Props {
  readonly decision: Decision
  /** `decided`: what the action is now; absent: nothing was decided. */
  readonly onClose: (decided?: Action) => void
}

/** The action of a 409: somebody else was faster, or the first tap had arrived. */
const decidedBefore = (failure: unknown): Action | undefined =>
  failure instanceof Refused && failure.status === 409 ? (failure.details["action"] as Action | undefined) : undefined

const sayOf = (failure: unknown): string => {
  if (failure instanceof NoPasskey) return "No passkey was used. Approve again, and confirm with your passkey."
  if (!(failure instanceof Refused)) return "Something went wrong."
  if (failure.status === 403 && failure.details["reason"] === "PERMISSION_MISSING")
    return "These credentials may not decide: they need the permission TRANSACT."
  if (failure.status === 0)
    return "The service cannot be reached. Nothing may have been decided: look again before you retry."
  return failure.message
}

/** A 401 of a vote may be about the passkey alone. */
const hasEnded = ({ details }: Refused, votes: Votes | undefined): boolean =>
  votes === undefined || details["reason"] === "Console session expired or ended"

const said: Readonly<Record<Action["status"], string>> = {
  APPROVED: "Approved",
  REJECTED: "Rejected",
  FAILED: "Failed",
  PENDING_APPROVAL: "Still waiting",
}

/** What an approval does at once. */
const effectOf = (votes: Votes | undefined): string => {
  if (votes === undefined || missing(votes) === 1) return "The money moves at once."
  return `The money moves when ${many(missing(votes) - 1, "more approver has", "more approvers have")} approved.`
}

export const DecisionDialog = ({ decision: { action, how, names, votes }, onClose }: Props) => {
  const { announce, api, signOut } = useSession()
  const [problem, setProblem] = useState<string>()
  const [isAsking, setIsAsking] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const what = summary(action, names)

  const decide = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isAsking) return
    const reason = String(new FormData(event.currentTarget as HTMLFormElement).get("reason") ?? "").trim()
    setIsAsking(true)
    setProblem(undefined)
    try {
      const path = `/agents/${action.agentId}/actions/${action.id}/${how}`
      const body = how === "reject" && reason !== "" ? { reason } : undefined
      const isVote = how === "approve" && votes !== undefined
      const decided = await (isVote ? approveShown(action, votes) : api.post<Action>(path, body))
      const why = decided.status === "FAILED" ? ` ${String(decided.details?.["message"] ?? "")}` : ""
      const isOneOf = decided.status === "PENDING_APPROVAL"
      announce(
        `${isOneOf ? "Your approval counts" : said[decided.status]}: ${what}.${why}`,
        decided.status === "FAILED",
      )
      onClose(decided)
    } catch (failure) {
      const before = decidedBefore(failure)
      if (before !== undefined) {
        announce(`It was decided already. ${said[before.status]}: ${what}.`, true)
        onClose(before)
      } else if (failure instanceof Refused && failure.status === 401 && hasEnded(failure, votes)) {
        signOut("Your session has ended. Nothing was decided.")
      } else {
        setIsAsking(false)
        setProblem(sayOf(failure))
      }
    }
  }

  const verb = how === "approve" ? "Approve" : "Reject"
  return (
    <dialog
      ref={dialog}
      aria-labelledby="decision-title"
      onCancel={(event) => {
        event.preventDefault()
        if (!isAsking) onClose()
      }}
    >
      <form onSubmit={decide}>
        <h2 id="decision-title">
          {verb} {what}?
        </h2>
        <p class="soft">
          {names === undefined ? "" : `${names.agent} asks for ${names.customer.name}. `}
          {how === "approve" ? effectOf(votes) : "Nothing is executed."}
        </p>
        {votes === undefined || how === "reject" ? null : <ShownTerms shown={votes.shown} />}
        {how === "approve" ? null : (
          <>
            <label for="reason">Reason (optional, the agent sees it)</label>
            <textarea id="reason" name="reason" rows={3} maxLength={1024} />
          </>
        )}
        <div role="alert">{problem === undefined ? null : <p class="problem">{problem}</p>}</div>
        <div class="buttons">
          <button type="button" onClick={() => onClose()} disabled={isAsking}>
            Cancel
          </button>
          <button type="submit" class={how === "approve" ? "primary" : "danger"} disabled={isAsking}>
            {isAsking ? "One moment…" : verb}
          </button>
        </div>
      </form>
    </dialog>
  )
}
