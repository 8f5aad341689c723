/** Webhooks over real sockets: requests, answers, and what ends an attempt. */

import { verify } from "node:crypto"
import type { ServerResponse } from "node:http"
import { createServer, type Server, type Socket } from "node:net"
import { NodeWebhookSigner, NodeWebhookTransport } from "@countersign/adapter-http"
import { type WebhookRequest, WebhookSigner, WebhookTransport } from "@countersign/core/ports"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, type Scope } from "effect"
import { listen } from "./Receiver.ts"

const body = '{"id":"Webhook:1","text":"żółć €\\u0000"}\n'

const request = (url: string, more: Partial<WebhookRequest> = {}): WebhookRequest => ({
  url,
  headers: { "Content-Type": "application/json", "X-Service-Signature": '{"v":"1","s":"abc="}' },
  body,
  timeoutMillis: 20_000,
  ...more,
})

const send = (sent: WebhookRequest) => WebhookTransport.use((transport) => transport.send(sent))

/** Runs the whole test on one transport and in real time. */
const run = <A, E>(name: string, body: () => Effect.Effect<A, E, WebhookTransport | Scope.Scope>) =>
  it.live(name, () => body().pipe(Effect.provide(NodeWebhookTransport.layer({ addresses: "any" }))))

/** Completes when a socket is closed. */
const closing = (socket: Socket) =>
  Effect.callback<void>((resume) => {
    if (socket.closed) resume(Effect.void)
    else socket.once("close", () => resume(Effect.void))
  })

describe("a delivery", () => {
  run("sends exactly the given bytes and headers", () =>
    Effect.gen(function* () {
      const receiver = yield* listen((response) => response.writeHead(200).end("thanks"))
      const result = yield* send(request(`${receiver.url}?a=1&b=%20`))
      expect(result).toEqual({ _tag: "Answered", status: 200, body: "thanks" })
      const delivery = yield* receiver.next
      expect([delivery.method, delivery.path]).toEqual(["POST", "/hooks?a=1&b=%20"])
      expect(delivery.body.equals(Buffer.from(body))).toBe(true)
      expect(delivery.headers).toEqual([
        ["Content-Type", "application/json"],
        ["X-Service-Signature", '{"v":"1","s":"abc="}'],
        ["Content-Length", String(Buffer.byteLength(body))],
        ["Host", `127.0.0.1:${receiver.port}`],
        ["Connection", "keep-alive"],
      ])
    }),
  )

  run("has a signature that the receiver verifies with the public key", () =>
    Effect.gen(function* () {
      const receiver = yield* listen((response) => response.writeHead(204).end())
      const { publicKey, sign } = yield* WebhookSigner
      const signature = yield* sign(body)
      yield* send(
        request(receiver.url, { headers: { "X-Service-Signature": JSON.stringify({ v: "1", s: signature }) } }),
      )
      const delivery = yield* receiver.next
      const header = delivery.headers.find(([name]) => name === "X-Service-Signature")?.[1] ?? ""
      const { s }: { readonly s: string } = JSON.parse(header)
      const der = Buffer.from(s, "base64")
      expect(verify("sha256", delivery.body, publicKey, der)).toBe(true)
      expect(verify("sha256", Buffer.concat([delivery.body, Buffer.from(" ")]), publicKey, der)).toBe(false)
    }).pipe(Effect.provide(NodeWebhookSigner.layer())),
  )

  run("reuses an open connection", () =>
    Effect.gen(function* () {
      const receiver = yield* listen((response) => response.writeHead(200).end("ok"))
      for (const _ of [1, 2, 3, 4, 5]) expect((yield* send(request(receiver.url)))._tag).toBe("Answered")
      expect(receiver.connections()).toBeLessThan(5)
    }),
  )

  run("uses a new connection when the receiver closed the reused one", () =>
    Effect.gen(function* () {
      const used = new WeakSet<Socket>()
      let closed = 0
      const receiver = yield* listen((response, { socket }) => {
        if (used.has(socket)) {
          closed += 1
          socket.destroy()
        } else {
          used.add(socket)
          response.end("ok")
        }
      })
      for (const _ of [1, 2, 3, 4, 5]) {
        expect(yield* send(request(receiver.url))).toEqual({ _tag: "Answered", status: 200, body: "ok" })
      }
      expect(closed).toBeGreaterThan(0)
    }),
  )

  run("reaches a receiver by name", () =>
    Effect.gen(function* () {
      const receiver = yield* listen((response) => response.writeHead(202).end())
      const result = yield* send(request(`http://hooks.platform.example:${receiver.port}/`))
      expect(result).toEqual({ _tag: "Answered", status: 202, body: "" })
      const delivery = yield* receiver.next
      expect(delivery.headers).toContainEqual(["Host", `hooks.platform.example:${receiver.port}`])
    }).pipe(
      Effect.provide(
        NodeWebhookTransport.layer({
          addresses: "any",
          resolver: () => Effect.succeed([{ address: "127.0.0.1", family: 4 }]),
        }),
      ),
    ),
  )
})

