/**
 * Gives a service's operations what they need, without copying it where the caller has it.
 * Source: `Effect.provideContext`, which makes a new context of the caller's and the given one with each call.
 */
import { Clock, Context, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { WallTime } from "../ports/WallTime.ts"
import { Store } from "../store/Store.ts"
import { AtFailPoint } from "./FailPoints.ts"

type Needed = Store | WallTime | SecureRandom.SecureRandom

const isWithin = (context: Context.Context<never>, services: Context.Context<Needed>): boolean =>
  Context.getOrUndefined(context, Store) === Context.get(services, Store) &&
  Context.getOrUndefined(context, WallTime) === Context.get(services, WallTime) &&
  Context.getOrUndefined(context, SecureRandom.SecureRandom) === Context.get(services, SecureRandom.SecureRandom) &&
  Context.get(context, Clock.Clock) === Context.get(services, Clock.Clock) &&
  Context.get(context, AtFailPoint) === Context.get(services, AtFailPoint)

/** As `Effect.provideContext`; a caller inside of the same application, as each request is, has all of it already. */
export const provideServices =
  (services: Context.Context<Needed>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, Needed>> =>
    Effect.withFiber((fiber) =>
      isWithin(fiber.context, services)
        ? (effect as Effect.Effect<A, E, Exclude<R, Needed>>)
        : Effect.provideContext(effect, services),
    )
