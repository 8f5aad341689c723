/** Receivers: each handler calls its service. Wire contract 5.10. */

import { Api } from "@countersign/client/api"
import { Receivers, UmaProviders, WithdrawalFees } from "@countersign/core"
import { Effect } from "effect"
import { answering, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"

export const layer = group(
  Api,
  "receivers",
  Effect.fnUntraced(function* (handlers) {
    const receivers = yield* Receivers
    const providers = yield* UmaProviders
    const fees = yield* WithdrawalFees
    return handlers.handleAll(
      yield* answering(handlers, {
        lookupUma: ({ params, query }) => ok(receivers.lookupUma(params.receiverUmaAddress, query)),
        lookupExternalAccount: ({ params, query }) => ok(receivers.lookupExternalAccount(params.accountId, query)),
        getAvailableUmaProviders: ({ query }) => ok(providers.list(query)),
        estimateCryptoWithdrawalFee: ({ payload }) => ok(fees.estimate(payload)),
      }),
    )
  }),
)
