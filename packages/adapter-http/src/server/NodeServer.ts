/**
 * A `node:http` server for a web handler, with limits, JSON errors for invalid HTTP, and a close that lets running requests finish.
 * Source: architecture, "Layers are folders" (server); wire contract 0.6 (answers within 30 seconds) and 11 (54); D-315, D-316.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import type { ErrorBody } from "@countersign/core"
import type { ClientAddressOptions } from "../middleware/ClientAddress.ts"
import * as ClientAddress from "../middleware/ClientAddress.ts"
import { limitsOf, type ServerLimitOptions } from "../middleware/ServerLimits.ts"
import * as Admission from "./Admission.ts"
import * as ByteBudget from "./ByteBudget.ts"
import type { Connection } from "./Connections.ts"
import * as Connections from "./Connections.ts"
import { nodeListenerOf } from "./NodeListener.ts"
import * as SlowBodies from "./SlowBodies.ts"
import {
  answerOf,
  endWith,
  expectationFailed,
  refusalOf,
  refuse,
  tooManyConnections,
  tooManyPipelined,
  tooSlow,
} from "./SocketAnswers.ts"
import type { WebHandler } from "./WebHandler.ts"

/** The handler of a server, the address to listen on, and its limits, which are those of `serverLimits` by default. */
export interface NodeServerOptions extends ServerLimitOptions, ClientAddressOptions {
  /** Answers every request that `exchange` does not. */
  readonly handler: WebHandler["handler"]
  /** Handles `node:http` requests directly, for handlers of `makeWebHandler`. */
  readonly exchange?: WebHandler["exchange"] | undefined
  /** Whether an address is one of the routes about the process, for handlers of `makeWebHandler`. */
  readonly asksAboutProcess?: WebHandler["asksAboutProcess"] | undefined
  /** The port to listen on; 0 for any free port. */
  readonly port: number
  /** The address to listen on. Default: all addresses. */
  readonly host?: string
  /** How long running requests may take to finish after `close`. Default: 10 seconds. */
  readonly graceMillis?: number
}

export interface NodeServer {
  /** The port that it listens on, also where any free one was requested. */
  readonly port: number
  /** How many connections are open. */
  readonly openConnections: () => number
  /** Stops accepting connections, lets running requests finish, then closes the remaining connections. Idempotent. */
  readonly close: () => Promise<void>
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

/** Node's own handling of a new connection. It is the only listener of a server that was just created. */
const takeConnectionListener = (server: Server): ((socket: Socket) => void) => {
  const listeners = server.listeners("connection")
  server.removeAllListeners("connection")
  return (socket) => {
    for (const listener of listeners) Reflect.apply(listener, server, [socket])
  }
}

/** Whether a response is a stream of events, which ends with the server. */
const isEndless = (response: ServerResponse): boolean =>
  String(response.getHeader("content-type")).startsWith("text/event-stream")

/** How many connections beyond the limits get an answer at the same time. The others are closed without one. */
const refusedMax = 128

/** How often Node checks its time limits, at most. */
const checkMillisMax = 1_000

/** Listens for requests. Rejects with Node's error if the address cannot be used, and if a limit or a trusted proxy is not valid. */
export const startNodeServer = async (options: NodeServerOptions): Promise<NodeServer> => {
  const limits = limitsOf(options)
  const connections = Connections.make(limits, ClientAddress.make(options))
  const unsent = ByteBudget.make<Socket>(limits.unsentBytesMax, (socket) => socket.destroy())
  let isClosing = false
  const running = new Set<ServerResponse>()
  const admission = Admission.make(limits)
  const listener = nodeListenerOf(options, options, admission)

  /** Counts what a client has not read yet of its response. */
  const countUnsent = (socket: Socket, response: ServerResponse): void => {
    const bytes = response.writableFinished ? 0 : response.writableLength
    if (bytes === 0 || socket.destroyed) return
    response.once("close", () => unsent.add(socket, -bytes))
    unsent.add(socket, bytes)
  }

  const end = (connection: Connection, response: ServerResponse, error: ErrorBody): void => {
    connection.isEnding = true
    refuse(response, error)
  }

  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request
    const connection = connections.get(socket)
    if (connection === undefined || connection.isEnding) {
      // What follows on a connection that ends is not a request.
      socket.pause()
      return
    }
    connections.begin(connection, request, response)
    running.add(response)
    response.once("close", () => {
      running.delete(response)
      connections.finish(socket, connection, response)
      // A connection that became idle just now would otherwise stay open until its client closes it.
      if (isClosing) server.closeIdleConnections()
    })
    const isBeyond = connection.waiting.size > limits.pipelinedRequestsMax
    const refusal = isBeyond ? tooManyPipelined : refusalOf(request, limits.headersMax)
    if (refusal !== undefined) end(connection, response, refusal)
    else {
      if (isClosing) response.setHeader("connection", "close")
      void listener(request, response).then(() => countUnsent(socket, response))
    }
  }

