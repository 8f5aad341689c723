/** Customers and their internal accounts: each handler passes on to its service. Wire contract 5.8. */

import { Api } from "@countersign/client/api"
import { Customers, InternalAccounts } from "@countersign/core"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { respond, respondOk } from "../middleware/Answers.ts"
import { withSignature } from "../middleware/WalletHeaders.ts"
import { withTimes } from "./OptionalField.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "customers",
  Effect.fnUntraced(function* (handlers) {
    const customers = yield* Customers
    const internal = yield* InternalAccounts
    return handlers.handleAll({
      createCustomer: ({ payload }) => respond(customers.create(payload)),
      listCustomers: ({ query }) => respondOk(customers.list(withTimes(query))),
      endUserTerms: () => respondOk(customers.terms),
      updateCustomer: ({ params, payload }) =>
        respond(withSignature((headers) => customers.update(params.customerId, payload, headers))),
      deleteCustomer: ({ params }) => respond(customers.remove(params.customerId)),
      getCustomer: ({ params }) => respondOk(customers.get(params.customerId)),
      listInternalAccounts: ({ query }) => respondOk(internal.list(query)),
    })
  }),
)
