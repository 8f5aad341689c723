/**
 * A web handler as a listener of node:http: for a server of one's own, and for what is built on node:http, as Express and Fastify are.
 * Bodies stream both ways, a client that leaves aborts its request. Source: architecture, "The rooms" (server).
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { ReadableStream } from "node:stream/web"
import { bodyOf, type ErrorBody } from "@countersign/core"
import { Cookies, HttpServerResponse } from "effect/http"
import type { Exchange } from "./Exchange.ts"
import * as NodeRequest from "./NodeRequest.ts"

/** Takes a request and its response, as `createServer` of node:http and `app.use` of Express hand them over. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** Answers that are known to be no longer than this go out in one piece. */
const wholeBytesMax = 64 * 1024

/** What is still taken of a body that nobody reads, so that its sender sees the answer before the connection ends. */
const unreadBytesMax = 4 * 1024 * 1024

const internal = bodyOf({ code: "INTERNAL_ERROR", message: "An internal error occurred." })

const headersOf = (request: IncomingMessage): Headers => {
  const headers = new Headers()
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    headers.append(request.rawHeaders[index] ?? "", request.rawHeaders[index + 1] ?? "")
  }
  return headers
}

/** The body; where a framework's parser has read it, what came of it, as JSON. */
const bodyStream = (request: IncomingMessage): ReadableStream<Uint8Array> | string =>
  NodeRequest.readByFramework(request) ??
  // Whoever stops reading must not destroy the connection: the answer still has to go out.
  ReadableStream.from<Uint8Array>(request.iterator({ destroyOnReturn: false }))

/** The request as fetch has it; the address in it is never used to reach anything. */
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

const send = async (answer: Response, response: ServerResponse): Promise<void> => {
  for (const [name, value] of answer.headers) response.appendHeader(name, value)
  response.statusCode = answer.status
  if (answer.body === null) {
    response.end()
    return
  }
  if (Number(answer.headers.get("content-length") ?? Number.NaN) <= wholeBytesMax) {
    response.end(new Uint8Array(await answer.arrayBuffer()))
    return
  }
  await pipeline(Readable.fromWeb(answer.body as ReadableStream<Uint8Array>), response)
}

/** The whole body of an answer that has all of it at hand, or has none. */
const wholeBody = ({ body, cookies }: HttpServerResponse.HttpServerResponse): string | Uint8Array | undefined => {
  if (!Cookies.isEmpty(cookies)) return undefined
  if (body._tag === "Uint8Array") return body.text ?? body.body
  return body._tag === "Empty" ? "" : undefined
}

/** An answer of the routes, without a `Response` in between where its body is at hand. */
const sendAnswer = async (answer: HttpServerResponse.HttpServerResponse, response: ServerResponse): Promise<void> => {
  const { headers, status } = answer
  const body = wholeBody(answer)
  const withoutBody = response.req.method === "HEAD"
  if (body === undefined || withoutBody || HttpServerResponse.omitsBody(answer)) {
    return send(HttpServerResponse.toWeb(answer, { withoutBody }), response)
  }
  // What a framework has set stays beside it.
  if (response.getHeaderNames().length === 0 && headers["content-length"] !== undefined)
    response.writeHead(status, headers)
  else {
    response.statusCode = status
    for (const [name, value] of Object.entries(headers)) response.appendHeader(name, value)
  }
  response.end(body)
}

/** Takes the rest of a body that nobody read, up to a limit; then the connection ends. */
const drain = (request: IncomingMessage): void => {
  if (request.readableEnded || request.destroyed) return
  let left = unreadBytesMax
  request.on("data", (chunk: Uint8Array) => {
    left -= chunk.byteLength
    if (left < 0) request.socket.destroy()
  })
  request.resume()
}

const isSupported = (method: string | undefined): boolean =>
  method !== "TRACE" && method !== "CONNECT" && method !== "TRACK"

const byHandler = async (handler: Handler, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const abort = new AbortController()
  response.once("close", () => {
    if (!response.writableFinished) abort.abort()
  })
  await send(await handler(webRequest(request, abort.signal)), response)
}

const byExchange = (exchange: Exchange, request: IncomingMessage, response: ServerResponse): Promise<void> =>
  new Promise((resolve, reject) => {
    const asked = NodeRequest.make(request, (answer) => {
      sendAnswer(answer, response).then(resolve, reject)
    })
    const leave = exchange(asked)
    response.once("close", () => {
      if (!response.writableFinished) leave()
    })
  })

const serve = async (
  { exchange, handler }: Listened,
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
    const straight = exchange?.()
    await (straight === undefined ? byHandler(handler, request, response) : byExchange(straight, request, response))
  } catch {
    // The handler answers its own failures; what comes here is a connection that broke, or an answer that could not be made.
    if (!response.destroyed) sendError(response, internal)
  } finally {
    drain(request)
  }
}

type Handler = (request: Request) => Promise<Response>

/** A web handler, and what answers requests of node:http directly, where it is of ours. */
interface Listened {
  readonly handler: Handler
  readonly exchange?: (() => Exchange | undefined) | undefined
}

/** Never rejects: what cannot be answered is a 500, or a connection that ends. */
export const nodeListenerOf =
  (listened: Listened): NodeListener =>
  (request, response) =>
    serve(listened, request, response)

/** The same for any web handler. */
export const nodeListener = (handler: Handler): NodeListener => nodeListenerOf({ handler })
