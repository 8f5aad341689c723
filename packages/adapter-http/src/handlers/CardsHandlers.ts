/** Cards: each handler passes on to its service. Spec: 4.4; wire contract 3.1 and 4.11. */

import { Api } from "@countersign/client/api"
import { CardReveals, Cards, DelegatedKeys } from "@countersign/core"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { respond, respondEmpty, respondOk } from "../middleware/Answers.ts"
import { withSignature } from "../middleware/WalletHeaders.ts"

/**
 * Where the caller reached the service, without a path: by the headers that its server or the proxy before it set, else by the
 * request's own address. A caller that makes them up misleads nobody but itself.
 */
const originOf = ({ headers, originalUrl }: HttpServerRequest.HttpServerRequest): string => {
  const { host, origin, protocol } = new URL(originalUrl, "http://localhost")
  const forwarded = headers["x-forwarded-proto"]?.split(",")[0]?.trim()
  const scheme = forwarded === "https" || forwarded === "http" ? forwarded : protocol.slice(0, -1)
  const named = URL.parse(`${scheme}://${headers["host"] ?? host}`)
  return named?.origin ?? origin
}

export const layer = HttpApiBuilder.group(
  Api,
  "cards",
  Effect.fnUntraced(function* (handlers) {
    const cards = yield* Cards
    const reveals = yield* CardReveals
    const keys = yield* DelegatedKeys
    return handlers.handleAll({
      listCards: ({ query }) => respondOk(cards.list(query)),
      createCard: ({ payload }) => respond(cards.issue(payload)),
      getCard: ({ params }) => respondOk(cards.get(params.cardId)),
      updateCard: ({ params, payload }) =>
        respond(withSignature((headers) => cards.update(params.cardId, payload, headers))),
      revealCard: ({ params, request }) => respondOk(reveals.reveal(params.cardId, originOf(request))),
      createDelegatedKey: ({ payload }) => respond(withSignature((headers) => keys.create(payload, headers))),
      listDelegatedKeys: ({ query }) => respondOk(keys.list(query)),
      getDelegatedKey: ({ params }) => respondOk(keys.get(params.delegatedKeyId)),
      revokeDelegatedKey: ({ params }) => respondEmpty(keys.revoke(params.delegatedKeyId)),
    })
  }),
)
