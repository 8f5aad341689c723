/**
 * Rules by precedence: whether a quote can be executed. The available balance is checked after them, because a shortage fails an
 * agent's action but refuses a platform's request.
 * Spec: 4.3 (only ACTIVE accounts), Quote; wire contract 5.1, 5.5, 8.2 and 11 (7, 30);
 * wire contract areas 3.2.
 */

import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import * as Rules from "../../foundation/kit/Rules.ts"
import type { ExternalAccount } from "../account/ExternalAccount.ts"
import { inactiveRefusal } from "../account/ExternalAccountRules.ts"
import type { InternalAccount } from "../account/InternalAccount.ts"
import type { Customer } from "../customer/Customer.ts"
import { customerReady } from "../transaction/TransferRules.ts"
import type { Quote } from "./Quote.ts"

export interface ExecutionFacts {
  /** In its state at the time of the decision. */
  readonly quote: Quote
  readonly customer: Customer | undefined
  /** The internal account that pays, or the external account that is pulled. */
  readonly source: InternalAccount | ExternalAccount | undefined
  readonly destination: InternalAccount | ExternalAccount | undefined
}

/** The refusal of an internal account that is not active. */
export const accountNotActive = (side: "SOURCE" | "DESTINATION", { status }: InternalAccount): Refusal => ({
  code: "INVALID_INPUT",
  message: "The internal account is not active.",
  details: { reason: `${side}_NOT_ACTIVE`, status },
})

/** The refusal of a request that the quote's state does not allow. */
export const quoteStateRefusal = ({ status }: Quote): Refusal => {
  const reason =
    status === "EXPIRED"
      ? "QUOTE_EXPIRED"
      : status === "PENDING_AUTHORIZATION"
        ? "AUTHORIZATION_PENDING"
        : "QUOTE_ALREADY_EXECUTED"
  return { code: "CONFLICT", message: `The quote is ${status}.`, details: { reason, status } }
}

const unusableAccount = (
  account: InternalAccount | ExternalAccount | undefined,
  side: "SOURCE" | "DESTINATION",
): Refusal | undefined => {
  if (account === undefined) return undefined
  if ("type" in account) return account.status === "ACTIVE" ? undefined : accountNotActive(side, account)
  return account.isDeleted
    ? {
        code: "INVALID_BANK_ACCOUNT",
        message: "The external account was deleted.",
        details: { reason: `${side}_DELETED` },
      }
    : inactiveRefusal(account, side)
}

export const QuoteExecutionRules = Rules.make<ExecutionFacts, Refusal>("QuoteExecution", [
  [
    "NOT_SENT_BY_PAYER",
    ({ quote }) =>
      quote.funding === "PUSH"
        ? {
            code: "INVALID_INPUT",
            message:
              "The payer sends the money, for example by wire, as the payment instructions say. It is not pulled from the account.",
            details: { reason: "PAYER_SENDS" },
          }
        : undefined,
  ],
  ["CUSTOMER_READY", customerReady],
  ["STILL_OPEN", ({ quote }) => (quote.status === "PENDING" ? undefined : quoteStateRefusal(quote))],
  ["SOURCE_ACTIVE", ({ source }) => unusableAccount(source, "SOURCE")],
  ["DESTINATION_ACTIVE", ({ destination }) => unusableAccount(destination, "DESTINATION")],
])
