/**
 * An account held at the service. Its balance is two ledger accounts: available and held.
 * Source: wire contract 5.9.
 */
import { Schema } from "effect"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"

/** An account in a fiat currency, an account in a crypto asset, or a wallet whose owner signs in with credentials of its own. */
export const InternalAccountType = Schema.Literals(["INTERNAL_FIAT", "INTERNAL_CRYPTO", "EMBEDDED_WALLET"])
export type InternalAccountType = typeof InternalAccountType.Type

/** `PENDING`: the account is being opened. `CLOSED`: by the customer. `FROZEN`: by compliance. `FAILED`: it could not be opened. */
export const InternalAccountStatus = Schema.Literals(["PENDING", "ACTIVE", "CLOSED", "FROZEN", "FAILED"])
export type InternalAccountStatus = typeof InternalAccountStatus.Type

/** The stored data of an internal account. */
export const InternalAccount = Schema.Struct({
  type: InternalAccountType,
  status: InternalAccountStatus,
  currency: CurrencyCode,
  /** Whether the account is the platform's own. Absent for a customer's account. */
  isPlatform: Schema.optionalKey(Schema.Boolean),
  /** An international collection account exists for it. Source: wire contract areas 2.12. */
  hasCollectionAccount: Schema.optionalKey(Schema.Literal(true)),
  /** Whether the payments of an embedded wallet are private. Absent means false. */
  privateEnabled: Schema.optionalKey(Schema.Boolean),
})
export type InternalAccount = typeof InternalAccount.Type
