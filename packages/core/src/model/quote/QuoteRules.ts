/**
 * Rules by precedence: whether a quote can be created. A feature that is not offered yet has its own row here.
 * Spec: 4.3 (only ACTIVE accounts), Beneficiary (business senders), Limits; wire contract 5.1, 5.2, 8.2, 10 (49) and 11 (5,
 * 30, 42, 43, 44).
 */

import { invalidInput, notFound, type Refusal } from "../../foundation/errors/ServiceError.ts"
import * as Rules from "../../foundation/kit/Rules.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { OfferedRate } from "../../foundation/money/Rate.ts"
import { paymentRailsOfAccount } from "../account/AccountRoute.ts"
import type { ExternalAccount } from "../account/ExternalAccount.ts"
import { inactiveRefusal } from "../account/ExternalAccountRules.ts"
import type { InternalAccount } from "../account/InternalAccount.ts"
import type { PaymentInstructions } from "../account/PaymentInstruction.ts"
import { networksOf } from "../account/PaymentInstructionTypes.ts"
import type { Customer } from "../customer/Customer.ts"
import type { Platform } from "../platform/Platform.ts"
import type { ReceiverLookup } from "../receiver/FoundReceiver.ts"
import { senderInformation } from "../transaction/TransferOutRules.ts"
import { customerReady } from "../transaction/TransferRules.ts"
import { accountNotActive } from "./QuoteExecutionRules.ts"
import type { Price, PriceProblem } from "./QuotePricing.ts"
import type { QuoteRequest } from "./QuoteResource.ts"
import { isOutgoingEnabled, limitsOf, platformFeeCurrency } from "./QuoteTermRules.ts"

/** The source of the money, with the account that was found. */
export type ResolvedSource =
  | { readonly _tag: "Internal"; readonly account: InternalAccount }
  | {
      readonly _tag: "External"
      readonly account: ExternalAccount
      /** Whether the money is pulled. Otherwise the payer sends it by these instructions. */
      readonly isPullable: boolean
      readonly instructions: ReadonlyArray<PaymentInstructions>
    }
  | { readonly _tag: "Payer"; readonly instructions: ReadonlyArray<PaymentInstructions> }

/** The destination of the money, with the account that was found. */
export type ResolvedDestination =
  | { readonly _tag: "Internal"; readonly account: InternalAccount }
  | { readonly _tag: "External"; readonly account: ExternalAccount }
  | { readonly _tag: "Uma" }

export interface QuoteFacts {
  readonly request: QuoteRequest
  /** Whether the customer that the source names belongs to the platform. True if the source names none. */
  readonly isCustomerKnown: boolean
  /** Absent: the account does not exist for the caller. */
  readonly source: ResolvedSource | undefined
  readonly destination: ResolvedDestination | undefined
  /** The result of looking up the destination's UMA address. Absent: the destination is an account. */
  readonly receiver: ReceiverLookup | undefined
  /** Whether the named lookup was of this destination. True if the request names none. */
  readonly isLookupKnown: boolean
  /** The payer's fields that the receiver requires and that are not known. */
  readonly missingPayerFields: ReadonlyArray<string>
  readonly isSelfPayment: boolean
  /** Whether the source account may pay to the destination and for the named customer. */
  readonly isOwnersAccount: boolean
  /** The customer that pays. Absent: the platform itself. */
  readonly customer: Customer | undefined
  readonly platform: Platform
  readonly sendingCurrency: CurrencyCode | undefined
  readonly receivingCurrency: CurrencyCode | undefined
  readonly rate: OfferedRate | undefined
  readonly price: Price | PriceProblem | undefined
}

const isSentByPayer = (
  source: ResolvedSource | undefined,
): source is Exclude<ResolvedSource, { readonly _tag: "Internal" }> =>
  source?._tag === "Payer" || (source?._tag === "External" && !source.isPullable)

const fieldRefusal = (name: string, message: string, code: Refusal["code"] = "INVALID_INPUT"): Refusal => ({
  ...invalidInput([{ field: name, message }]),
  code,
})

/** The largest amount that a request may name. */
const lockedAmountMax = 9_000_000_000_000_000

const notImplemented = (message: string, reason: string): Refusal => ({
  code: "NOT_IMPLEMENTED",
  message,
  details: { reason },
})

