/** The transfers of a change as short texts, for the tests of postings. */

import type { CurrencyCode } from "@countersign/core/models"
import type { Stored } from "@countersign/core/store"
import type * as Changes from "../../../packages/core/src/store/Changes.ts"

export const owner = { platformId: "PlatformConfig:1", customerId: "Customer:1" }

export const internalAccount = (
  name: string,
  currency: CurrencyCode,
  customerId = owner.customerId,
): Stored<"InternalAccount"> => ({
  kind: "InternalAccount",
  id: name,
  platformId: owner.platformId,
  customerId,
  version: 1,
  createdAt: 0,
  updatedAt: 0,
  data: { type: "INTERNAL_FIAT", status: "ACTIVE", currency },
})

/** Returns each transfer as `from > to: amount`, the accounts that are opened and the balance assertions. */
export const summaryOf = ({ assertions = [], ledgerAccounts = [], transfers = [] }: Changes.Changes) => ({
  transfers: transfers.map(({ amount, currency, from, to }) => `${from} > ${to}: ${amount} ${currency}`),
  opened: ledgerAccounts.map(({ floor, id }) => `${id} with floor ${floor ?? "unbounded"}`),
  assertions: assertions.map(({ account, ...on }) => `${account} at ${"sequence" in on ? on.sequence : "?"}`),
})

/** Returns the references of all transfers of a change. */
export const referencesOf = ({ transfers = [] }: Changes.Changes): ReadonlyArray<string | null> => [
  ...new Set(transfers.map(({ reference }) => reference)),
]
