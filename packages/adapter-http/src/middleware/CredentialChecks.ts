/**
 * Who calls, and whether they may: 401, then 403 for the permission and the pause, before anything of the request is read.
 * Spec: Authentication, Errors; wire contract 9, 1.4 (steps 1 to 3), 4.12 and 11 (10, 30).
 */

import { Access, AgentCredentials, PlatformCredentials } from "@countersign/client/api"
import {
  Authentication,
  agentPaused,
  CurrentCaller,
  permissionMissing,
  type Refusal,
  ServiceError,
  unauthorized,
} from "@countersign/core"
import type { Stored } from "@countersign/core/store"
import { Context, Effect, Layer, type Result } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { answerFailures, type Failure } from "./Answers.ts"
import * as AuthorizationHeader from "./AuthorizationHeader.ts"

const forbidden = (message: string, details: NonNullable<Refusal["details"]>) =>
  new ServiceError({ code: "FORBIDDEN", message, details })

/** What a token lacks for an endpoint. One that names no permission lets nobody in: forgetting it must not open it. */
const missingFromToken = ({ tokenPermission }: Access, permissions: ReadonlyArray<string>) =>
  tokenPermission !== undefined && permissions.includes(tokenPermission)
    ? undefined
    : forbidden(`The API token does not grant ${tokenPermission ?? "this"}.`, {
        reason: "PERMISSION_MISSING",
        permission: tokenPermission ?? "NONE",
      })

/** What keeps an agent from an endpoint: its pause comes before its policy. */
const keptFromAgent = ({ agentPermission, isRefusedWhilePaused }: Access, { data }: Stored<"Agent">) => {
  if (isRefusedWhilePaused === true && data.isPaused) return new ServiceError(agentPaused)
  return agentPermission === undefined || data.policy.permissions.includes(agentPermission)
    ? undefined
    : new ServiceError(permissionMissing(agentPermission))
}

const accessOf = (endpoint: HttpApiEndpoint.Top): Access => Context.get(endpoint.annotations, Access)

const given = <A>(parse: (header: string | undefined) => Result.Result<A, AuthorizationHeader.Malformed>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
    Effect.mapError(Effect.fromResult(parse(headers["authorization"])), unauthorized),
  )

/** Says by which scheme the caller can sign in, where it could not. */
const challenged = (challenge: string) => (response: HttpServerResponse.HttpServerResponse) =>
  response.status === 401 ? HttpServerResponse.setHeader(response, "www-authenticate", challenge) : response

type Handled<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** Goes on with what was let in; a refusal is answered here, so that the handler's own failures pass untouched. */
const orAnswer =
  (challenge: string) =>
  <E, R, R2>(checked: Effect.Effect<Handled<E, R>, Failure, R2>): Handled<E, R | R2> =>
    Effect.flatten(
      Effect.catch(checked, (failure) =>
        Effect.map(answerFailures(Effect.fail(failure)), (response) => Effect.succeed(challenged(challenge)(response))),
      ),
    )

const platform = Layer.effect(
  PlatformCredentials,
  Effect.map(Authentication, (authentication) =>
    PlatformCredentials.of({
      BasicAuth: (handled, { endpoint }) =>
        Effect.gen(function* () {
          const { clientId, clientSecret } = yield* given(AuthorizationHeader.basic)
          const caller = yield* authentication.platform(clientId, clientSecret)
          const lacking = missingFromToken(accessOf(endpoint), caller.permissions)
          return lacking === undefined ? caller : yield* lacking
        }).pipe(
          Effect.map((caller) => Effect.provideService(handled, CurrentCaller, caller)),
          orAnswer('Basic realm="payments", charset="UTF-8"'),
        ),
    }),
  ),
)

const agent = Layer.effect(
  AgentCredentials,
  Effect.map(Authentication, (authentication) =>
    AgentCredentials.of({
      AgentAuth: (handled, { endpoint }) =>
        Effect.gen(function* () {
          const token = yield* given(AuthorizationHeader.bearer)
          const signedIn = yield* authentication.agent(token)
          const access = accessOf(endpoint)
          const { headers } = yield* HttpServerRequest.HttpServerRequest
          // The same key brings back the first answer, whatever has become of the agent: the operation itself checks it then.
          const isKeyed = access.isIdempotent === true && headers["idempotency-key"] !== undefined
          const lacking = isKeyed ? undefined : keptFromAgent(access, signedIn.agent)
          return lacking === undefined ? signedIn.caller : yield* lacking
        }).pipe(
          Effect.map((caller) => Effect.provideService(handled, CurrentCaller, caller)),
          orAnswer("Bearer"),
        ),
    }),
  ),
)

/** The checks of both kinds of credentials. */
export const layer = Layer.merge(platform, agent)
