/** Internal accounts and wallets: each handler passes on to its service. Wire contract 4.10, 5.8 and 5.9. */

import { Api } from "@countersign/client/api"
import { InternalAccounts, Wallets } from "@countersign/core"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { respond, respondOk } from "../middleware/Answers.ts"
import { withSignature } from "../middleware/WalletHeaders.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "accounts",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* InternalAccounts
    const wallets = yield* Wallets
    return handlers.handleAll({
      listPlatformAccounts: ({ query }) => respondOk(accounts.ofPlatform(query)),
      listAccounts: ({ query }) => respondOk(accounts.list(query)),
      getAccount: ({ params }) => respondOk(accounts.get(params.accountId)),
      updateAccount: ({ params, payload }) =>
        respond(withSignature((headers) => wallets.update(params.accountId, payload, headers))),
      exportWallet: ({ params, payload }) =>
        respond(withSignature((headers) => wallets.exportWords(params.accountId, payload, headers))),
    })
  }),
)
