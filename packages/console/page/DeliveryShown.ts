/** How the delivery of an event goes, in a word and a colour. */
import type { EventDetail, ListedEvent } from "./Wire.ts"

export type Attempt = EventDetail["attempts"][number]

interface Shown {
  readonly label: string
  readonly tone: "approved" | "failed" | "rejected" | "sandbox"
}

/** `last`: the latest attempt. */
export const shownOf = (delivery: ListedEvent["delivery"], last: Attempt | undefined): Shown => {
  if (delivery === "RUNNING") return { label: "Sending", tone: "sandbox" }
  if (delivery === "PARKED") return { label: "Given up", tone: "failed" }
  if (delivery === "WAITING") return { label: last === undefined ? "Waiting" : "Retrying", tone: "sandbox" }
  if (last === undefined) return { label: "Not sent", tone: "rejected" }
  return last.isAcknowledged ? { label: "Delivered", tone: "approved" } : { label: "Not acknowledged", tone: "failed" }
}
