/** The operator's endpoints: each handler calls its service. D-354, D-355, D-356. */

import { Api } from "@countersign/client/api"
import { CustomerAccess, ParkedJobs, UnappliedMoney } from "@countersign/core"
import { Effect } from "effect"
import { keyed } from "../middleware/Idempotency.ts"
import { answering, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"

export const layer = group(
  Api,
  "operations",
  Effect.fnUntraced(function* (handlers) {
    const access = yield* CustomerAccess
    const jobs = yield* ParkedJobs
    const money = yield* UnappliedMoney
    return handlers.handleAll(
      yield* answering(handlers, {
        listParkedJobs: ({ query }) => ok(jobs.list(query)),
        resumeJob: ({ params }) => jobs.resume(params.jobId),
        dropJob: ({ params }) => jobs.drop(params.jobId),
        listUnappliedMoney: ({ query }) => ok(money.list(query)),
        applyUnappliedMoney: (request) =>
          money.apply(request.params.transactionId, request.payload.accountId, keyed(request)),
        retryRefund: ({ params }) => money.retryRefund(params.transactionId),
        endCustomerAccess: ({ params }) => access.end(params.customerId),
      }),
    )
  }),
)
