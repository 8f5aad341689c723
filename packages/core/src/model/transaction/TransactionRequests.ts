/**
 * The request bodies of transfers and transactions on the wire.
 * Source: wire contract 5.6 and 5.7.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { Instant } from "../../foundation/kit/Instant.ts"
import { FreeObject } from "../../foundation/kit/Lengths.ts"
import { PaymentRail } from "../account/AccountTypeRow.ts"
import { PurposeOfPayment, RemittanceInformation } from "./Transaction.ts"

/** A transfer from an external to an internal account. */
export const TransferInRequest = Schema.Struct({
  source: Schema.Struct({ accountId: Id("ExternalAccount") }),
  destination: Schema.Struct({ accountId: Id("InternalAccount") }),
  amount: Schema.optionalKey(
    Schema.Int.annotate({
      description: "Smallest unit of the currency, at least 1; absent: what the rail reports can be pulled.",
    }),
  ),
}).annotate({ identifier: "TransferInRequest" })
export type TransferInRequest = typeof TransferInRequest.Type

/** A transfer from an internal to an external account. */
export const TransferOutRequest = Schema.Struct({
  source: Schema.Struct({ accountId: Id("InternalAccount") }),
  destination: Schema.Struct({
    accountId: Id("ExternalAccount"),
    paymentRail: Schema.optionalKey(
      PaymentRail.pipe(Schema.annotateKey({ description: "One that the destination supports; absent: its first." })),
    ),
  }),
  amount: Schema.optionalKey(
    Schema.Int.annotate({
      description: "Smallest unit of the currency, at least 1; absent: the whole available balance.",
    }),
  ),
  remittanceInformation: Schema.optionalKey(RemittanceInformation),
  purposeOfPayment: Schema.optionalKey(PurposeOfPayment),
}).annotate({ identifier: "TransferOutRequest" })
export type TransferOutRequest = typeof TransferOutRequest.Type

/** Optional body of `POST /transactions/{transactionId}/confirm`: when the receipt reached the customer. */
export const ConfirmReceiptDeliveryRequest = Schema.Struct({
  receiptDeliveryConfirmedAt: Schema.optionalKey(Instant.annotate({ description: "Absent: now." })),
}).annotate({ identifier: "ConfirmReceiptDeliveryRequest" })

const Reason = Schema.optionalKey(Schema.String.check(Schema.isMaxLength(1024)))

/** Optional body of `POST /transactions/{transactionId}/cancel`. */
export const CancelTransactionRequest = Schema.Struct({ reason: Reason }).annotate({
  identifier: "CancelTransactionRequest",
})

/** Optional body of `POST /transactions/{transactionId}/approve`, with the data that the sender requires about the receiver. */
export const ApprovePaymentRequest = Schema.Struct({
  receiverCustomerInfo: Schema.optionalKey(FreeObject),
}).annotate({ identifier: "ApprovePaymentRequest" })

/** Optional body of `POST /transactions/{transactionId}/reject`. */
export const RejectPaymentRequest = Schema.Struct({ reason: Reason }).annotate({ identifier: "RejectPaymentRequest" })
