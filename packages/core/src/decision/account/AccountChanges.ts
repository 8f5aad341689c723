/**
 * Changes that open internal accounts, one per owner, currency and type, and the event of a changed status.
 * Source: wire contract 5.9; wire contract areas 2.12; D-084, D-397.
 */

import type { IdSource } from "../../foundation/ids/IdPool.ts"
import { Currencies, type CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { InternalAccount } from "../../model/account/InternalAccount.ts"
import { toInternalAccount } from "../../model/account/InternalAccountResource.ts"
import type { Owner } from "../../model/record/Record.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { job } from "../../store/JobKinds.ts"
import * as Ledger from "../../store/LedgerAccounts.ts"
import { newEvent } from "../event/NewEvent.ts"
import { startingCredential } from "../wallet/CredentialChanges.ts"

/** Returns the accounts of an owner: one per currency. A customer also has a wallet if the platform supports USDB. */
const accountsOf = (owner: Owner, currencies: ReadonlyArray<CurrencyCode>): ReadonlyArray<InternalAccount> => {
  const isPlatform = owner.customerId === null
  return [
    ...currencies.map(
      (currency): InternalAccount => ({
        type: Currencies.get(currency).crypto ? "INTERNAL_CRYPTO" : "INTERNAL_FIAT",
        status: "ACTIVE",
        currency,
        ...(isPlatform ? { isPlatform } : {}),
      }),
    ),
    ...(!isPlatform && currencies.includes("USDB")
      ? [{ type: "EMBEDDED_WALLET", status: "ACTIVE", currency: "USDB" } as const]
      : []),
  ]
}

/** How many identifiers the opening of all accounts may draw, including a wallet, its credential and the job of a collection account. */
export const openingIdsMax = Currencies.keys.length + 3

/** Opens the accounts that an owner lacks. If the customer has an e-mail address, its wallet starts with a credential. */
export const openAccounts = (
  ids: IdSource,
  now: number,
  owner: Owner,
  currencies: ReadonlyArray<CurrencyCode>,
  {
    email,
    present = [],
    rootId,
  }: {
    readonly email?: string | undefined
    /** The root of the wallet's keys. */
    readonly rootId?: string | undefined
    readonly present?: ReadonlyArray<Pick<InternalAccount, "currency" | "type">>
  } = {},
): Changes.Changes =>
  Changes.combine(
    ...accountsOf(owner, currencies)
      .filter(({ currency, type }) => !present.some((other) => other.currency === currency && other.type === type))
      .map((data) => {
        const id = ids("InternalAccount", owner.customerId)
        const mayCollect = data.currency === "USD" && owner.customerId !== null
        return Changes.combine(
          Changes.insert("InternalAccount", id, owner, data),
          mayCollect ? { jobs: [collectionJob(ids, owner, id, now)] } : undefined,
          { ledgerAccounts: Ledger.forInternalAccount(id, owner, data.currency) },
          data.type === "EMBEDDED_WALLET" && email !== undefined
            ? startingCredential(ids, owner, id, { email, rootId })
            : undefined,
        )
      }),
  )

/** An event with the full account. Its funding instructions are filled in when it is sent. */
const accountEvent = (
  ids: IdSource,
  now: number,
  type: "INTERNAL_ACCOUNT.STATUS_UPDATED" | "INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED",
  account: Stored<"InternalAccount">,
): Changes.Changes =>
  Changes.combine(
    newEvent(ids, now, {
      type,
      customerId: account.customerId,
      subject: account.id,
      data: {
        body: toInternalAccount(account, { available: 0, held: 0 }),
        placeholders: Ledger.balancePlaceholders(account.id),
      },
    }),
    { observes: [Ledger.available(account.id), Ledger.held(account.id)] },
  )

/** Emits the event of changed funding instructions. */
export const instructionsEvent = (ids: IdSource, now: number, account: Stored<"InternalAccount">): Changes.Changes =>
  accountEvent(ids, now, "INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED", account)

/** Emits the events of a changed account status: its instructions come and go with the status `ACTIVE`. */
export const accountStatusEvents = (
  ids: IdSource,
  now: number,
  before: Stored<"InternalAccount">,
  after: Stored<"InternalAccount">,
): Changes.Changes =>
  Changes.combine(
    accountEvent(ids, now, "INTERNAL_ACCOUNT.STATUS_UPDATED", after),
    (before.data.status === "ACTIVE") === (after.data.status === "ACTIVE")
      ? undefined
      : instructionsEvent(ids, now, after),
  )

/** The job that asks whether a customer has an international collection account. */
export const collectionJob = (ids: IdSource, owner: Owner, accountId: string, dueAt: number) =>
  job(ids, "account.collection", { customerId: owner.customerId, dueAt, payload: { accountId } })
