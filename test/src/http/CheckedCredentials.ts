/** Sends requests through the checks of credentials, with an `Authentication` that notes what it is asked. */
import { AgentCredentials, Api, PlatformCredentials } from "@countersign/client/api"
import {
  Authentication,
  type Caller,
  CurrentCaller,
  CurrentSignIn,
  type DeferredSignIn,
  type ServiceError,
} from "@countersign/core"
import { UseLimitSettings } from "@countersign/core/ports"
import type { Stored } from "@countersign/core/store"
import { Effect, Layer, Option, Redacted } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import * as CredentialChecks from "../../../packages/adapter-http/src/middleware/CredentialChecks.ts"
import { CurrentOwnRequest, type OwnRequest } from "../../../packages/adapter-http/src/middleware/OwnRequests.ts"
import { PublicUrl } from "../../../packages/adapter-http/src/middleware/PublicUrl.ts"
import { CurrentNotes, type RequestNotes } from "../../../packages/adapter-http/src/middleware/RequestNotes.ts"
import { payroll } from "../wire/FakeAgent.ts"

type PlatformCaller = Extract<Caller, { readonly _tag: "Platform" }>
type AgentCaller = Extract<Caller, { readonly _tag: "Agent" }>
type TokenPermissions = PlatformCaller["permissions"]
type AgentPermissions = Stored<"Agent">["data"]["policy"]["permissions"]

const platformId = "PlatformConfig:1"
export const all: TokenPermissions = ["VIEW", "TRANSACT", "MANAGE"]
const agentCaller: AgentCaller = { _tag: "Agent", platformId, customerId: "Customer:1", agentId: "Agent:1", budget: "" }

export const agentWith = (permissions: AgentPermissions, isPaused = false): Stored<"Agent"> => ({
  kind: "Agent",
  id: "Agent:1",
  platformId,
  customerId: "Customer:1",
  version: 1,
  createdAt: 0,
  updatedAt: 0,
  data: payroll(permissions, isPaused),
})

/** What the credentials of a request are worth, and what is asked of them. */
export interface World {
  readonly permissions?: TokenPermissions
  /** Those of the console session that the cookie names. */
  readonly session?: { readonly permissions: TokenPermissions; readonly ofToken: TokenPermissions }
  readonly agent?: Stored<"Agent">
  readonly refusal?: ServiceError
  /** Whether the caller is known from an earlier request. */
  readonly isKnown?: boolean
  /** The refusal that confirming a deferred sign-in finds. */
  readonly lateRefusal?: ServiceError
  readonly hasAnswer?: boolean
  readonly own?: OwnRequest
  readonly publicUrl?: string
  readonly reads?: number
  readonly writes?: number
  /** How many requests were sent before. */
  readonly spent?: number
}

interface Sent {
  readonly operation: string
  readonly headers?: Readonly<Record<string, string>>
  readonly remoteAddress?: string
}

export const basic = { authorization: `Basic ${btoa("cid:sec:ret")}` }
export const bearer = { authorization: "Bearer abc" }

const made = (world: World) => {
  const asked: Array<string> = []
  const ask = (what: string) => Effect.sync(() => void asked.push(what))
  const { agent = agentWith(["CREATE_TRANSFERS"]), permissions = all, refusal } = world
  const platformCaller = { _tag: "Platform", platformId, tokenId: "ApiToken:1", permissions } as const
  const orRefusal = <A>(value: A) => (refusal === undefined ? Effect.succeed(value) : Effect.fail(refusal))
  const deferred = <C extends Caller>(caller: C): DeferredSignIn<C> => ({
    caller,
    claim: { scope: "global", key: "k" },
    holder: { kind: "ApiToken", id: "ApiToken:1" },
    check: () => Effect.void,
    hasStoredAnswer: Effect.succeed(false),
    outcome: "pending",
  })
  const authentication = Authentication.of({
    platform: (clientId, secret, source) =>
      Effect.andThen(ask(`platform ${clientId} ${Redacted.value(secret)} ${source}`), orRefusal(platformCaller)),
    agent: (token, source) =>
      Effect.andThen(ask(`agent ${Redacted.value(token)} ${source}`), orRefusal({ caller: agentCaller, agent })),
    deferPlatform: (clientId, secret, source, { hasStoredAnswer, refusalOf }) =>
      Effect.gen(function* () {
        yield* ask(`defer platform ${clientId} ${Redacted.value(secret)} ${source}`)
        const token = { data: { permissions } } as Stored<"ApiToken">
        if (world.isKnown !== true || refusalOf(token) !== undefined) return undefined
        yield* ask(`replays ${yield* Effect.orDie(hasStoredAnswer(platformCaller))}`)
        return deferred<PlatformCaller>(platformCaller)
      }),
    deferAgent: (token, source, { hasStoredAnswer, refusalOf }) =>
      Effect.gen(function* () {
        yield* ask(`defer agent ${Redacted.value(token)} ${source}`)
        if (world.isKnown !== true || refusalOf(agent) !== undefined) return undefined
        yield* ask(`replays ${yield* Effect.orDie(hasStoredAnswer(agentCaller))}`)
        return deferred<AgentCaller>(agentCaller)
      }),
    confirm: (signIn) =>
      Effect.suspend(() => {
        asked.push("confirm")
        if (world.lateRefusal !== undefined) return Effect.fail(world.lateRefusal)
        signIn.outcome = "confirmed"
        return Effect.void
      }),
    hasStoredAnswer: (_caller, keyed) =>
      Effect.as(ask(`answer of ${keyed.key} ${keyed.method} ${keyed.path}`), world.hasAnswer === true),
    console: (secret) =>
      Effect.andThen(
        ask(`console ${Redacted.value(secret)}`),
        orRefusal({
          caller: { ...platformCaller, permissions: world.session?.permissions ?? [] },
          session: {} as Stored<"ConsoleSession">,
          tokenPermissions: world.session?.ofToken ?? [],
        }),
      ),
  })
  return { asked, authentication }
}

