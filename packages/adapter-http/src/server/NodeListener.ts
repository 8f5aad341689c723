/**
 * Adapts a web handler to a `node:http` listener, for your own server and for frameworks on `node:http` such as Express and Fastify.
 * Bodies stream both ways, and a client that disconnects aborts its request. Source: architecture, "Layers are folders" (server).
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { ReadableStream } from "node:stream/web"
import { bodyOf, type ErrorBody } from "@countersign/core"
import { Cookies, HttpServerResponse } from "effect/http"
import * as ClientAddress from "../middleware/ClientAddress.ts"
import { countRefused } from "../middleware/RequestTelemetry.ts"
import { type ListenerLimitOptions, limitsOf } from "../middleware/ServerLimits.ts"
import * as Admission from "./Admission.ts"
import * as ByteBudget from "./ByteBudget.ts"
import type { Exchange } from "./Exchange.ts"
import * as NodeRequest from "./NodeRequest.ts"
import * as RequestOwners from "./RequestOwners.ts"
import { refuseUnstarted } from "./SocketAnswers.ts"

/** A listener for `createServer` of `node:http` and for `app.use` of Express. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** Responses with a `content-length` up to this are sent in one write. */
const wholeBytesMax = 64 * 1024

/** How much of an unread body is discarded, so that its sender sees the response before the connection closes. */
const unreadBytesMax = 4 * 1024 * 1024

const internal = bodyOf({ code: "INTERNAL_ERROR", message: "An internal error occurred." })

const headersOf = (request: IncomingMessage): Headers => {
  const headers = new Headers()
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    headers.append(request.rawHeaders[index] ?? "", request.rawHeaders[index + 1] ?? "")
  }
  return headers
}

/** Returns the body as a stream, or as JSON if a framework has parsed it. */
const bodyStream = (request: IncomingMessage): ReadableStream<Uint8Array> | string =>
  NodeRequest.readByFramework(request) ??
  // A handler that stops reading must not destroy the connection, because the response still has to be sent.
  ReadableStream.from<Uint8Array>(request.iterator({ destroyOnReturn: false }))

/** Returns the request as a Fetch API `Request`. Nothing connects to its address. */
const webRequest = (request: IncomingMessage, signal: AbortSignal): Request => {
  const method = request.method ?? "GET"
  const init = { method, headers: headersOf(request), signal }
  const body = NodeRequest.hasBody(request) ? bodyStream(request) : undefined
  return new Request(
    `http://localhost${NodeRequest.addressOf(request)}`,
    body === undefined ? init : { ...init, body, duplex: "half" },
  )
}

const sendError = (response: ServerResponse, error: ErrorBody, headers: Readonly<Record<string, string>> = {}) => {
  if (response.headersSent) {
    response.destroy()
    return
  }
  response.writeHead(error.status, { "content-type": "application/json", ...headers })
  response.end(JSON.stringify(error))
}

/**
 * Queues the head of a response to a request with an expectation. Node would put a head that it sends together with bytes before the
 * `100 Continue` that is queued behind the response to an earlier request. A client would then read it as the beginning of the body.
 */
const queueHead = (response: ServerResponse): void => {
  if (response.req.headers.expect !== undefined) response.flushHeaders()
}

const send = async (answer: Response, response: ServerResponse): Promise<void> => {
  const { body, headers, status } = answer
  const isWhole = Number(headers.get("content-length") ?? Number.NaN) <= wholeBytesMax
  // Read before the head is set: if it breaks off, the failure has a head of its own, and not the length of this answer.
  const bytes = isWhole ? new Uint8Array(await answer.arrayBuffer()) : undefined
  for (const [name, value] of headers) response.appendHeader(name, value)
  response.statusCode = status
  if (body === null) {
    response.end()
    return
  }
  queueHead(response)
  if (bytes === undefined) await pipeline(Readable.fromWeb(body as ReadableStream<Uint8Array>), response)
  else response.end(bytes)
}

/** Returns the body of a response that is complete in memory or empty; `undefined` for a stream. */
const wholeBody = ({ body, cookies }: HttpServerResponse.HttpServerResponse): string | Uint8Array | undefined => {
  if (!Cookies.isEmpty(cookies)) return undefined
  if (body._tag === "Uint8Array") return body.text ?? body.body
  return body._tag === "Empty" ? "" : undefined
}

