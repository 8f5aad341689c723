/** Transactions: each handler calls its service. Wire contract 5.1. */

import { Api } from "@countersign/client/api"
import { IncomingPayments, Transactions } from "@countersign/core"
import { millisOf } from "@countersign/core/models"
import { Effect } from "effect"
import { answering, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"
import { withDates } from "./OptionalField.ts"

export const layer = group(
  Api,
  "transactions",
  Effect.fnUntraced(function* (handlers) {
    const transactions = yield* Transactions
    const payments = yield* IncomingPayments
    return handlers.handleAll(
      yield* answering(handlers, {
        listTransactions: ({ query }) => ok(transactions.list(withDates(query))),
        getTransactionById: ({ params }) => ok(transactions.get(params.transactionId)),
        confirmReceiptDelivery: ({ params, payload: { receiptDeliveryConfirmedAt: at } }) =>
          transactions.confirm(params.transactionId, at === undefined ? undefined : millisOf(at)),
        cancelTransaction: ({ params, payload }) => transactions.cancel(params.transactionId, payload.reason),
        approvePendingPayment: ({ params, payload }) =>
          payments.approve(params.transactionId, payload.receiverCustomerInfo),
        rejectPendingPayment: ({ params, payload }) => payments.reject(params.transactionId, payload.reason),
      }),
    )
  }),
)
