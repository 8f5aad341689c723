/**
 * Rules of a transfer-out in order of precedence. An agent's policy is evaluated separately. The balance is checked after these
 * rules: without it an agent's action fails, and a platform is refused.
 * Spec: 4.3 (only ACTIVE accounts), Beneficiary (business senders); wire contract 5.6, 8.2, 10 (49) and 11 (5, 30, 44).
 */

import { invalidInput, notFound, type Refusal } from "../../foundation/errors/ServiceError.ts"
import { isObject } from "../../foundation/kit/CrossField.ts"
import * as Rules from "../../foundation/kit/Rules.ts"
import { paymentRailsOfAccount } from "../account/AccountRoute.ts"
import type { ExternalAccount } from "../account/ExternalAccount.ts"
import { inactiveRefusal } from "../account/ExternalAccountRules.ts"
import type { InternalAccount } from "../account/InternalAccount.ts"
import type { Customer } from "../customer/Customer.ts"
import { SenderInformation } from "./SenderInformation.ts"
import { amountPositive, customerReady, sameCurrency, sameOwner, termsAccepted } from "./TransferRules.ts"

export interface TransferOutFacts {
  /** The requested amount; absent: the whole available balance. */
  readonly requested: number | undefined
  /** The internal account that pays; absent when it does not exist for the caller. */
  readonly source: InternalAccount | undefined
  /** The external account that is paid; absent when it does not exist for the caller. */
  readonly destination: ExternalAccount | undefined
  /** Whether the owner of the source may pay to the destination (D-093). */
  readonly isOwnersAccount: boolean
  /** The customer that sends; absent: the platform itself. */
  readonly customer: Customer | undefined
  /** The customer on either side. */
  readonly party: Customer | undefined
  /** The requested rail. */
  readonly rail: string | undefined
}

const isBusiness = ({ accountInfo }: ExternalAccount): boolean =>
  isObject(accountInfo["beneficiary"]) && accountInfo["beneficiary"]["beneficiaryType"] === "BUSINESS"

/** A business that sends to a business must have supplied the information that the currency requires. */
export const senderInformation = ({
  customer,
  destination,
}: Pick<TransferOutFacts, "customer" | "destination">): Refusal | undefined => {
  if (customer?.customerType !== "BUSINESS" || destination === undefined || !isBusiness(destination)) return undefined
  const required: ReadonlyArray<"registrationNumber"> = SenderInformation.find(destination.currency) ?? []
  const missing = required.filter((field) => {
    const value = customer.businessInfo?.[field]
    return typeof value !== "string" || value.trim() === ""
  })
  return missing.length === 0
    ? undefined
    : {
        code: "MISSING_MANDATORY_USER_INFO",
        message: `A business that sends to a business in ${destination.currency} must have given ${missing.join(", ")}.`,
        details: {
          errors: missing.map((field) => ({ field: `customer.businessInfo.${field}`, message: "is required" })),
        },
      }
}

export const TransferOutRules = Rules.make<TransferOutFacts, Refusal>("TransferOut", [
  ["AMOUNT_POSITIVE", amountPositive],
  ["SOURCE_EXISTS", ({ source }) => (source === undefined ? notFound("internal account") : undefined)],
  ["DESTINATION_EXISTS", ({ destination }) => (destination === undefined ? notFound("external account") : undefined)],
  ["SAME_OWNER", sameOwner],
  ["TERMS_ACCEPTED", termsAccepted],
  ["CUSTOMER_READY", customerReady],
  ["SAME_CURRENCY", sameCurrency],
  [
    "SOURCE_NOT_A_WALLET",
    ({ source }) =>
      source?.type === "EMBEDDED_WALLET"
        ? {
            code: "INVALID_INPUT",
            message: "An embedded wallet pays by quotes, which its owner signs.",
            details: { reason: "USE_QUOTE" },
          }
        : undefined,
  ],
  [
    "SOURCE_ACTIVE",
    ({ source }) =>
      source === undefined || source.status === "ACTIVE"
        ? undefined
        : {
            code: "INVALID_INPUT",
            message: "The internal account is not active.",
            details: { reason: "SOURCE_NOT_ACTIVE", status: source.status },
          },
  ],
  ["DESTINATION_ACTIVE", ({ destination }) => destination && inactiveRefusal(destination, "DESTINATION")],
  [
    "RAIL_SUPPORTED",
    ({ destination, rail }) => {
      if (destination === undefined || rail === undefined) return undefined
      const rails = paymentRailsOfAccount(destination.accountInfo)
      return rails.some((supported) => supported === rail)
        ? undefined
        : invalidInput([
            {
              field: "destination.paymentRail",
              message: "must be a rail that the destination supports",
              constraint: { enum: [...rails] },
            },
          ])
    },
  ],
  ["SENDER_INFORMATION", senderInformation],
])
