/**
 * The whole service as one function from Request to Response, for any runtime that speaks fetch.
 * Source: architecture, "The rooms" (server) and the Embed door.
 */

import {
  type AgentCredentials,
  Api,
  basePathDefault,
  endpointsOf,
  LiveApi,
  type PlatformCredentials,
  type RequestReading,
} from "@countersign/client/api"
import type { Authentication } from "@countersign/core"
import type { WebhookSigner } from "@countersign/core/ports"
import type { Store } from "@countersign/core/store"
import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { HttpEffect, HttpRouter, HttpServer } from "effect/http"
import { type HttpApi, HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { PrometheusMetrics } from "effect/observability"
import * as CredentialChecks from "../middleware/CredentialChecks.ts"
import * as ErrorEnvelope from "../middleware/ErrorEnvelope.ts"
import * as MethodTable from "../middleware/MethodTable.ts"
import { withoutAddresses } from "../middleware/Observed.ts"
import * as RequestChecks from "../middleware/RequestChecks.ts"
import * as CardFramePage from "./CardFramePage.ts"
import * as Exchange from "./Exchange.ts"
import * as OpenApiDocument from "./OpenApiDocument.ts"
import * as SystemRoutes from "./SystemRoutes.ts"

type GroupsOf<A> = A extends HttpApi.HttpApi<infer Id, infer Groups> ? HttpApiGroup.ToService<Id, Groups> : never

/** The handlers of every group of the interface. */
export type Handlers = GroupsOf<typeof Api>
/** What stands between a request and its handler. */
export type Guards = PlatformCredentials | AgentCredentials | RequestReading

/** The guards; handlers are built on them. */
export const guards: Layer.Layer<Guards, never, Authentication> = Layer.merge(
  CredentialChecks.layer,
  RequestChecks.layer,
)

/** A page, and where it stands. */
export interface Page {
  readonly route: MethodTable.Route
  readonly layer: (basePath: string) => Layer.Layer<never, never, HttpRouter.HttpRouter>
}

export interface WebHandlerOptions<E> {
  /** The handlers, the services that the routes beside the interface need, and a logger or tracer where one is wanted. */
  readonly application: Layer.Layer<Handlers | Store | WebhookSigner | SecureRandom.SecureRandom, E>
  /** What stands before every path of the interface; its last segment is the version. */
  readonly basePath?: string
  /** Whether the sandbox's operations exist; without them they are unknown paths. */
  readonly sandbox?: boolean
  /** Whether `/metrics` answers in the form of Prometheus; it does not when absent. */
  readonly metrics?: boolean
  /** Pages beside the interface, as the approvals page of `@countersign/console`; none when absent. */
  readonly pages?: ReadonlyArray<Page>
  /** Shares the application's services with other users of the same memo map. */
  readonly memoMap?: Layer.MemoMap
}

export interface WebHandler {
  readonly handler: (request: Request) => Promise<Response>
  /** The same for a request of node:http; `undefined`: not yet, or never, and the handler says which. */
  readonly exchange?: () => Exchange.Exchange | undefined
  /** Ends the services. */
  readonly dispose: () => Promise<void>
}

/** `/a/b` without an end slash; empty for the root. */
const normalized = (basePath: string): string => {
  const trimmed = basePath.replace(/^\/+|\/+$/gu, "")
  return trimmed === "" ? "" : `/${trimmed}`
}

/** What the process counted, in the text form that Prometheus reads. */
export const metricsRoute = { method: "GET", path: "/metrics" } as const

/** Where an interface stands, and whether there are metrics beside it. */
interface Place {
  readonly basePath: string
  readonly metrics: boolean
  readonly beside: ReadonlyArray<Page>
}

const routesOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  { basePath, beside, metrics }: Place,
  pages: ReadonlyArray<MethodTable.Route>,
): ReadonlyArray<MethodTable.Route> => [
  ...SystemRoutes.systemRoutes,
  ...(metrics ? [metricsRoute] : []),
  ...beside.map(({ route }) => route),
  ...pages,
  ...endpointsOf(api).map(({ endpoint: { method, path } }) => ({ method, path: `${basePath}${path}` })),
]

/** What an interface needs beside its handlers' routes: its table of methods, and its document. */
const aside = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  place: Place,
  pages: ReadonlyArray<MethodTable.Route> = [],
) =>
  Layer.mergeAll(
    SystemRoutes.layer(() => OpenApiDocument.make(api, place.basePath)),
    ...place.beside.map(({ layer }) => layer(place.basePath)),
    place.metrics ? PrometheusMetrics.layerHttp({ path: metricsRoute.path }) : Layer.empty,
    ErrorEnvelope.layer(MethodTable.make(routesOf(api, place, pages))),
  )

/** The router of what stands under the base path. */
const under = (basePath: string) =>
  Layer.effect(
    HttpRouter.HttpRouter,
    Effect.map(HttpRouter.HttpRouter, (router) => (basePath === "" ? router : router.prefixed(basePath))),
  )

export const makeWebHandler = <E>(options: WebHandlerOptions<E>): WebHandler => {
  const basePath = normalized(options.basePath ?? basePathDefault)
  const place = { basePath, metrics: options.metrics === true, beside: options.pages ?? [] }
  const routes =
    options.sandbox === false
      ? Layer.merge(HttpApiBuilder.layer(LiveApi).pipe(Layer.provide(under(basePath))), aside(LiveApi, place))
      : Layer.mergeAll(
          HttpApiBuilder.layer(Api).pipe(Layer.provide(under(basePath))),
          aside(Api, place, CardFramePage.cardFrameRoutes),
          CardFramePage.layer,
        )
  let exchange: Exchange.Exchange | undefined
  const { dispose, handler } = HttpEffect.toWebHandlerLayerWith(
    // The application stays around each request: its logger and tracer are those of the request.
    routes.pipe(
      Layer.provideMerge(options.application),
      Layer.provideMerge(withoutAddresses),
      Layer.provide(HttpServer.layerServices),
      Layer.provideMerge(
        Layer.provide(HttpRouter.layer, Layer.succeed(HttpRouter.RouterConfig, MethodTable.routerConfig)),
      ),
    ),
    {
      toHandler: (services) => {
        const routed = Context.get(services, HttpRouter.HttpRouter).asHttpEffect()
        exchange = Exchange.make(routed, services)
        return Effect.succeed(routed)
      },
      ...(options.memoMap === undefined ? {} : { memoMap: options.memoMap }),
    },
  )
  return { dispose, handler: (request) => handler(request), exchange: () => exchange }
}
