/**
 * The transitions of an outgoing transaction and of its refund. Each returns the new data, the events and the posting.
 * Source: wire contract 5.5 and 5.7 (event sequences); D-091, D-120.
 */
import type { TriggerOf } from "../../foundation/kit/Machine.ts"
import type { EventType } from "../../model/event/EventTypes.ts"
import { OutgoingMachine } from "../../model/transaction/OutgoingMachine.ts"
import { RefundMachine } from "../../model/transaction/RefundMachine.ts"
import { type OutgoingTransaction, paymentReference, type RefundReason } from "../../model/transaction/Transaction.ts"

export type OutgoingTrigger = TriggerOf<typeof OutgoingMachine>

/** The posting of a transition, by the name of its function in `PostingChanges` and `ExchangeChanges`. */
export type PostingName = "send" | "deliver" | "returnPayout" | "refund" | "refundToUnapplied" | "refundFromUnapplied"

interface TransitionOutcome {
  readonly data: OutgoingTransaction
  /** Present when the status changes. */
  readonly trigger?: OutgoingTrigger
  readonly emits: ReadonlyArray<EventType>
  readonly posting?: PostingName | undefined
}

export type Transition = (data: OutgoingTransaction) => TransitionOutcome

/** Whether the machine has an arrow for this trigger from the present status. */
export const canTake = (data: OutgoingTransaction, trigger: OutgoingTrigger): boolean =>
  OutgoingMachine.allows(data.status, trigger)

/** Whether the rail's final outcome is awaited: the payment is funded and no refund has begun. */
export const isUnderWay = ({ exchange, refund, status }: OutgoingTransaction): boolean =>
  refund === undefined &&
  (status === "PROCESSING" || (status === "PENDING" && exchange === undefined)) &&
  (exchange === undefined || exchange.fundedAt !== undefined)

/** Takes one arrow of the transaction's machine; a missing arrow is a defect. */
export const changeStatus =
  (trigger: OutgoingTrigger, patch: Partial<OutgoingTransaction> = {}, posting?: PostingName): Transition =>
  (data) => {
    const { emits, state } = OutgoingMachine.follow(data.status, trigger)
    return { data: { ...data, ...patch, status: state }, trigger, emits, posting }
  }

/** Starts processing unless it has started already. */
export const beginProcessing: Transition = (data) =>
  data.status === "PROCESSING" ? { data, emits: [] } : changeStatus("Begin", {}, "send")(data)

/** How the quote's money arrived. */
interface Funding {
  /** The amount that arrived instead of the quote's: it is not exchanged. */
  readonly mismatch?: number
  /** The hash of the payer's transaction on a chain. */
  readonly transactionHash?: string
}

/** Records that the quote's money arrived. It is exchanged unless the amount differs from the quote. */
export const recordFunding =
  (fundedAt: number, funding: Funding = {}): Transition =>
  (data) => {
    if (data.exchange === undefined) throw new Error("a transfer without a quote cannot be funded")
    const exchange = { ...data.exchange, fundedAt, ...funding }
    return { data: { ...data, exchange }, emits: [], posting: "send" }
  }

export const beginRefund =
  (id: string, initiatedAt: number, reason: RefundReason): Transition =>
  (data) => {
    const { emits, state } = RefundMachine.follow(data.refund?.status ?? null, "Begin")
    const refund = { reference: paymentReference("R", id), initiatedAt, status: state, reason }
    return { data: { ...data, refund }, emits }
  }

/** Begins a failed refund again: the money stays unapplied until the rail has returned it. */
export const retryRefund: Transition = (data) => {
  if (data.refund === undefined) throw new Error("no failed refund to retry")
  const { emits, state } = RefundMachine.follow(data.refund.status, "Retry")
  return { data: { ...data, refund: { ...data.refund, status: state } }, emits }
}

/** Completes the refund, or fails it: then the money becomes unapplied, unless it is already. */
export const endRefund =
  (trigger: "Complete" | "Fail", settledAt: number): Transition =>
  (data) => {
    if (data.refund === undefined) throw new Error(`no pending refund for ${trigger}`)
    const { emits, state } = RefundMachine.follow(data.refund.status, trigger)
    const { isUnapplied, ...rest } = data
    const refund = { ...data.refund, status: state, ...(trigger === "Complete" ? { settledAt } : {}) }
    if (trigger === "Complete") {
      const posting = isUnapplied === true ? "refundFromUnapplied" : "refund"
      return { data: { ...rest, refund }, emits, posting }
    }
    const posting = isUnapplied === true ? undefined : "refundToUnapplied"
    return { data: { ...data, refund, isUnapplied: true }, emits, posting }
  }

/** Ends a payment that was cancelled while it was processing, once its refund has ended. */
export const endCancellation =
  (trigger: "Conclude" | "Fail", patch: Partial<OutgoingTransaction> = {}): Transition =>
  (data) =>
    data.status === "PROCESSING" ? changeStatus(trigger, patch)(data) : { data, emits: [] }
