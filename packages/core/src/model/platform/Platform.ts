/**
 * A platform: the integrator that owns the API credentials, and its configuration.
 * Spec: What the service does; wire contract 5.12 (platform config).
 */
import { Schema } from "effect"
import { NonNegativeAmount } from "../../foundation/money/Amount.ts"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { CustomerInfoFieldName, platformSettings } from "./PlatformSetting.ts"
import { StoredSecret } from "./StoredSecret.ts"

/** A direction of payments that a platform enables for a currency. */
export const TransactionDirection = Schema.Literals(["INCOMING", "OUTGOING"])

/** A field that a platform asks of a counterparty. */
export const CounterpartyFieldDefinition = Schema.Struct({
  name: CustomerInfoFieldName,
  mandatory: Schema.Boolean,
}).annotate({ identifier: "CounterpartyFieldDefinition" })

/** A currency of a platform, with its limits per transaction (smallest unit). */
export const PlatformCurrency = Schema.Struct({
  currencyCode: CurrencyCode,
  minAmount: NonNegativeAmount,
  maxAmount: NonNegativeAmount,
  requiredCounterpartyFields: Schema.Array(CounterpartyFieldDefinition).check(
    Schema.isMaxLength(CustomerInfoFieldName.literals.length),
  ),
  enabledTransactionTypes: Schema.Array(TransactionDirection).check(
    Schema.isMaxLength(TransactionDirection.literals.length),
  ),
}).annotate({ identifier: "PlatformCurrencyConfig" })

/** The stored data of a platform. */
export const Platform = Schema.Struct({
  name: Schema.String,
  umaDomain: Schema.String,
  /** The first label of `umaDomain`, with a number if another platform has it. */
  proxyUmaSubdomain: Schema.optionalKey(Schema.String),
  webhookEndpoint: Schema.optionalKey(Schema.String),
  supportedCurrencies: Schema.Array(PlatformCurrency),
  isRegulatedFinancialInstitution: Schema.Boolean,
  ...platformSettings,
})
export type Platform = typeof Platform.Type

/** The permissions of a token; none implies another. Source: wire contract 9. */
export const TokenPermissions = ["VIEW", "TRANSACT", "MANAGE"] as const
/** What an API token may do. `VIEW`: read. `TRANSACT`: move money. `MANAGE`: change everything else. None implies another. */
export const TokenPermission = Schema.Literals(TokenPermissions)
export type TokenPermission = typeof TokenPermission.Type

/** The stored data of an API token: the hashes of its secrets, never a secret. */
export const ApiToken = Schema.Struct({
  name: Schema.String,
  clientId: Schema.String,
  secrets: Schema.Array(StoredSecret),
  permissions: Schema.Array(TokenPermission),
  /** From then on (ms) it is refused, whatever its secrets. */
  expiresAt: Schema.optionalKey(Schema.Int),
  isDeleted: Schema.Boolean,
})
export type ApiToken = typeof ApiToken.Type
