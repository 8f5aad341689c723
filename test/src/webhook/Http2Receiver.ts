/** A webhook receiver that offers HTTP/2 and HTTP/1.1 on a real loopback socket. */
import http2 from "node:http2"
import type { Readable } from "node:stream"
import type { TLSSocket } from "node:tls"
import { Effect, Queue, type Scope } from "effect"

/** One request as it arrived; `stream` of HTTP/2 alone. */
export interface Http2Delivery {
  readonly version: string
  readonly headers: http2.IncomingHttpHeaders
  readonly body: string
}

export interface Http2Receiver {
  readonly port: number
  readonly next: Effect.Effect<Http2Delivery>
  readonly waiting: Effect.Effect<number>
  /** The number of TCP connections so far. */
  readonly connections: () => number
  /** The connections of HTTP/2 so far. */
  readonly sessions: ReadonlyArray<http2.ServerHttp2Session>
  /** Whether each TLS connection resumed a session. */
  readonly resumed: ReadonlyArray<boolean>
}

export type Http2Answer = (stream: http2.ServerHttp2Stream, body: string) => void

const bodyOf = (stream: Readable, onEnd: (body: string) => void) => {
  const chunks: Array<Buffer> = []
  stream.on("data", (chunk: Buffer) => chunks.push(chunk))
  stream.on("end", () => onEnd(Buffer.concat(chunks).toString()))
}

/** Listens on a free port, or the given one, until the scope closes. `answer` gets each complete request of HTTP/2; those of HTTP/1.1 are answered 200 and `http1`. */
export const listenHttp2 = (
  certificate: { readonly key: string; readonly cert: string },
  answer: Http2Answer,
  settings: http2.Settings = {},
  port = 0,
): Effect.Effect<Http2Receiver, never, Scope.Scope> =>
  Effect.gen(function* () {
    const deliveries = yield* Queue.unbounded<Http2Delivery>()
    const sessions: Array<http2.ServerHttp2Session> = []
    const resumed: Array<boolean> = []
    const sockets = new Set<TLSSocket>()
    const server = http2.createSecureServer({ ...certificate, allowHTTP1: true, settings }, (request, response) => {
      if (request.httpVersionMajor !== 1) return
      bodyOf(request, (body) => {
        Queue.offerUnsafe(deliveries, { version: "1.1", headers: request.headers, body })
        response.end("http1")
      })
    })
    server.on("stream", (stream, headers) => {
      stream.on("error", () => {})
      bodyOf(stream, (body) => {
        Queue.offerUnsafe(deliveries, { version: "2", headers, body })
        answer(stream, body)
      })
    })
    server.on("session", (session) => {
      session.on("error", () => {})
      sessions.push(session)
    })
    server.on("secureConnection", (socket) => {
      resumed.push(socket.isSessionReused())
      sockets.add(socket)
    })
    let opened = 0
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
          for (const socket of sockets) socket.destroy()
        }),
    )
    const address = server.address()
    return {
      port: typeof address === "object" ? (address?.port ?? 0) : 0,
      next: Queue.take(deliveries),
      waiting: Queue.size(deliveries),
      connections: () => opened,
      sessions,
      resumed,
    }
  })
