/** Strong customer authentication: each handler passes on to its service. Wire contract 5.12. */

import { Api } from "@countersign/client/api"
import { ScaFactors, ScaLogins, ScaResets } from "@countersign/core"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { respond, respondEmpty, respondOk } from "../middleware/Answers.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "sca",
  Effect.fnUntraced(function* (handlers) {
    const factors = yield* ScaFactors
    const logins = yield* ScaLogins
    const resets = yield* ScaResets
    return handlers.handleAll({
      listFactors: ({ query }) => respondOk(factors.list(query.customerId)),
      enrollFactor: ({ payload, query }) => respondOk(factors.enroll(query.customerId, payload.type)),
      confirmFactor: ({ payload, query }) => respond(factors.confirm(query.customerId, payload)),
      removeFactor: ({ params, query }) => respondEmpty(factors.remove(query.customerId, params.credentialId)),
      startReset: ({ payload, query }) => respond(resets.start(query.customerId, payload.factor)),
      getReset: ({ params, query }) => respondOk(resets.get(query.customerId, params.resetId)),
      completeReset: ({ params, query }) => respondEmpty(resets.complete(query.customerId, params.resetId)),
      startLogin: ({ payload, query }) => respond(logins.start(query.customerId, payload.factor)),
      completeLogin: ({ payload, query }) => respond(logins.complete(query.customerId, payload)),
      recordEvent: ({ payload, query }) => respond(logins.recordEvent(query.customerId, payload.eventType)),
    })
  }),
)
