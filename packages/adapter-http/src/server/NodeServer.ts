/**
 * A node:http server around a web handler: bodies stream both ways, a client that leaves aborts its request, and closing lets
 * running requests finish.
 * Source: architecture, "The rooms" (server); wire contract 0.6 (answers within 30 seconds) and 11 (54).
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { ReadableStream } from "node:stream/web"
import { bodyOf, type ErrorBody } from "@countersign/core"

export interface NodeServerOptions {
  readonly handler: (request: Request) => Promise<Response>
  /** 0: any free port. */
  readonly port: number
  /** The address to listen on; all of them when absent. */
  readonly host?: string
  /** How long running requests may take to finish when the server closes. */
  readonly graceMillis?: number
  /** How long a client may take to send its headers. */
  readonly headersTimeoutMillis?: number
  /** How long a client may take to send its whole request. */
  readonly requestTimeoutMillis?: number
  /** How long an idle connection stays open. */
  readonly keepAliveTimeoutMillis?: number
}

export interface NodeServer {
  readonly port: number
  /** Stops accepting, lets running requests finish, then closes what is left. May be called more than once. */
  readonly close: () => Promise<void>
}

/** Answers that are known to be no longer than this go out in one piece. */
const wholeBytesMax = 64 * 1024

/** What is still taken of a body that nobody reads, so that its sender sees the answer before the connection ends. */
const unreadBytesMax = 4 * 1024 * 1024

const malformed = bodyOf({ code: "INVALID_REQUEST_FORMAT", message: "The request is not valid HTTP." })
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

/** The request as fetch has it; the address in it is never used to reach anything. */
const webRequest = (request: IncomingMessage, signal: AbortSignal): Request => {
  const method = request.method ?? "GET"
  const path = request.url?.startsWith("/") === true ? request.url : "/"
  const init = { method, headers: headersOf(request), signal }
  // Whoever stops reading must not destroy the connection: the answer still has to go out.
  const body = hasBody(request)
    ? ReadableStream.from<Uint8Array>(request.iterator({ destroyOnReturn: false }))
    : undefined
  return new Request(`http://localhost${path}`, body === undefined ? init : { ...init, body, duplex: "half" })
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

const serve = async (options: NodeServerOptions, request: IncomingMessage, response: ServerResponse): Promise<void> => {
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
    await send(await options.handler(webRequest(request, abort.signal)), response)
  } catch {
    // The handler answers its own failures; what comes here is a connection that broke, or an answer that could not be made.
    if (!response.destroyed) sendError(response, internal)
  } finally {
    drain(request)
  }
}

/** What reached the port and was no HTTP. */
const onClientError = (error: Error & { readonly code?: string }, socket: Socket): void => {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy()
    return
  }
  const body = JSON.stringify(malformed)
  socket.end(
    [
      `HTTP/1.1 ${malformed.status} Bad Request`,
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  )
}

const listen = (server: Server, { host, port }: NodeServerOptions): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, host, () => {
      server.off("error", reject)
      const address = server.address()
      if (address === null || typeof address === "string") reject(new Error("the server has no port"))
      else resolve(address)
    })
  })

export const startNodeServer = async (options: NodeServerOptions): Promise<NodeServer> => {
  let isClosing = false
  const running = new Set<ServerResponse>()
  const server = createServer(
    {
      headersTimeout: options.headersTimeoutMillis ?? 15_000,
      requestTimeout: options.requestTimeoutMillis ?? 60_000,
      keepAliveTimeout: options.keepAliveTimeoutMillis ?? 65_000,
    },
    (request, response) => {
      running.add(response)
      response.once("close", () => {
        running.delete(response)
        // A connection that became idle only now would otherwise wait for its client to leave.
        if (isClosing) server.closeIdleConnections()
      })
      if (isClosing) response.setHeader("connection", "close")
      void serve(options, request, response)
    },
  )
  server.on("clientError", onClientError)
  const { port } = await listen(server, options)

  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= new Promise((resolve) => {
      isClosing = true
      const deadline = setTimeout(() => server.closeAllConnections(), options.graceMillis ?? 10_000)
      server.close(() => {
        clearTimeout(deadline)
        resolve()
      })
      server.closeIdleConnections()
      for (const response of running) if (!response.headersSent) response.setHeader("connection", "close")
    })
    return closing
  }
  return { port, close }
}
