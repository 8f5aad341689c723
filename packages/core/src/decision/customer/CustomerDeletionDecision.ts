/**
 * Decides the deletion of a customer: refused while money or open transactions exist. Otherwise the customer's records end in the
 * same commit. A record that is added before the commit causes a conflict, and the deletion is decided again.
 * Source: wire contract 5.11, 11 (22); D-081.
 */

import type { IdSource } from "../../foundation/ids/IdPool.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { type CustomerResource, toCustomer } from "../../model/customer/CustomerResource.ts"
import { asOf } from "../../store/AsOf.ts"
import type { AnyStored, Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { deletionBlockerCounter, dependentCounter, type Kind, Kinds } from "../../store/Kinds.ts"
import * as Ledger from "../../store/LedgerAccounts.ts"
import { accountStatusEvents, openingIdsMax } from "../account/AccountChanges.ts"
import { stateChangeEffects } from "../card/CardChanges.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import { eraseFiles } from "../file/FileDecision.ts"

/** The kinds of records that end with their customer. */
export const kindsEndedByDeletion: ReadonlyArray<Kind> = Kinds.entries.flatMap(([kind, { customerTie: tie }]) =>
  tie.onCustomerDeleted === undefined ? [] : [kind],
)

export interface DeletionLoaded {
  readonly customer: Stored<"Customer">
  readonly owners: ReadonlyArray<Stored<"BeneficialOwner">>
  /** The customer's counters, read before everything else. */
  readonly deletionBlockers: number
  readonly dependents: number
  /** All records of `kindsEndedByDeletion`, ended or not. */
  readonly records: ReadonlyArray<AnyStored>
  /** The balances of `ledgerAccountsOfRecords`. */
  readonly balances: ReadonlyMap<string, { readonly balance: number; readonly sequence: number }>
}

/** The ledger accounts of an account: available, held, and the owner's debt in its currency. */
const ledgerAccountsOf = (account: Stored<"InternalAccount">) => [
  Ledger.available(account.id),
  Ledger.held(account.id),
  Ledger.receivable(account, account.data.currency).id,
]

/** Returns the ledger accounts whose balances the decision depends on. */
export const ledgerAccountsOfRecords = (records: ReadonlyArray<AnyStored>): ReadonlyArray<string> =>
  // The accounts of one currency share one debt.
  [...new Set(records.flatMap((record) => (record.kind === "InternalAccount" ? ledgerAccountsOf(record) : [])))]

interface Holding {
  readonly accountId: string
  readonly currency: CurrencyCode
  readonly amount: number
  /** The customer's debt in this currency. */
  readonly owed: number
}

const holdingsOf = ({ balances, records }: DeletionLoaded): ReadonlyArray<Holding> =>
  records.flatMap((record) => {
    if (record.kind !== "InternalAccount") return []
    const [available, held, receivable] = ledgerAccountsOf(record).map((account) => balances.get(account)?.balance)
    const amount = (available ?? 0) + (held ?? 0)
    const owed = receivable ?? 0
    const { currency } = record.data
    return amount === 0 && owed === 0 ? [] : [{ accountId: record.id, currency, amount, owed: Math.max(0, -owed) }]
  })

/** Returns the changes that end a record. A record that has ended stays unchanged. */
const endRecord = <K extends Kind>(stored: Stored<K>, now: number, ids: IdSource): Changes.Changes => {
  const { onCustomerDeleted, erasesHistory: isErased } = Changes.customerTieOf(stored.kind)
  // What time alone has ended, ends by time.
  const data = onCustomerDeleted?.(asOf(stored, now).data)
  if (data === undefined) return {}
  const before = stored as AnyStored
  const after = Changes.after(stored, data, now) as AnyStored
  return Changes.combine(
    isErased === true ? Changes.erase(stored, data) : Changes.update(stored, data),
    after.kind === "InternalAccount" && before.kind === "InternalAccount"
      ? accountStatusEvents(ids, now, before, after)
      : undefined,
    after.kind === "Card" && before.kind === "Card" ? stateChangeEffects({ ids, now }, before.data, after) : undefined,
  )
}

/** The files of the documents that the deletion ends. */
const filesOf = (records: ReadonlyArray<AnyStored>): ReadonlyArray<string> =>
  records.flatMap((record) =>
    record.kind === "Document" && record.data.status !== "DELETED" ? [record.data.fileId] : [],
  )

/**
 * How many identifiers the decision may draw. Each account has two events and their deliveries. Each card has an event and its delivery,
 * and the notice to the issuer. One more is the job that erases the documents' files.
 */
export const deletionIdsMax = (cards: number): number => 4 * openingIdsMax + 3 * cards + 1

export const deleteCustomer = (loaded: DeletionLoaded, { ids, now }: DecisionContext): Decision<CustomerResource> => {
  const { balances, customer, deletionBlockers, dependents, owners, records } = loaded
  if (customer.data.isDeleted) {
    return refuse({ code: "CUSTOMER_DELETED", message: "The customer has been deleted already." })
  }
  const holdings = holdingsOf(loaded)
  if (deletionBlockers > 0 || holdings.length > 0) {
    return refuse({
      code: "CONFLICT",
      message: "The customer cannot be deleted while money or open transactions exist.",
      details: {
        reason: "CUSTOMER_IN_USE",
        openTransactions: deletionBlockers,
        accounts: holdings.map((holding) => ({ ...holding })),
      },
    })
  }
  const data = { ...customer.data, isDeleted: true }
  return answer(
    200,
    toCustomer(Changes.after(customer, data, now), owners),
    Changes.combine(
      Changes.update(customer, data),
      ...records.map((record) => endRecord(record, now, ids)),
      eraseFiles(ids, now, filesOf(records)),
      {
        assertions: [...balances].map(([account, { sequence }]) => ({ account, sequence })),
        counters: [
          { key: deletionBlockerCounter(customer.id), customerId: customer.id, delta: 0, expected: deletionBlockers },
          { key: dependentCounter(customer.id), customerId: customer.id, delta: 0, expected: dependents },
        ],
      },
    ),
  )
}
