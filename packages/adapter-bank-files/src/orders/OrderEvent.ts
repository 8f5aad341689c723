/**
 * What a bank says about an order, and the state that follows. Files arrive late, twice and out of order: an event that a state has passed
 * changes nothing.
 * Source: D-530.
 */
import type { RailRefusal } from "@countersign/core/ports"
import type { BankOrder, OrderState } from "./BankOrder.ts"

export type OrderEvent =
  | { readonly _tag: "Confirmed" }
  | { readonly _tag: "Rejected"; readonly code: string; readonly refusal: RailRefusal }
  | { readonly _tag: "Returned"; readonly code: string; readonly refusal: RailRefusal }
  | { readonly _tag: "Corrected"; readonly code: string; readonly data: string }

type Moving = Exclude<OrderEvent["_tag"], "Corrected">

/**
 * The state after an event; a pair that is not listed changes nothing. What comes back before the order was booked was never delivered, so
 * its reason counts. A rejection of what was booked contradicts the booking: the entry that brings the money back decides.
 */
const orderTransitions: { readonly [state in OrderState]: { readonly [event in Moving]?: OrderState } } = {
  // No file has the order: an event about it is not about ours, and reconciliation shows it.
  ACCEPTED: {},
  BATCHED: { Confirmed: "BOOKED", Rejected: "REJECTED", Returned: "REJECTED" },
  BOOKED: { Returned: "RETURNED" },
  REJECTED: {},
  RETURNED: {},
  CANCELLED: {},
}

/** Returns the order after an event; the same order if nothing changes. */
export const afterEvent = (order: BankOrder, event: OrderEvent, at: number): BankOrder => {
  if (event._tag === "Corrected") {
    const { code, data } = event
    const isKnown = order.correction?.code === code && order.correction.data === data
    return isKnown ? order : { ...order, correction: { code, data } }
  }
  const state = orderTransitions[order.state][event._tag]
  if (state === undefined) return order
  const reason = event._tag === "Confirmed" ? {} : { code: event.code, refusal: event.refusal }
  return { ...order, ...reason, state, changedAt: at, isReported: false }
}
