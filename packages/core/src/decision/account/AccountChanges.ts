/**
 * The opening and closing of internal accounts: one per owner, currency and type.
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

/** The accounts that an owner has: one per currency, and for a customer a wallet where the platform supports USDB. */
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

/** How many identifiers the opening of all of them may draw, a wallet and its credential among them. */
export const openingIdsMax = Currencies.keys.length + 2

/** Opens those accounts of an owner that are not there yet. A wallet whose person has an e-mail address starts with a credential. */
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
      .filter(({ currency, type }) => !present.some((old) => old.currency === currency && old.type === type))
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

/** Tells of an account whose status has changed. */
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
