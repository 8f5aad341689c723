/** The limits of deliveries over HTTP/2: time, size, addresses. Source: D-510. */
import http2 from "node:http2"
import { createServer, type Server, type Socket } from "node:net"
import { NodeWebhookTransport } from "@countersign/adapter-http"
import { WebhookTransport } from "@countersign/core/ports"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { selfSigned } from "./Certificate.ts"
import { answer, answered, ending, inTurn, unreachable, urlOf } from "./Http2Answers.ts"
import { type Http2Answer, listenHttp2 } from "./Http2Receiver.ts"
import { certificate, host, run, send, trustHost } from "./TrustedHost.ts"

trustHost()

const { NGHTTP2_CANCEL } = http2.constants

const stalls: Readonly<Record<string, Http2Answer>> = {
  "before the headers": () => {},
  "after the headers": (stream) => stream.respond({ ":status": 200 }),
  "dripping its body": (stream) => {
    stream.respond({ ":status": 200 })
    const drip = setInterval(() => stream.write("."), 20)
    stream.on("close", () => clearInterval(drip))
  },
}

/** The port of a TCP server that never sends anything. */
const silent = Effect.map(
  Effect.acquireRelease(
    Effect.callback<{ readonly server: Server; readonly sockets: Set<Socket> }>((resume) => {
      const sockets = new Set<Socket>()
      const server = createServer((socket) => sockets.add(socket.on("error", () => {})))
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed({ server, sockets })))
    }),
    ({ server, sockets }) =>
      Effect.sync(() => {
        server.close()
        for (const socket of sockets) socket.destroy()
      }),
  ),
  ({ server }) => {
    const address = server.address()
    return typeof address === "object" ? address?.port : undefined
  },
)

describe("a receiver of HTTP/2 that stalls", () => {
  for (const [when, stall] of Object.entries(stalls)) {
    run(`${when} times out, its stream is reset, and another delivery on the connection is answered`, () =>
      Effect.gen(function* () {
        const stalled = yield* Deferred.make<http2.ServerHttp2Stream>()
        const receiver = yield* listenHttp2(certificate, (stream, body) => {
          if (body === "later") {
            // Answers when the other one is over.
            Deferred.doneUnsafe(later, Effect.succeed(stream))
            return
          }
          stall(stream, body)
          Deferred.doneUnsafe(stalled, Effect.succeed(stream))
        })
        const later = yield* Deferred.make<http2.ServerHttp2Stream>()
        const other = yield* Effect.forkChild(send(urlOf(receiver), { body: "later" }))
        const waiting = yield* Deferred.await(later)
        const result = yield* send(urlOf(receiver), { timeoutMillis: 150 })
        expect(result).toEqual(unreachable("no complete answer within 150 ms"))
        expect(yield* ending(yield* Deferred.await(stalled))).toBe(NGHTTP2_CANCEL)
        answer(waiting, "")
        expect(yield* Fiber.join(other)).toEqual(answered("ok"))
        expect(receiver.connections()).toBe(1)
      }),
    )

    run(`${when} gets a reset by an interruption, and nothing more`, () =>
      Effect.gen(function* () {
        const stalled = yield* Deferred.make<http2.ServerHttp2Stream>()
        const receiver = yield* listenHttp2(certificate, (stream, body) => {
          stall(stream, body)
          Deferred.doneUnsafe(stalled, Effect.succeed(stream))
        })
        const sending = yield* Effect.forkChild(send(urlOf(receiver)))
        const stream = yield* Deferred.await(stalled)
        yield* Fiber.interrupt(sending)
        expect(yield* ending(stream)).toBe(NGHTTP2_CANCEL)
        expect([yield* receiver.waiting, receiver.connections()]).toEqual([1, 1])
      }),
    )
  }

  run("without an answer gets the next delivery over a new connection", () =>
    Effect.gen(function* () {
      const receiver = yield* listenHttp2(
        certificate,
        inTurn(() => {}, answer),
      )
      expect((yield* send(urlOf(receiver), { timeoutMillis: 150 }))._tag).toBe("Unreachable")
      expect(yield* send(urlOf(receiver))).toEqual(answered("ok"))
      expect(receiver.connections()).toBe(2)
    }),
  )

  run("while the first connection opens holds up nothing beyond the time limit", () =>
    Effect.gen(function* () {
      const url = `https://${host}:${yield* silent}/`
      const results = yield* Effect.forEach([1, 2, 3], () => send(url, { timeoutMillis: 150 }), {
        concurrency: "unbounded",
      })
      expect(results).toEqual(Array(3).fill(unreachable("no complete answer within 150 ms")))
    }),
  )
})

