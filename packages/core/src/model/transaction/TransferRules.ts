/**
 * Rules that both directions of a transfer share.
 * Source: wire contract 5.6, 8.2 and 11 (5); D-093, D-094.
 */

import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import type { ExternalAccount } from "../account/ExternalAccount.ts"
import type { InternalAccount } from "../account/InternalAccount.ts"
import type { Customer } from "../customer/Customer.ts"

type Holding = Pick<ExternalAccount | InternalAccount, "currency">

export const amountPositive = ({ requested }: { readonly requested: number | undefined }): Refusal | undefined =>
  requested === undefined || requested > 0
    ? undefined
    : {
        code: "INVALID_AMOUNT",
        message: "amount must be at least 1, in the smallest unit of the currency.",
        details: { errors: [{ field: "amount", message: "must be at least 1", constraint: { minimum: 1 } }] },
      }

/** Money is taken by an internal account that is active. */
export const destinationActive = ({
  destination,
}: {
  readonly destination: Pick<InternalAccount, "status"> | undefined
}): Refusal | undefined =>
  destination === undefined || destination.status === "ACTIVE"
    ? undefined
    : {
        code: "INVALID_INPUT",
        message: "The internal account is not active.",
        details: { reason: "DESTINATION_NOT_ACTIVE", status: destination.status },
      }

export const sameOwner = ({ isOwnersAccount }: { readonly isOwnersAccount: boolean }): Refusal | undefined =>
  isOwnersAccount
    ? undefined
    : {
        code: "INVALID_INPUT",
        message: "Both accounts must belong to the same customer.",
        details: { reason: "ACCOUNTS_OF_DIFFERENT_CUSTOMERS" },
      }

/** The customer on either side must have accepted the end user terms. Source: wire contract 5.11; D-113. */
export const termsAccepted = ({ party }: { readonly party: Customer | undefined }): Refusal | undefined =>
  party?.awaitsTerms === true
    ? {
        code: "END_USER_TERMS_NOT_ACCEPTED",
        message: "The customer has not accepted the end user terms.",
        details: { reason: "END_USER_TERMS_NOT_ACCEPTED" },
      }
    : undefined

export const customerReady = ({ customer }: { readonly customer: Customer | undefined }): Refusal | undefined =>
  customer === undefined || customer.checkStatus === "APPROVED"
    ? undefined
    : {
        code: "USER_NOT_READY",
        message: "The customer's verification is not approved.",
        details: { status: customer.checkStatus },
      }

export const sameCurrency = ({
  destination,
  source,
}: {
  readonly source: Holding | undefined
  readonly destination: Holding | undefined
}): Refusal | undefined =>
  source === undefined || destination === undefined || source.currency === destination.currency
    ? undefined
    : {
        code: "INVALID_CURRENCY",
        message: "Source and destination must hold the same currency; use a quote to exchange.",
        details: { sourceCurrency: source.currency, destinationCurrency: destination.currency },
      }

/** The source lacks funds: a platform is refused, and an agent's action fails. */
export const shortOfFunds: Refusal = {
  code: "INVALID_INPUT",
  message: "The source does not hold this amount.",
  details: { reason: "INSUFFICIENT_FUNDS" },
}
