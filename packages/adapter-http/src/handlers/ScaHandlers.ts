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
        listScaFactors: ({ query }) => ok(factors.list(query.customerId)),
        startScaFactorEnrollment: ({ payload, query }) => ok(factors.enroll(query.customerId, payload.type)),
        confirmScaFactorEnrollment: ({ payload, query }) => factors.confirm(query.customerId, payload),
        deleteScaFactor: ({ params, query }) => noContent(factors.remove(query.customerId, params.credentialId)),
        startTwoFactorReset: ({ payload, query }) => resets.start(query.customerId, payload.factor),
        getTwoFactorResetStatus: ({ params, query }) => ok(resets.get(query.customerId, params.resetId)),
        completeTwoFactorReset: ({ params, payload, query }) =>
          noContent(resets.complete(query.customerId, params.resetId, payload.mobile)),
        startScaLogin: ({ payload, query }) => logins.start(query.customerId, payload.factor),
        completeScaLogin: ({ payload, query }) => logins.complete(query.customerId, payload),
        recordSecurityEvent: ({ payload, query }) => logins.recordEvent(query.customerId, payload.eventType),
        startBeneficiaryTrust: (request) =>
          trusts.start(request.params.externalAccountId, "BENEFICIARY_TRUST", keyed(request)),
        confirmBeneficiaryTrust: (request) => {
          const { params, payload } = request
          return trusts.confirm(params.externalAccountId, "BENEFICIARY_TRUST", payload, keyed(request))
        },
        startBeneficiaryUntrust: (request) =>
          trusts.start(request.params.externalAccountId, "BENEFICIARY_UNTRUST", keyed(request)),
        confirmBeneficiaryUntrust: (request) => {
          const { params, payload } = request
          return trusts.confirm(params.externalAccountId, "BENEFICIARY_UNTRUST", payload, keyed(request))
        },
      }),
    )
  }),
)
