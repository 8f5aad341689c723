/**
 * A `node:http` server for a web handler, with time limits, JSON errors for invalid HTTP, and a close that lets running requests finish.
 * Source: architecture, "Layers are folders" (server); wire contract 0.6 (answers within 30 seconds) and 11 (54).
 */
import { createServer, type Server, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { bodyOf } from "@countersign/core"
import type { ClientAddressOptions } from "../middleware/ClientAddress.ts"
import { nodeListenerOf } from "./NodeListener.ts"
import type { WebHandler } from "./WebHandler.ts"

export interface NodeServerOptions extends ClientAddressOptions {
  readonly handler: WebHandler["handler"]
  /** Handles `node:http` requests directly, for handlers of `makeWebHandler`. */
  readonly exchange?: WebHandler["exchange"] | undefined
  /** The port to listen on; 0 for any free port. */
  readonly port: number
  /** The address to listen on. Default: all addresses. */
  readonly host?: string
  /** How long running requests may take to finish after `close`. Default: 10 seconds. */
  readonly graceMillis?: number
  /** Time limit for a client to send its headers. Default: 15 seconds. */
  readonly headersTimeoutMillis?: number
  /** Time limit for a client to send its whole request. Default: 60 seconds. */
  readonly requestTimeoutMillis?: number
  /** How long an idle connection stays open. Default: 65 seconds. */
  readonly keepAliveTimeoutMillis?: number
}

export interface NodeServer {
  readonly port: number
  /** Stops accepting connections, lets running requests finish, then closes the remaining connections. Idempotent. */
  readonly close: () => Promise<void>
}

const malformed = bodyOf({ code: "INVALID_REQUEST_FORMAT", message: "The request is not valid HTTP." })

/** Responds to bytes that are not valid HTTP. */
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
  const listener = nodeListenerOf(options, options)
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
        // A connection that became idle just now would otherwise stay open until its client closes it.
        if (isClosing) server.closeIdleConnections()
      })
      if (isClosing) response.setHeader("connection", "close")
      void listener(request, response)
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
