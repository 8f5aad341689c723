/**
 * Transactions.
 * Source: wire contract 5.1, 5.7 and 6.3.
 */
import {
  ApprovePaymentRequest,
  atMost,
  CancelTransactionRequest,
  ConfirmReceiptDeliveryRequest,
  IncomingTransactionResource,
  RejectPaymentRequest,
  TransactionListResponse,
  TransactionResource,
} from "@countersign/core/models"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { documented } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { paging, pathId, sorting, transactionFilters } from "./Parameters.ts"

const params = { transactionId: pathId("transaction") }
const filter = (description: string) =>
  Schema.optionalKey(Schema.String.check(atMost("text")).annotate({ description }))

export const TransactionsApi = HttpApiGroup.make("transactions")
  .add(
    HttpApiEndpoint.get("listTransactions", "/transactions", {
      query: {
        customerId: filter(
          "Only transactions of this customer. The platform's own id selects those of the platform itself.",
        ),
        platformCustomerId: filter("Only transactions of the customer with this id, which the platform chose."),
        ...transactionFilters,
        ...paging,
        ...sorting,
      },
      success: TransactionListResponse,
      error: failures(),
    })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(
        documented("listTransactions", "List transactions", "The transactions that match all filters, newest first."),
      ),
    HttpApiEndpoint.get("getTransactionById", "/transactions/:transactionId", {
      params,
      success: TransactionResource,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "VIEW", isForConsole: true })
      .annotateMerge(
        documented(
          "getTransactionById",
          "Get a transaction",
          "One transaction. Poll it every 2 to 10 seconds until its status is final.",
        ),
      ),
    HttpApiEndpoint.post("confirmReceiptDelivery", "/transactions/:transactionId/confirm", {
      params,
      payload: ConfirmReceiptDeliveryRequest,
      success: TransactionResource,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "TRANSACT" })
      .annotateMerge(
        documented(
          "confirmReceiptDelivery",
          "Confirm the delivery of a receipt",
          "Records when the receipt reached the customer. May be repeated.",
        ),
      ),
    HttpApiEndpoint.post("cancelTransaction", "/transactions/:transactionId/cancel", {
      params,
      payload: CancelTransactionRequest,
      success: TransactionResource,
      error: failures(404, 409),
    })
      .annotate(Access, { tokenPermission: "TRANSACT" })
      .annotateMerge(
        documented(
          "cancelTransaction",
          "Cancel a transaction",
          "For ACH and wire payments that have not settled. If the payment was already submitted to the rail, the rail is asked to cancel it, and the outcome follows as events.",
        ),
      ),
    HttpApiEndpoint.post("approvePendingPayment", "/transactions/:transactionId/approve", {
      params,
      payload: ApprovePaymentRequest,
      success: IncomingTransactionResource,
      error: failures(404, 409),
    })
      .annotate(Access, { tokenPermission: "TRANSACT" })
      .annotateMerge(
        documented(
          "approvePendingPayment",
          "Approve an incoming payment",
          "Accepts a payment whose `INCOMING_PAYMENT.PENDING` event the endpoint answered with 202. Allowed for 5 seconds.",
        ),
      ),
    HttpApiEndpoint.post("rejectPendingPayment", "/transactions/:transactionId/reject", {
      params,
      payload: RejectPaymentRequest,
      success: IncomingTransactionResource,
      error: failures(404, 409),
    })
      .annotate(Access, { tokenPermission: "TRANSACT" })
      .annotateMerge(
        documented(
          "rejectPendingPayment",
          "Reject an incoming payment",
          "Rejects a payment whose `INCOMING_PAYMENT.PENDING` event the endpoint answered with 202. Allowed for 5 seconds.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(OpenApi.annotations({ title: "Transactions", description: "Movements of money." }))
