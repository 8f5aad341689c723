/**
 * The jobs of an outgoing transaction that ask its rail.
 * Source: architecture, "Jobs, external calls and time".
 */
import type { IdSource } from "../../foundation/ids/IdPool.ts"
import type { StoredOutgoing } from "../../model/transaction/TransactionResource.ts"
import { type JobKind, job } from "../../store/JobKinds.ts"

const transferJob = (ids: IdSource, kind: JobKind, { customerId, data, id }: StoredOutgoing, dueAt: number) =>
  job(ids, kind, {
    customerId,
    dueAt,
    lane: `${kind}:${id}`,
    payload: { transactionId: id, accountId: data.destinationAccountId },
  })

/** The job that delivers the payment: through its rail, or directly between two internal accounts. */
export const pushJob = (ids: IdSource, stored: StoredOutgoing, dueAt: number) =>
  transferJob(ids, stored.data.exchange?.isInternal === true ? "quote.deliver" : "transfer.push", stored, dueAt)

/** The job that asks the rail whether the refund has arrived. */
export const refundJob = (ids: IdSource, stored: StoredOutgoing, dueAt: number) =>
  transferJob(ids, "transfer.refund", stored, dueAt)

/** The job that asks the rail whether a delivered payment was returned. */
export const confirmJob = (ids: IdSource, stored: StoredOutgoing, dueAt: number) =>
  transferJob(ids, "transfer.confirm", stored, dueAt)
