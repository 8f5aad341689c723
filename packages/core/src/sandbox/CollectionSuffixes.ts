/**
 * The table of magic suffixes of `platformCustomerId`: when the customer's account in US dollars gets an international collection account.
 * Source: wire contract areas 2.12 (sandbox, late coordinates).
 */
import * as Table from "../foundation/kit/Table.ts"

export const CollectionSuffixes = Table.make("CollectionSuffixes", {
  "301": { delayMillis: 30_000 },
} satisfies { readonly [suffix: string]: { readonly delayMillis: number } })
