/** Invitations: each handler calls its service. Wire contract areas 1.4. */

import { Api } from "@countersign/client/api"
import { Invitations } from "@countersign/core"
import { Effect } from "effect"
import { keyed } from "../middleware/Idempotency.ts"
import { answering, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"

export const layer = group(
  Api,
  "invitations",
  Effect.fnUntraced(function* (handlers) {
    const invitations = yield* Invitations
    return handlers.handleAll(
      yield* answering(handlers, {
        createInvitation: (request) => invitations.create(request.payload, keyed(request)),
        getInvitation: ({ params }) => ok(invitations.get(params.invitationCode)),
        claimInvitation: (request) => invitations.claim(request.params.invitationCode, request.payload, keyed(request)),
        cancelInvitation: (request) => invitations.cancel(request.params.invitationCode, keyed(request)),
      }),
    )
  }),
)
