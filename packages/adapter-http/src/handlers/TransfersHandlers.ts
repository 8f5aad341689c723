/** Transfers of the platform: each handler passes on to its service. Spec: 4.5; wire contract 5.6. */
import { Transfers } from "@countersign/core"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { respond } from "../middleware/Answers.ts"
import { keyed } from "../middleware/Idempotency.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "transfers",
  Effect.fnUntraced(function* (handlers) {
    const transfers = yield* Transfers
    return handlers.handleAll({
      transferIn: (request) => {
        const { amount, destination, source } = request.payload
        const order = { sourceAccountId: source.accountId, destinationAccountId: destination.accountId, amount }
        return respond(transfers.transferIn(order, keyed(request)))
      },
      transferOut: (request) => {
        const { destination, source, ...terms } = request.payload
        const { accountId, ...rail } = destination
        const order = { sourceAccountId: source.accountId, destinationAccountId: accountId, ...rail, ...terms }
        return respond(transfers.transferOut(order, keyed(request)))
      },
    })
  }),
)
