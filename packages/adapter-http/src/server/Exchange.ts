/**
 * Runs the routes on a `node:http` request and writes to its response directly, without `Request` and `Response` objects.
 * Source: architecture, "Layers are folders" (server).
 */
import { Context, Effect, type Scope } from "effect"
import { HttpEffect, HttpServerError, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { NodeRequest } from "./NodeRequest.ts"
import { outerServices } from "./OuterServices.ts"

/** Starts to handle a request and returns a function that aborts it, for a client that disconnected. */
export type Exchange = (request: NodeRequest) => () => void

export const make = <E>(
  routes: Effect.Effect<HttpServerResponse.HttpServerResponse, E, HttpServerRequest.HttpServerRequest | Scope.Scope>,
  services: Context.Context<never>,
): Exchange => {
  const context = outerServices(services)
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
