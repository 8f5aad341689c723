/** What an agent may call: each handler calls its service. Spec: 4.1; wire contract 1.1. */

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
import { keyed } from "../middleware/Idempotency.ts"
import { withSignature } from "../middleware/WalletHeaders.ts"
import { answering, noContent, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"
import { withDates } from "./OptionalField.ts"
import { transferIn, transferOut } from "./Orders.ts"

export const layer = group(
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
    return handlers.handleAll(
      yield* answering(handlers, {
        getAgentMe: () => ok(agents.me),
        agentListActions: ({ query }) => ok(actions.mine(query)),
        agentGetAction: ({ params }) => ok(actions.mineById(params.actionId)),
        agentCreateTransferIn: (request) => actions.submitTransferIn(transferIn(request.payload), keyed(request)),
        agentCreateTransferOut: (request) => actions.submitTransferOut(transferOut(request.payload), keyed(request)),
        agentCreateQuote: (request) => agentQuotes.create(request.payload, keyed(request)),
        agentGetQuote: ({ params }) => ok(quotes.get(params.quoteId)),
        agentExecuteQuote: (request) =>
          withSignature((headers) => actions.submitQuote(request.params.quoteId, headers, keyed(request))),
        agentListInternalAccounts: ({ query }) => ok(accounts.list(query)),
        agentListExternalAccounts: ({ query }) => ok(externalAccounts.list("customers", query)),
        agentCreateExternalAccount: ({ payload }) => externalAccounts.create(payload),
        agentGetExternalAccount: ({ params }) => ok(externalAccounts.get("customers", params.externalAccountId)),
        agentDeleteExternalAccount: ({ params }) =>
          noContent(externalAccounts.remove("customers", params.externalAccountId)),
        agentListTransactions: ({ query }) => ok(transactions.list(withDates(query))),
        agentGetTransaction: ({ params }) => ok(transactions.get(params.transactionId)),
      }),
    )
  }),
)
