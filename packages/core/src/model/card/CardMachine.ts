/**
 * The states of a card. `CLOSED` is the end.
 * Spec: States and transitions, Card; wire contract 3.3 (`ACTIVE` unfreezes; `FROZEN` closes); D-170.
 */
import * as Machine from "../../foundation/kit/Machine.ts"
import type { CardState } from "./Card.ts"

const told = ["CARD.STATE_CHANGE"] as const

export const CardMachine = Machine.make({
  name: "Card",
  states: ["PROCESSING", "ACTIVE", "FROZEN", "CLOSED"],
  triggers: ["Issue", "Activate", "Reject", "Freeze", "Unfreeze", "Close"],
  arrows: [
    [null, "Issue", "PROCESSING"],
    ["PROCESSING", "Activate", "ACTIVE", told],
    ["PROCESSING", "Reject", "CLOSED", told],
    ["ACTIVE", "Freeze", "FROZEN", told],
    ["FROZEN", "Unfreeze", "ACTIVE", told],
    ["ACTIVE", "Close", "CLOSED", told],
    ["FROZEN", "Close", "CLOSED", told],
  ],
})

export type CardTrigger = (typeof CardMachine.triggers)[number]

/** What a platform asks for by naming a state. */
export const triggerForRequestedState: { readonly [state in "ACTIVE" | "FROZEN" | "CLOSED"]: CardTrigger } = {
  ACTIVE: "Unfreeze",
  FROZEN: "Freeze",
  CLOSED: "Close",
}

/** Whether a cardholder may be shown the card's number. Source: wire contract 3.4. */
export const isRevealable = (state: CardState): boolean => state === "ACTIVE" || state === "FROZEN"
