/** The latest requests, the newest first, with a filter. New ones appear by themselves. */
import { useEffect, useRef, useState } from "preact/hooks"
import { EmptyHint } from "./EmptyHint.tsx"
import { ago, count, dateTime, pathText } from "./Format.ts"
import { hashOf } from "./Hash.ts"
import { useProblemOf } from "./Loaded.ts"
import { usePolling } from "./Polling.ts"
import { callerOf, StatusBadge } from "./RequestParts.tsx"
import { useSession } from "./Session.ts"
import type { ListedRequest, Page } from "./Wire.ts"

const noFilter = { path: "", operation: "", caller: "", outcome: "" }
type Filter = typeof noFilter

const queryOf = (filter: Filter, cursor?: string): string => {
  const given = Object.entries({ ...filter, cursor: cursor ?? "" }).filter(([, value]) => value !== "")
  return `/sandbox/requests?${new URLSearchParams([["limit", "50"], ...given]).toString()}`
}

interface Shown {
  readonly requests: ReadonlyArray<ListedRequest>
  /** Of the older ones that are not shown yet. */
  readonly cursor: string | undefined
}

/** Puts the newest page before what is shown. If requests lie between the two, older ones are left to the next page. */
const withNewest = (shown: Shown | undefined, { data, nextCursor }: Page<ListedRequest>): Shown => {
  const oldest = data.at(-1)
  const at = shown?.requests.findIndex(({ id }) => id === oldest?.id) ?? -1
  return shown === undefined || at === -1
    ? { requests: data, cursor: nextCursor }
    : { requests: [...data, ...shown.requests.slice(at + 1)], cursor: shown.cursor }
}

const Row = ({ now, request }: { readonly now: number; readonly request: ListedRequest }) => (
  <li class="event">
    <div class="what">
      <a class="name" href={hashOf("requests", request.id)}>
        {request.method} {pathText(request.path)}
      </a>
      <p class="soft small">
        {request.operation}, {callerOf(request)}
        {request.idempotencyKey === undefined ? null : `, key ${request.idempotencyKey}`}
        {request.sentAgainFrom === undefined ? null : ", sent again"}
        {request.rule === undefined ? null : `, refused by ${request.rule}`}
      </p>
    </div>
    <div class="outcome">
      <span class="row">
        <StatusBadge request={request} />
      </span>
      <span class="soft small">
        {count(request.durationMillis)} ms,{" "}
        <time dateTime={request.receivedAt} title={dateTime(request.receivedAt)}>
          {ago(request.receivedAt, now)}
        </time>
      </span>
    </div>
  </li>
)

export const RequestList = () => {
  const { api } = useSession()
  const problemOf = useProblemOf()
  const [filter, setFilter] = useState(noFilter)
  const [shown, setShown] = useState<Shown>()
  const [now, setNow] = useState(Date.now())
  const [problem, setProblem] = useState<string>()
  const asked = useRef(filter)
  asked.current = filter

  const load = async (cursor?: string): Promise<boolean> => {
    try {
      const page = await api.get<Page<ListedRequest>>(queryOf(filter, cursor))
      // Another filter may have been chosen meanwhile.
      if (asked.current !== filter) return true
      setShown((known) =>
        cursor === undefined
          ? withNewest(known, page)
          : // A second press of the button asks for the same page.
            known?.cursor === cursor
            ? { requests: [...(known?.requests ?? []), ...page.data], cursor: page.nextCursor }
            : known,
      )
      setNow(Date.now())
      setProblem(undefined)
      return true
    } catch (failure) {
      setProblem(problemOf(failure))
      return false
    }
  }
  const { refresh } = usePolling(() => load(), "requests")
  useEffect(() => {
    setShown(undefined)
    refresh()
  }, [filter])

  const apply = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const textOf = (name: keyof Filter) => String(form.get(name) ?? "").trim()
    setFilter({
      path: textOf("path"),
      operation: textOf("operation"),
      caller: textOf("caller"),
      outcome: textOf("outcome"),
    })
  }
  const requests = shown?.requests ?? []
  return (
    <section aria-labelledby="requests-title">
      <h2 id="requests-title" tabIndex={-1}>
        Requests
      </h2>
      <form class="filter" onSubmit={apply}>
        <label>
          Path contains
          <input name="path" autocomplete="off" spellcheck={false} />
        </label>
        <label>
          Operation
          <input name="operation" list="request-operations" autocomplete="off" spellcheck={false} />
        </label>
        <datalist id="request-operations">
          {[...new Set(requests.map(({ operation }) => operation))].toSorted().map((operation) => (
            <option key={operation} value={operation} />
          ))}
        </datalist>
        <label>
          Caller's id
          <input name="caller" autocomplete="off" spellcheck={false} />
        </label>
        <label>
          Outcome
          <select name="outcome">
            <option value="">All</option>
            <option value="SUCCEEDED">Succeeded</option>
            <option value="FAILED">Failed</option>
          </select>
        </label>
        <button type="submit">Filter</button>
      </form>
      <div role="alert">{problem === undefined ? null : <p class="problem">{problem}</p>}</div>
      {shown === undefined ? (
        <p class="soft">{problem === undefined ? "Loading…" : ""}</p>
      ) : requests.length === 0 ? (
        <div class="empty">
          <p class="name">
            {filter === noFilter ? "No request has been sent yet." : "No request that is kept fits the filter."}
          </p>
          {filter === noFilter ? <EmptyHint /> : null}
        </div>
      ) : (
        <ul class="panel history requests">
          {requests.map((request) => (
            <Row key={request.id} request={request} now={now} />
          ))}
        </ul>
      )}
      {shown?.cursor === undefined ? null : (
        <button type="button" onClick={() => void load(shown.cursor)}>
          Show older
        </button>
      )}
    </section>
  )
}
