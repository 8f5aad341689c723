/**
 * Parameters that several endpoints share.
 * Source: wire contract 0.3 (lists), 0.4 (idempotency), 11 (32, 35).
 */
import {
  AnyTransactionStatus,
  CurrencyCode,
  Id,
  type IdType,
  InstantMillis,
  InternalAccountType,
  TransactionType,
} from "@countersign/core/models"
import { Schema } from "effect"

/** An id in a path: a malformed one is no known record (404), so any text is let through. */
export const pathId = (what: string) => Schema.String.annotate({ description: `The id of the ${what}.` })

export const paging = {
  limit: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })).annotate({
      description: "The largest number of records in the page; 20 when absent.",
    }),
  ),
  cursor: Schema.optionalKey(
    Schema.String.check(Schema.isMinLength(1)).annotate({
      description: "The nextCursor of the previous page, of the same list with the same filters.",
    }),
  ),
}

export const sorting = {
  sortOrder: Schema.optionalKey(
    Schema.Literals(["asc", "desc"]).annotate({ description: "Oldest or newest first; desc when absent." }),
  ),
}

/** A filter by the id of another record. */
export const idFilter = (type: IdType) => Schema.optionalKey(Id(type))

export const flag = (description: string) => Schema.optionalKey(Schema.Boolean.annotate({ description }))

/** An inclusive bound on a time. */
export const bound = (description: string) => Schema.optionalKey(InstantMillis.annotate({ description }))

/** A filter by an exact text. */
export const exactly = (description: string) =>
  Schema.optionalKey(Schema.String.check(Schema.isMinLength(1)).annotate({ description }))

/** Filters by the times of creation and of the last update. */
export const times = {
  createdAfter: bound("Created at this time or later."),
  createdBefore: bound("Created at this time or earlier."),
  updatedAfter: bound("Updated at this time or later."),
  updatedBefore: bound("Updated at this time or earlier."),
}

export const accountFilters = {
  currency: Schema.optionalKey(CurrencyCode),
  type: Schema.optionalKey(InternalAccountType),
}

/** The signature of what was shown before. It is read as it is: what is wrong with it is a 401. */
export const walletSignature = {
  "service-wallet-signature": Schema.optionalKey(
    Schema.String.annotate({
      description: "The stamp over `payloadToSign`; the deployment chooses the header's prefix.",
    }),
  ),
}

/** The two headers of a signed retry, read alike. */
export const signedRetry = {
  ...walletSignature,
  "request-id": Schema.optionalKey(Schema.String.annotate({ description: "The `requestId` of the 202." })),
}

const text = (description: string) => Schema.optionalKey(Schema.String.annotate({ description }))

/** What lists of transactions filter by, whosever they are. */
export const transactionFilters = {
  accountIdentifier: text("Only from or to this account."),
  senderAccountIdentifier: text("Only from this account."),
  receiverAccountIdentifier: text("Only to this account."),
  status: Schema.optionalKey(AnyTransactionStatus),
  type: Schema.optionalKey(TransactionType),
  reference: text("Only with this reference."),
  startDate: bound("Created at or after."),
  endDate: bound("Created at or before."),
}

export const idempotencyKey = {
  "idempotency-key": Schema.optionalKey(
    Schema.String.check(
      Schema.isMinLength(1),
      Schema.isMaxLength(255),
      Schema.isPattern(/^[\x20-\x7e]*$/u, { expected: "printable ASCII characters" }),
    ).annotate({ description: "The same key sent again within 24 hours brings back the first answer." }),
  ),
}
