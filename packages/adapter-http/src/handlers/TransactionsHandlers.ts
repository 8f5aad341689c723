/** Transactions: each handler passes on to its service. Wire contract 5.1. */
import { Transactions } from "@countersign/core"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { respondOk } from "../middleware/Answers.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "transactions",
  Effect.fnUntraced(function* (handlers) {
    const transactions = yield* Transactions
    return handlers.handleAll({
      getTransaction: ({ params }) => respondOk(transactions.get(params.transactionId)),
    })
  }),
)
