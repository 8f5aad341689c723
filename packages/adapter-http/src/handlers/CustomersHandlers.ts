/** Customers and their internal accounts: each handler calls its service. Wire contract 5.8. */

import { Api } from "@countersign/client/api"
import { Customers, InternalAccounts } from "@countersign/core"
import { Effect } from "effect"
import { withSignature } from "../middleware/WalletHeaders.ts"
import { answering, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"
import { withTimes } from "./OptionalField.ts"

export const layer = group(
  Api,
  "customers",
  Effect.fnUntraced(function* (handlers) {
    const customers = yield* Customers
    const internal = yield* InternalAccounts
    return handlers.handleAll(
      yield* answering(handlers, {
        createCustomer: ({ payload }) => customers.create(payload),
        listCustomers: ({ query }) => ok(customers.list(withTimes(query))),
        getEndUserTerms: () => ok(customers.terms),
        updateCustomerById: ({ params, payload }) =>
          withSignature((headers) => customers.update(params.customerId, payload, headers)),
        deleteCustomerById: ({ params }) => customers.remove(params.customerId),
        getCustomerById: ({ params }) => ok(customers.get(params.customerId)),
        listCustomerInternalAccounts: ({ query }) => ok(internal.list(query)),
      }),
    )
  }),
)
