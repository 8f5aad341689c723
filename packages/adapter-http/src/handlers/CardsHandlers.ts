/** Cards: each handler calls its service. Spec: 4.4; wire contract 3.1 and 4.11. */

import { Api } from "@countersign/client/api"
import { CardReveals, Cards, DelegatedKeys } from "@countersign/core"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { withSignature } from "../middleware/WalletHeaders.ts"
import { answering, noContent, ok } from "./EndpointHandlers.ts"

/**
 * Returns the origin under which the caller reached the service: from the headers of its server or proxy, else from the request's address.
 * A caller that forges these headers misleads only itself.
 */
const originOf = ({ headers, originalUrl }: HttpServerRequest.HttpServerRequest): string => {
  const { host, origin, protocol } = new URL(originalUrl, "http://localhost")
  const forwarded = headers["x-forwarded-proto"]?.split(",")[0]?.trim()
  const scheme = forwarded === "https" || forwarded === "http" ? forwarded : protocol.slice(0, -1)
  const fromHeaders = URL.parse(`${scheme}://${headers["host"] ?? host}`)
  return fromHeaders?.origin ?? origin
}

export const layer = HttpApiBuilder.group(
  Api,
  "cards",
  Effect.fnUntraced(function* (handlers) {
    const cards = yield* Cards
    const reveals = yield* CardReveals
    const keys = yield* DelegatedKeys
    return handlers.handleAll(
      answering(handlers, {
        listCards: ({ query }) => ok(cards.list(query)),
        createCard: ({ payload }) => cards.issue(payload),
        getCard: ({ params }) => ok(cards.get(params.cardId)),
        updateCard: ({ params, payload }) => withSignature((headers) => cards.update(params.cardId, payload, headers)),
        revealCard: ({ params, request }) => ok(reveals.reveal(params.cardId, originOf(request))),
        createDelegatedKey: ({ payload }) => withSignature((headers) => keys.create(payload, headers)),
        listDelegatedKeys: ({ query }) => ok(keys.list(query)),
        getDelegatedKey: ({ params }) => ok(keys.get(params.delegatedKeyId)),
        revokeDelegatedKey: ({ params }) => noContent(keys.revoke(params.delegatedKeyId)),
      }),
    )
  }),
)
