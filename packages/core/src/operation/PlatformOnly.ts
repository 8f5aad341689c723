/**
 * Restricts an operation to the platform: an agent's token is refused, on every transport.
 * Spec: Authentication (an agent's requests operate only on its customer, under its policy); wire contract 1.
 */
import { Effect } from "effect"
import { ServiceError } from "../foundation/errors/ServiceError.ts"
import { CurrentCaller } from "../store/Caller.ts"

export const platformOnly = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<A, E | ServiceError, R | CurrentCaller> =>
  Effect.gen(function* () {
    const caller = yield* CurrentCaller
    if (caller._tag === "Platform") return yield* effect
    return yield* new ServiceError({
      code: "FORBIDDEN",
      message: "Only the platform may do this.",
      details: { reason: "PLATFORM_ONLY" },
    })
  })
