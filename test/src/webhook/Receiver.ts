/** A webhook receiver on a real loopback socket that records its requests. */
import http from "node:http"
import https from "node:https"
import type { Socket } from "node:net"
import { Effect, Queue, type Scope } from "effect"

/** One request as it arrived, with its socket. */
export interface Delivery {
  readonly method: string
  readonly path: string
  /** Header names in the case in which they were sent. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: Buffer
  readonly socket: Socket
}

export interface Receiver {
  readonly port: number
  readonly url: string
  /** Waits for the next delivery. */
  readonly next: Effect.Effect<Delivery>
  /** The number of deliveries that were not taken. */
  readonly waiting: Effect.Effect<number>
  /** The number of connections opened so far. */
  readonly connections: () => number
}

const pairs = (raw: ReadonlyArray<string>): ReadonlyArray<readonly [string, string]> =>
  raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ""] as const] : []))

/** Listens on a free port, or the given one, until the scope closes, over TLS when a certificate is given. `answer` answers each complete request. */
export const listen = (
  answer: (response: http.ServerResponse, request: http.IncomingMessage) => void,
  certificate?: { readonly key: string; readonly cert: string },
  port = 0,
): Effect.Effect<Receiver, never, Scope.Scope> =>
  Effect.gen(function* () {
    const deliveries = yield* Queue.unbounded<Delivery>()
    let opened = 0
    const handle: http.RequestListener = (request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        Queue.offerUnsafe(deliveries, {
          method: request.method ?? "",
          path: request.url ?? "",
          headers: pairs(request.rawHeaders),
          body: Buffer.concat(chunks),
          socket: request.socket,
        })
        answer(response, request)
      })
    }
    const server = certificate === undefined ? http.createServer(handle) : https.createServer(certificate, handle)
    server.on("connection", () => {
      opened += 1
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => {
        server.listen(port, "127.0.0.1", () => resume(Effect.void))
      }),
      () =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        }),
    )
    const address = server.address()
    const listening = typeof address === "object" ? (address?.port ?? 0) : 0
    return {
      port: listening,
      url: `http://127.0.0.1:${listening}/hooks`,
      next: Queue.take(deliveries),
      waiting: Queue.size(deliveries),
      connections: () => opened,
    }
  })
