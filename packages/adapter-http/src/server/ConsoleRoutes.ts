/**
 * The sessions of the approvals page: sign-in, with a passkey where one is required, activity and sign-out. They belong to the page, and
 * are no part of the interface.
 * Source: D-352.
 */
import { Authentication, type BegunSession, ConsolePasskey, ConsoleSessions, CurrentCaller } from "@countersign/core"
import { toConsoleSession } from "@countersign/core/models"
import { Clock, Effect, Option, Schema } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { answerFailures } from "../middleware/Answers.ts"
import * as ConsoleCookie from "../middleware/ConsoleCookie.ts"
import { platformOf, tokenRefusal } from "../middleware/CredentialChecks.ts"
import type { Route } from "../middleware/MethodTable.ts"
import { becomeTenant } from "../middleware/RequestsInFlight.ts"
import { bodyOf, currentSession, type OwnPage, ownPage } from "./ConsolePage.ts"
import * as ConsoleVotes from "./ConsoleVotes.ts"

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
  ...ConsoleVotes.routes,
]

const SignInRequest = Schema.Struct({ approver: Schema.String })

const begun = Effect.fnUntraced(function* ({ publicUrl, request }: OwnPage, { secret, session }: BegunSession) {
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

      const current = (page: OwnPage) => currentSession(authentication, page)

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

      yield* ConsoleVotes.add(router)
      yield* router.add("GET", path, answerFailures(show))
      yield* router.add("POST", path, answerFailures(signIn))
      yield* router.add("DELETE", path, answerFailures(signOut))
      yield* router.add("POST", `${path}/passkey`, answerFailures(prove))
      yield* router.add("POST", `${path}/activity`, answerFailures(activity))
    }),
  )
