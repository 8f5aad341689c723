/** Webhooks over HTTP/2 on real sockets. Source: D-510, RFC 9113. */
import http2 from "node:http2"
import { createServer, type Server, type Socket } from "node:net"
import { NodeWebhookTransport } from "@countersign/adapter-http"
import { WebhookTransport } from "@countersign/core/ports"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Scope } from "effect"
import { selfSigned } from "./Certificate.ts"
import { type Http2Answer, type Http2Receiver, listenHttp2 } from "./Http2Receiver.ts"
import { listen } from "./Receiver.ts"
import { certificate, host, run, send, transport, trustHost } from "./TrustedHost.ts"

trustHost()

const {
  NGHTTP2_CANCEL,
  NGHTTP2_ENHANCE_YOUR_CALM,
  NGHTTP2_HTTP_1_1_REQUIRED,
  NGHTTP2_INTERNAL_ERROR,
  NGHTTP2_NO_ERROR,
  NGHTTP2_REFUSED_STREAM,
} = http2.constants

const closedEarly = "the connection was closed before the answer was complete"
const answered = (body: string) => ({ _tag: "Answered", status: 200, body })
const unreachable = (reason: string) => ({ _tag: "Unreachable", reason })

const urlOf = ({ port }: Http2Receiver, path = "/") => `https://${host}:${port}${path}`

const answer: Http2Answer = (stream) => {
  stream.respond({ ":status": 200 })
  stream.end("ok")
}

/** Answers by the number of the request, from 1 on; the last one answers the rest. */
const inTurn = (...answers: ReadonlyArray<Http2Answer>): Http2Answer => {
  let count = 0
  return (stream, body) => {
    answers[Math.min(count, answers.length - 1)]?.(stream, body)
    count += 1
  }
}

/** The error code with which a stream ends. */
const ending = (stream: http2.ServerHttp2Stream) =>
  Effect.callback<number | undefined>((resume) => {
    if (stream.closed) resume(Effect.succeed(stream.rstCode))
    else stream.once("close", () => resume(Effect.succeed(stream.rstCode)))
  })

describe("a receiver of HTTP/2", () => {
  run("gets the given bytes and headers", () =>
    Effect.gen(function* () {
      const receiver = yield* listenHttp2(certificate, answer)
      const headers = { "Content-Type": "application/json", "X-Service-Signature": '{"v":"1","s":"abc="}' }
      const result = yield* send(urlOf(receiver, "/hooks?a=1&b=%20"), { headers, body: '{"a":"żółć"}\n' })
      expect(result).toEqual(answered("ok"))
      const delivery = yield* receiver.next
      expect(delivery).toMatchObject({ version: "2", body: '{"a":"żółć"}\n' })
      expect(Object.fromEntries(Object.entries(delivery.headers))).toEqual({
        ":method": "POST",
        ":path": "/hooks?a=1&b=%20",
        ":scheme": "https",
        ":authority": `${host}:${receiver.port}`,
        "content-type": "application/json",
        "x-service-signature": '{"v":"1","s":"abc="}',
        "content-length": "17",
      })
    }),
  )

  run("gets 64 deliveries at once, and those after them, over one connection", () =>
    Effect.gen(function* () {
      const receiver = yield* listenHttp2(certificate, answer)
      const url = urlOf(receiver)
      const results = yield* Effect.forEach(Array(64), () => send(url), { concurrency: "unbounded" })
      expect(results).toEqual(Array(64).fill(answered("ok")))
      for (const _ of [1, 2, 3]) expect(yield* send(url)).toEqual(answered("ok"))
      expect(yield* receiver.waiting).toBe(67)
      expect(receiver.connections()).toBe(1)
    }),
  )

  run("that takes two streams at once gets all deliveries", () =>
    Effect.gen(function* () {
      const receiver = yield* listenHttp2(certificate, answer, { maxConcurrentStreams: 2 })
      for (const _ of [1, 2]) {
        const results = yield* Effect.forEach(Array(12), () => send(urlOf(receiver)), { concurrency: "unbounded" })
        expect(results).toEqual(Array(12).fill(answered("ok")))
      }
    }),
  )

  for (const status of [204, 301, 308, 500]) {
    run(`that answers ${status} is not asked again`, () =>
      Effect.gen(function* () {
        const receiver = yield* listenHttp2(certificate, (stream) =>
          stream.respond({ ":status": status, location: "/other" }, { endStream: true }),
        )
        expect(yield* send(urlOf(receiver))).toEqual({ _tag: "Answered", status, body: "" })
        expect(yield* receiver.waiting).toBe(1)
      }),
    )
  }

  run("that offers only HTTP/1.1 later gets the next delivery that way", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const receiver = yield* Scope.provide(listenHttp2(certificate, answer), scope)
      expect(yield* send(urlOf(receiver))).toEqual(answered("ok"))
      yield* Scope.close(scope, yield* Effect.exit(Effect.void))
      const later = yield* listen((response) => response.end("later"), certificate, receiver.port)
      expect(yield* send(`https://${host}:${later.port}/`)).toEqual(answered("later"))
    }),
  )

  it.live("is disconnected when the layer closes", () =>
    Effect.gen(function* () {
      const receiver = yield* listenHttp2(certificate, answer)
      yield* Effect.provide(send(urlOf(receiver)), transport)
      const [session] = receiver.sessions
      expect(session).toBeDefined()
      yield* Effect.callback<void>((resume) => {
        if (session === undefined || session.destroyed) resume(Effect.void)
        else session.once("close", () => resume(Effect.void))
      })
    }),
  )
})

