/**
 * The sessions of the approvals page: sign-in, with a passkey where one is required, activity and sign-out. They belong to the page, and
 * are no part of the interface.
 * Source: D-352.
 */
import {
  Authentication,
  type BegunSession,
  ConsolePasskey,
  ConsoleSessions,
  CurrentCaller,
  invalidInputOf,
  problemList,
  type Refusal,
  ServiceError,
  unauthorized,
} from "@countersign/core"
import { toConsoleSession } from "@countersign/core/models"
import { Clock, Effect, Option, Result, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { answerFailures } from "../middleware/Answers.ts"
import { crossSite, isCertainlyOwnPage } from "../middleware/BrowserRequests.ts"
import * as ConsoleCookie from "../middleware/ConsoleCookie.ts"
import { platformOf, tokenRefusal } from "../middleware/CredentialChecks.ts"
import type { Route } from "../middleware/MethodTable.ts"
import { addProblems } from "../middleware/Problems.ts"
import { PublicUrl } from "../middleware/PublicUrl.ts"
import * as RequestBody from "../middleware/RequestBody.ts"
import { becomeTenant } from "../middleware/RequestsInFlight.ts"

export interface ConsoleOptions {
  /** Whether an approver signs in with a passkey. It is registered at the first sign-in. */
  readonly passkeys: "off" | "required"
}

const path = "/console/session"
export const consoleRoutes: ReadonlyArray<Route> = [
  { method: "GET", path },
  { method: "POST", path },
  { method: "DELETE", path },
  { method: "POST", path: `${path}/passkey` },
  { method: "POST", path: `${path}/activity` },
]

const SignInRequest = Schema.Struct({ approver: Schema.String })

const noCookie: Refusal = {
  code: "FORBIDDEN",
  message: "The approvals page needs https or a loopback address, and a configured public URL behind a proxy.",
  details: { reason: "PUBLIC_URL_NEEDED" },
}

/** Decodes the body, and reports every problem of it. */
const bodyOf = Effect.fnUntraced(function* <A>(schema: Schema.Codec<A, unknown>) {
  const text = yield* RequestBody.textOf(yield* HttpServerRequest.HttpServerRequest)
  const value = yield* Effect.fromResult(RequestBody.parse(text))
  const decoded = Schema.decodeUnknownResult(schema, { errors: "all" })(value)
  if (Result.isSuccess(decoded)) return decoded.success
  const problems = problemList()
  addProblems(problems, decoded.failure.issue, value)
  return yield* new ServiceError(invalidInputOf(problems.bounded()))
})

/** The request's page, which must be one of the service. */
const ownPage = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const publicUrl = yield* PublicUrl
  if (!ConsoleCookie.canKeepSessions(request, publicUrl)) return yield* new ServiceError(noCookie)
  if (!isCertainlyOwnPage(request, publicUrl)) return yield* new ServiceError(crossSite)
  return { request, publicUrl, origin: request.headers["origin"] ?? "" }
})

type Page = Effect.Success<typeof ownPage>

const begun = Effect.fnUntraced(function* ({ publicUrl, request }: Page, { secret, session }: BegunSession) {
  const seconds = Math.ceil((session.expiresAt - (yield* Clock.currentTimeMillis)) / 1000)
  const response = HttpServerResponse.jsonUnsafe(session, { status: 201 })
  return ConsoleCookie.withSession(request, publicUrl, response, secret, seconds)
})

export const layer = ({ passkeys }: ConsoleOptions) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const authentication = yield* Authentication
      const sessions = yield* ConsoleSessions

      /** Runs as the platform, whose token must be able to read what waits. */
      const asPlatform = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
        const caller = yield* platformOf(authentication)
        yield* becomeTenant(caller.platformId)
        const refusal = tokenRefusal({ tokenPermission: "VIEW" }, caller.permissions)
        return refusal === undefined ? yield* Effect.provideService(effect, CurrentCaller, caller) : yield* refusal
      })

      /** The session of the request's cookie. */
      const current = Effect.fnUntraced(function* ({ publicUrl, request }: Page) {
        const secret = ConsoleCookie.sessionSecret(request, publicUrl)
        if (secret === undefined) return yield* unauthorized("CONSOLE_SESSION_ENDED")
        const signedIn = yield* authentication.console(secret)
        yield* becomeTenant(signedIn.caller.platformId)
        return signedIn
      })

      const signIn = Effect.gen(function* () {
        const page = yield* ownPage
        return yield* asPlatform(
          Effect.gen(function* () {
            const { approver } = yield* bodyOf(SignInRequest)
            if (passkeys === "off") return yield* begun(page, yield* sessions.signIn(approver, page.origin))
            return HttpServerResponse.jsonUnsafe(yield* sessions.challenge(approver, page.origin), { status: 202 })
          }),
        )
      })

      const prove = Effect.gen(function* () {
        const page = yield* ownPage
        return yield* asPlatform(
          Effect.gen(function* () {
            return yield* begun(page, yield* sessions.prove(yield* bodyOf(ConsolePasskey), page.origin))
          }),
        )
      })

      /** The session, or `null`: the page asks before anyone has signed in. */
      const show = Effect.gen(function* () {
        const page = yield* ownPage
        const found = yield* Effect.option(current(page))
        const session = Option.match(found, {
          onNone: () => null,
          onSome: ({ session: { data } }) => toConsoleSession(data),
        })
        return HttpServerResponse.jsonUnsafe({ session, passkeys })
      })

      const activity = Effect.gen(function* () {
        const { caller, session } = yield* current(yield* ownPage)
        const noted = yield* Effect.provideService(sessions.noteActivity(session.id), CurrentCaller, caller)
        return HttpServerResponse.jsonUnsafe(noted)
      })

      const signOut = Effect.gen(function* () {
        const page = yield* ownPage
        const found = yield* Effect.option(current(page))
        if (Option.isSome(found)) {
          const { caller, session } = found.value
          yield* Effect.provideService(sessions.signOut(session.id), CurrentCaller, caller)
        }
        return ConsoleCookie.withoutSession(page.request, page.publicUrl, HttpServerResponse.empty({ status: 204 }))
      })

      yield* router.add("GET", path, answerFailures(show))
      yield* router.add("POST", path, answerFailures(signIn))
      yield* router.add("DELETE", path, answerFailures(signOut))
      yield* router.add("POST", `${path}/passkey`, answerFailures(prove))
      yield* router.add("POST", `${path}/activity`, answerFailures(activity))
    }),
  )
