/** What an agent may call: each handler passes on to its service. Spec: 4.1; wire contract 1.1. */
import { AgentActions, Agents, InternalAccounts, Transactions } from "@countersign/core"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { respond, respondOk } from "../middleware/Answers.ts"
import { keyed } from "../middleware/Idempotency.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "agentsMe",
  Effect.fnUntraced(function* (handlers) {
    const agents = yield* Agents
    const actions = yield* AgentActions
    const accounts = yield* InternalAccounts
    const transactions = yield* Transactions
    return handlers.handleAll({
      me: () => respondOk(agents.me),
      actions: ({ query }) => respondOk(actions.mine(query)),
      action: ({ params }) => respondOk(actions.mineById(params.actionId)),
      transferIn: (request) => {
        const { amount, destination, source } = request.payload
        return respond(
          actions.submitTransferIn(
            { sourceAccountId: source.accountId, destinationAccountId: destination.accountId, amount },
            keyed(request),
          ),
        )
      },
      internalAccounts: ({ query }) => respondOk(accounts.list(query)),
      transaction: ({ params }) => respondOk(transactions.get(params.transactionId)),
    })
  }),
)