describe("an answer over HTTP/2", () => {
  run("that does not end is cut at 64 KiB, and its stream is reset", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<http2.ServerHttp2Stream>()
      const receiver = yield* listenHttp2(
        certificate,
        inTurn((stream) => {
          stream.respond({ ":status": 200 })
          const fill = () => {
            while (stream.writable && stream.write(Buffer.alloc(16_384, "x")));
          }
          stream.on("drain", fill)
          fill()
          Deferred.doneUnsafe(begun, Effect.succeed(stream))
        }, answer),
      )
      expect(yield* send(urlOf(receiver))).toEqual(answered("x".repeat(65_536)))
      expect(yield* ending(yield* Deferred.await(begun))).toBe(NGHTTP2_CANCEL)
      expect(yield* send(urlOf(receiver))).toEqual(answered("ok"))
      expect(receiver.connections()).toBe(1)
    }),
  )

  run("of exactly the limit is complete", () =>
    Effect.gen(function* () {
      const receiver = yield* listenHttp2(certificate, (stream) => {
        stream.respond({ ":status": 200 })
        stream.end("y".repeat(65_536))
      })
      expect(yield* send(urlOf(receiver))).toEqual(answered("y".repeat(65_536)))
    }),
  )
})

describe("the addresses of HTTP/2 connections", () => {
  /** A transport whose name resolves to these addresses in order. */
  const resolving = (...addresses: ReadonlyArray<string>) => {
    const lookups: Array<string> = []
    const layer = NodeWebhookTransport.layer({
      addresses: "public",
      allow: [host],
      resolver: (name) =>
        Effect.sync(() => {
          lookups.push(name)
          return [{ address: addresses[Math.min(lookups.length, addresses.length) - 1] ?? "", family: 4 }]
        }),
    })
    return { layer, lookups }
  }

  it.live("are checked at each connection, and one that is refused is not opened", () => {
    const { layer, lookups } = resolving("127.0.0.1", "169.254.169.254")
    return Effect.gen(function* () {
      const receiver = yield* listenHttp2(
        certificate,
        inTurn(answer, (stream) => {
          answer(stream, "")
          stream.session?.close()
        }),
      )
      for (const _ of [1, 2]) expect(yield* send(urlOf(receiver))).toEqual(answered("ok"))
      expect(lookups).toEqual([host])
      const [session] = receiver.sessions
      yield* Effect.callback<void>((resume) => {
        if (session === undefined || session.destroyed) resume(Effect.void)
        else session.once("close", () => resume(Effect.void))
      })
      expect(yield* send(urlOf(receiver))).toEqual(unreachable("the address is not on the public internet"))
      expect(lookups).toEqual([host, host])
      expect(receiver.connections()).toBe(1)
    }).pipe(Effect.provide(layer))
  })

  it.live("of a name that is not allowed are refused before a connection", () => {
    const { layer } = resolving("127.0.0.1")
    return Effect.gen(function* () {
      const receiver = yield* listenHttp2(certificate, answer)
      const port = yield* WebhookTransport
      const refused = yield* Effect.forEach(
        [`https://other.platform.example:${receiver.port}/`, `https://127.0.0.1:${receiver.port}/`],
        (url) => port.send({ url, headers: {}, body: "{}", timeoutMillis: 20_000 }),
      )
      expect(refused).toEqual(Array(2).fill(unreachable("the address is not on the public internet")))
      expect(receiver.connections()).toBe(0)
    }).pipe(Effect.provide(layer))
  })

  run("need a trusted certificate of the name", () =>
    Effect.gen(function* () {
      const receiver = yield* listenHttp2(selfSigned(host), answer)
      expect(yield* send(urlOf(receiver))).toMatchObject({ reason: expect.stringContaining("CERT") })
      expect(yield* receiver.waiting).toBe(0)
    }),
  )
})
