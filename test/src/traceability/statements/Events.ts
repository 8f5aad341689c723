/** Statements of the specification about webhooks. */
import type { Section } from "../Statement.ts"

export const events: Section = {
  title: "Events",
  statements: [
    { id: "EVT-01", says: "Events are delivered to the endpoint that the platform has configured." },
    {
      id: "EVT-02",
      says: "`AGENT_ACTION.PENDING_APPROVAL` is sent when an action is submitted that has to wait, and only then.",
    },
    { id: "EVT-03", says: "It carries the whole action, with the quote or the details of the transfer." },
    { id: "EVT-04", says: "`CARD.STATE_CHANGE` is sent when a card becomes active." },
    {
      id: "EVT-05",
      says: "`CARD.STATE_CHANGE` is sent when the issuer rejects a card, which is closed for `ISSUER_REJECTED`.",
    },
    { id: "EVT-06", says: "`CARD.STATE_CHANGE` is sent for later changes of state, too." },
    { id: "EVT-07", says: "`CARD.STATE_CHANGE` carries the card." },
    { id: "EVT-08", says: "A webhook may tell of a change of an account's status." },
  ],
}
