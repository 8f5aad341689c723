/** Receivers: each handler passes on to its service. Wire contract 5.10. */

import { Api } from "@countersign/client/api"
import { Receivers, UmaProviders, WithdrawalFees } from "@countersign/core"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { respondOk } from "../middleware/Answers.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "receivers",
  Effect.fnUntraced(function* (handlers) {
    const receivers = yield* Receivers
    const providers = yield* UmaProviders
    const fees = yield* WithdrawalFees
    return handlers.handleAll({
      lookupUma: ({ params, query }) => respondOk(receivers.lookupUma(params.receiverUmaAddress, query)),
      lookupExternalAccount: ({ params, query }) => respondOk(receivers.lookupExternalAccount(params.accountId, query)),
      listUmaProviders: ({ query }) => respondOk(providers.list(query)),
      estimateWithdrawalFee: ({ payload }) => respondOk(fees.estimate(payload)),
    })
  }),
)
