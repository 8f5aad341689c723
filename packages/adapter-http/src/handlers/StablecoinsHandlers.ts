/** Stablecoins: each handler calls its service. Wire contract areas 1.6. */

import { Api } from "@countersign/client/api"
import { StablecoinOperations, StablecoinProviderAccounts, Stablecoins } from "@countersign/core"
import { Effect } from "effect"
import { requiredKey } from "../middleware/Idempotency.ts"
import { answering, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"

export const layer = group(
  Api,
  "stablecoins",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* StablecoinProviderAccounts
    const stablecoins = yield* Stablecoins
    const operations = yield* StablecoinOperations
    return handlers.handleAll(
      yield* answering(handlers, {
        linkStablecoinProviderAccount: (request) => accounts.link(request.payload, requiredKey(request)),
        listStablecoinProviderAccounts: ({ query }) => ok(accounts.list(query)),
        getStablecoinProviderAccount: ({ params }) => ok(accounts.get(params.stablecoinProviderAccountId)),
        registerStablecoin: (request) => stablecoins.register(request.payload, requiredKey(request)),
        listStablecoins: ({ query }) => ok(stablecoins.list(query)),
        getStablecoin: ({ params }) => ok(stablecoins.get(params.stablecoinId)),
        createStablecoinMint: (request) =>
          operations.mint(request.params.stablecoinId, request.payload, requiredKey(request)),
        createStablecoinBurn: (request) =>
          operations.burn(request.params.stablecoinId, request.payload, requiredKey(request)),
        listStablecoinOperations: ({ params, query }) => ok(operations.list(params.stablecoinId, query)),
        getStablecoinOperation: ({ params }) => ok(operations.get(params.stablecoinOperationId)),
      }),
    )
  }),
)
