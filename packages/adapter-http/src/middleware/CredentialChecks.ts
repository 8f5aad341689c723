/**
 * Authenticates the caller and checks its access: 401, then 403 for the permission and the pause, then 429, before the request is decoded.
 * Spec: Authentication, Errors; wire contract 9, 1.4 (steps 1 to 3), 4.12 and 11 (10, 30); D-337, D-338.
 */

import { Access, AgentCredentials, PlatformCredentials } from "@countersign/client/api"
import {
  Authentication,
  agentPaused,
  type Caller,
  CurrentCaller,
  permissionMissing,
  type Refusal,
  ServiceError,
  unauthorized,
} from "@countersign/core"
import { UseLimitSettings } from "@countersign/core/ports"
import type { Stored } from "@countersign/core/store"
import { Clock, Context, Effect, Layer, type Result } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { answerFailures, type Failure } from "./Answers.ts"
import * as AuthorizationHeader from "./AuthorizationHeader.ts"
import { crossSite, isCertainlyOwnPage, isFromBrowser } from "./BrowserRequests.ts"
import * as ClientAddress from "./ClientAddress.ts"
import { sessionSecret } from "./ConsoleCookie.ts"
import { keyed } from "./Idempotency.ts"
import { callerOfOwn } from "./OwnRequests.ts"
import { PublicUrl } from "./PublicUrl.ts"
import * as RequestLimits from "./RequestLimits.ts"
import { note } from "./RequestNotes.ts"
import { becomeTenant } from "./RequestsInFlight.ts"
import { noteTenant } from "./TenantNotes.ts"

const forbidden = (message: string, details: NonNullable<Refusal["details"]>) =>
  new ServiceError({ code: "FORBIDDEN", message, details })

/** The refusal of a token without the endpoint's permission. An endpoint that declares none refuses every token. */
export const tokenRefusal = ({ tokenPermission }: Access, permissions: ReadonlyArray<string>) =>
  tokenPermission !== undefined && permissions.includes(tokenPermission)
    ? undefined
    : forbidden(`The API token does not grant ${tokenPermission ?? "this"}.`, {
        reason: "PERMISSION_MISSING",
        permission: tokenPermission ?? "NONE",
      })

/** The refusal of an agent for an endpoint. The pause is checked before the policy. */
const agentRefusal = ({ agentPermission, isRefusedWhilePaused }: Access, { data }: Stored<"Agent">) => {
  if (isRefusedWhilePaused === true && data.isPaused) return new ServiceError(agentPaused)
  return agentPermission === undefined || data.policy.permissions.includes(agentPermission)
    ? undefined
    : new ServiceError(permissionMissing(agentPermission))
}

type PlatformCaller = Extract<Caller, { readonly _tag: "Platform" }>

const accessOf = (endpoint: HttpApiEndpoint.Top): Access => Context.get(endpoint.annotations, Access)

const credentialsOf = <A>(parse: (header: string | undefined) => Result.Result<A, AuthorizationHeader.Malformed>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
    Effect.mapError(Effect.fromResult(parse(headers["authorization"])), unauthorized),
  )

/** The network of the client, whose wrong secrets are counted together; `undefined`: the embedding program does not say. */
export const source = Effect.map(ClientAddress.current, (address) => address && ClientAddress.sourceOf(address))

/** Authenticates the platform by its Basic credentials. */
export const platformOf = (authentication: Authentication["Service"]) =>
  Effect.gen(function* () {
    const { clientId, clientSecret } = yield* credentialsOf(AuthorizationHeader.basic)
    return yield* authentication.platform(clientId, clientSecret, yield* source)
  })

/** Authenticates an agent by its access token. */
const agentOf = (authentication: Authentication["Service"]) =>
  Effect.gen(function* () {
    const token = yield* credentialsOf(AuthorizationHeader.bearer)
    return yield* authentication.agent(token, yield* source)
  })

/** The secret of the console session that a page of the service sends instead of credentials. A change from elsewhere is refused. */
const sessionOfPage = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (request.headers["authorization"] !== undefined) return undefined
  const publicUrl = yield* PublicUrl
  const secret = sessionSecret(request, publicUrl)
  return secret === undefined || isCertainlyOwnPage(request, publicUrl) ? secret : yield* new ServiceError(crossSite)
})

/** Authenticates a session of the console, where the endpoint accepts one, or the platform, and checks its permission. */
export const platformCallerFor = Effect.fnUntraced(function* (
  authentication: Authentication["Service"],
  endpoint: HttpApiEndpoint.Top,
  /** Notes whose request it is as soon as that is known. */
  onCaller: (caller: PlatformCaller) => Effect.Effect<void, ServiceError> = () => Effect.void,
) {
  const access = accessOf(endpoint)
  const own = yield* callerOfOwn("Platform")
  const session = own === undefined && access.isForConsole === true ? yield* sessionOfPage : undefined
  const signedIn = session === undefined ? undefined : yield* authentication.console(session)
  const caller = own?.caller ?? signedIn?.caller ?? (yield* platformOf(authentication))
  yield* onCaller(caller)
  // A session reads what its API token may: `ConsolePermissions` limits what it changes (D-469).
  const isRead = endpoint.method === "GET"
  const refusal = tokenRefusal(access, (isRead ? signedIn?.tokenPermissions : undefined) ?? caller.permissions)
  return refusal === undefined ? caller : yield* refusal
})

