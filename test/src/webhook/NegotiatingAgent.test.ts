/** The agent for https: whose a connection is while it opens, and what is left of one that was not opened. Source: D-510. */
import https from "node:https"
import { PassThrough } from "node:stream"
import { TLSSocket } from "node:tls"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Scope } from "effect"
import { Http2Connections } from "../../../packages/adapter-http/src/webhook/Http2Connections.ts"
import { Http2Chosen, NegotiatingAgent, Opening } from "../../../packages/adapter-http/src/webhook/NegotiatingAgent.ts"
import { answer } from "./Http2Answers.ts"
import { listenHttp2 } from "./Http2Receiver.ts"
import { listen } from "./Receiver.ts"
import { certificate, host, trustHost } from "./TrustedHost.ts"

trustHost()

describe("the connection that a request opens", () => {
  const begun = () => {
    const opening = new Opening(`https://${host}`)
    const socket = new TLSSocket(new PassThrough())
    opening.begin(socket)
    return { opening, socket }
  }

  it("closes when the request is cancelled", () => {
    const { opening, socket } = begun()
    expect(socket.destroyed).toBe(false)
    opening.cancel()
    expect(socket.destroyed).toBe(true)
  })

  it("closes when the request was cancelled before it began", () => {
    const opening = new Opening(`https://${host}`)
    const socket = new TLSSocket(new PassThrough())
    opening.cancel()
    opening.begin(socket)
    expect(socket.destroyed).toBe(true)
  })

  it("is no longer the request's once it is open", () => {
    const { opening, socket } = begun()
    opening.end()
    opening.cancel()
    expect(socket.destroyed).toBe(false)
    socket.destroy()
  })
})

describe("the agent", () => {
  /** An agent that trusts the certificate and finds its name on this machine. */
  const agent = Effect.acquireRelease(
    Effect.sync(() => {
      const connections = new Http2Connections()
      const lookup: https.RequestOptions["lookup"] = (_, options, callback) =>
        options.all === true ? callback(null, [{ address: "127.0.0.1", family: 4 }]) : callback(null, "127.0.0.1", 4)
      return { connections, agent: new NegotiatingAgent({ lookup, keepAlive: true }, connections) }
    }),
    ({ agent, connections }) =>
      Effect.sync(() => {
        agent.destroy()
        connections.destroy()
      }),
  )
  /** The error of a request, or its status. */
  const ask = (agent: NegotiatingAgent, port: number) =>
    Effect.callback<unknown>((resume) => {
      const request = https.request({ agent, host, port, servername: host })
      request.on("error", (error) => resume(Effect.succeed(error)))
      request.on("response", (response) => {
        response.resume()
        response.on("end", () => resume(Effect.succeed(response.statusCode)))
      })
      request.end()
    })

  it.live("fails a request whose receiver chooses HTTP/2 with the connection, and keeps no socket", () =>
    Effect.gen(function* () {
      const receiver = yield* listenHttp2(certificate, answer)
      const made = yield* agent
      const origin = `https://${host}:${receiver.port}`
      const chosen = yield* ask(made.agent, receiver.port)
      expect(chosen).toBeInstanceOf(Http2Chosen)
      expect(chosen).toMatchObject({ connection: made.connections.withRoom(origin) })
      expect(made.connections.has(origin)).toBe(true)
      expect(Object.keys(made.agent.sockets)).toEqual([])
    }),
  )

  it.live("fails a request whose connection is refused, and keeps no socket", () =>
    Effect.gen(function* () {
      const made = yield* agent
      const { port } = yield* Effect.scoped(listen((response) => response.end(), certificate))
      for (const _ of [1, 2]) expect(yield* ask(made.agent, port)).toMatchObject({ code: "ECONNREFUSED" })
      expect(Object.keys(made.agent.sockets)).toEqual([])
    }),
  )

  it.live("closes a connection that is still opening", () =>
    Effect.gen(function* () {
      const made = yield* agent
      const receiver = yield* listen((response) => response.end(), certificate)
      const asked = yield* Effect.forkChild(ask(made.agent, receiver.port))
      yield* Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))
      made.agent.destroy()
      expect(yield* Fiber.join(asked)).toMatchObject({ code: "ECONNRESET" })
    }),
  )

  it.live("opens one connection for requests at once after the last one of HTTP/1.1 to their receiver has closed", () =>
    Effect.gen(function* () {
      const made = yield* agent
      const scope = yield* Scope.make()
      const before = yield* Scope.provide(
        listen((response) => response.end("before"), certificate),
        scope,
      )
      expect(yield* ask(made.agent, before.port)).toBe(200)
      const [socket] = Object.values({ ...made.agent.sockets, ...made.agent.freeSockets }).flat()
      const closed = Effect.callback<void>((resume) => void socket?.once("close", () => resume(Effect.void)))
      yield* Effect.all([closed, Scope.close(scope, Exit.void)], { concurrency: "unbounded" })
      const later = yield* listenHttp2(certificate, answer, {}, before.port)
      const chosen = yield* Effect.forEach(Array(8), () => ask(made.agent, later.port), { concurrency: "unbounded" })
      expect(chosen.every((each) => each instanceof Http2Chosen)).toBe(true)
      // A receiver that closes before its connections waits for them.
      made.connections.destroy()
      expect(later.connections()).toBe(1)
    }),
  )
})
