/**
 * The handlers of a group. They take the services of the core when they are built, so that a request need not carry them.
 * Source: `HttpApiBuilder.group`, which merges all services of its layer into the context of each request; D-435.
 */
import { Context, Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { isHandlerService } from "../middleware/HandlerServices.ts"

const withoutHandlerServices = <Services>(services: Context.Context<Services>): Context.Context<Services> =>
  Context.makeUnsafe(new Map([...services.mapUnsafe].filter(([key]) => !isHandlerService(key))))

/** Like `HttpApiBuilder.group`. A handler that needs a service of the core takes it when it is built, not at a request. */
export const group: typeof HttpApiBuilder.group = (api, name, build) =>
  Layer.effectContext(
    Effect.contextWith((services: Context.Context<never>) => {
      const provided: typeof build = (handlers) => {
        const built = build(handlers)
        return (Effect.isEffect(built) ? Effect.provideContext(built, services) : built) as typeof built
      }
      return Effect.updateContext(Layer.build(HttpApiBuilder.group(api, name, provided)), withoutHandlerServices)
    }),
  ) as never
