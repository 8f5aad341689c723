/** What an agent may call: each handler passes on to its service. Spec: 4.1; wire contract 1.1. */

import { Api } from "@countersign/client/api"
import {
  AgentActions,
  AgentQuotes,
  Agents,
  ExternalAccounts,
  InternalAccounts,
  Quotes,
  Transactions,
} from "@countersign/core"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { respond, respondEmpty, respondOk } from "../middleware/Answers.ts"
import { keyed } from "../middleware/Idempotency.ts"
import { withSignature } from "../middleware/WalletHeaders.ts"
import { optionalField } from "./OptionalField.ts"
import { transferIn, transferOut } from "./Orders.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "agentsMe",
  Effect.fnUntraced(function* (handlers) {
    const agents = yield* Agents
    const actions = yield* AgentActions
    const agentQuotes = yield* AgentQuotes
    const quotes = yield* Quotes
    const accounts = yield* InternalAccounts
    const externalAccounts = yield* ExternalAccounts
    const transactions = yield* Transactions
    return handlers.handleAll({
      me: () => respondOk(agents.me),
      actions: ({ query }) => respondOk(actions.mine(query)),
      action: ({ params }) => respondOk(actions.mineById(params.actionId)),
      transferIn: (request) => respond(actions.submitTransferIn(transferIn(request.payload), keyed(request))),
      transferOut: (request) => respond(actions.submitTransferOut(transferOut(request.payload), keyed(request))),
      createQuote: (request) => respond(agentQuotes.create(request.payload, keyed(request))),
      quote: ({ params }) => respondOk(quotes.get(params.quoteId)),
      executeQuote: (request) =>
        respond(withSignature((headers) => actions.submitQuote(request.params.quoteId, headers, keyed(request)))),
      internalAccounts: ({ query }) => respondOk(accounts.list(query)),
      externalAccounts: ({ query }) => respondOk(externalAccounts.list("customers", query)),
      createExternalAccount: ({ payload }) => respond(externalAccounts.create(payload)),
      externalAccount: ({ params }) => respondOk(externalAccounts.get("customers", params.externalAccountId)),
      removeExternalAccount: ({ params }) =>
        respondEmpty(externalAccounts.remove("customers", params.externalAccountId)),
      transactions: ({ query: { endDate, startDate, ...query } }) =>
        respondOk(
          transactions.list({ ...query, ...optionalField("from", startDate), ...optionalField("to", endDate) }),
        ),
      transaction: ({ params }) => respondOk(transactions.get(params.transactionId)),
    })
  }),
)
