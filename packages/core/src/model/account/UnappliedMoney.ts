/**
 * Unapplied money: money that came in, or came back, and that its account could not take. An operator applies it to an account or
 * records that it was returned.
 * Source: D-033, D-355.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { Timestamp } from "../../foundation/kit/Instant.ts"
import { PageOf } from "../../foundation/kit/PageResource.ts"
import { CurrencyAmount } from "../../foundation/money/Amount.ts"

/** How an operator resolved the money, as it is stored with the transaction. */
export const UnappliedResolution = Schema.Struct({
  status: Schema.Literals(["APPLIED", "RETURNED"]),
  /** Business time (ms). */
  at: Schema.Int,
  /** The internal account that was credited. */
  accountId: Schema.optionalKey(Schema.String),
  /** Identifies the operator's payment that returned the money. */
  reference: Schema.optionalKey(Schema.String),
})
export type UnappliedResolution = typeof UnappliedResolution.Type

/**
 * Money on the wire that its account could not take. `APPLIED`: it was credited to an account. `RETURNED`: it went back to its
 * sender. `resolvedAt` is absent while it is `OPEN`.
 */
export const UnappliedMoneyResource = Schema.Struct({
  transactionId: Schema.String.annotate({ description: "The transaction or card transaction whose money it is." }),
  customerId: Schema.optionalKey(Schema.String.annotate({ description: "Absent: the money is the platform's own." })),
  accountId: Schema.optionalKey(
    Schema.String.annotate({ description: "The internal account that could not take it." }),
  ),
  amount: CurrencyAmount,
  status: Schema.Literals(["OPEN", "APPLIED", "RETURNED"]),
  createdAt: Timestamp.annotate({ description: "When the transaction was created." }),
  resolvedAt: Schema.optionalKey(Timestamp),
}).annotate({ identifier: "UnappliedMoney", description: "Money that its account could not take." })
export type UnappliedMoneyResource = typeof UnappliedMoneyResource.Type

/** A page of unapplied money: the answer of `GET /unapplied-money`. */
export const UnappliedMoneyListResponse = PageOf(UnappliedMoneyResource, "UnappliedMoneyListResponse")

/** Optional body of `POST /unapplied-money/{transactionId}/apply`: the account that takes the money. */
export const UnappliedApplyRequest = Schema.Struct({
  accountId: Schema.optionalKey(
    Id("InternalAccount").annotate({
      description:
        "An active account of the same customer in the same currency. Absent: the account that could not take it.",
    }),
  ),
}).annotate({ identifier: "UnappliedApplyRequest" })
export type UnappliedApplyRequest = typeof UnappliedApplyRequest.Type

/** The longest reference of a payment that returned unapplied money. */
export const returnReferenceMax = 140
