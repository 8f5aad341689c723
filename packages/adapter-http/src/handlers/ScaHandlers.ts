/** Strong customer authentication: each handler calls its service. Wire contract 5.12; wire contract areas 1.3. */

import { Api } from "@countersign/client/api"
import { BeneficiaryTrusts, ScaFactors, ScaLogins, ScaResets } from "@countersign/core"
import { Effect } from "effect"
import { keyed } from "../middleware/Idempotency.ts"
import { answering, noContent, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"

export const layer = group(
  Api,
  "sca",
  Effect.fnUntraced(function* (handlers) {
    const trusts = yield* BeneficiaryTrusts
    const factors = yield* ScaFactors
    const logins = yield* ScaLogins
    const resets = yield* ScaResets
    return handlers.handleAll(
      yield* answering(handlers, {
        listFactors: ({ query }) => ok(factors.list(query.customerId)),
        enrollFactor: ({ payload, query }) => ok(factors.enroll(query.customerId, payload.type)),
        confirmFactor: ({ payload, query }) => factors.confirm(query.customerId, payload),
        removeFactor: ({ params, query }) => noContent(factors.remove(query.customerId, params.credentialId)),
        startReset: ({ payload, query }) => resets.start(query.customerId, payload.factor),
        getReset: ({ params, query }) => ok(resets.get(query.customerId, params.resetId)),
        completeReset: ({ params, payload, query }) =>
          noContent(resets.complete(query.customerId, params.resetId, payload.mobile)),
        startLogin: ({ payload, query }) => logins.start(query.customerId, payload.factor),
        completeLogin: ({ payload, query }) => logins.complete(query.customerId, payload),
        recordEvent: ({ payload, query }) => logins.recordEvent(query.customerId, payload.eventType),
        startTrust: (request) => trusts.start(request.params.externalAccountId, "BENEFICIARY_TRUST", keyed(request)),
        confirmTrust: (request) => {
          const { params, payload } = request
          return trusts.confirm(params.externalAccountId, "BENEFICIARY_TRUST", payload, keyed(request))
        },
        startUntrust: (request) =>
          trusts.start(request.params.externalAccountId, "BENEFICIARY_UNTRUST", keyed(request)),
        confirmUntrust: (request) => {
          const { params, payload } = request
          return trusts.confirm(params.externalAccountId, "BENEFICIARY_UNTRUST", payload, keyed(request))
        },
      }),
    )
  }),
)
