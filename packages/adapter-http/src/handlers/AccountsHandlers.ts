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
        listPlatformAccounts: ({ query }) => ok(accounts.ofPlatform(query)),
        listAccounts: ({ query }) => ok(accounts.list(query)),
        getAccount: ({ params }) => ok(accounts.get(params.id)),
        updateAccount: ({ params, payload }) => withSignature((headers) => wallets.update(params.id, payload, headers)),
        exportWallet: ({ params, payload }) =>
          withSignature((headers) => wallets.exportWords(params.id, payload, headers)),
      }),
    )
  }),
)