const listed: Array<{ readonly endpoint: HttpApiEndpoint.Top; readonly group: HttpApiGroup.Top }> = []
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, group }) => listed.push({ endpoint, group }),
})

/** Sends a request through the checks; the handler notes whom it works for. */
export const send = async (world: World, { headers = basic, operation, remoteAddress = "192.0.2.1" }: Sent) => {
  const { asked, authentication } = made(world)
  const notes: RequestNotes = {}
  const found = listed.find((each) => each.endpoint.identifier === operation)
  if (found === undefined) throw new Error(`${operation} does not exist`)
  const { endpoint, group } = found
  const web = new Request("http://localhost/x", {
    method: endpoint.method === "GET" ? "GET" : "POST",
    headers: { ...headers },
  })
  const tenants: Array<string | undefined> = []
  const request = Object.assign(HttpServerRequest.fromWeb(web).modify({ remoteAddress: Option.some(remoteAddress) }), {
    noteTenant: (tenant: string | undefined) => void tenants.push(tenant),
  })
  const handled = Effect.gen(function* () {
    const caller = yield* CurrentCaller
    const signIn = yield* CurrentSignIn
    asked.push(`handled ${caller._tag}${signIn === undefined ? "" : " deferred"}`)
    return HttpServerResponse.empty({ status: 204 })
  })
  const options = { endpoint, group }
  const checked = Effect.gen(function* () {
    const isAgents = endpoint.path.startsWith("/agents/me")
    if (isAgents) {
      const { AgentAuth } = yield* AgentCredentials
      return yield* AgentAuth(handled, { ...options, credential: Redacted.make("") })
    }
    const { BasicAuth } = yield* PlatformCredentials
    return yield* BasicAuth(handled, { ...options, credential: { username: "", password: Redacted.make("") } })
  })
  const response = await Effect.gen(function* () {
    yield* Effect.replicateEffect(checked, world.spent ?? 0)
    for (const noted of [asked, tenants]) noted.length = 0
    return yield* checked
  }).pipe(
    Effect.provide(
      Layer.provideMerge(
        CredentialChecks.layer,
        Layer.mergeAll(
          Layer.succeed(Authentication, authentication),
          Layer.succeed(UseLimitSettings, {
            counts: {
              ...(world.reads === undefined ? {} : { READS: world.reads }),
              ...(world.writes === undefined ? {} : { WRITES: world.writes }),
            },
            prices: {},
            processes: 1,
          }),
          Layer.succeed(HttpServerRequest.HttpServerRequest, request),
          Layer.succeed(HttpServerRequest.ParsedSearchParams, {}),
          Layer.succeed(HttpRouter.RouteContext, { params: { id: "Customer:1" }, route: {} } as never),
          Layer.succeed(CurrentNotes, notes),
          Layer.succeed(CurrentOwnRequest, world.own),
          Layer.succeed(PublicUrl, world.publicUrl),
        ),
      ),
    ),
    Effect.scoped,
    Effect.runPromise,
  )
  const text = response.body._tag === "Uint8Array" ? new TextDecoder().decode(response.body.body) : ""
  return {
    status: response.status,
    headers: response.headers,
    details: text === "" ? undefined : JSON.parse(text).details,
    asked,
    notes,
    tenants,
  }
}
