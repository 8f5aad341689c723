/** Internal accounts: each handler passes on to its service. Wire contract 5.8 and 5.9. */
import { InternalAccounts } from "@countersign/core"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { respondOk } from "../middleware/Answers.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "accounts",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* InternalAccounts
    return handlers.handleAll({
      listPlatformAccounts: ({ query }) => respondOk(accounts.ofPlatform(query)),
      listAccounts: ({ query }) => respondOk(accounts.list(query)),
      getAccount: ({ params }) => respondOk(accounts.get(params.accountId)),
    })
  }),
)