/** Returns the refusal of the first amount that is outside the limits of its currency, or `undefined`. */
const amountOutOfLimits = ({
  platform,
  price,
  receiver,
  receivingCurrency,
  sendingCurrency,
}: QuoteFacts): Refusal | undefined => {
  if (typeof price !== "object" || sendingCurrency === undefined || receivingCurrency === undefined) return undefined
  const received =
    receiver?._tag === "Found" ? receiver.currencies.find(({ code }) => code === receivingCurrency) : undefined
  for (const [side, code, amount, bounds] of [
    ["sending", sendingCurrency, price.sending, limitsOf(platform, sendingCurrency)],
    ["receiving", receivingCurrency, price.receiving, limitsOf(platform, receivingCurrency)],
    ["receiving", receivingCurrency, price.receiving, received ?? limitsOf(platform, receivingCurrency)],
  ] as const) {
    const { maxAmount, minAmount } = bounds
    if (amount < minAmount || amount > maxAmount) {
      return {
        code: "AMOUNT_OUT_OF_RANGE",
        message: `The ${side} amount must be between ${minAmount} and ${maxAmount} (${code}).`,
        details: { side, currency: code, amount, minAmount, maxAmount },
      }
    }
  }
  return undefined
}

export const QuoteRules = Rules.make<QuoteFacts, Refusal>("Quote", [
  [
    "AMOUNT_POSITIVE",
    ({ request: { lockedCurrencyAmount } }) =>
      lockedCurrencyAmount > 0
        ? undefined
        : fieldRefusal("lockedCurrencyAmount", "must be at least 1", "INVALID_AMOUNT"),
  ],
  [
    "AMOUNT_EXACT",
    ({ request: { lockedCurrencyAmount } }) =>
      lockedCurrencyAmount <= lockedAmountMax
        ? undefined
        : fieldRefusal("lockedCurrencyAmount", `must be at most ${lockedAmountMax}`, "AMOUNT_OUT_OF_RANGE"),
  ],
  [
    "SCA_FACTOR",
    ({ request: { scaFactor } }) =>
      scaFactor === "TOTP" ? fieldRefusal("scaFactor", "must be SMS_OTP or PASSKEY") : undefined,
  ],
  [
    "FEE_OVERRIDE",
    ({ request: { platformFeeOverride }, sendingCurrency }) =>
      platformFeeOverride === undefined ||
      ((sendingCurrency === undefined || sendingCurrency === platformFeeCurrency) &&
        platformFeeOverride.platformFixedFee.currency === platformFeeCurrency)
        ? undefined
        : fieldRefusal("platformFeeOverride", `is for quotes from ${platformFeeCurrency}, with a fixed fee in it`),
  ],
  [
    "CUSTOMER_EXISTS",
    ({ isCustomerKnown }) =>
      isCustomerKnown ? undefined : fieldRefusal("source.customerId", "must be a customer of the platform"),
  ],
  ["SOURCE_EXISTS", ({ source }) => (source === undefined ? notFound("source account") : undefined)],
  [
    "LOOKUP_GIVEN",
    ({ request: { destination, lookupId } }) =>
      destination.destinationType === "UMA_ADDRESS" && lookupId === undefined
        ? fieldRefusal("lookupId", "is required for a UMA address: look it up first")
        : undefined,
  ],
  ["RECEIVER_FOUND", ({ receiver }) => (receiver?._tag === "Refused" ? receiver.refusal : undefined)],
  [
    "LOOKUP_KNOWN",
    ({ isLookupKnown }) =>
      isLookupKnown ? undefined : notFound("lookup of this destination", "LOOKUP_REQUEST_NOT_FOUND"),
  ],
  [
    "RECEIVING_CURRENCY",
    ({ receiver, request: { destination } }) => {
      if (receiver?._tag !== "Found" || destination.destinationType !== "UMA_ADDRESS") return undefined
      const codes = receiver.currencies.map(({ code }) => code)
      const { currency = codes[0] } = destination
      return codes.some((code) => code === currency)
        ? undefined
        : {
            code: "INVALID_CURRENCY",
            message: `The address receives no ${currency ?? "money"}.`,
            details: { supportedCurrencies: codes },
          }
    },
  ],
  [
    "DESTINATION_EXISTS",
    ({ destination, request }) =>
      destination === undefined && request.destination.destinationType === "ACCOUNT"
        ? notFound("destination account")
        : undefined,
  ],
  [
    "NOT_TO_ITSELF",
    ({ isSelfPayment }) =>
      isSelfPayment ? { code: "SELF_PAYMENT", message: "Source and destination are the same account." } : undefined,
  ],
  [
    "SAME_OWNER",
    ({ isOwnersAccount }) =>
      isOwnersAccount
        ? undefined
        : {
            code: "INVALID_INPUT",
            message: "The accounts must belong to the customer who pays.",
            details: { reason: "ACCOUNTS_OF_DIFFERENT_CUSTOMERS" },
          },
  ],
  ["CUSTOMER_READY", customerReady],
  [
    "TERMS_ACCEPTED",
    ({ customer, platform }) =>
      platform.isRegulatedFinancialInstitution || customer === undefined || customer.endUserTermsConsent !== undefined
        ? undefined
        : { code: "END_USER_TERMS_NOT_ACCEPTED", message: "The customer has not accepted the end user terms." },
  ],
  [
    "IMMEDIATELY_EXECUTABLE",
    ({ request: { immediatelyExecute }, source }) =>
      immediatelyExecute !== true ||
      (source?._tag === "Internal" && source.account.type !== "EMBEDDED_WALLET") ||
      (source?._tag === "External" && source.isPullable)
        ? undefined
        : fieldRefusal("immediatelyExecute", "is for internal accounts and for accounts that can be pulled"),
  ],
  [
    "CRYPTO_NETWORK",
    ({ request: { source } }) => {
      if (source.sourceType === "ACCOUNT") return undefined
      const networks = networksOf(source.currency)
      const isNeeded = networks.length > 0 && source.currency !== "BTC"
      const { cryptoNetwork } = source
      if (cryptoNetwork === undefined ? !isNeeded : networks.includes(cryptoNetwork)) return undefined
      const problem = { field: "source.cryptoNetwork", message: `must be a network of ${source.currency}` }
      return invalidInput([{ ...problem, constraint: { enum: [...networks] } }])
    },
  ],
  [
    "PAYER_CAN_SEND",
    ({ source }) =>
      isSentByPayer(source) && source.instructions.length === 0
        ? notImplemented("This deployment takes no payments in this currency.", "NO_FUNDING_INSTRUCTIONS")
        : undefined,
  ],
  [
    "SOURCE_ACTIVE",
    ({ source }) => {
      if (source?._tag === "External") return inactiveRefusal(source.account, "SOURCE")
      return source?._tag !== "Internal" || source.account.status === "ACTIVE"
        ? undefined
        : accountNotActive("SOURCE", source.account)
    },
  ],
  [
    "DESTINATION_ACTIVE",
    ({ destination }) => {
      if (destination?._tag === "External") return inactiveRefusal(destination.account, "DESTINATION")
      return destination?._tag !== "Internal" || destination.account.status === "ACTIVE"
        ? undefined
        : accountNotActive("DESTINATION", destination.account)
    },
  ],
  [
    "RAIL_SUPPORTED",
    ({ destination, request: { destination: requested } }) => {
      if (requested.destinationType !== "ACCOUNT" || requested.paymentRail === undefined || destination === undefined) {
        return undefined
      }
      const rails: ReadonlyArray<string> =
        destination._tag === "External" ? paymentRailsOfAccount(destination.account.accountInfo) : []
      if (rails.includes(requested.paymentRail)) return undefined
      const problem = { field: "destination.paymentRail", message: "must be a rail that the destination supports" }
      return invalidInput([{ ...problem, constraint: { enum: [...rails] } }])
    },
  ],
  [
    "SENDER_INFORMATION",
    ({ customer, destination }) =>
      destination?._tag === "External" ? senderInformation({ customer, destination: destination.account }) : undefined,
  ],
  [
    "PAYER_INFORMATION",
    ({ missingPayerFields }) =>
      missingPayerFields.length === 0
        ? undefined
        : {
            code: "MISSING_MANDATORY_USER_INFO",
            message: `The receiver requires ${missingPayerFields.join(", ")} of the payer.`,
            details: {
              errors: missingPayerFields.map((name) => ({
                field: `senderCustomerInfo.${name}`,
                message: "is required",
              })),
            },
          },
  ],
  [
    "CURRENCY_ENABLED",
    ({ platform, sendingCurrency }) =>
      sendingCurrency === undefined || isOutgoingEnabled(platform, sendingCurrency)
        ? undefined
        : { code: "INVALID_CURRENCY", message: `The platform does not send ${sendingCurrency}.` },
  ],
  [
    "RATE_KNOWN",
    ({ rate, receivingCurrency, sendingCurrency }) =>
      rate !== undefined || sendingCurrency === undefined || receivingCurrency === undefined
        ? undefined
        : {
            code: "QUOTE_REQUEST_FAILED",
            message: `There is no rate from ${sendingCurrency} to ${receivingCurrency} now. Try again.`,
            details: { reason: "RATE_UNAVAILABLE" },
          },
  ],
  [
    "PRICEABLE",
    ({ price }) =>
      typeof price === "string"
        ? {
            code: "AMOUNT_OUT_OF_RANGE",
            message: "Nothing would be left of this amount, or it is more than can be kept exactly.",
            details: { reason: price },
          }
        : undefined,
  ],
  ["WITHIN_LIMITS", amountOutOfLimits],
])
