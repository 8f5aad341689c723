/**
 * Around everything: a request id on every response, and the specified error body for whatever goes wrong outside of the rules.
 * Source: wire contract 0.2, 8.1 and 11 (54, 55, 58). Nothing of a defect's inside is shown; it is logged under the request id.
 */
import { type Refusal, RequestId } from "@countersign/core"
import { Cause, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { refuse } from "./Answers.ts"
import type { MethodTable } from "./MethodTable.ts"
import { observed } from "./Observed.ts"
import { isRequestFailure, unreadableRequest } from "./RequestBody.ts"

const internal: Refusal = { code: "INTERNAL_ERROR", message: "An internal error occurred." }
const noSuchPath: Refusal = { code: "REFERENCE_NOT_FOUND", message: "There is no such path." }

/** What a path has to say when no route took the request. */
const withoutRoute = (method: string, allowed: ReadonlyArray<string>): HttpServerResponse.HttpServerResponse => {
  if (allowed.length === 0) return refuse(noSuchPath)
  const headers = { allow: allowed.join(", ") }
  return method === "OPTIONS"
    ? HttpServerResponse.empty({ status: 204, headers })
    : refuse({ code: "METHOD_NOT_ALLOWED", message: `Allowed here: ${headers.allow}.` }, headers)
}

/** Answers that must not stay in a cache: all but those that say themselves how long they may. */
const guarded = (response: HttpServerResponse.HttpServerResponse, requestId: string) =>
  HttpServerResponse.setHeaders(response, {
    "cache-control": response.headers["cache-control"] ?? "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": requestId,
  })

export const layer = ({ methodsOf, routeOf }: MethodTable) =>
  HttpRouter.middleware(
    Effect.map(
      SecureRandom.SecureRandom,
      (random) => (handled) =>
        Effect.gen(function* () {
          const requestId = yield* random.uuidV4()
          const request = yield* HttpServerRequest.HttpServerRequest
          const route = routeOf(request.method, request.url) ?? "none"
          const response = yield* Effect.matchCauseEffect(Effect.provideService(handled, RequestId, requestId), {
            onSuccess: Effect.succeed,
            onFailure: (cause) => {
              // The client went away, or the server ends.
              if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
              const error = Cause.squash(cause)
              if (HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound") {
                return Effect.succeed(withoutRoute(request.method, methodsOf(request.url)))
              }
              if (isRequestFailure(error)) return Effect.succeed(refuse(unreadableRequest))
              return Effect.as(Effect.logError("a request failed", cause), refuse(internal))
            },
          }).pipe(observed(request, route), Effect.annotateLogs({ requestId }))
          return guarded(response, requestId)
        }),
    ),
    { global: true },
  )
