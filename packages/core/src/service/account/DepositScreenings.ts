/**
 * What a deposit's decision depends on: its account, and the verdict of the screening.
 * Source: wire contract areas 2.13; D-398, D-415, D-426.
 */
import { Effect } from "effect"
import { notFound } from "../../foundation/errors/ServiceError.ts"
import { Currencies } from "../../foundation/money/Currencies.ts"
import type { DepositSource } from "../../model/account/Deposit.ts"
import { declarationOf, regionalHold } from "../../model/account/WalletDeclaration.ts"
import { listAll, where } from "../../operation/Listing.ts"
import type * as Operation from "../../operation/Operation.ts"
import { readExisting } from "../../operation/ReadExisting.ts"
import { DepositScreening } from "../../ports/DepositScreening.ts"
import { OwnershipRegions } from "../../settings/OwnershipRegions.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Ledger from "../../store/LedgerAccounts.ts"
import { Store } from "../../store/Store.ts"

const accountNotFound = notFound("internal account")

/** Reads an account with its customer, its total balance and its owner's debt. A closed account is read, too: its money goes back. */
export const loadForDeposit = Effect.fnUntraced(function* (read: Operation.Read, accountId: string) {
  const account = yield* readExisting(read, "InternalAccount", accountId, accountNotFound)
  const { customerId } = account
  const receivable = Ledger.receivable(account, account.data.currency).id
  const found = yield* read({
    records: customerId === null ? [] : [{ kind: "Customer", id: customerId }],
    balances: [receivable, Ledger.available(accountId), Ledger.held(accountId)],
  })
  const customer = customerId === null ? undefined : found.record("Customer", customerId)
  const total = found.balance(Ledger.available(accountId)).balance + found.balance(Ledger.held(accountId)).balance
  return { account, customer, owed: found.balance(receivable), total }
})

/** A deposit to screen. */
interface ScreenedDeposit {
  readonly transactionId: string
  readonly account: Stored<"InternalAccount">
  readonly amount: number
  readonly source: DepositSource
  /** The hash that its report names. */
  readonly transactionHash?: string | undefined
  /** Whether the sandbox made up its sender: no region's rules ask who that is. */
  readonly isFilledIn?: boolean
}

/** Whether a deposit came over a chain. */
const isOnChain = ({ account, source }: ScreenedDeposit): boolean =>
  source.cryptoNetwork !== undefined || Currencies.get(account.data.currency).crypto

/** Reads what a customer's accounts declare about the wallet that sent a deposit. */
const findDeclaration = Effect.fnUntraced(function* (customerId: string, address: string | undefined) {
  if (address === undefined) return undefined
  const accounts = yield* listAll("ExternalAccount", where({ customerId, isDeleted: false }))
  return declarationOf(
    accounts.map(({ data }) => data),
    address,
  )
})

/** Reads the region of a customer; without regions with rules nothing depends on it. */
const findRegion = Effect.fnUntraced(function* (customerId: string, regions: ReadonlyArray<string>) {
  if (regions.length === 0) return undefined
  const store = yield* Store
  const found = yield* store.read({ records: [{ kind: "Customer", id: customerId }] })
  return found.record("Customer", customerId)?.data.region
})

/** What the customer's platform has declared about the sender of a deposit on a chain, and why its region's rules hold the deposit. */
const findCounterparty = Effect.fnUntraced(function* (deposit: ScreenedDeposit, regions: ReadonlyArray<string>) {
  const { account, isFilledIn, source } = deposit
  const { customerId } = account
  if (customerId === null || !isOnChain(deposit)) return {}
  const declaration = yield* findDeclaration(customerId, source.accountIdentifier)
  const region = yield* findRegion(customerId, isFilledIn === true ? [] : regions)
  const reason = regionalHold({ declaration, region, source }, regions)
  return {
    ...(declaration === undefined ? {} : { declaration }),
    ...(reason === undefined ? {} : { regionalHold: reason }),
  }
})

/** Screens a deposit, and asks for its hash where the report names none. */
export const makeScreening = Effect.gen(function* () {
  const { screen, transactionHash } = yield* DepositScreening
  const regions = yield* OwnershipRegions
  const store = yield* Store
  return Effect.fnUntraced(function* (deposit: ScreenedDeposit) {
    const { account, amount, source, transactionId } = deposit
    const { customerId, data, id: accountId } = account
    const counterparty = yield* Effect.provideService(findCounterparty(deposit, regions), Store, store)
    const arrived = { transactionId, accountId, customerId, currency: data.currency, amount, source, ...counterparty }
    const hash = deposit.transactionHash ?? (yield* transactionHash(arrived))
    return { verdict: yield* screen(arrived), transactionHash: hash }
  })
})
