/**
 * The whole service as one function from `Request` to `Response`, for any runtime with the Fetch API.
 * Source: architecture, "Layers are folders" (server) and the Embed door.
 */

import {
  type AgentCredentials,
  Api,
  basePathDefault,
  endpointsOf,
  LiveApi,
  type PlatformCredentials,
  type RequestReading,
  Upload,
} from "@countersign/client/api"
import type { ActionVotes, Authentication, ConsoleSessions, Inboxes, WebhookKeys } from "@countersign/core"
import type { WebhookSigner } from "@countersign/core/ports"
import { StateGate, type Store } from "@countersign/core/store"
import { Context, Effect, Layer, type Scope } from "effect"
import type { SecureRandom } from "effect/crypto"
import { HttpEffect, HttpRouter, HttpServer, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { type HttpApi, HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { PrometheusMetrics } from "effect/observability"
import { ChangeStreamLimits } from "../middleware/ChangeStreams.ts"
import * as ClientAddress from "../middleware/ClientAddress.ts"
import * as CredentialChecks from "../middleware/CredentialChecks.ts"
import * as ErrorEnvelope from "../middleware/ErrorEnvelope.ts"
import * as MethodTable from "../middleware/MethodTable.ts"
import { OwnRoutes } from "../middleware/OwnRequests.ts"
import { normalizedUrl, PublicUrl } from "../middleware/PublicUrl.ts"
import * as RequestChecks from "../middleware/RequestChecks.ts"
import * as RequestsInFlight from "../middleware/RequestsInFlight.ts"
import { withoutAddresses } from "../middleware/RequestTelemetry.ts"
import { type ListenerLimitOptions, limitsOf } from "../middleware/ServerLimits.ts"
import * as CardFramePage from "./CardFramePage.ts"
import * as ConsoleRoutes from "./ConsoleRoutes.ts"
import * as Exchange from "./Exchange.ts"
import * as InboxReceiver from "./InboxReceiver.ts"
import { withIndex } from "./IndexPage.ts"
import type { RequestInfo } from "./NodeListener.ts"
import type { OfferedCredentials } from "./OfferedCredentials.ts"
import { outerServices } from "./OuterServices.ts"
import type { Page } from "./Page.ts"
import * as SystemRoutes from "./SystemRoutes.ts"

type GroupsOf<A> = A extends HttpApi.HttpApi<infer Id, infer Groups> ? HttpApiGroup.ToService<Id, Groups> : never

/** The handlers of every group of the interface. */
export type Handlers = GroupsOf<typeof Api>
/** The middleware between a request and its handler. */
export type Guards = PlatformCredentials | AgentCredentials | RequestReading

/** The guards that handlers require. */
export const guards: Layer.Layer<Guards, never, Authentication> = Layer.merge(
  CredentialChecks.layer,
  RequestChecks.layer,
)

/** The application behind a handler, the routes that it has, and the limits of requests, which are those of `serverLimits` by default. */
export interface WebHandlerOptions<E> extends Omit<ListenerLimitOptions, "bodyBytesMax"> {
  /** The handlers, the services of the routes outside the interface, and optionally a logger or tracer. */
  readonly application: Layer.Layer<
    | Handlers
    | Store
    | Authentication
    | ConsoleSessions
    | ActionVotes
    | Inboxes
    | WebhookKeys
    | WebhookSigner
    | SecureRandom.SecureRandom,
    E
  >
  /** Prefix of every path of the interface; its last segment is the version. */
  readonly basePath?: string
  /** Whether the sandbox's operations exist; otherwise their paths are unknown. Default: true. */
  readonly sandbox?: boolean
  /** Whether `/metrics` responds in the Prometheus format. Default: false. */
  readonly metrics?: boolean
  /** Pages outside the interface, such as the approvals page of `@countersign/console`. Default: none. */
  readonly pages?: ReadonlyArray<Page>
  /** The credentials that the page of a sandbox's interface offers to readers on the same machine. Default: none. */
  readonly offeredCredentials?: OfferedCredentials | undefined
  /** The address under which clients reach the service. Default: the address that it listens on. */
  readonly publicUrl?: string | undefined
  /** Shares the application's services with the other users of this memo map. */
  readonly memoMap?: Layer.MemoMap
}

export interface WebHandler {
  /** `info` is what the server knows of the request beyond `Request`. */
  readonly handler: (request: Request, info?: RequestInfo) => Promise<Response>
  /** The same for a `node:http` request; `undefined` until the services are built, and after they failed. The handler reports which. */
  readonly exchange?: () => Exchange.Exchange | undefined
  /** Whether an address is one of the routes about the process and its documents, which stay quick when callers wait for turns. */
  readonly asksAboutProcess?: (url: string) => boolean
  /** Stops the services. */
  readonly dispose: () => Promise<void>
}

/** Normalizes a base path to the form `/a/b`; empty for the root. */
const normalized = (basePath: string): string => {
  const trimmed = basePath.replace(/^\/+|\/+$/gu, "")
  return trimmed === "" ? "" : `/${trimmed}`
}

/** The metrics of the process in the Prometheus text format. */
export const metricsRoute = { method: "GET", path: "/metrics" } as const

/** The base path of an interface, and the routes outside it. */
interface Mount {
  readonly isLive: boolean
  readonly basePath: string
  readonly metrics: boolean
  readonly pages: ReadonlyArray<Page>
  readonly limits: RequestsInFlight.InFlightLimits
}

const routesOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  { basePath, metrics, pages }: Mount,
  more: ReadonlyArray<MethodTable.Route>,
): ReadonlyArray<MethodTable.Route> => [
  ...SystemRoutes.systemRoutes,
  ...(metrics ? [metricsRoute] : []),
  ...pages.map(({ route }) => route),
  ...(pages.some(({ sessions }) => sessions !== undefined) ? ConsoleRoutes.consoleRoutes : []),
  ...more,
  ...endpointsOf(api).map(({ endpoint: { method, path } }) => ({ method, path: `${basePath}${path}` })),
]

/** Whether an address is one of the routes that answer whatever the callers of the interface do. */
const asksAboutProcess = ({ metrics, pages }: Mount): ((url: string) => boolean) => {
  const paths = new Set(
    [...SystemRoutes.systemRoutes, ...(metrics ? [metricsRoute] : []), ...pages.map(({ route }) => route)].map(
      ({ path }) => path as string,
    ),
  )
  return (url) => paths.has(url.replace(/\?.*$/su, ""))
}

/** The routes of the first page on which approvers sign in. */
const sessionsOf = ({ pages }: Mount) => {
  const [options] = pages.flatMap(({ sessions }) => sessions ?? [])
  return options === undefined ? Layer.empty : ConsoleRoutes.layer(options)
}

/** Handles each request within the limits, as part of the store's present state. */
const withinLimits = (limits: RequestsInFlight.InFlightLimits): ErrorEnvelope.Handle => {
  const within = RequestsInFlight.within(RequestsInFlight.make(limits))
  return (handled) => within(StateGate.inPresentGeneration(handled))
}

/** The routes outside an interface, with its method table and its document. */
const outerRoutes = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  mount: Mount,
  more: ReadonlyArray<MethodTable.Route> = [],
  credentials?: OfferedCredentials,
) => {
  const endpoints = endpointsOf(api).map(({ endpoint }) => endpoint)
  const inside = new Set(endpoints.map(({ path }) => `${mount.basePath}${path}`))
  const uploads = new Set(
    endpoints
      .filter(({ annotations }) => Context.get(annotations, Upload) !== undefined)
      .map(({ method, path }) => `${method} ${mount.basePath}${path}`),
  )
  return Layer.mergeAll(
    SystemRoutes.layer({ isLive: mount.isLive, basePath: mount.basePath }, credentials),
    ...mount.pages.map(({ layer }) => layer(mount.basePath)),
    sessionsOf(mount),
    mount.metrics ? PrometheusMetrics.layerHttp({ path: metricsRoute.path }) : Layer.empty,
    ErrorEnvelope.layer(
      MethodTable.make(routesOf(api, mount, more)),
      withinLimits(mount.limits),
      (route) => inside.has(route),
      (method, route) => uploads.has(`${method} ${route}`),
    ),
  )
}

