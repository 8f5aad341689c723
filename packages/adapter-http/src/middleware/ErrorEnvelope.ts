/**
 * Wraps every request: a request id on each response, and the specified error body for failures outside the handlers.
 * Source: wire contract 0.2, 8.1 and 11 (54, 55, 58). A defect's detail is never sent; it is logged under the request id.
 */
import { type Refusal, RequestId } from "@countersign/core"
import { Lengths, spellingsOf } from "@countersign/core/models"
import { PortUnavailable, RequestJournal, serviceNameOf, WireNames } from "@countersign/core/ports"
import { Cause, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { publishAnswer } from "./AnswerChannel.ts"
import { refuse } from "./Answers.ts"
import { browserRefusal } from "./BrowserRequests.ts"
import type { MethodTable } from "./MethodTable.ts"
import { CurrentOwnRequest } from "./OwnRequests.ts"
import { PublicUrl } from "./PublicUrl.ts"
import { isRequestFailure, unreadableRequest } from "./RequestBody.ts"
import { keeping } from "./RequestKeeping.ts"
import { withTelemetry } from "./RequestTelemetry.ts"

const internal: Refusal = { code: "INTERNAL_ERROR", message: "An internal error occurred." }
const portUnavailable: Refusal = { code: "SERVICE_UNAVAILABLE", message: "The service cannot answer now. Try again." }
const addressTooLong: Refusal = {
  code: "INVALID_REQUEST_FORMAT",
  message: `The path and query are longer than ${Lengths.rows.address} characters.`,
}
const noSuchPath: Refusal = { code: "REFERENCE_NOT_FOUND", message: "There is no such path." }

/** The response when no route matches: 404, 405, or the allowed methods for OPTIONS. */
const withoutRoute = (method: string, allowed: ReadonlyArray<string>): HttpServerResponse.HttpServerResponse => {
  if (allowed.length === 0) return refuse(noSuchPath)
  const headers = { allow: allowed.join(", ") }
  return method === "OPTIONS"
    ? HttpServerResponse.empty({ status: 204, headers })
    : refuse({ code: "METHOD_NOT_ALLOWED", message: `Allowed here: ${headers.allow}.` }, headers)
}

/** Adds the headers of every response. Responses stay out of caches unless they declare a lifetime themselves. */
const withCommonHeaders = (response: HttpServerResponse.HttpServerResponse, requestId: string) =>
  HttpServerResponse.setHeaders(response, {
    "cache-control": response.headers["cache-control"] ?? "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": requestId,
  })

/** Decides how a request is handled. */
export type Handle = <E, R>(
  handled: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | HttpServerRequest.HttpServerRequest>

/** Returns the contract's name of a member or header that the service spells with its own. */
const neutralNames = (serviceName: string) => {
  const names = new Map(
    [...spellingsOf(serviceName)].flatMap(([neutral, own]) => [
      [own, neutral],
      [own.toLowerCase(), neutral.toLowerCase()],
    ]),
  )
  return (name: string): string => names.get(name) ?? name
}

/** `within` wraps the routes of the interface; the others report on the process whatever it does. */
export const layer = (
  { methodsOf, routeOf }: MethodTable,
  within: Handle = (handled) => handled,
  isOfInterface: (route: string) => boolean = () => false,
  isUpload: (method: string, route: string) => boolean = () => false,
) =>
  HttpRouter.middleware(
    Effect.map(
      Effect.all([SecureRandom.SecureRandom, PublicUrl, Effect.map(WireNames, serviceNameOf), RequestJournal]),
      ([random, publicUrl, serviceName, journal]) => {
        const kept = journal && keeping(journal, neutralNames(serviceName))
        return (handled) =>
          Effect.gen(function* () {
            const own = yield* CurrentOwnRequest
            const requestId = own?.id ?? (yield* random.uuidV4())
            const request = yield* HttpServerRequest.HttpServerRequest
            if (request.url.length > Lengths.rows.address) return withCommonHeaders(refuse(addressTooLong), requestId)
            const route = routeOf(request.method, request.url) ?? "none"
            const refusal = browserRefusal(request, publicUrl, isUpload(request.method, route))
            const limited = isOfInterface(route) ? within(handled) : handled
            // A service that is added costs little; a context that is merged copies them all.
            const identified = Effect.provideService(limited, RequestId, requestId)
            const answered = refusal === undefined ? identified : Effect.succeed(refuse(refusal))
            const whole = Effect.matchCauseEffect(answered, {
              onSuccess: Effect.succeed,
              onFailure: (cause) => {
                // The client disconnected, or the server is closing.
                if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
                const error = Cause.squash(cause)
                if (HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound") {
                  return Effect.succeed(withoutRoute(request.method, methodsOf(request.url)))
                }
                if (isRequestFailure(error)) return Effect.succeed(refuse(unreadableRequest))
                if (error instanceof PortUnavailable) {
                  return Effect.as(Effect.logWarning("a port is unavailable", cause), refuse(portUnavailable))
                }
                return Effect.as(Effect.logError("a request failed", cause), refuse(internal))
              },
            })
            const response = yield* (
              kept === undefined || !isOfInterface(route) ? whole : kept(request, requestId, own?.from)(whole)
            ).pipe(withTelemetry(request, route), Effect.annotateLogs({ requestId }))
            const complete = withCommonHeaders(response, requestId)
            publishAnswer(request, { route, requestId, serviceName }, complete)
            return complete
          })
      },
    ),
    { global: true },
  )
