/**
 * Rules of mints and burns in order of precedence.
 * Source: wire contract areas 1.6.4 and 1.6.7.
 */
import { notFound, type Refusal } from "../../foundation/errors/ServiceError.ts"
import * as Rules from "../../foundation/kit/Rules.ts"
import { paymentRailsOfAccount } from "../account/AccountRoute.ts"
import type { ExternalAccount } from "../account/ExternalAccount.ts"
import { type PayoutRail, PayoutRails } from "./PayoutRails.ts"
import { unusable } from "./ProviderLinkRules.ts"
import type { Stablecoin } from "./Stablecoin.ts"
import { needsFunding, type StablecoinOperationType, type StablecoinSourceType } from "./StablecoinOperation.ts"
import type { ProviderAccountStatus } from "./StablecoinProviderAccount.ts"

export interface StablecoinOperationFacts {
  readonly operationType: StablecoinOperationType
  readonly sourceType: StablecoinSourceType
  /** Whether the destination is an account of the service. */
  readonly isDestinationInternal: boolean
  /** The amount in whole cents; `undefined`: not a positive whole number of cents within the range. */
  readonly cents: number | undefined
  /** The account that the provider debits; absent when it does not exist. */
  readonly source: ExternalAccount | undefined
  /** Absent when it does not exist. */
  readonly destination: ExternalAccount | undefined
  readonly rail: PayoutRail | undefined
  readonly stablecoin: Stablecoin
  readonly providerAccount: { readonly status: ProviderAccountStatus } | undefined
}

/** Whether the provider debits an account that the request names. */
const isDebit = (type: StablecoinSourceType): boolean => type === "ACH_DEBIT" || type === "SAME_DAY_ACH_DEBIT"

/** Whether the service supports the source. The provider's balance funds burns only. */
const isSupported = (operationType: StablecoinOperationType, type: StablecoinSourceType): boolean =>
  needsFunding(type) || isDebit(type) || (operationType === "BURN" && type === "PROVIDER_INTERNAL_BALANCE")

type Side = "SOURCE" | "DESTINATION"

const unusableAccount = (side: Side, reason: string, message: string): Refusal => ({
  code: "INVALID_BANK_ACCOUNT",
  message,
  details: { reason: `${side}_${reason}` },
})

/** Returns why an account cannot take its side, or `undefined`. */
const accountRefusal = (account: ExternalAccount, side: Side, accountType: string, currency: string | undefined) => {
  if (account.status !== "ACTIVE") {
    const { details, ...refusal } = unusableAccount(side, "NOT_ACTIVE", "The external account is not active.")
    return { ...refusal, details: { ...details, status: account.status } }
  }
  const isOfType = account.accountInfo.accountType === accountType
  return isOfType && (currency === undefined || account.currency === currency)
    ? undefined
    : unusableAccount(side, "TYPE_NOT_SUPPORTED", `The external account must be a ${accountType}.`)
}

export const StablecoinOperationRules = Rules.make<StablecoinOperationFacts, Refusal>("StablecoinOperation", [
  [
    "SOURCE_SUPPORTED",
    ({ operationType, sourceType }) =>
      isSupported(operationType, sourceType)
        ? undefined
        : {
            code: "INVALID_INPUT",
            message: "The service does not support this source yet.",
            details: { reason: "FUNDING_SOURCE_RESERVED" },
          },
  ],
  [
    "DESTINATION_SUPPORTED",
    ({ isDestinationInternal }) =>
      isDestinationInternal
        ? {
            code: "INVALID_INPUT",
            message: "The service does not mint into internal accounts yet.",
            details: { reason: "DESTINATION_NOT_SUPPORTED" },
          }
        : undefined,
  ],
  [
    "AMOUNT_VALID",
    ({ cents, stablecoin: { decimals } }) =>
      cents === undefined
        ? {
            code: "INVALID_AMOUNT",
            message: "amount must be a positive, whole number of cents within 53 bits, in the token's smallest unit.",
            details: { errors: [{ field: "amount", message: "must be a whole number of cents" }], decimals },
          }
        : undefined,
  ],
  [
    "SOURCE_EXISTS",
    ({ source, sourceType }) =>
      isDebit(sourceType) && source === undefined ? notFound("external account") : undefined,
  ],
  ["DESTINATION_EXISTS", ({ destination }) => (destination === undefined ? notFound("external account") : undefined)],
  ["PROVIDER_ACCOUNT_USABLE", ({ providerAccount }) => unusable(providerAccount?.status)],
  [
    "SOURCE_USABLE",
    ({ source, stablecoin }) => source && accountRefusal(source, "SOURCE", "USD_ACCOUNT", stablecoin.baseCurrency),
  ],
  [
    "DESTINATION_USABLE",
    ({ destination, operationType, stablecoin }) =>
      destination &&
      (operationType === "MINT"
        ? accountRefusal(destination, "DESTINATION", "SPARK_WALLET", undefined)
        : accountRefusal(destination, "DESTINATION", "USD_ACCOUNT", stablecoin.baseCurrency)),
  ],
  [
    "RAIL_SUPPORTED",
    ({ destination, rail }) => {
      if (destination === undefined || rail === undefined) return undefined
      const isReachable = paymentRailsOfAccount(destination.accountInfo).includes(PayoutRails.get(rail).needs)
      return isReachable
        ? undefined
        : unusableAccount("DESTINATION", "RAIL_NOT_SUPPORTED", "The rail does not reach the external account.")
    },
  ],
  [
    "PROVISIONED",
    ({ stablecoin: { issuanceStatus } }) =>
      issuanceStatus === "PROVISIONED"
        ? undefined
        : {
            code: "CONFLICT",
            message: "Only a provisioned stablecoin can be minted or burned.",
            details: { reason: "STABLECOIN_NOT_PROVISIONED", issuanceStatus },
          },
  ],
])
