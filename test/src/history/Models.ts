/**
 * What records promise to callers who know only the documents: each is a small machine, in which calls happen one after another.
 * Source: specification, "Agent policies" and "Cards"; wire contract 0.4, 1.4, 5.7. It shares no code with the rules.
 */
import type { Model } from "./Linearizability.ts"

/** A text that is replaced and read. */
export type TextInput = { readonly write: string } | "look"
export const text = (initial: string): Model<string, TextInput, string> => ({
  initial,
  step: (state, input, output) => {
    if (input !== "look") return output === undefined || output === input.write ? [input.write] : []
    return output === undefined || output === state ? [state] : []
  },
})

/** An agent that pays within a daily limit, unless it is paused. */
export type AgentInput = { readonly pay: number } | { readonly isPaused: boolean } | "look" | "midnight"
export interface AgentState {
  readonly isPaused: boolean
  readonly spent: number
}
/** A payment is `paid` or refused with its reason; everything else answers with the agent. */
export type AgentOutput = "paid" | "AGENT_PAUSED" | "LIMIT_EXCEEDED" | "moved" | AgentState

export const agent = (dailyLimit: number): Model<AgentState, AgentInput, AgentOutput> => ({
  initial: { isPaused: false, spent: 0 },
  step: (state, input, output) => {
    if (input === "midnight") return [{ ...state, spent: 0 }]
    if (typeof input === "object" && "pay" in input) {
      const spent = state.spent + input.pay
      const [answer, after] = state.isPaused
        ? (["AGENT_PAUSED", state] as const)
        : spent > dailyLimit
          ? (["LIMIT_EXCEEDED", state] as const)
          : (["paid", { ...state, spent }] as const)
      return output === undefined || output === answer ? [after] : []
    }
    const after = input === "look" ? state : { ...state, isPaused: input.isPaused }
    if (output === undefined) return [after]
    if (typeof output !== "object" || output.isPaused !== after.isPaused) return []
    // A change may answer with the usage of a moment before it.
    return input === "look" && output.spent !== after.spent ? [] : [after]
  },
})

/** A card that is frozen and unfrozen, and used for purchases that its money covers. */
export type CardInput = { readonly become: "ACTIVE" | "FROZEN" } | "purchase" | "look"
export const card: Model<string, CardInput, string> = {
  initial: "ACTIVE",
  step: (state, input, output) => {
    if (input === "look") return output === undefined || output === state ? [state] : []
    if (input === "purchase") {
      const answer = state === "ACTIVE" ? "approved" : "CARD_PAUSED"
      return output === undefined || output === answer ? [state] : []
    }
    const answer = state === input.become ? "INVALID_STATE_TRANSITION" : input.become
    return output === undefined || output === answer ? [input.become] : []
  },
}

/** The account of a customer that is deleted only while it has no money, and takes none afterwards. */
export type PurseInput = { readonly fund: number } | "delete" | "look"
export interface PurseState {
  readonly isClosed: boolean
  readonly balance: number
}
/** `refused`: there is no such account or customer, or it is in use. */
export type PurseOutput = PurseState | "refused"

export const purse: Model<PurseState, PurseInput, PurseOutput> = {
  initial: { isClosed: false, balance: 0 },
  step: (state, input, output) => {
    const after =
      input === "delete"
        ? state.isClosed || state.balance > 0
          ? undefined
          : { ...state, isClosed: true }
        : input === "look"
          ? state
          : state.isClosed
            ? undefined
            : { ...state, balance: state.balance + input.fund }
    if (output === undefined) return [after ?? state]
    if (after === undefined) return output === "refused" ? [state] : []
    const fits = output !== "refused" && output.isClosed === after.isClosed && output.balance === after.balance
    return fits ? [after] : []
  },
}

const incoming = ["PENDING", "PROCESSING", "COMPLETED"]

/** A status that time advances, and that never goes back. */
export const progress: Model<string, "look", string> = {
  initial: "PENDING",
  step: (state, _input, output) => {
    if (output === undefined) return [state]
    return incoming.indexOf(output) >= incoming.indexOf(state) ? [output] : []
  },
}
