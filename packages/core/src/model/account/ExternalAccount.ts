/**
 * A bank account or wallet outside the service.
 * Spec: ExternalAccount; wire contract 2.2; wire contract areas 1.3.
 */
import { Schema } from "effect"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { trustFields } from "../sca/BeneficiaryTrust.ts"
import { ExternalAccountMachine } from "./ExternalAccountMachine.ts"
import { OwnershipChallenge } from "./OwnershipChallenge.ts"

/** The state of an external account. `UNVERIFIED`: the last proof of its ownership failed. `INACTIVE`: it is disabled. */
export const ExternalAccountStatus = Schema.Literals(ExternalAccountMachine.states)
export type ExternalAccountStatus = typeof ExternalAccountStatus.Type

/**
 * The result of comparing the beneficiary's name with the account holder's. It does not change the account's status; wallets have no
 * such field.
 */
export const BeneficiaryVerificationStatus = Schema.Literals([
  "MATCHED",
  "PARTIAL_MATCH",
  "NOT_MATCHED",
  "UNSUPPORTED",
  "CHECKED_BY_RECEIVING_FI",
  "PENDING",
])
export type BeneficiaryVerificationStatus = typeof BeneficiaryVerificationStatus.Type

/** The account details, discriminated by `accountType`. Requests validate their fields; a record stores them unchecked. */
export const AccountInfo = Schema.StructWithRest(Schema.Struct({ accountType: Schema.String }), [
  Schema.Record(Schema.String, Schema.Json),
])
export type AccountInfo = typeof AccountInfo.Type

/** The account holder's name as the rail knows it. Absent where the rail does not report it. */
export const BeneficiaryVerifiedData = Schema.Struct({ fullName: Schema.optionalKey(Schema.String) }).annotate({
  identifier: "BeneficiaryVerifiedData",
})

/** The stored data of an external account. */
export const ExternalAccount = Schema.Struct({
  currency: CurrencyCode,
  status: ExternalAccountStatus,
  platformAccountId: Schema.optionalKey(Schema.String),
  ownershipType: Schema.optionalKey(Schema.Literals(["FIRST_PARTY", "THIRD_PARTY"])),
  defaultUmaDepositAccount: Schema.Boolean,
  beneficiaryVerificationStatus: Schema.optionalKey(BeneficiaryVerificationStatus),
  /** The holder as the rail reports it. */
  beneficiaryVerifiedData: Schema.optionalKey(BeneficiaryVerifiedData),
  accountInfo: AccountInfo,
  /** The open challenge to prove ownership of a wallet. */
  challenge: Schema.optionalKey(OwnershipChallenge),
  ...trustFields,
  /** Whether the account is the platform's own. Absent for a customer's account. */
  isOfPlatform: Schema.optionalKey(Schema.Literal(true)),
  isDeleted: Schema.Boolean,
})
export type ExternalAccount = typeof ExternalAccount.Type

/** Returns the data that remains of a deleted account: type, currency and last status. Source: D-055. */
export const erasedExternalAccount = ({
  accountInfo,
  currency,
  isOfPlatform,
  status,
}: ExternalAccount): ExternalAccount => ({
  currency,
  status,
  defaultUmaDepositAccount: false,
  accountInfo: { accountType: accountInfo.accountType },
  ...(isOfPlatform === undefined ? {} : { isOfPlatform }),
  isDeleted: true,
})
