/** The events of a platform, the newest first, with a filter. */

import { useRef, useState } from "preact/hooks"
import { EmptyHint } from "./EmptyHint.tsx"
import { answerOf, DeliveryBadge, EventType } from "./EventParts.tsx"
import { ago, dateTime } from "./Format.ts"
import { useProblemOf } from "./Loaded.ts"
import { isSandbox } from "./Mode.ts"
import { useNow } from "./Now.ts"
import type { Pager } from "./Pager.ts"
import { PagerButtons } from "./PagerButtons.tsx"
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
          <EventType type={event.type} />
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

export const EventList = ({ record }: { readonly record: string }) => {
  const { api } = useSession()
  const problemOf = useProblemOf()
  const [filter, setFilter] = useState({ ...noFilter, record })
  const [page, setPage] = useState<Page<ListedEvent>>()
  /** The cursors of the pages behind the first, up to the shown one. */
  const [cursors, setCursors] = useState<ReadonlyArray<string>>([])
  const now = useNow()
  const [problem, setProblem] = useState<string>()
  /** How many answers the reader waits for. */
  const turns = useRef(0)
  /** The number of the last read. */
  const reads = useRef(0)

  const load = async (behind: ReadonlyArray<string>, chosen = filter): Promise<boolean> => {
    reads.current += 1
    const read = reads.current
    try {
      const next = await api.get<Page<ListedEvent>>(queryOf(chosen, behind.at(-1)))
      // The reader may have turned the page meanwhile, or chosen another filter.
      if (reads.current !== read) return true
      setPage(next)
      setCursors(behind)
      setProblem(undefined)
      return true
    } catch (failure) {
      setProblem(problemOf(failure))
      return false
    }
  }
  usePolling(
    // An older page that the reader has opened, or is about to, stays as it is.
    () => (cursors.length === 0 && turns.current === 0 ? load([]) : Promise.resolve(true)),
    "events",
    "deliveries",
    "jobs",
  )
  const turn = async (behind: ReadonlyArray<string>, chosen?: Filter) => {
    turns.current += 1
    await load(behind, chosen)
    turns.current -= 1
  }
  const apply = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const chosen = { type: String(form.get("type")).trim(), record: String(form.get("record")).trim() }
    setFilter(chosen)
    setPage(undefined)
    setCursors([])
    void turn([], chosen)
  }
  const events = page?.data ?? []
  const next = page?.nextCursor
  const pager: Pager<ListedEvent> = {
    page,
    number: cursors.length + 1,
    problem,
    newer: cursors.length === 0 ? undefined : () => void turn(cursors.slice(0, -1)),
    older: next === undefined ? undefined : () => void turn([...cursors, next]),
  }
  return (
    <section aria-labelledby="events-title">
      <h2 id="events-title" tabIndex={-1}>
        Events
      </h2>
      {isSandbox() ? (
        <p class="soft small">
          Without a receiver of your own, the <a href="#inbox">inbox</a> shows what is sent.
        </p>
      ) : null}
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
          <input name="record" defaultValue={record} autocomplete="off" spellcheck={false} />
        </label>
        <button type="submit">Filter</button>
      </form>
      <div role="alert">{problem === undefined ? null : <p class="problem">{problem}</p>}</div>
      {page !== undefined && events.length === 0 ? (
        <div class="empty">
          <p class="name">
            {filter.type === "" && filter.record === "" ? "Nothing has been emitted yet." : "No event fits the filter."}
          </p>
          {filter.type === "" && filter.record === "" ? <EmptyHint /> : null}
        </div>
      ) : (
        <ul class="panel history">
          {events.map((event) => (
            <Row key={event.id} event={event} now={now} />
          ))}
        </ul>
      )}
      <PagerButtons pager={pager} />
    </section>
  )
}
