/** What the list of events and a single event show alike: how its delivery goes, in words and colour. */
import type { EventDetail, ListedEvent } from "./Wire.ts"

type Attempt = EventDetail["attempts"][number]

interface Shown {
  readonly label: string
  readonly tone: "approved" | "failed" | "rejected" | "sandbox"
}

/** `last`: the latest attempt. */
const shownOf = (delivery: ListedEvent["delivery"], last: Attempt | undefined): Shown => {
  if (delivery === "RUNNING") return { label: "Sending", tone: "sandbox" }
  if (delivery === "PARKED") return { label: "Given up", tone: "failed" }
  if (delivery === "WAITING") return { label: last === undefined ? "Waiting" : "Retrying", tone: "sandbox" }
  if (last === undefined) return { label: "Not sent", tone: "rejected" }
  return last.isAcknowledged ? { label: "Delivered", tone: "approved" } : { label: "Not acknowledged", tone: "failed" }
}

/** A type of events, which a narrow page breaks between its words. */
export const EventType = ({ type }: { readonly type: string }) => (
  <>{type.split(/(?<=[._])/u).flatMap((word, index) => (index === 0 ? [word] : [<wbr key={index} />, word]))}</>
)

export const DeliveryBadge = ({
  event,
  last,
}: {
  readonly event: Pick<ListedEvent, "delivery">
  readonly last: Attempt | undefined
}) => {
  const { label, tone } = shownOf(event.delivery, last)
  return <span class={`badge ${tone}`}>{label}</span>
}

/** The answer to an attempt, or why there was none. */
export const answerOf = ({ reason, status }: Attempt): string =>
  status === undefined ? (reason ?? "no answer") : `answered ${status}`
