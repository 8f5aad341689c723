/** Internal accounts and wallets: each handler calls its service. Wire contract 4.10, 5.8 and 5.9. */

import { Api } from "@countersign/client/api"
import { InternalAccounts, Wallets } from "@countersign/core"
import { Effect } from "effect"
import { withSignature } from "../middleware/WalletHeaders.ts"
import { answering, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"

export const layer = group(
  Api,
  "accounts",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* InternalAccounts
    const wallets = yield* Wallets
    return handlers.handleAll(
      yield* answering(handlers, {
        listPlatformInternalAccounts: ({ query }) => ok(accounts.ofPlatform(query)),
        listInternalAccounts: ({ query }) => ok(accounts.list(query)),
        getInternalAccount: ({ params }) => ok(accounts.get(params.id)),
        updateInternalAccount: ({ params, payload }) =>
          withSignature((headers) => wallets.update(params.id, payload, headers)),
        exportInternalAccount: ({ params, payload }) =>
          withSignature((headers) => wallets.exportWords(params.id, payload, headers)),
      }),
    )
  }),
)
