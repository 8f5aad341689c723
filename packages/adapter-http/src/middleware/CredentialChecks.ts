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
  CurrentSignIn,
  type DeferredSignIn,
  permissionMissing,
  type Refusal,
  ServiceError,
  unauthorized,
} from "@countersign/core"
import { UseLimitSettings } from "@countersign/core/ports"
import type { Stored, StoreUnavailable } from "@countersign/core/store"
import { Clock, Context, Effect, Layer, type Result } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { answerFailures, type Failure } from "./Answers.ts"
import * as AuthorizationHeader from "./AuthorizationHeader.ts"
import { crossSite, isCertainlyOwnPage, isFromBrowser } from "./BrowserRequests.ts"
import * as ClientAddress from "./ClientAddress.ts"
import { sessionSecret } from "./ConsoleCookie.ts"
import { isSignInDeferred } from "./DeferredSignIns.ts"
import { keyed } from "./Idempotency.ts"
import { CurrentOwnRequest, callerOfOwn } from "./OwnRequests.ts"
import { PublicUrl } from "./PublicUrl.ts"
import * as RequestLimits from "./RequestLimits.ts"
import { forgetCaller, note } from "./RequestNotes.ts"
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

/** The idempotency key of the current request in the form that the operation stores it under; its body is not read. */
const keyedRequest = Effect.fnUntraced(function* (endpoint: HttpApiEndpoint.Top) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const params = yield* HttpRouter.params
  return keyed({ endpoint, headers: { "idempotency-key": headers["idempotency-key"] }, params })
})

/** Whether the idempotency key of the current request has a stored answer, at an endpoint that takes one. */
const storedAnswers = (authentication: Authentication["Service"], endpoint: HttpApiEndpoint.Top) =>
  Effect.map(
    Effect.context<HttpServerRequest.HttpServerRequest | HttpRouter.RouteContext>(),
    (context) =>
      (caller: Caller): Effect.Effect<boolean, StoreUnavailable> =>
        accessOf(endpoint).isIdempotent === true
          ? keyedRequest(endpoint).pipe(
              Effect.flatMap((keyed) =>
                keyed === undefined ? Effect.succeed(false) : authentication.hasStoredAnswer(caller, keyed),
              ),
              Effect.provideContext(context),
            )
          : Effect.succeed(false),
  )

/** Defers the sign-in of an agent that had access to the endpoint at an earlier request; otherwise `undefined`. */
const deferAgent = Effect.fnUntraced(function* (
  authentication: Authentication["Service"],
  endpoint: HttpApiEndpoint.Top,
) {
  if (!isSignInDeferred(endpoint)) return undefined
  const access = accessOf(endpoint)
  const token = yield* credentialsOf(AuthorizationHeader.bearer)
  return yield* authentication.deferAgent(token, yield* source, {
    refusalOf: (agent) => agentRefusal(access, agent),
    hasStoredAnswer: yield* storedAnswers(authentication, endpoint),
  })
})

/** Defers the sign-in of an API token in the same way. A session of the console is signed in first. */
const deferPlatform = Effect.fnUntraced(function* (
  authentication: Authentication["Service"],
  endpoint: HttpApiEndpoint.Top,
) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  if (!isSignInDeferred(endpoint) || headers["authorization"] === undefined) return undefined
  const access = accessOf(endpoint)
  const { clientId, clientSecret } = yield* credentialsOf(AuthorizationHeader.basic)
  return yield* authentication.deferPlatform(clientId, clientSecret, yield* source, {
    refusalOf: ({ data }) => tokenRefusal(access, data.permissions),
    // A token that is refused is refused before its key is looked up.
    hasStoredAnswer: () => Effect.succeed(false),
  })
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
  /** The sign-in that is not confirmed yet. */
  readonly signIn?: DeferredSignIn | undefined
  /** The headers that tell what is left of a limit. */
  readonly headers: Readonly<Record<string, string>> | undefined
}

/** Runs the handler as the admitted caller. */
const runAs =
  <E, R>(handled: Handled<E, R>) =>
  ({ caller, headers, signIn }: Admitted) => {
    const asCaller = Effect.provideService(handled, CurrentCaller, caller)
    const run = signIn === undefined ? asCaller : Effect.provideService(asCaller, CurrentSignIn, signIn)
    return headers === undefined ? run : Effect.map(run, HttpServerResponse.setHeaders(headers))
  }

