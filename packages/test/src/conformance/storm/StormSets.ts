/**
 * The change sets of a commit storm: numbered, each with every kind of part, so that a part that is missing is noticed.
 * Source: D-539; ports/ChangeSet.ts.
 */
import type { ChangeSet, Claim } from "@countersign/core/store"
import { changeSet } from "../ChangeSets.ts"
import { account, ann, customer, id, job, newEvent, operationId, transfer } from "../Examples.ts"

/** Numbers of the storm's operations begin here, apart from those of other change sets. */
const firstOperation = 2 ** 40

const source = "outside:storm"
export const target = "available:storm"
export const counterKey = "storm"
/** Each set moves so much. */
export const amount = 7

/** Opens the accounts of all transfers. It is the same set in each process. */
export const opening: ChangeSet = {
  ...changeSet({ ledgerAccounts: [account(source, { floor: null }), account(target)] }),
  operationId: operationId(firstOperation),
}

export const keyOf = (n: number): Claim => ({ scope: "global", key: `storm ${n}` })
export const customerOf = (n: number): string => id("Customer", n)
export const eventOf = (n: number): string => id("Webhook", n)
export const jobOf = (n: number): string => id("Job", n)
export const referenceOf = (n: number): string => id("Transaction", n)

/** The set with this number, at any time the same. `at`: Unix milliseconds, from which its event is retained. */
export const stormSet = (n: number, at: number): ChangeSet => ({
  ...changeSet({
    at,
    inserts: [customer(n)],
    claims: [{ ...keyOf(n), record: { kind: "Customer", id: customerOf(n) } }],
    transfers: [{ ...transfer(source, target, amount), reference: referenceOf(n) }],
    counters: [{ key: counterKey, delta: 1 }],
    events: [newEvent(n, { subject: ann })],
    jobs: [job(n, { lane: `lane ${n % 4}` })],
  }),
  operationId: operationId(firstOperation + n),
})
