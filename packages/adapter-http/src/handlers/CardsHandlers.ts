/** Cards: each handler calls its service. Spec: 4.4; wire contract 3.1 and 4.11. */

import { Api } from "@countersign/client/api"
import { CardReveals, Cards, DelegatedKeys } from "@countersign/core"
import { Effect } from "effect"
import { PublicUrl, publicUrlOf } from "../middleware/PublicUrl.ts"
import { withSignature } from "../middleware/WalletHeaders.ts"
import { answering, noContent, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"

export const layer = group(
  Api,
  "cards",
  Effect.fnUntraced(function* (handlers) {
    const cards = yield* Cards
    const reveals = yield* CardReveals
    const keys = yield* DelegatedKeys
    return handlers.handleAll(
      yield* answering(handlers, {
        listCards: ({ query }) => ok(cards.list(query)),
        createCard: ({ payload }) => cards.issue(payload),
        getCardById: ({ params }) => ok(cards.get(params.id)),
        updateCardById: ({ params, payload }) => withSignature((headers) => cards.update(params.id, payload, headers)),
        revealCard: ({ params, request }) =>
          ok(Effect.flatMap(PublicUrl, (url) => reveals.reveal(params.id, publicUrlOf(request, url)))),
        createDelegatedKey: ({ payload }) => withSignature((headers) => keys.create(payload, headers)),
        listDelegatedKeys: ({ query }) => ok(keys.list(query)),
        getDelegatedKeyById: ({ params }) => ok(keys.get(params.id)),
        revokeDelegatedKey: ({ params }) => noContent(keys.revoke(params.id)),
      }),
    )
  }),
)
