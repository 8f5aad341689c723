/** An action that waits: what, who, from where, to where, why, and what approving it would leave. */
import { useEffect, useState } from "preact/hooks"
import { amountOf, currencyOf, Direction, kinds, Parties, ReasonText, reasonFor, Submitted } from "./ActionParts.tsx"
import type { Decision } from "./DecisionDialog.tsx"
import { Limits } from "./Limits.tsx"
import type { Names } from "./Names.ts"
import { useSession } from "./Session.ts"
import { votesOn } from "./Votes.ts"
import { VotesPanel } from "./VotesPanel.tsx"
import type { Action, Evaluation, Votes } from "./Wire.ts"

interface Props {
  readonly action: Action
  readonly now: number
  /** Changes when limits may have. */
  readonly round: number
  readonly onDecide: (decision: Decision) => void
}

export const WaitingAction = ({ action, now, onDecide, round }: Props) => {
  const { api, namesOf } = useSession()
  const [names, setNames] = useState<Names>()
  const [evaluation, setEvaluation] = useState<Evaluation>()
  const [votes, setVotes] = useState<{ readonly found: Votes | undefined }>()
  useEffect(() => {
    let isCurrent = true
    const keep =
      <A,>(set: (value: A) => void) =>
      (value: A) => {
        if (isCurrent) set(value)
      }
    namesOf(action).then(keep(setNames), () => undefined)
    api
      .get<Evaluation>(`/agents/${action.agentId}/actions/${action.id}/evaluation`)
      // Decided meanwhile: the next look at the list shows it.
      .then(keep(setEvaluation), () => undefined)
    votesOn(action).then(
      keep((found) => setVotes({ found })),
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [action.id, round])

  const title = `title-${action.id}`
  const held = reasonFor(action, action.details, names)
  const trouble = evaluation?.outcome === "APPROVED" ? undefined : reasonFor(action, evaluation?.details, names)
  const decimals = names?.decimals ?? 2
  // Nobody decides on what is not shown yet.
  const isReady = names !== undefined && votes !== undefined
  const found = votes?.found
  return (
    <li>
      <article class="panel action" aria-labelledby={title} data-action={action.id}>
        <header>
          <Direction type={action.type} />
          <div>
            <h3 id={title} tabIndex={-1}>
              <span class="amount">{names === undefined ? "…" : amountOf(action, names)}</span>{" "}
              <span class="kind soft">{kinds[action.type].name}</span>
            </h3>
            <Submitted at={action.createdAt} now={now} />
          </div>
        </header>
        <Parties names={names} />
        <div class="facts">
          {held === undefined ? null : (
            <section aria-label="Why it waits">
              <h4>Why it waits</h4>
              <ReasonText reason={held} />
            </section>
          )}
          {evaluation === undefined ? null : (
            <Limits limits={evaluation.limits} currency={currencyOf(action)} decimals={decimals} />
          )}
        </div>
        {found === undefined ? null : <VotesPanel votes={found} />}
        {trouble === undefined ? null : (
          <section class="trouble" aria-label="Approving it now would fail">
            <h4>Approving it now would fail</h4>
            <ReasonText reason={trouble} />
          </section>
        )}
        <footer>
          <button
            type="button"
            class="primary"
            aria-describedby={title}
            disabled={!isReady || found?.refusal !== undefined}
            onClick={() => onDecide({ how: "approve", action, names, votes: found })}
          >
            Approve
          </button>
          <button
            type="button"
            aria-describedby={title}
            disabled={!isReady}
            onClick={() => onDecide({ how: "reject", action, names, votes: found })}
          >
            Reject
          </button>
        </footer>
      </article>
    </li>
  )
}
