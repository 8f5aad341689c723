/**
 * Requests that this process sends to itself: one that is sent again, and those of a scenario. They pass everything that other requests
 * pass; only their caller may be known already. Only a handler can provide one, no request from outside can say it.
 * Source: D-472, D-478.
 */
import type { PreparedRequest } from "@countersign/core"
import { ServiceError, unauthorized } from "@countersign/core"
import { Context, Effect } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import * as ClientAddress from "./ClientAddress.ts"
import { PublicUrl, publicUrlOf } from "./PublicUrl.ts"
import { standsFor } from "./ReceivedSource.ts"

/** As whom the request is handled; under which id, and the request that it repeats. */
export type OwnRequest = Pick<PreparedRequest, "as"> & Partial<Pick<PreparedRequest, "from" | "id">>

/** `undefined`: a client sent the request, or its own credentials count. */
export const CurrentOwnRequest = Context.Reference<OwnRequest | undefined>("@countersign/adapter-http/OwnRequest", {
  defaultValue: () => undefined,
})

/** The caller in place of one with credentials: of the platform, or an agent. `undefined`: the credentials count. */
export const callerOfOwn = <Tag extends "Platform" | "Agent">(tag: Tag) =>
  Effect.flatMap(CurrentOwnRequest, (own) => {
    if (own === undefined) return Effect.undefined
    const { as } = own
    return as._tag === tag
      ? Effect.succeed(as as Extract<OwnRequest["as"], { readonly _tag: Tag }>)
      : Effect.fail(unauthorized("MISSING_CREDENTIALS"))
  })

/** The routes of this process as a function of a request. */
export interface OwnRoutes {
  readonly basePath: string
  /** Handles a request with the services of the process and these. `undefined` until the routes are built. */
  handle?: (
    request: HttpServerRequest.HttpServerRequest,
    services: Context.Context<never>,
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse>
}

/** `undefined`: the process has none, as in tests of single handlers. */
export const OwnRoutes = Context.Reference<OwnRoutes | undefined>("@countersign/adapter-http/OwnRoutes", {
  defaultValue: () => undefined,
})

/** What sends requests through the routes of this process, as from the client of the present request. */
export const sender = Effect.gen(function* () {
  const routes = yield* OwnRoutes
  const handle = routes?.handle
  if (routes === undefined || handle === undefined) {
    return yield* new ServiceError({ code: "NOT_IMPLEMENTED", message: "This process has no routes of its own." })
  }
  const present = yield* HttpServerRequest.HttpServerRequest
  const publicUrl = publicUrlOf(present, yield* PublicUrl)
  const services = ClientAddress.contextOf(yield* ClientAddress.current)
  return {
    basePath: routes.basePath,
    publicUrl,
    /** Without `own`, the request's credentials count. */
    send: (request: HttpServerRequest.HttpServerRequest, own: OwnRequest | undefined) => {
      // It has no socket, and the answers of both begin with the same address.
      standsFor(request.source, present)
      return handle(request, Context.add(services, CurrentOwnRequest, own))
    },
  }
})

export type Sender = Effect.Success<typeof sender>

const requestOf = ({ body, headers, method, path }: PreparedRequest, basePath: string) => {
  const sent = new Request(`http://localhost${basePath}${path}`, {
    method,
    headers: { ...headers },
    ...(body === undefined ? {} : { body }),
  })
  // The address as it was: the Fetch API resolves dots in it.
  return HttpServerRequest.fromWeb(sent).modify({ url: `${basePath}${path}` })
}

/** Sends a prepared request, as if its caller had sent it. */
export const sendAgain = Effect.fnUntraced(function* (prepared: PreparedRequest) {
  const { basePath, send } = yield* sender
  const { status } = yield* send(requestOf(prepared, basePath), prepared)
  return { requestId: prepared.id, status }
})
