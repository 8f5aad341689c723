/**
 * Reads a card, and requires an issuer for every card call.
 * Source: wire contract 3.1 (501 where no issuer is configured).
 */
import { Effect } from "effect"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { Read } from "../../operation/Operation.ts"
import { readExisting } from "../../operation/ReadExisting.ts"
import type { Issuer } from "../../ports/Issuer.ts"

const noIssuer = new ServiceError({
  code: "NOT_IMPLEMENTED",
  message: "This deployment has no card issuer.",
  details: { reason: "NO_ISSUER" },
})

/** Fails with 501 if the deployment has no issuer. */
export const requireIssuer =
  ({ isOffered }: Issuer["Service"]) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | ServiceError, R> =>
    isOffered ? effect : Effect.fail(noIssuer)

/** Reads a card of the caller's tenant. Errors: `REFERENCE_NOT_FOUND`. */
export const readCard = <E>(read: Read<E>, cardId: string) => readExisting(read, "Card", cardId, notFound("card"))

/** Loads a card of the caller's tenant. Errors: `REFERENCE_NOT_FOUND`. */
export const loadCard = Effect.fnUntraced(function* <E>(read: Read<E>, cardId: string) {
  return { card: yield* readCard(read, cardId) }
})
