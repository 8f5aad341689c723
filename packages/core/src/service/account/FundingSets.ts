/**
 * The funding instructions of internal accounts, as their owners see them. They are asked for at each answer and not stored.
 * Source: wire contract areas 2.12; D-397.
 */
import { Effect } from "effect"
import { fundingReference } from "../../model/account/FundingReference.ts"
import type { PaymentInstructions } from "../../model/account/PaymentInstruction.ts"
import type { Customer } from "../../model/customer/Customer.ts"
import { type AccountFundingRequest, FundingInstructions } from "../../ports/FundingInstructions.ts"
import type { RecordRef, Stored } from "../../store/ChangeSet.ts"

export type FundingSet = ReadonlyArray<PaymentInstructions>

/** How many accounts are asked about at the same time. */
const concurrency = 10

const nameOf = (customer: Customer): string | undefined =>
  customer.customerType === "BUSINESS" ? customer.businessInfo?.legalName : customer.fullName

const requestOf = (
  { customerId, data, id }: Stored<"InternalAccount">,
  customer: Stored<"Customer"> | undefined,
): AccountFundingRequest => {
  const holderName = customer && nameOf(customer.data)
  const region = customer?.data.region
  return {
    accountId: id,
    type: data.type,
    currency: data.currency,
    reference: fundingReference(id),
    isPlatformAccount: customerId === null,
    ...(holderName === undefined ? {} : { holderName }),
    ...(region === undefined ? {} : { region }),
    hasCollectionAccount: data.hasCollectionAccount === true,
  }
}

/** The customers whose names and regions the instructions of the accounts need. */
export const ownersOf = (accounts: ReadonlyArray<Stored<"InternalAccount">>): ReadonlyArray<RecordRef> =>
  [...new Set(accounts.flatMap(({ customerId }) => (customerId === null ? [] : [customerId])))].map((id) => ({
    kind: "Customer",
    id,
  }))

/** Asks for the instructions of accounts. Only an active account has some. */
export const makeFundingSets = Effect.map(FundingInstructions, ({ forAccount }) => {
  const setOf = (
    account: Stored<"InternalAccount">,
    customer: Stored<"Customer"> | undefined,
  ): Effect.Effect<FundingSet> =>
    account.data.status === "ACTIVE" ? forAccount(requestOf(account, customer)) : Effect.succeed([])
  const setsOf = (
    accounts: ReadonlyArray<Stored<"InternalAccount">>,
    customerOf: (customerId: string) => Stored<"Customer"> | undefined,
  ): Effect.Effect<ReadonlyArray<FundingSet>> =>
    Effect.forEach(
      accounts,
      (account) => setOf(account, account.customerId === null ? undefined : customerOf(account.customerId)),
      { concurrency },
    )
  return { setOf, setsOf }
})
