/**
 * The mint or burn of a stablecoin. The provider holds the money and controls the token; the service orders and reports.
 * Source: wire contract areas 1.6.5, 1.6.6 and 1.6.8; D-390.
 */
import { Schema } from "effect"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { AccountInfo } from "../account/ExternalAccount.ts"
import { PayoutRail } from "./PayoutRails.ts"
import { StablecoinOperationMachine } from "./StablecoinOperationMachine.ts"
import { ProviderEnvironment, StablecoinProviderName } from "./StablecoinProviderAccount.ts"

/** The creation of tokens against money, or their redemption. */
export const StablecoinOperationType = Schema.Literals(["MINT", "BURN"])
export type StablecoinOperationType = typeof StablecoinOperationType.Type

/** `CREATED`: the provider has not begun. `PENDING_FUNDING`: it waits for money or tokens. `PENDING_PROVIDER`: it has the order. */
export const StablecoinOperationStatus = Schema.Literals([
  "CREATED",
  "PENDING_FUNDING",
  "PENDING_PROVIDER",
  "PROCESSING",
  "COMPLETED",
  "FAILED",
  "EXPIRED",
])
export type StablecoinOperationStatus = typeof StablecoinOperationStatus.Type

/** The statuses of operations that the provider has begun. */
export const begunStatuses: ReadonlyArray<StablecoinOperationStatus> = StablecoinOperationStatus.literals.filter(
  (status) => status !== "CREATED",
)

/**
 * Where the money of a mint, or the tokens of a burn, come from. `SERVICE_INTERNAL_ACCOUNT` is reserved, and so is
 * `PROVIDER_INTERNAL_BALANCE` for mints.
 */
export const StablecoinSourceType = Schema.Literals([
  "WIRE",
  "ACH_DEBIT",
  "SAME_DAY_ACH_DEBIT",
  "EXTERNAL_ACCOUNT",
  "SERVICE_INTERNAL_ACCOUNT",
  "PROVIDER_INTERNAL_BALANCE",
])
export type StablecoinSourceType = typeof StablecoinSourceType.Type

/** Whether what the operation spends is sent from outside: the platform's wire, or tokens from any wallet. */
export const needsFunding = (type: StablecoinSourceType): boolean => type === "WIRE" || type === "EXTERNAL_ACCOUNT"

/** Why an operation failed: the provider's transfer failed, the funding was returned, or the destination rejected it. Only of `FAILED`. */
export const StablecoinFailureReason = Schema.Literals([
  "PROVIDER_TRANSFER_FAILED",
  "FUNDING_RETURNED",
  "DESTINATION_REJECTED",
])
export type StablecoinFailureReason = typeof StablecoinFailureReason.Type

/** How to send the money or the tokens. */
export const StablecoinFundingInstructions = Schema.StructWithRest(
  Schema.Struct({
    rail: Schema.optionalKey(Schema.String),
    network: Schema.optionalKey(Schema.String),
    address: Schema.optionalKey(Schema.String),
    valueType: Schema.optionalKey(Schema.String),
  }),
  [Schema.Record(Schema.String, Schema.Json)],
).annotate({ identifier: "StablecoinFundingInstructions" })
export type StablecoinFundingInstructions = typeof StablecoinFundingInstructions.Type

/** A copy of an external account, which the operation keeps when the account is deleted. */
export const OperationAccount = Schema.Struct({
  accountId: Schema.String,
  /** Absent: an account of the platform. */
  customerId: Schema.optionalKey(Schema.String),
  currency: CurrencyCode,
  accountInfo: AccountInfo,
})
export type OperationAccount = typeof OperationAccount.Type

/** The stored operation. */
export const StablecoinOperation = Schema.Struct({
  stablecoinId: Schema.String,
  stablecoinProviderAccountId: Schema.String,
  provider: StablecoinProviderName,
  providerEnvironment: ProviderEnvironment,
  operationType: StablecoinOperationType,
  status: StablecoinOperationStatus,
  /** In the token's smallest unit. */
  amount: Schema.String,
  /** The same amount in cents of the currency that backs the token. */
  cents: Schema.Int,
  sourceType: StablecoinSourceType,
  /** The account that the provider debits; absent for other sources. */
  source: Schema.optionalKey(OperationAccount),
  destination: OperationAccount,
  rail: Schema.optionalKey(PayoutRail),
  description: Schema.optionalKey(Schema.String),
  /** Business time (ms) of the request. */
  submittedAt: Schema.Int,
  /** The idempotency key that the provider gets, derived from the caller's. */
  providerKey: Schema.String,
  /** The hashes of the caller's idempotency key and body, until an answer is stored under the key. Absent: the key is free, or has its answer. */
  request: Schema.optionalKey(Schema.Struct({ key: Schema.String, fingerprint: Schema.String })),
  /** Business time (ms) at which a request last began to ask the provider. */
  attemptedAt: Schema.Int,
  fundingInstructions: Schema.optionalKey(StablecoinFundingInstructions),
  expiresAt: Schema.optionalKey(Schema.Int),
  providerStatus: Schema.optionalKey(Schema.String),
  failureReason: Schema.optionalKey(StablecoinFailureReason),
})
export type StablecoinOperation = typeof StablecoinOperation.Type

/** How long the provider waits for funding from outside (ms). */
export const fundingMillis = 7 * 24 * 60 * 60 * 1000

/** How long the answer to a request under an idempotency key is kept (ms): longer than elsewhere, because a repeated mint creates money. */
export const answerKeptMillis = 7 * 24 * 60 * 60 * 1000

/** Returns the operation with the state that time has given it, even if that is not stored yet. */
export const stablecoinOperationAsOf = (operation: StablecoinOperation, now: number): StablecoinOperation =>
  operation.status === "PENDING_FUNDING" && operation.expiresAt !== undefined && now >= operation.expiresAt
    ? { ...operation, status: StablecoinOperationMachine.follow(operation.status, "Expire").state }
    : operation

/**
 * Whether the provider may still move money for it. An operation that the provider has not begun ends without a state of its own: its
 * `request` is gone.
 */
export const isOpenOperation = ({ request, status }: StablecoinOperation): boolean =>
  status === "CREATED" ? request !== undefined : !StablecoinOperationMachine.isTerminal(status)

/** The customers whose accounts it uses. */
export const customersOfOperation = ({ destination, source }: StablecoinOperation): ReadonlyArray<string> => [
  ...new Set([source, destination].flatMap((account) => account?.customerId ?? [])),
]