/** Confirms a deferred sign-in. A request that is refused now has no caller. */
const confirming = (authentication: Authentication["Service"], signIn: DeferredSignIn) =>
  Effect.tapError(authentication.confirm(signIn), () => forgetCaller)

/**
 * Signs a caller in and runs the handler. Where the sign-in is deferred, the response is sent if it is confirmed by then, or now by a trip
 * of its own. The answer of a refused caller is the refusal, whatever the handler made of it.
 */
const answering =
  (authentication: Authentication["Service"], challenge: string) =>
  <E, R>(handled: Handled<E, R>) =>
  <R2>(admitted: Effect.Effect<Admitted, Failure, R2>) =>
    Effect.map(admitted, (all) => {
      const run = runAs(handled)(all)
      const { signIn } = all
      if (signIn === undefined) return run
      return Effect.flatMap(run, (response) =>
        signIn.outcome === "confirmed"
          ? Effect.succeed(response)
          : orRefuse(challenge)(Effect.as(confirming(authentication, signIn), Effect.succeed(response))),
      )
    }).pipe(orRefuse(challenge))

/** Counts a request towards the limits. A caller whose credential is not valid gets 401 first. */
const spendAs = (
  authentication: Authentication["Service"],
  spend: Spend,
  caller: Caller,
  signIn: DeferredSignIn | undefined,
  method: string,
) =>
  signIn === undefined
    ? spend(caller, method)
    : Effect.tapError(spend(caller, method), () => confirming(authentication, signIn))

const platform = Layer.effect(
  PlatformCredentials,
  Effect.gen(function* () {
    const authentication = yield* Authentication
    const spend = yield* spending
    const challenge = 'Basic realm="payments", charset="UTF-8"'
    return PlatformCredentials.of({
      BasicAuth: (handled, { endpoint }) =>
        Effect.gen(function* () {
          const noteCaller = (known: PlatformCaller) =>
            Effect.andThen(note({ endpoint, caller: known }), becomeTenant(known.platformId))
          const isOwn = (yield* CurrentOwnRequest) !== undefined
          const signIn = isOwn ? undefined : yield* deferPlatform(authentication, endpoint)
          if (signIn !== undefined) yield* noteCaller(signIn.caller)
          const caller = signIn?.caller ?? (yield* platformCallerFor(authentication, endpoint, noteCaller))
          return { caller, signIn, headers: yield* spendAs(authentication, spend, caller, signIn, endpoint.method) }
        }).pipe(answering(authentication, challenge)(handled)),
    })
  }),
)

const agent = Layer.effect(
  AgentCredentials,
  Effect.gen(function* () {
    const authentication = yield* Authentication
    const spend = yield* spending
    const signInNow = Effect.fnUntraced(function* (endpoint: HttpApiEndpoint.Top) {
      const { agent, caller } = (yield* callerOfOwn("Agent")) ?? (yield* agentOf(authentication))
      yield* note({ endpoint, caller })
      yield* becomeTenant(caller.platformId)
      const refusal = agentRefusal(accessOf(endpoint), agent)
      // A repeated key replays the first answer whatever the agent's state is now. A new key is refused before the body is read.
      const isReplay = refusal !== undefined && (yield* (yield* storedAnswers(authentication, endpoint))(caller))
      return refusal === undefined || isReplay ? caller : yield* refusal
    })
    return AgentCredentials.of({
      AgentAuth: (handled, { endpoint }) =>
        Effect.gen(function* () {
          const isOwn = (yield* CurrentOwnRequest) !== undefined
          const signIn = isOwn ? undefined : yield* deferAgent(authentication, endpoint)
          if (signIn !== undefined) {
            yield* note({ endpoint, caller: signIn.caller })
            yield* becomeTenant(signIn.caller.platformId)
          }
          const caller = signIn?.caller ?? (yield* signInNow(endpoint))
          return { caller, signIn, headers: yield* spendAs(authentication, spend, caller, signIn, endpoint.method) }
        }).pipe(answering(authentication, "Bearer")(handled)),
    })
  }),
)

/** The checks of both kinds of credentials. */
export const layer = Layer.merge(platform, agent)
