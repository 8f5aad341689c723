/** The actions that wait, the oldest first; new ones arrive by themselves. */
import { useEffect, useRef, useState } from "preact/hooks"
import { type Decision, DecisionDialog } from "./DecisionDialog.tsx"
import { WaitingAction } from "./WaitingAction.tsx"
import type { Action, Page } from "./Wire.ts"

interface Props {
  readonly page: Page<Action> | undefined
  readonly now: number
  readonly onDecided: () => void
  readonly round: number
}

/** The heading that the focus goes to when its action is gone: the next one's, or the view's. */
const headingAfter = (gone: string, ids: ReadonlyArray<string>): string | undefined => {
  const at = ids.indexOf(gone)
  return ids[at + 1] ?? ids[at - 1]
}

export const Waiting = ({ now, onDecided, page, round }: Props) => {
  const [decision, setDecision] = useState<Decision>()
  const [gone, setGone] = useState<ReadonlyArray<string>>([])
  const heading = useRef<HTMLHeadingElement>(null)
  const opener = useRef<Element | null>(null)
  const focusOn = useRef<string | null | undefined>(undefined)
  const actions = (page?.data ?? []).filter(({ id }) => !gone.includes(id))

  useEffect(() => {
    if (focusOn.current === undefined) return
    const next = focusOn.current === null ? null : document.getElementById(`title-${focusOn.current}`)
    ;(next ?? heading.current)?.focus()
    focusOn.current = undefined
  }, [gone])

  const close = (decided?: Action) => {
    setDecision(undefined)
    if (decided === undefined) {
      if (opener.current instanceof HTMLElement) opener.current.focus()
      return
    }
    focusOn.current =
      headingAfter(
        decided.id,
        actions.map(({ id }) => id),
      ) ?? null
    setGone([...gone, decided.id])
    onDecided()
  }

  return (
    <section aria-labelledby="waiting-title">
      <h2 id="waiting-title" ref={heading} tabIndex={-1}>
        Waiting for approval
      </h2>
      {page === undefined ? (
        <p class="soft">Loading…</p>
      ) : actions.length === 0 ? (
        <div class="empty">
          <p class="name">Nothing waits.</p>
          <p class="soft">New actions appear here by themselves.</p>
        </div>
      ) : (
        <ul class="actions">
          {actions.map((action) => (
            <WaitingAction
              key={action.id}
              action={action}
              now={now}
              round={round}
              onDecide={(next) => {
                opener.current = document.activeElement
                setDecision(next)
              }}
            />
          ))}
        </ul>
      )}
      {page?.hasMore === true ? <p class="soft">{page.totalCount - page.data.length} more wait behind these.</p> : null}
      {decision === undefined ? null : <DecisionDialog decision={decision} onClose={close} />}
    </section>
  )
}
