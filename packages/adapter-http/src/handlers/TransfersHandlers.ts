/** Transfers of the platform: each handler passes on to its service. Spec: 4.5; wire contract 5.6. */

import { Api } from "@countersign/client/api"
import { Transfers } from "@countersign/core"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { respond } from "../middleware/Answers.ts"
import { keyed } from "../middleware/Idempotency.ts"
import { transferIn, transferOut } from "./Orders.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "transfers",
  Effect.fnUntraced(function* (handlers) {
    const transfers = yield* Transfers
    return handlers.handleAll({
      transferIn: (request) => respond(transfers.transferIn(transferIn(request.payload), keyed(request))),
      transferOut: (request) => respond(transfers.transferOut(transferOut(request.payload), keyed(request))),
    })
  }),
)
