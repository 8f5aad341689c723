/** What the list of events and a single event show alike: how its delivery goes, in words and colour. */
import { type Attempt, shownOf } from "./DeliveryShown.ts"
import type { ListedEvent } from "./Wire.ts"

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