/** Adds the challenge of the authentication scheme to a 401. A browser that is asked for Basic credentials would keep them. */
const withChallenge = (challenge: string) => (response: HttpServerResponse.HttpServerResponse) =>
  Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
    if (response.status !== 401) return response
    noteTenant(request, undefined)
    return challenge.startsWith("Basic") && isFromBrowser(request)
      ? response
      : HttpServerResponse.setHeader(response, "www-authenticate", challenge)
  })

type Handled<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** Runs the handler of an admitted caller and responds to a refusal here, so that the handler's own failures stay untouched. */
const orRefuse =
  (challenge: string) =>
  <E, R, R2>(
    checked: Effect.Effect<Handled<E, R>, Failure, R2>,
  ): Handled<E, R | R2 | HttpServerRequest.HttpServerRequest> =>
    Effect.flatten(
      Effect.catch(
        checked,
        (failure): Effect.Effect<Handled<E, R | HttpServerRequest.HttpServerRequest>> =>
          Effect.succeed(Effect.flatMap(answerFailures(Effect.fail(failure)), withChallenge(challenge))),
      ),
    )

type Spend = (
  caller: Caller,
  method: string,
) => Effect.Effect<Readonly<Record<string, string>> | undefined, ServiceError>

/** Counts a request of an admitted caller towards the deployment's limits on reads and writes, if it has any. */
const spending = Effect.map(UseLimitSettings, (settings): Spend => {
  const limits = RequestLimits.make(settings)
  if (limits === undefined) return () => Effect.undefined
  return (caller, method) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const allowance = limits.take(caller, method === "GET", now)
      return allowance instanceof ServiceError ? Effect.fail(allowance) : Effect.succeed(allowance)
    })
})

interface Admitted {
  readonly caller: Caller
  /** The headers that tell what is left of a limit. */
  readonly headers: Readonly<Record<string, string>> | undefined
}

/** Runs the handler as the admitted caller. */
const runAs =
  <E, R>(handled: Handled<E, R>) =>
  ({ caller, headers }: Admitted) => {
    const run = Effect.provideService(handled, CurrentCaller, caller)
    return headers === undefined ? run : Effect.map(run, HttpServerResponse.setHeaders(headers))
  }

const platform = Layer.effect(
  PlatformCredentials,
  Effect.gen(function* () {
    const authentication = yield* Authentication
    const spend = yield* spending
    return PlatformCredentials.of({
      BasicAuth: (handled, { endpoint }) =>
        Effect.gen(function* () {
          const caller = yield* platformCallerFor(authentication, endpoint, (known) =>
            Effect.andThen(note({ endpoint, caller: known }), becomeTenant(known.platformId)),
          )
          return { caller, headers: yield* spend(caller, endpoint.method) }
        }).pipe(Effect.map(runAs(handled)), orRefuse('Basic realm="payments", charset="UTF-8"')),
    })
  }),
)

/** The idempotency key of the current request in the form that the operation stores it under; its body is not read. */
const keyedRequest = Effect.fnUntraced(function* (endpoint: HttpApiEndpoint.Top) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const params = yield* HttpRouter.params
  return keyed({ endpoint, headers: { "idempotency-key": headers["idempotency-key"] }, params })
})

const agent = Layer.effect(
  AgentCredentials,
  Effect.gen(function* () {
    const authentication = yield* Authentication
    const spend = yield* spending
    return AgentCredentials.of({
      AgentAuth: (handled, { endpoint }) =>
        Effect.gen(function* () {
          const { agent, caller } = (yield* callerOfOwn("Agent")) ?? (yield* agentOf(authentication))
          yield* note({ endpoint, caller })
          yield* becomeTenant(caller.platformId)
          const access = accessOf(endpoint)
          const refusal = agentRefusal(access, agent)
          // A repeated key replays the first answer whatever the agent's state is now. A new key is refused before the body is read.
          const repeated =
            refusal !== undefined && access.isIdempotent === true ? yield* keyedRequest(endpoint) : undefined
          const isReplay = repeated !== undefined && (yield* authentication.hasStoredAnswer(caller, repeated))
          return refusal === undefined || isReplay
            ? { caller, headers: yield* spend(caller, endpoint.method) }
            : yield* refusal
        }).pipe(Effect.map(runAs(handled)), orRefuse("Bearer")),
    })
  }),
)

/** The checks of both kinds of credentials. */
export const layer = Layer.merge(platform, agent)
