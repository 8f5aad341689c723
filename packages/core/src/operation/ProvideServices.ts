/**
 * Provides the services of an operation, without a new context if the caller already has the same ones.
 * Source: `Effect.provideContext`, which creates a new context at each call.
 */
import { Clock, Context, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { WallTime } from "../ports/WallTime.ts"
import { Store } from "../store/Store.ts"
import { AtFailPoint } from "./FailPoints.ts"

type OperationServices = Store | WallTime | SecureRandom.SecureRandom

const isWithin = (context: Context.Context<never>, services: Context.Context<OperationServices>): boolean =>
  Context.getOrUndefined(context, Store) === Context.get(services, Store) &&
  Context.getOrUndefined(context, WallTime) === Context.get(services, WallTime) &&
  Context.getOrUndefined(context, SecureRandom.SecureRandom) === Context.get(services, SecureRandom.SecureRandom) &&
  Context.get(context, Clock.Clock) === Context.get(services, Clock.Clock) &&
  Context.get(context, AtFailPoint) === Context.get(services, AtFailPoint)

/** Like `Effect.provideContext`. A caller within the same application, such as a request, already has all services. */
export const provideServices =
  (services: Context.Context<OperationServices>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, OperationServices>> =>
    Effect.withFiber((fiber) =>
      isWithin(fiber.context, services)
        ? (effect as Effect.Effect<A, E, Exclude<R, OperationServices>>)
        : Effect.provideContext(effect, services),
    )
