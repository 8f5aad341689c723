/** Cards: each handler passes on to its service. Spec: 4.4; wire contract 3.1 and 4.11. */
import { CardReveals, Cards, DelegatedKeys } from "@countersign/core"
import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { respond, respondEmpty, respondOk } from "../middleware/Answers.ts"

/** Where the caller reached the service, without a path. */
const originOf = (request: HttpServerRequest.HttpServerRequest): string =>
  Option.match(HttpServerRequest.toURL(request), { onNone: () => "", onSome: ({ origin }) => origin })

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
      // The one place where the signed retry of a replacement of `fundingSources` plugs in: before `cards.update`. It answers
      // 202 while the cardholder has a wallet credential and the request no valid signature (wire contract 3.3).
      updateCard: ({ params, payload }) => respond(cards.update(params.cardId, payload)),
      revealCard: ({ params, request }) => respondOk(reveals.reveal(params.cardId, originOf(request))),
      listDelegatedKeys: ({ query }) => respondOk(keys.list(query)),
      getDelegatedKey: ({ params }) => respondOk(keys.get(params.delegatedKeyId)),
      revokeDelegatedKey: ({ params }) => respondEmpty(keys.revoke(params.delegatedKeyId)),
    })
  }),
)
