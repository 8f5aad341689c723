/** Sends a kept request again, after a dialog that says what happens, and opens the new one. Source: D-478. */
import type { ResendKey } from "@countersign/core/models"
import { useEffect, useRef, useState } from "preact/hooks"
import { pathText } from "./Format.ts"
import { hashOf } from "./Hash.ts"
import { useProblemOf } from "./Loaded.ts"
import { callerOf } from "./RequestParts.tsx"
import { useSession } from "./Session.ts"
import type { KeptRequest, RequestSent } from "./Wire.ts"

interface Props {
  readonly request: KeptRequest
}

const KeyChoice = ({ idempotencyKey }: { readonly idempotencyKey: string }) => (
  <fieldset class="key-choice">
    <legend>Idempotency key</legend>
    <label>
      <input type="radio" name="key" value="NEW" checked /> A new key: it happens once more
    </label>
    <label>
      <input type="radio" name="key" value="SAME" /> The same key <code>{idempotencyKey}</code>: the answer of then is
      replayed
    </label>
  </fieldset>
)

const SendDialog = ({ onClose, request }: Props & { readonly onClose: () => void }) => {
  const { announce, api } = useSession()
  const problemOf = useProblemOf()
  const [problem, setProblem] = useState<string>()
  const [isAsking, setIsAsking] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])

  const send = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isAsking) return
    const key: ResendKey = new FormData(event.currentTarget as HTMLFormElement).get("key") === "SAME" ? "SAME" : "NEW"
    setIsAsking(true)
    setProblem(undefined)
    try {
      const path = `/sandbox/requests/${encodeURIComponent(request.id)}/send`
      const { requestId, status } = await api.post<RequestSent>(path, { idempotencyKey: key })
      onClose()
      announce(`Sent again. The answer has the status ${status}.`)
      location.hash = hashOf("requests", requestId)
    } catch (failure) {
      setIsAsking(false)
      setProblem(problemOf(failure))
    }
  }
  return (
    <dialog
      ref={dialog}
      aria-labelledby="send-again"
      onCancel={(event) => {
        event.preventDefault()
        if (!isAsking) onClose()
      }}
    >
      <form onSubmit={send}>
        <h2 id="send-again">Send this request again?</h2>
        <p class="target">
          {request.method} {pathText(request.path)}
        </p>
        <p class="soft">
          The sandbox handles it once more for the same caller ({callerOf(request)}), under the permissions and limits
          of now. {request.method === "GET" ? "It only reads." : "What it changes, it changes again."} The audit names
          you as the sender.
        </p>
        {request.idempotencyKey === undefined ? null : <KeyChoice idempotencyKey={request.idempotencyKey} />}
        <div role="alert">{problem === undefined ? null : <p class="problem">{problem}</p>}</div>
        <div class="buttons">
          <button type="button" onClick={onClose} disabled={isAsking}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={isAsking}>
            {isAsking ? "One moment…" : "Send"}
          </button>
        </div>
      </form>
    </dialog>
  )
}

export const SendAgain = ({ request }: Props) => {
  const [isOpen, setIsOpen] = useState<boolean>()
  const button = useRef<HTMLButtonElement>(null)
  // The dialog that was closed no longer holds the focus.
  useEffect(() => {
    if (isOpen === false) button.current?.focus()
  }, [isOpen])
  return (
    <>
      <button ref={button} type="button" onClick={() => setIsOpen(true)}>
        Send again
      </button>
      {isOpen === true ? <SendDialog request={request} onClose={() => setIsOpen(false)} /> : null}
    </>
  )
}

export const WhyNotSendable = ({ request: { notSendable } }: Props) =>
  notSendable === undefined ? null : (
    <p class="soft small">
      Cannot be sent again. {notSendable.message}
      {notSendable.members.length === 0 ? null : ` Missing: ${notSendable.members.join(", ")}.`}
    </p>
  )