/** Sends a response of the routes; a body that is complete in memory needs no `Response` object. */
const sendRouteResponse = async (
  answer: HttpServerResponse.HttpServerResponse,
  response: ServerResponse,
): Promise<void> => {
  const { headers, status } = answer
  const body = wholeBody(answer)
  const withoutBody = response.req.method === "HEAD"
  if (body === undefined || withoutBody || HttpServerResponse.omitsBody(answer)) {
    return send(HttpServerResponse.toWeb(answer, { withoutBody }), response)
  }
  // Headers that a framework has set are kept.
  if (response.getHeaderNames().length === 0 && headers["content-length"] !== undefined)
    response.writeHead(status, headers)
  else {
    response.statusCode = status
    for (const [name, value] of Object.entries(headers)) response.appendHeader(name, value)
  }
  queueHead(response)
  response.end(body)
}

/** Discards the rest of an unread body; beyond the limit it closes the connection. */
const drain = (request: IncomingMessage): void => {
  if (request.readableEnded || request.destroyed) return
  let remaining = unreadBytesMax
  request.on("data", (chunk: Uint8Array) => {
    remaining -= chunk.byteLength
    if (remaining < 0) request.socket.destroy()
  })
  request.resume()
}

const isSupported = (method: string | undefined): boolean =>
  method !== "TRACE" && method !== "CONNECT" && method !== "TRACK"

const byHandler = async (
  handler: Handler,
  shared: NodeRequest.Shared,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const abort = new AbortController()
  response.once("close", () => {
    if (!response.writableFinished) abort.abort()
  })
  const clientAddress = NodeRequest.clientAddressOf(request, shared.addresses)
  await send(await handler(webRequest(request, abort.signal), { clientAddress }), response)
}

const byExchange = (
  exchange: Exchange,
  shared: NodeRequest.Shared,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const nodeRequest = NodeRequest.make(request, shared, (answer) => {
      sendRouteResponse(answer, response).then(resolve, reject)
    })
    const abort = exchange(nodeRequest)
    response.once("close", () => {
      if (!response.writableFinished) abort()
    })
  })

const serve = async (
  { exchange, handler }: ListenerTarget,
  shared: NodeRequest.Shared,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  if (!isSupported(request.method)) {
    sendError(response, bodyOf({ code: "METHOD_NOT_ALLOWED", message: "This method is not supported." }), {
      allow: "GET, HEAD, POST, PATCH, DELETE, OPTIONS",
    })
    return
  }
  try {
    const direct = exchange?.()
    await (direct === undefined
      ? byHandler(handler, shared, request, response)
      : byExchange(direct, shared, request, response))
  } catch {
    // The handler responds to its own failures. Errors here are broken connections and handlers that throw.
    if (!response.destroyed && !response.writableEnded) sendError(response, internal)
  } finally {
    drain(request)
  }
}

/** What a server knows of a request beyond what the Fetch API's `Request` has. */
export interface RequestInfo {
  /** The address of the client, for limits by address. */
  readonly clientAddress?: string | undefined
}

type Handler = (request: Request, info?: RequestInfo) => Promise<Response>

/** A web handler, and for handlers of `makeWebHandler` the direct path for `node:http` requests. */
interface ListenerTarget {
  readonly handler: Handler
  readonly exchange?: (() => Exchange | undefined) | undefined
  readonly asksAboutProcess?: ((url: string) => boolean) | undefined
}

type ListenerOptions = ClientAddress.ClientAddressOptions & ListenerLimitOptions

/** Returns a listener that never rejects: a failure becomes a 500 or closes the connection. */
export const nodeListenerOf = (
  target: ListenerTarget,
  options: ListenerOptions = {},
  admission = Admission.make(limitsOf(options)),
): NodeListener => {
  const limits = limitsOf(options)
  const addresses = ClientAddress.make(options)
  const owners = RequestOwners.make(limits, addresses, target.asksAboutProcess)
  const shared: NodeRequest.Shared = {
    addresses,
    bodies: ByteBudget.make<Socket>(limits.bodyBytesMax, (socket) => socket.destroy()),
    noteTenant: (request, tenant) => {
      owners.note(request, tenant)
      if (tenant !== undefined) admission.note(tenant)
    },
  }
  return (request, response) => {
    if (admission.isFree()) return serve(target, shared, request, response)
    return new Promise((resolve) => {
      // Its client may have left while it waited, or the server has answered because the body came too slowly.
      const unlessOver = (run: () => Promise<void> | void) => () =>
        resolve(response.destroyed || response.headersSent ? undefined : run())
      admission.wait(owners.pathOf(request), {
        start: unlessOver(() => serve(target, shared, request, response)),
        refuse: unlessOver(() => {
          countRefused()
          refuseUnstarted(response)
          drain(request)
        }),
      })
    })
  }
}

/** Returns a listener for any web handler. */
export const nodeListener = (handler: Handler): NodeListener => nodeListenerOf({ handler })