describe("a receiver that says it has not processed a delivery", () => {
  run("by GOAWAY gets it over a new connection, and answers the others on the old one", () =>
    Effect.gen(function* () {
      const held: Array<http2.ServerHttp2Stream> = []
      const receiver = yield* listenHttp2(certificate, (stream, body) => {
        if (receiver.sessions.length > 1) return answer(stream, body)
        held.push(stream)
        const [first, second] = held
        if (first === undefined || second === undefined) return
        stream.session?.goaway(NGHTTP2_NO_ERROR, first.id)
        answer(first, body)
      })
      const results = yield* Effect.forEach([1, 2], () => send(urlOf(receiver)), { concurrency: "unbounded" })
      expect(results).toEqual([answered("ok"), answered("ok")])
      expect(yield* receiver.waiting).toBe(3)
      expect(receiver.connections()).toBe(2)
    }),
  )

  run("by REFUSED_STREAM gets it again", () =>
    Effect.gen(function* () {
      const receiver = yield* listenHttp2(
        certificate,
        inTurn((stream) => stream.close(NGHTTP2_REFUSED_STREAM), answer),
      )
      expect(yield* send(urlOf(receiver))).toEqual(answered("ok"))
      expect([yield* receiver.waiting, receiver.connections()]).toEqual([2, 1])
    }),
  )

  run("by REFUSED_STREAM each time gets it twice", () =>
    Effect.gen(function* () {
      const receiver = yield* listenHttp2(certificate, (stream) => stream.close(NGHTTP2_REFUSED_STREAM))
      expect(yield* send(urlOf(receiver))).toEqual(unreachable("the receiver reset the stream (REFUSED_STREAM)"))
      expect(yield* receiver.waiting).toBe(2)
    }),
  )

  run("by HTTP_1_1_REQUIRED gets it over HTTP/1.1", () =>
    Effect.gen(function* () {
      const receiver = yield* listenHttp2(certificate, (stream) => stream.close(NGHTTP2_HTTP_1_1_REQUIRED))
      expect(yield* send(urlOf(receiver))).toEqual(answered("http1"))
      expect([(yield* receiver.next).version, (yield* receiver.next).version]).toEqual(["2", "1.1"])
    }),
  )

  run("by closing a connection that has answered before gets it over a new one", () =>
    Effect.gen(function* () {
      const receiver = yield* listenHttp2(
        certificate,
        inTurn(answer, (stream) => stream.session?.socket.destroy(), answer),
      )
      for (const _ of [1, 2]) expect(yield* send(urlOf(receiver))).toEqual(answered("ok"))
      expect([yield* receiver.waiting, receiver.connections()]).toEqual([3, 2])
    }),
  )
})

describe("a delivery whose outcome is unknown is not sent again", () => {
  const cases: ReadonlyArray<readonly [string, Http2Answer, string]> = [
    [
      "after a reset",
      (stream) => stream.close(NGHTTP2_INTERNAL_ERROR),
      "the receiver reset the stream (INTERNAL_ERROR)",
    ],
    ["after the loss of a new connection", (stream) => stream.session?.socket.destroy(), closedEarly],
    [
      "after a GOAWAY that covers it",
      (stream) => stream.session?.destroy(undefined, NGHTTP2_ENHANCE_YOUR_CALM),
      expect.stringMatching(/^(the connection|the receiver reset the stream)/u),
    ],
    [
      "after a part of its answer",
      (stream) => {
        stream.respond({ ":status": 200 })
        stream.write("par", () => stream.destroy(new Error("broken")))
      },
      "the receiver reset the stream (INTERNAL_ERROR)",
    ],
    [
      "after a part of its answer and the loss of the connection",
      (stream) => {
        stream.respond({ ":status": 200 })
        stream.write("par", () => stream.session?.socket.destroy())
      },
      closedEarly,
    ],
    [
      "after less than the length that was announced",
      (stream) => {
        stream.respond({ ":status": 200, "content-length": 10 })
        stream.end("par")
      },
      "the receiver reset the stream (PROTOCOL_ERROR)",
    ],
  ]
  for (const [name, last, reason] of cases) {
    run(name, () =>
      Effect.gen(function* () {
        const receiver = yield* listenHttp2(certificate, last)
        expect(yield* send(urlOf(receiver))).toEqual(unreachable(reason))
        expect(yield* receiver.waiting).toBe(1)
      }),
    )
  }
})

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
