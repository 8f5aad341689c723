/** Webhooks over HTTP/2 on real sockets. Source: D-510, RFC 9113. */
import http2 from "node:http2"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Scope } from "effect"
import { answer, answered, inTurn, unreachable, urlOf } from "./Http2Answers.ts"
import { type Http2Answer, listenHttp2 } from "./Http2Receiver.ts"
import { listen } from "./Receiver.ts"
import { certificate, host, run, send, transport, trustHost } from "./TrustedHost.ts"

trustHost()

const {
  NGHTTP2_ENHANCE_YOUR_CALM,
  NGHTTP2_HTTP_1_1_REQUIRED,
  NGHTTP2_INTERNAL_ERROR,
  NGHTTP2_NO_ERROR,
  NGHTTP2_REFUSED_STREAM,
} = http2.constants

const closedEarly = "the connection was closed before the answer was complete"

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
