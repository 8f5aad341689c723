/** The webhooks that the inbox received, each with its headers and body. Source: D-473. */
import { useState } from "preact/hooks"
import { EventType } from "./EventParts.tsx"
import { dateTime } from "./Format.ts"
import { useProblemOf } from "./Loaded.ts"
import { BodyText, HeaderLines } from "./Message.tsx"
import { useSession } from "./Session.ts"
import type { InboxMessage, ListedMessage } from "./Wire.ts"

/** Headers and body are read when they are opened. */
const Parts = ({ id, label }: { readonly id: string; readonly label: string }) => {
  const { api } = useSession()
  const problemOf = useProblemOf()
  const [message, setMessage] = useState<InboxMessage>()
  const [problem, setProblem] = useState<string>()
  const read = async () => {
    if (message !== undefined) return
    try {
      setMessage(await api.get<InboxMessage>(`/sandbox/inbox/messages/${encodeURIComponent(id)}`))
      setProblem(undefined)
    } catch (failure) {
      setProblem(problemOf(failure))
    }
  }
  return (
    <details onToggle={() => void read()}>
      <summary>{label}</summary>
      {problem === undefined ? null : <p class="problem">{problem}</p>}
      {message === undefined ? null : (
        <>
          <HeaderLines headers={message.headers} />
          <BodyText text={message.body} />
        </>
      )}
    </details>
  )
}

const Message = ({ message }: { readonly message: ListedMessage }) => {
  const { answeredStatus, delivery = 1, eventId, id, receivedAt, type = "Unverified message", verification } = message
  return (
    <li class="attempt">
      <p>
        {eventId === undefined ? (
          <span class="name">{type}</span>
        ) : (
          <a class="name" href={`#events/${eventId}`}>
            <EventType type={type} />
          </a>
        )}{" "}
        <span class={`badge ${verification.isVerified ? "approved" : "failed"}`}>
          {verification.isVerified ? "Verified" : (verification.reason ?? "Not verified")}
        </span>{" "}
        <span class="soft small">
          {dateTime(receivedAt)}, answered {answeredStatus}
          {delivery > 1 ? `, delivery ${delivery}` : ""}
        </span>
      </p>
      <Parts id={id} label={`Headers and body of ${type}${delivery > 1 ? `, delivery ${delivery}` : ""}`} />
    </li>
  )
}

export const InboxMessages = ({ messages }: { readonly messages: ReadonlyArray<ListedMessage> }) =>
  messages.length === 0 ? (
    <div class="empty">
      <p class="name">Nothing has arrived yet.</p>
      <p class="soft">Webhooks appear here by themselves.</p>
    </div>
  ) : (
    <ul class="panel history">
      {messages.map((message) => (
        <Message key={message.id} message={message} />
      ))}
    </ul>
  )
