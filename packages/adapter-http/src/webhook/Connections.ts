/**
 * The connections of deliveries that share a lookup, of both versions of HTTP.
 * Source: wire contract 6.2; D-510.
 */
import http from "node:http"
import https from "node:https"
import type { WebhookRequest, WebhookResult } from "@countersign/core/ports"
import { Effect } from "effect"
import { closedEarly, unreachable } from "./ConnectionErrors.ts"
import * as Http1Exchange from "./Http1Exchange.ts"
import { Http2Connections } from "./Http2Connections.ts"
import * as Http2Exchange from "./Http2Exchange.ts"
import { agentOptions, KeepingAgent } from "./KeepingAgent.ts"
import { NegotiatingAgent } from "./NegotiatingAgent.ts"

export interface Connections {
  readonly http: http.Agent
  readonly https: NegotiatingAgent
  readonly http2: Http2Connections
  /** For a request that a kept connection has lost: a connection of HTTP/1.1 of its own. */
  readonly single: { readonly http: http.Agent; readonly https: https.Agent }
}

export const open = (options: Pick<http.ClientRequestArgs, "lookup">): Connections => {
  const http2 = new Http2Connections()
  const { autoSelectFamilyAttemptTimeout } = agentOptions
  const single = { autoSelectFamilyAttemptTimeout, ...options }
  return {
    http: new KeepingAgent({ ...agentOptions, ...options }),
    https: new NegotiatingAgent({ ...agentOptions, ...options }, http2),
    http2,
    single: { http: new http.Agent(single), https: new https.Agent(single) },
  }
}

export const destroy = (connections: Connections): void => {
  connections.http.destroy()
  connections.https.destroy()
  connections.http2.destroy()
  connections.single.http.destroy()
  connections.single.https.destroy()
}

/** Sends one request, and once more where HTTP allows it. */
export const post = (connections: Connections, url: URL, request: WebhookRequest): Effect.Effect<WebhookResult> => {
  const scheme = url.protocol === "https:" ? "https" : "http"
  const attempt = Effect.suspend(() => {
    const shared = connections.http2.withRoom(url.origin)
    return shared === undefined
      ? Effect.catchTag(Http1Exchange.send(url, request, connections[scheme]), "Http2Chosen", ({ connection }) =>
          Http2Exchange.send(url, request, connection),
        )
      : Http2Exchange.send(url, request, shared)
  })
  return attempt.pipe(
    Effect.catchTag("NotProcessed", ({ over }) =>
      over === "any" ? attempt : Http1Exchange.send(url, request, connections.single[scheme]),
    ),
    Effect.catch((error) => Effect.succeed(unreachable("reason" in error ? error.reason : closedEarly))),
  )
}
