/** What became of actions, the newest first. */
import { useEffect, useRef, useState } from "preact/hooks"
import { amountOf, Direction, kinds, reasonFor, Submitted } from "./ActionParts.tsx"
import { actorText } from "./AuditNames.tsx"
import { useLoaded, useProblemOf } from "./Loaded.ts"
import type { Names } from "./Names.ts"
import { useSession } from "./Session.ts"
import type { Action, AuditRecord, Page } from "./Wire.ts"

const statuses = ["APPROVED", "REJECTED", "FAILED"] as const
const decisions: ReadonlyArray<string> = ["AGENT_ACTION_APPROVE", "AGENT_ACTION_REJECT"]
const badges: Readonly<Record<Action["status"], string>> = {
  APPROVED: "Approved",
  REJECTED: "Rejected",
  FAILED: "Failed",
  PENDING_APPROVAL: "Waiting",
}

const Decided = ({ action, now }: { readonly action: Action; readonly now: number }) => {
  const { namesOf } = useSession()
  const [names, setNames] = useState<Names>()
  useEffect(() => {
    let isCurrent = true
    namesOf(action).then(
      (found) => {
        if (isCurrent) setNames(found)
      },
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [action.id])
  const reason = reasonFor(action, action.details, names)
  const wasHeld = reason !== undefined
  const why = action.status === "REJECTED" ? action.rejectionReason : reason?.message
  return (
    <li class="decided">
      <Direction type={action.type} />
      <div class="what">
        <p class="name">
          {names === undefined ? "…" : amountOf(action, names)} <span class="kind soft">{kinds[action.type].name}</span>
        </p>
        <p class="small">{names === undefined ? "" : `${names.from.name} to ${names.to.name}`}</p>
        <p class="soft small">{names === undefined ? "" : `${names.agent} for ${names.customer.name}`}</p>
      </div>
      <div class="outcome">
        <span class={`badge ${action.status.toLowerCase()}`}>{badges[action.status]}</span>
        <span class="soft small">{action.transaction?.status.toLowerCase() ?? ""}</span>
        <Submitted at={action.updatedAt} now={now} />
      </div>
      <p class="why small">
        {action.status === "APPROVED" && !wasHeld ? "Executed by itself: the policy allows it." : null}
        {action.status === "APPROVED" && wasHeld ? `Was held: ${why}` : null}
        {action.status === "REJECTED" ? (why === undefined ? "Without a reason." : `“${why}”`) : null}
        {action.status === "FAILED" ? why : null}
      </p>
      {wasHeld || action.status === "REJECTED" ? <DecidedBy actionId={action.id} /> : null}
    </li>
  )
}

/** Who approved or rejected it; an API token without the permission to read the audit does not see it. */
const DecidedBy = ({ actionId }: { readonly actionId: string }) => {
  const { value } = useLoaded<Page<AuditRecord>>(`/audit-records?limit=20&target=${actionId}`, 0)
  const decision = value?.data.find(({ operation }) => decisions.includes(operation))
  return decision === undefined ? null : (
    <p class="why soft small">
      {decision.operation === "AGENT_ACTION_REJECT" ? "Rejected" : "Approved"} by {actorText(decision)}
    </p>
  )
}

export const History = ({ now, round }: { readonly now: number; readonly round: number }) => {
  const { api } = useSession()
  const problemOf = useProblemOf()
  const [pages, setPages] = useState<ReadonlyArray<Page<Action>>>([])
  const [problem, setProblem] = useState<string>()
  const heading = useRef<HTMLHeadingElement>(null)
  const query = `/agents/approvals?limit=20&${statuses.map((status) => `status=${status}`).join("&")}`

  const load = async (cursor: string | undefined) => {
    try {
      const next = await api.get<Page<Action>>(cursor === undefined ? query : `${query}&cursor=${cursor}`)
      setPages((known) => (cursor === undefined ? [next] : [...known, next]))
      setProblem(undefined)
    } catch (failure) {
      setProblem(problemOf(failure))
    }
  }
  // Who has turned to older pages is not torn back to the first.
  useEffect(() => {
    if (pages.length <= 1) void load(undefined)
  }, [round])

  const actions = pages.flatMap(({ data }) => data)
  const cursor = pages.at(-1)?.nextCursor
  return (
    <section aria-labelledby="history-title">
      <h2 id="history-title" ref={heading} tabIndex={-1}>
        History
      </h2>
      <div role="alert">{problem === undefined ? null : <p class="problem">{problem}</p>}</div>
      {pages.length > 0 && actions.length === 0 ? (
        <div class="empty">
          <p class="name">Nothing has been decided yet.</p>
        </div>
      ) : (
        <ul class="panel history">
          {actions.map((action) => (
            <Decided key={`${action.id} ${action.status}`} action={action} now={now} />
          ))}
        </ul>
      )}
      {cursor === undefined ? null : (
        <button type="button" onClick={() => void load(cursor)}>
          Show older
        </button>
      )}
    </section>
  )
}
