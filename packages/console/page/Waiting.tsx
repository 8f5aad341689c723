/** The actions that wait, the oldest first; new ones arrive by themselves. */
import { useEffect, useRef, useState } from "preact/hooks"
import { type Decision, DecisionDialog } from "./DecisionDialog.tsx"
import { EmptyHint } from "./EmptyHint.tsx"
import { WaitingAction } from "./WaitingAction.tsx"
import type { Action, Page } from "./Wire.ts"

interface Props {
  readonly page: Page<Action> | undefined
  readonly now: number
  readonly onDecided: () => void
  readonly round: number
}

/** The action that is looked at next when one is gone. */
const neighbour = (gone: string, ids: ReadonlyArray<string>): string | undefined => {
  const at = ids.indexOf(gone)
  return ids[at + 1] ?? ids[at - 1]
}

export const Waiting = ({ now, onDecided, page, round }: Props) => {
  const [decision, setDecision] = useState<Decision>()
  const [gone, setGone] = useState<ReadonlyArray<string>>([])
  const heading = useRef<HTMLHeadingElement>(null)
  /** Where the focus goes when the dialog is gone; before, nothing outside of it can have it. */
  const focusNext = useRef<() => Element | null>(() => null)
  const actions = (page?.data ?? []).filter(({ id }) => !gone.includes(id))

  useEffect(() => {
    if (decision !== undefined) return
    const next = focusNext.current()
    focusNext.current = () => null
    if (next instanceof HTMLElement) next.focus()
  }, [decision])

  const open = (next: Decision) => {
    const opener = document.activeElement
    focusNext.current = () => opener
    setDecision(next)
  }
  const close = (decided?: Action) => {
    // Others must approve it, too.
    if (decided?.status === "PENDING_APPROVAL") onDecided()
    else if (decided !== undefined) {
      const next = neighbour(
        decided.id,
        actions.map(({ id }) => id),
      )
      focusNext.current = () => document.getElementById(`title-${next}`) ?? heading.current
      setGone([...gone, decided.id])
      onDecided()
    }
    setDecision(undefined)
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
          <EmptyHint />
        </div>
      ) : (
        <ul class="actions">
          {actions.map((action) => (
            <WaitingAction key={action.id} action={action} now={now} round={round} onDecide={open} />
          ))}
        </ul>
      )}
      {page?.hasMore === true ? (
        <p class="soft">
          {page.totalCount === undefined ? "Thousands" : page.totalCount - page.data.length} more wait behind these.
        </p>
      ) : null}
      {decision === undefined ? null : <DecisionDialog decision={decision} onClose={close} />}
    </section>
  )
}
