/**
 * How cards are read, and what every card call needs: an issuer.
 * Source: wire contract 3.1 (501 where no issuer is configured).
 */
import { Effect } from "effect"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { Read } from "../../operation/Operation.ts"
import type { Issuer } from "../../ports/Issuer.ts"

const noCards = new ServiceError({
  code: "NOT_IMPLEMENTED",
  message: "This deployment has no card issuer.",
  details: { reason: "NO_ISSUER" },
})

/** Every card call is answered 501 where there are no cards. */
export const offered =
  ({ isOffered }: Issuer["Service"]) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | ServiceError, R> =>
    isOffered ? effect : Effect.fail(noCards)

/** A card of the caller's tenant. Errors: `REFERENCE_NOT_FOUND`. */
export const readCard = Effect.fnUntraced(function* <E>(read: Read<E>, cardId: string) {
  const card = (yield* read({ records: [{ kind: "Card", id: cardId }] })).record("Card", cardId)
  return card ?? (yield* new ServiceError(notFound("card")))
})
