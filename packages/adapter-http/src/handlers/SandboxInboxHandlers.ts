/** The inbox of a platform: each handler calls its service. D-473. */

import { Api } from "@countersign/client/api"
import { Inboxes } from "@countersign/core"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { inboxAddress } from "../middleware/InboxAddress.ts"
import { PublicUrl, publicUrlOf } from "../middleware/PublicUrl.ts"
import { answering, noContent, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"

const addresses = Effect.gen(function* () {
  const root = publicUrlOf(yield* HttpServerRequest.HttpServerRequest, yield* PublicUrl)
  return (name: string) => inboxAddress(root, name)
})

export const layer = group(
  Api,
  "sandboxInbox",
  Effect.fnUntraced(function* (handlers) {
    const inboxes = yield* Inboxes
    return handlers.handleAll(
      yield* answering(handlers, {
        sandboxGetInbox: () => ok(Effect.flatMap(addresses, inboxes.get)),
        sandboxOpenInbox: ({ payload }) =>
          ok(Effect.flatMap(addresses, (addressOf) => inboxes.open(payload, addressOf))),
        sandboxListInboxMessages: ({ query }) => ok(inboxes.list(query)),
        sandboxGetInboxMessage: ({ params }) => ok(inboxes.message(params.messageId)),
        sandboxClearInbox: () => noContent(inboxes.clear),
        sandboxAnswerInbox: ({ payload }) => noContent(inboxes.answerNext(payload)),
      }),
    )
  }),
)
