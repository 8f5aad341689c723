/**
 * Changes that open internal accounts, one per owner, currency and type, and the event of a changed status.
 * Source: wire contract 5.9; D-084.
 */

import type { IdSource } from "../../foundation/ids/IdPool.ts"
import { Currencies, type CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { InternalAccount } from "../../model/account/InternalAccount.ts"
import { toInternalAccount } from "../../model/account/InternalAccountResource.ts"
import type { Owner } from "../../model/record/Record.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
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

/** How many identifiers the opening of all accounts may draw, including a wallet and its credential. */
export const openingIdsMax = Currencies.keys.length + 2

/** Opens the accounts that an owner lacks. If the customer has an e-mail address, its wallet starts with a credential. */
export const openAccounts = (
  ids: IdSource,
  owner: Owner,
  currencies: ReadonlyArray<CurrencyCode>,
  {
    email,
    present = [],
  }: {
    readonly email?: string | undefined
    readonly present?: ReadonlyArray<Pick<InternalAccount, "currency" | "type">>
  } = {},
): Changes.Changes =>
  Changes.combine(
    ...accountsOf(owner, currencies)
      .filter(({ currency, type }) => !present.some((other) => other.currency === currency && other.type === type))
      .map((data) => {
        const id = ids("InternalAccount")
        return Changes.combine(
          Changes.insert("InternalAccount", id, owner, data),
          { ledgerAccounts: Ledger.forInternalAccount(id, owner, data.currency) },
          data.type === "EMBEDDED_WALLET" && email !== undefined
            ? startingCredential(ids, owner, id, email)
            : undefined,
        )
      }),
  )

/** Emits the event of a changed account status. */
export const accountStatusEvent = (ids: IdSource, now: number, account: Stored<"InternalAccount">): Changes.Changes =>
  Changes.combine(
    newEvent(ids, now, {
      type: "INTERNAL_ACCOUNT.STATUS_UPDATED",
      customerId: account.customerId,
      subject: account.id,
      data: {
        body: toInternalAccount(account, { available: 0, held: 0 }),
        placeholders: Ledger.balancePlaceholders(account.id),
      },
    }),
    { observes: [Ledger.available(account.id), Ledger.held(account.id)] },
  )
