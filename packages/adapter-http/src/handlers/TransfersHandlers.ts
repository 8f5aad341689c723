/** Transfers of the platform: each handler calls its service. Spec: 4.5; wire contract 5.6. */

import { Api } from "@countersign/client/api"
import { Transfers } from "@countersign/core"
import { Effect } from "effect"
import { keyed } from "../middleware/Idempotency.ts"
import { answering } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"
import { transferIn, transferOut } from "./Orders.ts"

export const layer = group(
  Api,
  "transfers",
  Effect.fnUntraced(function* (handlers) {
    const transfers = yield* Transfers
    return handlers.handleAll(
      yield* answering(handlers, {
        createTransferIn: (request) => transfers.transferIn(transferIn(request.payload), keyed(request)),
        createTransferOut: (request) => transfers.transferOut(transferOut(request.payload), keyed(request)),
      }),
    )
  }),
)
