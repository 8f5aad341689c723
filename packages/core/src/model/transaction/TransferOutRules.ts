/**
 * Whether a transfer-out can be made at all, whatever an agent's policy says: rows by precedence. Whether the money is there is
 * asked after them: an agent's action fails for that, a platform is refused.
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
  /** As the caller gave it; absent: the whole available balance. */
  readonly requested: number | undefined
  /** The internal account that pays, where it exists for the caller. */
  readonly source: InternalAccount | undefined
  /** The external account that receives, where it exists for the caller. */
  readonly destination: ExternalAccount | undefined
  /** Whether the owner of the source may pay to the destination (D-093). */
  readonly isOwnersAccount: boolean
  /** The customer that sends; absent: the platform itself. */
  readonly customer: Customer | undefined
  /** The customer on either side. */
  readonly party: Customer | undefined
  /** As the caller named it. */
  readonly rail: string | undefined
}

const isBusiness = ({ accountInfo }: ExternalAccount): boolean =>
  isObject(accountInfo["beneficiary"]) && accountInfo["beneficiary"]["beneficiaryType"] === "BUSINESS"

/** A business that sends to a business must have told of itself what the currency asks for. */
export const senderInformation = ({
  customer,
  destination,
}: Pick<TransferOutFacts, "customer" | "destination">): Refusal | undefined => {
  if (customer?.customerType !== "BUSINESS" || destination === undefined || !isBusiness(destination)) return undefined
  const needed: ReadonlyArray<"registrationNumber"> = SenderInformation.find(destination.currency) ?? []
  const missing = needed.filter((field) => {
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
      return rails.some((known) => known === rail)
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
