/**
 * State machine of a card. `CLOSED` is the terminal state.
 * Spec: States and transitions, Card; wire contract 3.3 (`ACTIVE` unfreezes; `FROZEN` closes); D-170.
 */
import * as Machine from "../../foundation/kit/Machine.ts"

const stateChange = ["CARD.STATE_CHANGE"] as const

export const CardMachine = Machine.make({
  name: "Card",
  arrows: [
    [null, "Issue", "PROCESSING"],
    ["PROCESSING", "Activate", "ACTIVE", stateChange],
    ["ACTIVE", "Freeze", "FROZEN", stateChange],
    ["FROZEN", "Unfreeze", "ACTIVE", stateChange],
    ["PROCESSING", "Reject", "CLOSED", stateChange],
    ["ACTIVE", "Close", "CLOSED", stateChange],
    ["FROZEN", "Close", "CLOSED", stateChange],
  ],
})

export type CardTrigger = Machine.TriggerOf<typeof CardMachine>

/** Trigger for the state that a platform requests. */
export const triggerForRequestedState: { readonly [state in "ACTIVE" | "FROZEN" | "CLOSED"]: CardTrigger } = {
  ACTIVE: "Unfreeze",
  FROZEN: "Freeze",
  CLOSED: "Close",
}

/** Whether the card's number may be revealed in this state. Source: wire contract 3.4. */
export const isRevealable = (state: Machine.StateOf<typeof CardMachine>): boolean =>
  state === "ACTIVE" || state === "FROZEN"
