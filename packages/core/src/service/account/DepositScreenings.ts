/**
 * What a deposit's decision depends on: its account, and the verdict of the screening.
 * Source: wire contract areas 2.13; D-398, D-415.
 */
import { Effect } from "effect"
import { notFound } from "../../foundation/errors/ServiceError.ts"
import type { DepositSource } from "../../model/account/Deposit.ts"
import { declarationOf } from "../../model/account/WalletDeclaration.ts"
import { listAll, where } from "../../operation/Listing.ts"
import type * as Operation from "../../operation/Operation.ts"
import { readExisting } from "../../operation/ReadExisting.ts"
import { DepositScreening } from "../../ports/DepositScreening.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Ledger from "../../store/LedgerAccounts.ts"
import { Store } from "../../store/Store.ts"

const accountNotFound = notFound("internal account")

/** Reads an account with its customer and its owner's debt. A closed account is read, too: its money goes back. */
export const loadForDeposit = Effect.fnUntraced(function* (read: Operation.Read, accountId: string) {
  const account = yield* readExisting(read, "InternalAccount", accountId, accountNotFound)
  const { customerId } = account
  const receivable = Ledger.receivable(account, account.data.currency).id
  const found = yield* read({
    records: customerId === null ? [] : [{ kind: "Customer", id: customerId }],
    balances: [receivable],
  })
  const customer = customerId === null ? undefined : found.record("Customer", customerId)
  return { account, customer, owed: found.balance(receivable) }
})

/** Reads what a customer's accounts declare about the wallet that sent a deposit. */
const findDeclaration = Effect.fnUntraced(function* (customerId: string | null, source: DepositSource) {
  const { accountIdentifier: address, cryptoNetwork } = source
  if (customerId === null || address === undefined || cryptoNetwork === undefined) return undefined
  const accounts = yield* listAll("ExternalAccount", where({ customerId, isDeleted: false }))
  return declarationOf(
    accounts.map(({ data }) => data),
    address,
  )
})

/** Screens a deposit, and asks for its hash where the report names none. */
export const makeScreening = Effect.gen(function* () {
  const { screen, transactionHash } = yield* DepositScreening
  const store = yield* Store
  return Effect.fnUntraced(function* (
    transactionId: string,
    { customerId, data: { currency }, id: accountId }: Stored<"InternalAccount">,
    amount: number,
    source: DepositSource,
    reportedHash?: string,
  ) {
    const declaration = yield* Effect.provideService(findDeclaration(customerId, source), Store, store)
    const known = { transactionId, accountId, customerId, currency, amount, source }
    const arrived = { ...known, ...(declaration === undefined ? {} : { declaration }) }
    const hash = reportedHash ?? (yield* transactionHash(arrived))
    return { verdict: yield* screen(arrived), transactionHash: hash }
  })
})
