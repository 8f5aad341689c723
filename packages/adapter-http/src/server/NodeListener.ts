/**
 * A web handler as a listener of node:http: for a server of one's own, and for what is built on node:http, as Express and Fastify are.
 * Bodies stream both ways, a client that leaves aborts its request. Source: architecture, "The rooms" (server).
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { ReadableStream } from "node:stream/web"
import { bodyOf, type ErrorBody } from "@countersign/core"

/** Takes a request and its response, as `createServer` of node:http and `app.use` of Express hand them over. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** What a framework may have added to a request: the address before it cut a mount path off, and the body that it read. */
interface FrameworkRequest extends IncomingMessage {
  readonly originalUrl?: unknown
  readonly body?: unknown
}

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

const hasBody = ({ headers, method }: IncomingMessage): boolean =>
  method !== "GET" &&
  method !== "HEAD" &&
  (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0)

const pathOf = ({ originalUrl, url }: FrameworkRequest): string => {
  const path = typeof originalUrl === "string" ? originalUrl : url
  return path?.startsWith("/") === true ? path : "/"
}

/** The body; where a framework's parser has read it, what came of it, as JSON. */
const bodyStream = (request: FrameworkRequest): ReadableStream<Uint8Array> | string =>
  request.readableEnded && request.body !== undefined
    ? JSON.stringify(request.body)
    : // Whoever stops reading must not destroy the connection: the answer still has to go out.
      ReadableStream.from<Uint8Array>(request.iterator({ destroyOnReturn: false }))

/** The request as fetch has it; the address in it is never used to reach anything. */
const webRequest = (request: IncomingMessage, signal: AbortSignal): Request => {
  const method = request.method ?? "GET"
  const init = { method, headers: headersOf(request), signal }
  const body = hasBody(request) ? bodyStream(request) : undefined
  return new Request(
    `http://localhost${pathOf(request)}`,
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

const serve = async (
  handler: (request: Request) => Promise<Response>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  if (!isSupported(request.method)) {
    sendError(response, bodyOf({ code: "METHOD_NOT_ALLOWED", message: "This method is not supported." }), {
      allow: "GET, HEAD, POST, PATCH, DELETE, OPTIONS",
    })
    return
  }
  const abort = new AbortController()
  response.once("close", () => {
    if (!response.writableFinished) abort.abort()
  })
  try {
    await send(await handler(webRequest(request, abort.signal)), response)
  } catch {
    // The handler answers its own failures; what comes here is a connection that broke, or an answer that could not be made.
    if (!response.destroyed) sendError(response, internal)
  } finally {
    drain(request)
  }
}

/** Never rejects: what cannot be answered is a 500, or a connection that ends. */
export const nodeListener =
  (handler: (request: Request) => Promise<Response>): NodeListener =>
  (request, response) =>
    serve(handler, request, response)
