/**
 * An account held at the service. Its balances are two ledger accounts, available and held.
 * Source: wire contract 5.9.
 */
import { Schema } from "effect"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"

export const InternalAccountType = Schema.Literals(["INTERNAL_FIAT", "INTERNAL_CRYPTO", "EMBEDDED_WALLET"])
export type InternalAccountType = typeof InternalAccountType.Type

export const InternalAccountStatus = Schema.Literals(["PENDING", "ACTIVE", "CLOSED", "FROZEN", "FAILED"])
export type InternalAccountStatus = typeof InternalAccountStatus.Type

/** What is stored of an internal account. */
export const InternalAccount = Schema.Struct({
  type: InternalAccountType,
  status: InternalAccountStatus,
  currency: CurrencyCode,
  /** Whether it is the platform's own; absent: a customer's. */
  isPlatform: Schema.optionalKey(Schema.Boolean),
  /** Whether the payments of an embedded wallet are private; absent: they are not. */
  privateEnabled: Schema.optionalKey(Schema.Boolean),
})
export type InternalAccount = typeof InternalAccount.Type