  /** Answers bytes that are no request, or a request that breaks off, after the answers to earlier requests. */
  const onClientError = (error: Error & { readonly code?: string }, socket: Socket): void => {
    const connection = connections.get(socket)
    if (connection === undefined || error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy()
      return
    }
    if (connection.isEnding) return
    connection.isEnding = true
    const last = [...connection.waiting].at(-1)
    if (last === undefined) {
      // A request that was answered before its body ended gets no second answer.
      if (connection.latest?.complete === false) socket.destroySoon()
      else endWith(socket, answerOf(error))
    } else if (last.headersSent) last.once("close", () => socket.destroySoon())
    else if (last.req.complete) last.setHeader("connection", "close")
    else refuse(last, answerOf(error))
  }

  /** Nothing was sent or received for a while. A connection stays open while its handler works on a complete request. */
  const onTimeout = (socket: Socket): void => {
    const connection = connections.get(socket)
    const isWorking =
      connection !== undefined &&
      connection.waiting.size > 0 &&
      connection.latest?.complete === true &&
      socket.writableLength === 0
    if (!isWorking) socket.destroy()
  }

  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMillis,
      requestTimeout: limits.requestTimeoutMillis,
      keepAliveTimeout: limits.keepAliveTimeoutMillis,
      maxHeaderSize: limits.headerBytesMax,
      // Checked here, so that the answer has the specified body.
      requireHostHeader: false,
      connectionsCheckingInterval: Math.min(checkMillisMax, limits.headersTimeoutMillis, limits.requestTimeoutMillis),
    },
    onRequest,
  )
  // Node ignores header lines beyond this number, so one more shows that there are too many.
  server.maxHeadersCount = limits.headersMax + 1
  server.timeout = limits.stallTimeoutMillis
  server.on("timeout", onTimeout)
  server.on("clientError", onClientError)
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket)
    if (connection !== undefined && !connection.isEnding) end(connection, response, expectationFailed)
  })

  let refused = 0
  const accept = takeConnectionListener(server)
  server.on("connection", (socket: Socket) => {
    admission.noteConnection()
    if (connections.admit(socket) !== undefined) {
      accept(socket)
      return
    }
    socket.on("error", () => socket.destroy())
    if (refused >= refusedMax) {
      socket.destroy()
      return
    }
    refused += 1
    socket.once("close", () => {
      refused -= 1
    })
    endWith(socket, tooManyConnections)
  })

  const slowBodies = SlowBodies.make(limits)
  const checking = setInterval(() => {
    for (const response of slowBodies.find(running)) {
      const connection = connections.get(response.req.socket)
      if (connection === undefined || response.headersSent) response.req.socket.destroy()
      else end(connection, response, tooSlow)
    }
  }, slowBodies.intervalMillis)
  checking.unref()
  server.once("close", () => clearInterval(checking))

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
      for (const response of running) {
        if (!response.headersSent) response.setHeader("connection", "close")
        else if (isEndless(response)) response.end()
      }
    })
    return closing
  }
  return { port, close, openConnections: connections.count }
}