describe("an answer", () => {
  for (const status of [200, 204, 400, 409, 500]) {
    run(`of ${status} is returned`, () =>
      Effect.gen(function* () {
        const receiver = yield* listen((response) => response.writeHead(status).end())
        expect(yield* send(request(receiver.url))).toEqual({ _tag: "Answered", status, body: "" })
      }),
    )
  }

  for (const status of [301, 302, 303, 307, 308]) {
    run(`of ${status} is not followed`, () =>
      Effect.gen(function* () {
        const elsewhere = yield* listen((response) => response.writeHead(200).end("elsewhere"))
        const receiver = yield* listen((response) =>
          response.writeHead(status, { Location: elsewhere.url }).end("moved"),
        )
        expect(yield* send(request(receiver.url))).toEqual({ _tag: "Answered", status, body: "moved" })
        expect(elsewhere.connections()).toBe(0)
      }),
    )
  }

  run("that does not end is cut at 64 KiB, and its connection is closed", () =>
    Effect.gen(function* () {
      const receiver = yield* listen((response) => {
        const fill = () => {
          while (response.writable && response.write(Buffer.alloc(16_384, "x")));
        }
        response.on("drain", fill)
        fill()
      })
      const closed = yield* Effect.forkChild(Effect.flatMap(receiver.next, ({ socket }) => closing(socket)))
      const result = yield* send(request(receiver.url))
      expect(result).toEqual({ _tag: "Answered", status: 200, body: "x".repeat(65_536) })
      yield* Fiber.join(closed)
    }),
  )

  run("of exactly the limit is complete", () =>
    Effect.gen(function* () {
      const receiver = yield* listen((response) => response.end("y".repeat(65_536)))
      expect(yield* send(request(receiver.url))).toEqual({ _tag: "Answered", status: 200, body: "y".repeat(65_536) })
    }),
  )

  run("is not cut in the middle of a character", () =>
    Effect.gen(function* () {
      const receiver = yield* listen((response) => response.end(`a${"€".repeat(30_000)}`))
      // 1 + 3 n bytes: the limit falls inside a character.
      expect(yield* send(request(receiver.url))).toMatchObject({ body: `a${"€".repeat(21_845)}` })
    }),
  )
})

const stalls = {
  "before the headers": () => {},
  "after the headers": (response: ServerResponse) => response.writeHead(200).flushHeaders(),
  "dripping its body": (response: ServerResponse) => {
    const drip = setInterval(() => response.write("."), 20)
    response.on("close", () => clearInterval(drip))
  },
}

