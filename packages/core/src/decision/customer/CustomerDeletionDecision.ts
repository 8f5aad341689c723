/**
 * A customer deleted, decided: refused while money or open transactions exist; otherwise all that is its own ends with it, in
 * the same commit. What arrives in between is a conflict, and decided again.
 * Source: wire contract 5.11, 11 (22); D-081.
 */

import type { IdSource } from "../../foundation/ids/IdPool.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { type CustomerResource, toCustomer } from "../../model/customer/CustomerResource.ts"
import type { AnyStored, Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { deletionBlockerCounter, dependentCounter, type Kind, Kinds } from "../../store/Kinds.ts"
import * as Ledger from "../../store/LedgerAccounts.ts"
import { accountStatusEvent, openingIdsMax } from "../account/AccountChanges.ts"
import { arrived } from "../card/CardChanges.ts"
import * as Decision from "../Decision.ts"

/** The kinds of records that end with their customer. */
export const kindsEndedByDeletion: ReadonlyArray<Kind> = Kinds.entries.flatMap(([kind, { customerTie: tie }]) =>
  tie.onCustomerDeleted === undefined ? [] : [kind],
)

export interface DeletionLoaded {
  readonly customer: Stored<"Customer">
  readonly owners: ReadonlyArray<Stored<"BeneficialOwner">>
  /** The counters as they were read before anything else. */
  readonly deletionBlockers: number
  readonly dependents: number
  /** All records of the onCustomerDeleted kinds, ended or not. */
  readonly records: ReadonlyArray<AnyStored>
  readonly balance: (account: string) => { readonly balance: number; readonly sequence: number }
}

/** What an account holds, and what its owner owes in its currency. */
const ledgerAccountsOf = (account: Stored<"InternalAccount">) => [
  Ledger.available(account.id),
  Ledger.held(account.id),
  Ledger.receivable(account, account.data.currency).id,
]

/** The balances on which the decision rests. */
export const ledgerAccountsOfRecords = (records: ReadonlyArray<AnyStored>): ReadonlyArray<string> =>
  // Several accounts of one currency have one debt.
  [...new Set(records.flatMap((record) => (record.kind === "InternalAccount" ? ledgerAccountsOf(record) : [])))]

interface Holding {
  readonly accountId: string
  readonly currency: CurrencyCode
  readonly amount: number
  /** What the customer owes in this currency. */
  readonly owed: number
}

const holdings = ({ balance, records }: DeletionLoaded): ReadonlyArray<Holding> =>
  records.flatMap((record) => {
    if (record.kind !== "InternalAccount") return []
    const [available, held, receivable] = ledgerAccountsOf(record).map((account) => balance(account).balance)
    const amount = (available ?? 0) + (held ?? 0)
    const owed = receivable ?? 0
    const { currency } = record.data
    return amount === 0 && owed === 0 ? [] : [{ accountId: record.id, currency, amount, owed: Math.max(0, -owed) }]
  })

/** The record's end; what has ended already stays as it is. */
const ended = <K extends Kind>(stored: Stored<K>, now: number, ids: IdSource): Changes.Changes => {
  const { onCustomerDeleted, erasesHistory: isErased } = Changes.customerTieOf(stored.kind)
  const data = onCustomerDeleted?.(stored.data)
  if (data === undefined) return {}
  const before = stored as AnyStored
  const after = Changes.after(stored, data, now) as AnyStored
  return Changes.combine(
    isErased === true ? Changes.erase(stored, data) : Changes.update(stored, data),
    after.kind === "InternalAccount" ? accountStatusEvent(ids, now, after) : undefined,
    after.kind === "Card" && before.kind === "Card" ? arrived({ ids, now }, before.data, after) : undefined,
  )
}

/**
 * How many identifiers the decision may draw: an event and its delivery for each account, and the notice to the issuer too for
 * each card.
 */
export const deletionIdsMax = (cards: number): number => 2 * openingIdsMax + 3 * cards

export const deleteCustomer = (
  loaded: DeletionLoaded,
  { ids, now }: Decision.DecisionContext,
): Decision.Decision<CustomerResource> => {
  const { dependents: attached, balance, customer, deletionBlockers: keeping, owners, records } = loaded
  const held = holdings(loaded)
  if (keeping > 0 || held.length > 0) {
    return Decision.refuse({
      code: "CONFLICT",
      message: "The customer cannot be deleted while money or open transactions exist.",
      details: {
        reason: "CUSTOMER_IN_USE",
        openTransactions: keeping,
        accounts: held.map((holding) => ({ ...holding })),
      },
    })
  }
  const data = { ...customer.data, isDeleted: true }
  return Decision.answer(
    200,
    toCustomer(Changes.after(customer, data, now), owners),
    Changes.combine(Changes.update(customer, data), ...records.map((record) => ended(record, now, ids)), {
      assertions: ledgerAccountsOfRecords(records).map((account) => ({ account, sequence: balance(account).sequence })),
      counters: [
        { key: deletionBlockerCounter(customer.id), customerId: customer.id, delta: 0, expected: keeping },
        { key: dependentCounter(customer.id), customerId: customer.id, delta: 0, expected: attached },
      ],
    }),
  )
}
