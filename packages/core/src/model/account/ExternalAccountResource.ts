/**
 * External accounts on the wire.
 * Spec: ExternalAccount, Beneficiary, 4.3; wire contract 2.2 to 2.4.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import * as CrossField from "../../foundation/kit/CrossField.ts"
import { iso, Timestamp } from "../../foundation/kit/Instant.ts"
import { Text } from "../../foundation/kit/Text.ts"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { RecordOf } from "../record/Record.ts"
import { AccountInfoResource, CreateAccountInfo } from "./AccountInfo.ts"
import { accountRule } from "./AccountInfoRules.ts"
import { paymentRailsOfAccount } from "./AccountRoute.ts"
import { AccountTypes } from "./AccountTypes.ts"
import { companyFields } from "./Beneficiary.ts"
import type { ExternalAccount } from "./ExternalAccount.ts"
import {
  type AccountInfo,
  BeneficiaryVerificationStatus,
  BeneficiaryVerifiedData,
  ExternalAccountStatus,
} from "./ExternalAccount.ts"

const OwnershipType = Schema.Literals(["FIRST_PARTY", "THIRD_PARTY"])

const requestFields = {
  currency: CurrencyCode.pipe(Schema.annotateKey({ description: "What the destination holds." })),
  platformAccountId: Schema.optionalKey(Text(255, "The platform's own id of the account.")),
  ownershipType: Schema.optionalKey(OwnershipType),
  accountInfo: CreateAccountInfo,
}

const accountCheck = CrossField.check(accountRule(AccountTypes.rows))

/** Body of `POST /customers/external-accounts` and `POST /agents/me/external-accounts`. */
export const ExternalAccountCreateRequest = Schema.Struct({
  customerId: Schema.optionalKey(Id("Customer").annotate({ description: "Absent: an account of the platform." })),
  defaultUmaDepositAccount: Schema.optionalKey(Schema.Boolean),
  ...requestFields,
})
  .check(accountCheck)
  .annotate({ identifier: "ExternalAccountCreateRequest" })
export type ExternalAccountCreateRequest = typeof ExternalAccountCreateRequest.Type

/** Creates an account of the platform itself. Source: wire contract 2.2. */
export const PlatformExternalAccountCreateRequest = Schema.Struct(requestFields)
  .check(accountCheck)
  .annotate({ identifier: "PlatformExternalAccountCreateRequest" })
export type PlatformExternalAccountCreateRequest = typeof PlatformExternalAccountCreateRequest.Type

export const ExternalAccountResource = Schema.Struct({
  id: Id("ExternalAccount"),
  customerId: Schema.optionalKey(Id("Customer")),
  status: ExternalAccountStatus,
  platformAccountId: Schema.optionalKey(Schema.String),
  ownershipType: Schema.optionalKey(OwnershipType),
  currency: CurrencyCode,
  defaultUmaDepositAccount: Schema.Boolean,
  beneficiaryVerificationStatus: Schema.optionalKey(BeneficiaryVerificationStatus),
  beneficiaryVerifiedData: Schema.optionalKey(BeneficiaryVerifiedData),
  accountInfo: AccountInfoResource,
  createdAt: Timestamp,
}).annotate({ identifier: "ExternalAccount" })
export type ExternalAccountResource = typeof ExternalAccountResource.Type

/** Shows the company fields of a business both nested and flat. Source: wire contract 2.4. */
const withCompanyFields = (accountInfo: AccountInfo): AccountInfo => {
  const { beneficiary } = accountInfo
  if (!CrossField.isObject(beneficiary) || beneficiary["beneficiaryType"] !== "BUSINESS") return accountInfo
  const nested = CrossField.isObject(beneficiary["businessInfo"]) ? beneficiary["businessInfo"] : {}
  const data = Object.fromEntries(
    companyFields.flatMap((name) => {
      const value = nested[name] ?? beneficiary[name]
      return typeof value === "string" ? [[name, value]] : []
    }),
  )
  return { ...accountInfo, beneficiary: { ...beneficiary, ...data, businessInfo: data } }
}

export const toExternalAccount = ({
  createdAt,
  customerId,
  data,
  id,
}: RecordOf<"ExternalAccount", ExternalAccount>): ExternalAccountResource => {
  const rails = paymentRailsOfAccount(data.accountInfo)
  return {
    id,
    ...(customerId === null ? {} : { customerId }),
    status: data.status,
    ...(data.platformAccountId === undefined ? {} : { platformAccountId: data.platformAccountId }),
    ...(data.ownershipType === undefined ? {} : { ownershipType: data.ownershipType }),
    currency: data.currency,
    defaultUmaDepositAccount: data.defaultUmaDepositAccount,
    ...(data.beneficiaryVerificationStatus === undefined
      ? {}
      : { beneficiaryVerificationStatus: data.beneficiaryVerificationStatus }),
    ...(data.beneficiaryVerifiedData === undefined ? {} : { beneficiaryVerifiedData: data.beneficiaryVerifiedData }),
    accountInfo: { ...withCompanyFields(data.accountInfo), ...(rails.length === 0 ? {} : { paymentRails: rails }) },
    createdAt: iso(createdAt),
  }
}
