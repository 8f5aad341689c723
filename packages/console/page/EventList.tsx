/** The events of a platform, the newest first, with a filter. */
import { useEffect, useRef, useState } from "preact/hooks"
import { answerOf, DeliveryBadge } from "./EventParts.tsx"
import { ago, dateTime } from "./Format.ts"
import { useProblemOf } from "./Loaded.ts"
import { usePolling } from "./Polling.ts"
import { useSession } from "./Session.ts"
import type { ListedEvent, Page } from "./Wire.ts"

interface Filter {
  readonly type: string
  readonly record: string
}

const noFilter: Filter = { type: "", record: "" }

const queryOf = ({ record, type }: Filter, cursor?: string): string => {
  const recordField = record.startsWith("Customer:") ? "customerId" : "subject"
  const parts = [
    ["limit", "50"],
    ...(type === "" ? [] : [["type", type]]),
    ...(record === "" ? [] : [[recordField, record]]),
    ...(cursor === undefined ? [] : [["cursor", cursor]]),
  ]
  return `/operator/events?${new URLSearchParams(parts.map(([name = "", value = ""]) => [name, value])).toString()}`
}

const Row = ({ event, now }: { readonly event: ListedEvent; readonly now: number }) => {
  const last = event.lastAttempt
  return (
    <li class="event">
      <div class="what">
        <a class="name" href={`#events/${event.id}`}>
          {event.type}
        </a>
        <p class="soft small id">{event.subject}</p>
      </div>
      <div class="outcome">
        <DeliveryBadge event={event} last={last} />
        <span class="soft small">
          {last === undefined ? "" : `${answerOf(last)}, `}
          <time dateTime={event.createdAt} title={dateTime(event.createdAt)}>
            {ago(event.createdAt, now)}
          </time>
        </span>
      </div>
    </li>
  )
}

export const EventList = () => {
  const { api } = useSession()
  const problemOf = useProblemOf()
  const [filter, setFilter] = useState(noFilter)
  const [pages, setPages] = useState<ReadonlyArray<Page<ListedEvent>>>([])
  const [now, setNow] = useState(Date.now())
  const [problem, setProblem] = useState<string>()
  const asked = useRef(filter)
  asked.current = filter

  const load = async (cursor?: string): Promise<boolean> => {
    try {
      const next = await api.get<Page<ListedEvent>>(queryOf(filter, cursor))
      // Another filter may have been chosen meanwhile.
      if (asked.current !== filter) return true
      setPages((known) => (cursor === undefined ? [next] : [...known, next]))
      setNow(Date.now())
      setProblem(undefined)
      return true
    } catch (failure) {
      setProblem(problemOf(failure))
      return false
    }
  }
  // Older pages that the reader has opened stay as they are.
  const { refresh } = usePolling(() => (pages.length <= 1 ? load() : Promise.resolve(true)))
  useEffect(() => {
    setPages([])
    refresh()
  }, [filter])

  const apply = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    setFilter({ type: String(form.get("type")).trim(), record: String(form.get("record")).trim() })
  }
  const events = pages.flatMap(({ data }) => data)
  const cursor = pages.at(-1)?.nextCursor
  return (
    <section aria-labelledby="events-title">
      <h2 id="events-title" tabIndex={-1}>
        Events
      </h2>
      <form class="filter" onSubmit={apply}>
        <label>
          Type
          <input name="type" list="event-types" autocomplete="off" spellcheck={false} />
        </label>
        <datalist id="event-types">
          {[...new Set(events.map(({ type }) => type))].toSorted().map((type) => (
            <option key={type} value={type} />
          ))}
        </datalist>
        <label>
          Record or customer
          <input name="record" autocomplete="off" spellcheck={false} />
        </label>
        <button type="submit">Filter</button>
      </form>
      <div role="alert">{problem === undefined ? null : <p class="problem">{problem}</p>}</div>
      {pages.length > 0 && events.length === 0 ? (
        <div class="empty">
          <p class="name">{filter === noFilter ? "Nothing has been emitted yet." : "No event fits the filter."}</p>
        </div>
      ) : (
        <ul class="panel history">
          {events.map((event) => (
            <Row key={event.id} event={event} now={now} />
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
