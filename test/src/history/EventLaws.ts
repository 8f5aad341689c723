/**
 * What the documents promise about webhooks, held against what clients were answered: every event of a change at least once, no change under
 * two identifiers, and the events of a record in the order of its changes, unless one of them does not get through.
 * Source: wire contract 5.7, 6.2.
 */
import type { Clients } from "./Clients.ts"

/** A webhook as its receiver got it. */
export interface Arrival {
  readonly id: string
  readonly type: string
  readonly data: { readonly [name: string]: unknown }
  /** Whether it came so late that it may be overtaken. */
  readonly isLate: boolean
}

/** The first arrival of each event. */
const distinct = (arrivals: ReadonlyArray<Arrival>): ReadonlyArray<Arrival> => {
  const seen = new Set<string>()
  return arrivals.filter(({ id }) => !seen.has(id) && seen.add(id))
}

export const eventProblems = (
  arrivals: ReadonlyArray<Arrival>,
  { cards, payments }: Pick<Clients, "cards" | "payments">,
): ReadonlyArray<string> => {
  const byRecord = Map.groupBy(distinct(arrivals), ({ data }) => String(data["id"]))
  const eventsOf = (id: string, family: string) =>
    (byRecord.get(id) ?? []).filter(({ type }) => type.startsWith(family))
  const ofPayments = payments.flatMap(({ transactionId }) => {
    const events = eventsOf(transactionId, "INCOMING_PAYMENT.")
    const names = events.map(({ type }) => type.split(".")[1])
    const inOrder = events.some(({ isLate }) => isLate) ? names.toSorted().toReversed() : names
    return inOrder.join(" ") === "PENDING COMPLETED" ? [] : [`${transactionId} was reported as: ${names.join(" ")}`]
  })
  const ofCards = cards.flatMap(({ id, record: { calls } }) => {
    const events = eventsOf(id, "CARD.STATE_CHANGE")
    const states = events.map(({ data }) => String(data["state"]))
    const changes = calls.filter(({ input, output }) => typeof input === "object" && output === input.become).length
    const unanswered = calls.filter(({ input, output }) => typeof input === "object" && output === undefined).length
    // The first says that it was issued.
    const reported = states.length - 1
    const isAlternating =
      events.some(({ isLate }) => isLate) || states.every((state, n) => state === (n % 2 === 0 ? "ACTIVE" : "FROZEN"))
    const count = `${id} changed ${changes} times, with ${unanswered} calls without an answer, and was reported ${reported} times`
    return [
      ...(reported < changes || reported > changes + unanswered ? [count] : []),
      ...(isAlternating ? [] : [`${id} was reported as: ${states.join(" ")}`]),
    ]
  })
  return [...ofPayments, ...ofCards]
}
