/**
 * Rules of a transfer-in in order of precedence. An agent's policy is evaluated separately.
 * Spec: 4.1 (both accounts of one customer, sources with pull capability); wire contract 5.6, 8.2 and 11 (5, 30).
 */

import { notFound, type Refusal } from "../../foundation/errors/ServiceError.ts"
import * as Rules from "../../foundation/kit/Rules.ts"
import { inRange } from "../../foundation/money/Amount.ts"
import type { ExternalAccount } from "../account/ExternalAccount.ts"
import { inactiveRefusal } from "../account/ExternalAccountRules.ts"
import type { InternalAccount } from "../account/InternalAccount.ts"
import type { Customer } from "../customer/Customer.ts"

import {
  amountPositive,
  customerReady,
  destinationActive,
  sameCurrency,
  sameOwner,
  termsAccepted,
} from "./TransferRules.ts"

export interface TransferInFacts {
  /** The requested amount; absent: the amount that the rail reports. */
  readonly requested: number | undefined
  /** The external account that pays; absent when it does not exist for this customer. */
  readonly source: ExternalAccount | undefined
  /** The internal account that is credited; absent when it does not exist for this customer. */
  readonly destination: InternalAccount | undefined
  /** Whether the owner of the destination may pull from the source (D-093). */
  readonly isOwnersAccount: boolean
  /** The customer that receives; absent: the platform itself. */
  readonly customer: Customer | undefined
  /** The customer on either side. */
  readonly party: Customer | undefined
  /** What the rail reports about the source; absent when the source does not exist. */
  readonly inspection: PullInspection | undefined
  /** The sum of the destination's available and held balance. */
  readonly destinationBalance: number
}

/** The requested amount, or the amount that the rail reports. */
export const amountOf = (facts: Pick<TransferInFacts, "requested" | "inspection">): number | undefined =>
  facts.requested ?? facts.inspection?.reported

export const TransferInRules = Rules.make<TransferInFacts, Refusal>("TransferIn", [
  ["AMOUNT_POSITIVE", amountPositive],
  ["SOURCE_EXISTS", ({ source }) => (source === undefined ? notFound("external account") : undefined)],
  ["DESTINATION_EXISTS", ({ destination }) => (destination === undefined ? notFound("internal account") : undefined)],
  ["SAME_OWNER", sameOwner],
  ["TERMS_ACCEPTED", termsAccepted],
  ["CUSTOMER_READY", customerReady],
  ["SAME_CURRENCY", sameCurrency],
  ["SOURCE_ACTIVE", ({ source }) => source && inactiveRefusal(source, "SOURCE")],
  [
    "SOURCE_PULLABLE",
    ({ inspection }) =>
      inspection === undefined || inspection.pullable
        ? undefined
        : {
            code: "INVALID_INPUT",
            message: "This external account cannot be pulled; deposit by the internal account's payment instructions.",
            details: { reason: "SOURCE_NOT_PULLABLE" },
          },
  ],
  ["DESTINATION_ACTIVE", destinationActive],
  [
    "AMOUNT_KNOWN",
    (facts) =>
      (amountOf(facts) ?? 0) > 0
        ? undefined
        : {
            code: "INVALID_AMOUNT",
            message: "The amount is required: the rail does not report what can be pulled from this account.",
            details: { reason: "AMOUNT_REQUIRED" },
          },
  ],
  [
    "BALANCE_IN_RANGE",
    (facts) =>
      inRange(facts.destinationBalance + (amountOf(facts) ?? 0))
        ? undefined
        : {
            code: "AMOUNT_OUT_OF_RANGE",
            message: "The amount would take the balance beyond what can be kept exactly.",
          },
  ],
])

/** A rail's answer to a read-only question about an account. */
export interface PullInspection {
  /** Whether the account can be pulled at all. */
  readonly pullable: boolean
  /** The amount that can be pulled now (smallest unit); absent: the rail cannot report it. */
  readonly reported?: number
  /** Whether the account holds the requested amount, as far as the rail can report. */
  readonly funds: "sufficient" | "insufficient" | "unknown"
}