/** The router for the paths under the base path. */
const under = (basePath: string) =>
  Layer.effect(
    HttpRouter.HttpRouter,
    Effect.map(HttpRouter.HttpRouter, (router) => (basePath === "" ? router : router.prefixed(basePath))),
  )

/** Handles requests that the process sends to itself, each apart from the one that it handles meanwhile. */
const handleOwn = (
  routed: Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    unknown,
    HttpServerRequest.HttpServerRequest | Scope.Scope
  >,
  services: Context.Context<never>,
): NonNullable<OwnRoutes["handle"]> => {
  const context = outerServices(services)
  return (request, added) =>
    Effect.scoped(routed).pipe(
      Effect.orDie,
      Effect.updateContext(() =>
        Context.add(Context.merge(context, added), HttpServerRequest.HttpServerRequest, request),
      ),
    )
}

/** The Fetch API keeps the fragment of an address, which is not part of what is requested, and would end the last value of a query. */
const withoutFragment = (request: Request): Request => {
  const at = request.url.indexOf("#")
  return at < 0 ? request : new Request(request.url.slice(0, at), request)
}

/**
 * Starts to build the application, for which requests wait. If it cannot be built, every request rejects with the cause. Throws if a limit
 * is not valid.
 */
export const makeWebHandler = <E>(options: WebHandlerOptions<E>): WebHandler => {
  const basePath = normalized(options.basePath ?? basePathDefault)
  const limits = limitsOf(options)
  const isLive = options.sandbox === false
  const pages = withIndex(basePath, options.pages ?? [])
  const mount = { isLive, basePath, metrics: options.metrics === true, pages, limits }
  const routes = isLive
    ? Layer.merge(HttpApiBuilder.layer(LiveApi).pipe(Layer.provide(under(basePath))), outerRoutes(LiveApi, mount))
    : Layer.mergeAll(
        HttpApiBuilder.layer(Api).pipe(Layer.provide(under(basePath))),
        outerRoutes(
          Api,
          mount,
          [...CardFramePage.cardFrameRoutes, ...InboxReceiver.inboxRoutes],
          options.offeredCredentials,
        ),
        CardFramePage.layer,
        InboxReceiver.layer,
      )
  let exchange: Exchange.Exchange | undefined
  const own: OwnRoutes = { basePath }
  const { dispose, handler } = HttpEffect.toWebHandlerLayerWith(
    // Provides the application to each request, so that requests use its logger and tracer.
    routes.pipe(
      Layer.provideMerge(options.application),
      Layer.provideMerge(withoutAddresses),
      Layer.provideMerge(
        Layer.mergeAll(
          Layer.succeed(PublicUrl, options.publicUrl === undefined ? undefined : normalizedUrl(options.publicUrl)),
          Layer.succeed(ChangeStreamLimits, limits),
          Layer.succeed(OwnRoutes, own),
        ),
      ),
      Layer.provide(HttpServer.layerServices),
      Layer.provideMerge(
        Layer.provide(HttpRouter.layer, Layer.succeed(HttpRouter.RouterConfig, MethodTable.routerConfig)),
      ),
    ),
    {
      toHandler: (services) => {
        const routed = Context.get(services, HttpRouter.HttpRouter).asHttpEffect()
        exchange = Exchange.make(routed, services)
        own.handle = handleOwn(routed, services)
        return Effect.succeed(routed)
      },
      ...(options.memoMap === undefined ? {} : { memoMap: options.memoMap }),
    },
  )
  return {
    dispose,
    handler: (request, info) => handler(withoutFragment(request), ClientAddress.contextOf(info?.clientAddress)),
    exchange: () => exchange,
    asksAboutProcess: asksAboutProcess(mount),
  }
}