describe("a receiver that stalls", () => {
  for (const [when, stall] of Object.entries(stalls)) {
    run(`${when} times out, and the connection is closed`, () =>
      Effect.gen(function* () {
        const receiver = yield* listen(stall)
        const closed = yield* Effect.forkChild(Effect.flatMap(receiver.next, ({ socket }) => closing(socket)))
        const result = yield* send(request(receiver.url, { timeoutMillis: 150 }))
        expect(result).toEqual({ _tag: "Unreachable", reason: "no complete answer within 150 ms" })
        yield* Fiber.join(closed)
      }),
    )

    run(`${when} is disconnected by an interruption`, () =>
      Effect.gen(function* () {
        const receiver = yield* listen(stall)
        const sending = yield* Effect.forkChild(send(request(receiver.url)))
        const { socket } = yield* receiver.next
        yield* Fiber.interrupt(sending)
        yield* closing(socket)
        expect(yield* receiver.waiting).toBe(0)
      }),
    )
  }

  run("on a reused connection is not retried after an interruption", () =>
    Effect.gen(function* () {
      let count = 0
      const receiver = yield* listen((response) => {
        count += 1
        if (count === 1) response.end("ok")
      })
      yield* send(request(receiver.url))
      yield* receiver.next
      const sending = yield* Effect.forkChild(send(request(receiver.url)))
      const { socket } = yield* receiver.next
      yield* Fiber.interrupt(sending)
      yield* closing(socket)
      expect([receiver.connections(), yield* receiver.waiting]).toEqual([1, 0])
    }),
  )

  run("while its name is resolved times out", () =>
    send(request("http://slow.platform.example/", { timeoutMillis: 150 })).pipe(
      Effect.map((result) =>
        expect(result).toEqual({ _tag: "Unreachable", reason: "no complete answer within 150 ms" }),
      ),
      Effect.provide(NodeWebhookTransport.layer({ addresses: "any", resolver: () => Effect.never })),
    ),
  )
})

/** A TCP server that answers any request with these bytes and closes the connection. */
const speak = (bytes: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<Server>((resume) => {
        const server = createServer((socket) => {
          socket.on("error", () => {})
          socket.once("data", () => socket.end(bytes))
        })
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) => Effect.sync(() => server.close()),
    ),
    (server) => {
      const address = server.address()
      return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`
    },
  )

describe("an unreachable receiver", () => {
  const closedEarly = "the connection was closed before the answer was complete"

  run("is reported when no server listens", () =>
    Effect.gen(function* () {
      const { url } = yield* Effect.scoped(listen((response) => response.end()))
      expect(yield* send(request(`${url}?token=hidden`))).toEqual({
        _tag: "Unreachable",
        reason: "the connection was refused",
      })
    }),
  )

  for (const [what, bytes, reason] of [
    ["nothing", "", closedEarly],
    ["half a body", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", closedEarly],
    ["another protocol", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n", closedEarly],
    ["bytes that are not HTTP", "220 mail.example ESMTP\r\n", "the connection failed (HPE_INVALID_CONSTANT)"],
    [
      "endless headers",
      `HTTP/1.1 200 OK\r\n${"X: y\r\n".repeat(10_000)}\r\n`,
      "the connection failed (HPE_HEADER_OVERFLOW)",
    ],
  ] as const) {
    run(`is reported when it answers ${what}`, () =>
      Effect.gen(function* () {
        const url = yield* speak(bytes)
        expect(yield* send(request(url))).toEqual({ _tag: "Unreachable", reason })
      }),
    )
  }

  run("is reported when its name does not resolve", () =>
    send(request("http://gone.platform.example/")).pipe(
      Effect.map((result) => expect(result).toEqual({ _tag: "Unreachable", reason: "the host name does not resolve" })),
      Effect.provide(NodeWebhookTransport.layer({ addresses: "any", resolver: () => Effect.succeed([]) })),
    ),
  )

  run("is reported when it does not support TLS", () =>
    Effect.gen(function* () {
      const url = yield* speak("HTTP/1.1 200 OK\r\n\r\n")
      const result = yield* send(request(url.replace("http:", "https:")))
      expect(result).toMatchObject({
        _tag: "Unreachable",
        reason: expect.stringMatching(/^the connection failed \(E/u),
      })
    }),
  )
})
