/** The last look before the running world is replaced, or a saved one deleted. */
import { useEffect, useRef } from "preact/hooks"

/** What is to be confirmed. */
export interface WorldStep {
  readonly title: string
  readonly text: string
  readonly verb: string
  readonly run: () => Promise<void>
}

interface Props {
  readonly step: WorldStep
  readonly isAsking: boolean
  readonly problem: string | undefined
  readonly onConfirm: () => void
  readonly onClose: () => void
}

export const WorldDialog = ({ isAsking, onClose, onConfirm, problem, step: { text, title, verb } }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      class="world-step"
      aria-labelledby="world-step"
      onCancel={(event) => {
        event.preventDefault()
        if (!isAsking) onClose()
      }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!isAsking) onConfirm()
        }}
      >
        <h2 id="world-step">{title}</h2>
        <p class="soft">{text}</p>
        <div role="alert">{problem === undefined ? null : <p class="problem">{problem}</p>}</div>
        <footer>
          <button type="button" disabled={isAsking} onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="danger" disabled={isAsking}>
            {isAsking ? "Working…" : verb}
          </button>
        </footer>
      </form>
    </dialog>
  )
}
