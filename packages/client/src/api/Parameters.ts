/**
 * Parameters that several endpoints share.
 * Source: wire contract 0.3 (lists), 0.4 (idempotency), 11 (32, 35).
 */
import {
  AnyTransactionStatus,
  atMost,
  CalendarDate,
  CurrencyCode,
  Id,
  type IdType,
  InstantMillis,
  InternalAccountType,
  secret,
  TransactionType,
} from "@countersign/core/models"
import { Schema } from "effect"

/** An id in a path. Any text decodes, because a malformed id is an unknown record (404). */
export const pathId = (what: string) =>
  Schema.String.check(atMost("pathId")).annotate({ description: `The id of the ${what}.` })

export const paging = {
  limit: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })).annotate({
      description: "The maximum number of records per page. Default: 20.",
    }),
  ),
  cursor: Schema.optionalKey(
    Schema.String.check(Schema.isMinLength(1), atMost("cursor")).annotate({
      description: "The `nextCursor` of the previous page of the same list with the same filters.",
    }),
  ),
}

export const sorting = {
  sortOrder: Schema.optionalKey(
    Schema.Literals(["asc", "desc"]).annotate({
      description: "Oldest first (`asc`) or newest first (`desc`). Default: `desc`.",
    }),
  ),
}

/** A filter by the id of another record. */
export const idFilter = (type: IdType) => Schema.optionalKey(Id(type))

export const flag = (description: string) => Schema.optionalKey(Schema.Boolean.annotate({ description }))

/** An inclusive bound on a time. */
export const bound = (description: string) => Schema.optionalKey(InstantMillis.annotate({ description }))

/** A calendar day of a period. */
export const day = (description: string) => Schema.optionalKey(CalendarDate.annotate({ description }))

/** A filter by an exact text. */
export const exactly = (description: string) =>
  Schema.optionalKey(Schema.String.check(Schema.isMinLength(1), atMost("text")).annotate({ description }))

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

/** The signature of a payload that an earlier response showed. Any text decodes, because an invalid signature is a 401. */
export const walletSignature = {
  "service-wallet-signature": Schema.optionalKey(
    Schema.String.check(atMost("signature")).annotate({
      ...secret,
      description: "The signature (stamp) of `payloadToSign`. The deployment configures the header's prefix.",
    }),
  ),
}

/** The two headers of a signed retry. Any text decodes in both. */
export const signedRetry = {
  ...walletSignature,
  "request-id": Schema.optionalKey(
    Schema.String.check(atMost("pathId")).annotate({ description: "The `requestId` of the 202 response." }),
  ),
}

const text = (description: string) =>
  Schema.optionalKey(Schema.String.check(atMost("accountDetail")).annotate({ description }))

/** The filters of all lists of transactions. */
export const transactionFilters = {
  accountIdentifier: text("Only transactions from or to this account."),
  senderAccountIdentifier: text("Only transactions from this account."),
  receiverAccountIdentifier: text("Only transactions to this account."),
  status: Schema.optionalKey(AnyTransactionStatus),
  type: Schema.optionalKey(TransactionType),
  reference: text("Only transactions with this reference."),
  startDate: bound("Created at this time or later."),
  endDate: bound("Created at this time or earlier."),
}

const idempotencyKeyText = (description: string) =>
  Schema.String.check(
    Schema.isMinLength(1),
    Schema.isMaxLength(255).abort(),
    Schema.isPattern(/^[\x20-\x7e]*$/u, { expected: "printable ASCII characters" }),
  ).annotate({ description })

export const idempotencyKey = {
  "idempotency-key": Schema.optionalKey(
    idempotencyKeyText("Repeating a key within 24 hours replays the first response."),
  ),
}

/** Of requests that must not run twice by mistake. */
export const requiredIdempotencyKey = {
  "idempotency-key": idempotencyKeyText("Repeating a key within 7 days replays the first response."),
}
