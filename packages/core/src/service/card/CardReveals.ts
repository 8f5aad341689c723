/**
 * Reveals a card to its cardholder. The reveal URL is created for each call and stored nowhere: no commit, event, log or span
 * contains it, and the operation that audits the reveal never receives it.
 * Spec: 4.4, Card, Limits (reveal URL); wire contract 3.4.
 */
import { Context, Effect, Layer, Redacted } from "effect"
import type { SecureRandom } from "effect/crypto"
import { decideReveal } from "../../decision/card/CardRevealDecision.ts"
import { ServiceError } from "../../foundation/errors/ServiceError.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import type { CardRevealResponse } from "../../model/card/CardResource.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { Issuer } from "../../ports/Issuer.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { WebhookSigner } from "../../ports/WebhookSigner.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { Store, StoreUnavailable } from "../../store/Store.ts"
import { loadCard, requireIssuer } from "./CardReads.ts"

const unavailable = new ServiceError({
  code: "SERVICE_UNAVAILABLE",
  message: "The card issuer cannot show the card now. Try again.",
})

export class CardReveals extends Context.Service<
  CardReveals,
  {
    /**
     * `origin` is the address under which the service was reached. Errors: `REFERENCE_NOT_FOUND`, `FORBIDDEN` for a caller without
     * a credential, `CARD_NOT_MUTABLE`, `SERVICE_UNAVAILABLE`.
     */
    readonly reveal: (
      cardId: string,
      origin: string,
    ) => Effect.Effect<CardRevealResponse, ServiceError | StoreUnavailable, CurrentCaller>
  }
>()("@countersign/core/CardReveals") {
  static readonly layer = Layer.effect(
    CardReveals,
    Effect.gen(function* () {
      const issuer = yield* Issuer
      const { sign } = yield* WebhookSigner
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const reveal = Effect.fnUntraced(
        function* (cardId: string, origin: string) {
          // The audit is committed first, so that every reveal URL has an audit record.
          const { body: card } = yield* Operation.run({
            name: "CardReveals.reveal",
            load: (read) => loadCard(read, cardId),
            decide: decideReveal,
          })
          const outcome = yield* issuer.reveal({ reference: cardId, card: card.data, origin, sign })
          if (outcome._tag === "Unknown") {
            yield* Effect.logWarning("the issuer cannot show a card", { card: cardId, cause: outcome.cause })
            return yield* unavailable
          }
          return { panEmbedUrl: Redacted.value(outcome.panEmbedUrl), expiresAt: iso(outcome.expiresAt) }
        },
        requireIssuer(issuer),
        platformOnly,
        Effect.provideContext(services),
      )

      return CardReveals.of({ reveal })
    }),
  )
}
