/**
 * Runs the routes on a request of node:http, straight into its response.
 * Source: architecture, "The rooms" (server).
 */
import { Context, Effect, type Scope } from "effect"
import { HttpEffect, HttpServerError, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { NodeRequest } from "./NodeRequest.ts"

/** Begins to answer a request; what it answers ends that, because the client went away. */
export type Exchange = (request: NodeRequest) => () => void

/** More services are added to a request's context than are kept beside a map by default; beyond that the whole map is copied. */
const addedMax = 32

export const make = <E>(
  routes: Effect.Effect<HttpServerResponse.HttpServerResponse, E, HttpServerRequest.HttpServerRequest | Scope.Scope>,
  services: Context.Context<never>,
): Exchange => {
  const context = Context.makeUnsafe(services.mapUnsafe, { maxDepth: addedMax })
  const handled = HttpEffect.toHandled(routes, (request, response) =>
    Effect.sync(() => {
      if (request instanceof NodeRequest) request.answer(HttpEffect.scopeTransferToStream(response))
    }),
  )
  return (request) => {
    const run = Effect.runForkWith(Context.add(context, HttpServerRequest.HttpServerRequest, request))
    const fiber = run(handled)
    return () => fiber.interruptUnsafe(undefined, HttpServerError.ClientAbort.annotation)
  }
}
