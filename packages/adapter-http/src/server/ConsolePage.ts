/**
 * A request of the approvals page: its body, its origin, and the session of its cookie.
 * Source: D-352.
 */
import {
  type Authentication,
  invalidInputOf,
  problemList,
  type Refusal,
  ServiceError,
  unauthorized,
} from "@countersign/core"
import { Effect, Result, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import { crossSite, isCertainlyOwnPage } from "../middleware/BrowserRequests.ts"
import * as ConsoleCookie from "../middleware/ConsoleCookie.ts"
import { addProblems } from "../middleware/Problems.ts"
import { PublicUrl } from "../middleware/PublicUrl.ts"
import * as RequestBody from "../middleware/RequestBody.ts"
import { becomeTenant } from "../middleware/RequestsInFlight.ts"

const noCookie: Refusal = {
  code: "FORBIDDEN",
  message: "The approvals page needs https or a loopback address, and a configured public URL behind a proxy.",
  details: { reason: "PUBLIC_URL_NEEDED" },
}

/** Decodes the body, and reports every problem of it. */
export const bodyOf = Effect.fnUntraced(function* <A>(schema: Schema.Codec<A, unknown>) {
  const text = yield* RequestBody.textOf(yield* HttpServerRequest.HttpServerRequest)
  const value = yield* Effect.fromResult(RequestBody.parse(text))
  const decoded = Schema.decodeUnknownResult(schema, { errors: "all" })(value)
  if (Result.isSuccess(decoded)) return decoded.success
  const problems = problemList()
  addProblems(problems, decoded.failure.issue, value)
  return yield* new ServiceError(invalidInputOf(problems.bounded()))
})

/** The request's page, which must be one of the service. */
export const ownPage = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const publicUrl = yield* PublicUrl
  if (!ConsoleCookie.canKeepSessions(request, publicUrl)) return yield* new ServiceError(noCookie)
  if (!isCertainlyOwnPage(request, publicUrl)) return yield* new ServiceError(crossSite)
  return { request, publicUrl, origin: request.headers["origin"] ?? "" }
})

export type OwnPage = Effect.Success<typeof ownPage>

/** Returns the session of the request's cookie. */
export const currentSession = Effect.fnUntraced(function* (
  authentication: Authentication["Service"],
  { publicUrl, request }: OwnPage,
) {
  const secret = ConsoleCookie.sessionSecret(request, publicUrl)
  if (secret === undefined) return yield* unauthorized("CONSOLE_SESSION_ENDED")
  const signedIn = yield* authentication.console(secret)
  yield* becomeTenant(signedIn.caller.platformId)
  return signedIn
})
