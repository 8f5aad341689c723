/**
 * Loads everything that the deletion of a customer depends on: counters, balances and all records that end with the customer.
 * Source: wire contract 5.11, 11 (22); D-081.
 */
import { Effect } from "effect"
import {
  type DeletionLoaded,
  kindsEndedByDeletion,
  ledgerAccountsOfRecords,
} from "../../decision/customer/CustomerDeletionDecision.ts"
import { ServiceError } from "../../foundation/errors/ServiceError.ts"
import { limitMax, type Position } from "../../foundation/kit/Page.ts"
import type { Read } from "../../operation/Operation.ts"
import type { AnyStored } from "../../store/ChangeSet.ts"
import { deletionBlockerCounter, dependentCounter, type Kind } from "../../store/Kinds.ts"
import type { Store } from "../../store/Store.ts"
import { customerNotFound, loadOwners } from "./CustomerReads.ts"

/** Loads all records of a kind that a customer has, page by page. */
const loadRecords = Effect.fnUntraced(function* (store: Store["Service"], kind: Kind, customerId: string) {
  const all: Array<AnyStored> = []
  let after: Position | undefined
  for (;;) {
    const page = yield* store.list(
      kind,
      { customerId: { eq: customerId } },
      { limit: limitMax, order: "asc", ...(after === undefined ? {} : { after }) },
    )
    all.push(...(page.data as ReadonlyArray<AnyStored>))
    after = page.data.at(-1)
    if (!page.hasMore || after === undefined) return all
  }
})

/** Errors: `USER_NOT_FOUND`. Of a deleted customer no further records are loaded. */
export const loadForDeletion = Effect.fnUntraced(function* (store: Store["Service"], read: Read, customerId: string) {
  const counters = [deletionBlockerCounter(customerId), dependentCounter(customerId)] as const
  // The counters are read first: a record that is added later makes the commit a conflict.
  const first = yield* read({ records: [{ kind: "Customer", id: customerId }], counters })
  const customer = first.record("Customer", customerId)
  if (customer === undefined) return yield* new ServiceError(customerNotFound)
  const kinds = customer.data.isDeleted ? [] : kindsEndedByDeletion
  const records = (yield* Effect.forEach(kinds, (kind) => loadRecords(store, kind, customerId))).flat()
  const accounts = ledgerAccountsOfRecords(records)
  const { balance } = yield* read({ balances: accounts })
  const loaded: DeletionLoaded = {
    customer,
    owners: yield* loadOwners(read, [customer]),
    deletionBlockers: first.counter(counters[0]),
    dependents: first.counter(counters[1]),
    records,
    balances: new Map(accounts.map((account) => [account, balance(account)])),
  }
  return loaded
})
