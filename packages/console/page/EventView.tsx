/** One event: its body, the attempts to deliver it, and sending it again. */
import { useState } from "preact/hooks"
import { Refused } from "./Api.ts"
import { answerOf, DeliveryBadge, EventType } from "./EventParts.tsx"
import { count, dateTime } from "./Format.ts"
import { useProblemOf } from "./Loaded.ts"
import { BodyText, HeaderLines } from "./Message.tsx"
import { isSandbox } from "./Mode.ts"
import { usePolling } from "./Polling.ts"
import { IdLink } from "./RecordNames.tsx"
import { useSession } from "./Session.ts"
import type { EventDetail } from "./Wire.ts"

const Attempt = ({ attempt }: { readonly attempt: EventDetail["attempts"][number] }) => (
  <li class="attempt">
    <p>
      <span class="name">
        {attempt.isResend ? "Sent again" : "Attempt"} {attempt.number}
      </span>{" "}
      <span class={`badge ${attempt.isAcknowledged ? "approved" : "failed"}`}>{answerOf(attempt)}</span>{" "}
      <span class="soft small">
        {dateTime(attempt.at)}, {count(attempt.latencyMillis)} ms
      </span>
    </p>
    <p class="soft small id">{attempt.url}</p>
    <details>
      <summary>Headers and signatures of attempt {attempt.number}</summary>
      <HeaderLines headers={attempt.headers} />
      {attempt.responseBody === undefined ? null : <pre class="code">{attempt.responseBody}</pre>}
    </details>
  </li>
)

const sayOf = (failure: unknown): string => {
  if (!(failure instanceof Refused)) return "Something went wrong."
  return failure.status === 403
    ? "These credentials may not send events: they need the permission MANAGE."
    : failure.message
}

const Resend = ({ eventId, onSent }: { readonly eventId: string; readonly onSent: () => void }) => {
  const { announce, api, signOut } = useSession()
  const [problem, setProblem] = useState<string>()
  const [isAsking, setIsAsking] = useState(false)

  const send = async (path: string, body?: object) => {
    if (isAsking) return
    setIsAsking(true)
    setProblem(undefined)
    try {
      const { url } = await api.post<{ readonly url: string }>(path, body)
      announce(`The event is sent to ${url}.`)
      onSent()
    } catch (failure) {
      if (failure instanceof Refused && failure.status === 401) signOut("Your session has ended. Sign in again.")
      else setProblem(sayOf(failure))
    } finally {
      setIsAsking(false)
    }
  }
  const sendThere = (event: SubmitEvent) => {
    event.preventDefault()
    const url = String(new FormData(event.currentTarget as HTMLFormElement).get("url")).trim()
    void send(`/sandbox/events/${eventId}/send`, { url })
  }
  return (
    <div class="resend">
      <button type="button" disabled={isAsking} onClick={() => void send(`/operator/events/${eventId}/resend`)}>
        Send again
      </button>
      {isSandbox() ? (
        <form class="filter" onSubmit={sendThere}>
          <label>
            Another address
            <input name="url" type="url" required />
          </label>
          <button type="submit" disabled={isAsking}>
            Send there
          </button>
        </form>
      ) : null}
      <div role="alert">{problem === undefined ? null : <p class="problem">{problem}</p>}</div>
    </div>
  )
}

export const EventView = ({ eventId }: { readonly eventId: string }) => {
  const { api } = useSession()
  const problemOf = useProblemOf()
  const [event, setEvent] = useState<EventDetail>()
  const [problem, setProblem] = useState<string>()
  const { refresh } = usePolling(
    async () => {
      try {
        setEvent(await api.get<EventDetail>(`/operator/events/${eventId}`))
        setProblem(undefined)
        return true
      } catch (failure) {
        setProblem(problemOf(failure))
        return false
      }
    },
    "deliveries",
    "jobs",
  )
  return (
    <section aria-labelledby="event-title">
      <p class="small">
        <a href="#events">All events</a>
      </p>
      <h2 id="event-title" tabIndex={-1}>
        {event === undefined ? "Event" : <EventType type={event.type} />}{" "}
        {event === undefined ? null : <DeliveryBadge event={event} last={event.attempts.at(-1)} />}
      </h2>
      <div role="alert">{problem === undefined ? null : <p class="problem">{problem}</p>}</div>
      {event === undefined ? null : (
        <>
          <dl class="panel event-facts">
            <dt class="soft">Event</dt>
            <dd class="id">{event.id}</dd>
            <dt class="soft">Record</dt>
            <dd>
              <IdLink id={event.subject} />
            </dd>
            <dt class="soft">Emitted</dt>
            <dd>{dateTime(event.createdAt)}</dd>
            {event.nextAttemptAt === undefined ? null : (
              <>
                <dt class="soft">Next attempt</dt>
                <dd>{dateTime(event.nextAttemptAt)}</dd>
              </>
            )}
            {event.reason === undefined ? null : (
              <>
                <dt class="soft">Waits because</dt>
                <dd>{event.reason}</dd>
              </>
            )}
          </dl>
          <Resend eventId={event.id} onSent={refresh} />
          <h3>Attempts</h3>
          {event.attempts.length === 0 ? (
            <p class="soft">{event.delivery === "DONE" ? "There was no endpoint to send it to." : "None yet."}</p>
          ) : (
            <ol class="panel history">
              {event.attempts.toReversed().map((attempt) => (
                <Attempt key={attempt.number} attempt={attempt} />
              ))}
            </ol>
          )}
          <h3>Body</h3>
          <BodyText text={event.body} />
        </>
      )}
    </section>
  )
}
