/** Connections that deliveries keep and share out. Source: D-510. */
import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { NodeWebhookTransport } from "@countersign/adapter-http"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { listen } from "./Receiver.ts"
import { certificate, host, run, send, trustHost } from "./TrustedHost.ts"

trustHost()

const schemes = [
  ["http", undefined],
  ["https", certificate],
] as const

/** A connection is free again in the turn after its answer. */
const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

/** Answers when this number of requests has arrived, so that each has a connection of its own. */
const together = (count: number) => {
  const waiting: Array<ServerResponse> = []
  return (response: ServerResponse) => {
    waiting.push(response)
    if (waiting.length === count) for (const each of waiting.splice(0)) each.end("ok")
  }
}

const answered = { _tag: "Answered", status: 200, body: "ok" }

const sendTogether = (url: string, count: number) =>
  Effect.forEach(Array.from({ length: count }), () => send(url), { concurrency: "unbounded" })

describe.each(schemes)("over %s", (scheme, secure) => {
  run("64 deliveries at once keep their connections for the next 64", () =>
    Effect.gen(function* () {
      const receiver = yield* listen(together(64), secure)
      const url = `${scheme}://${host}:${receiver.port}/`
      for (const _ of [1, 2, 3]) {
        expect(yield* sendTogether(url, 64)).toEqual(Array(64).fill(answered))
        yield* turn
      }
      expect(receiver.connections()).toBe(64)
    }),
  )

  run("a delivery that a kept connection has lost is sent over a new one, whatever else is kept", () =>
    Effect.gen(function* () {
      const used = new WeakSet<Socket>()
      const answerTogether = together(8)
      const receiver = yield* listen((response, { socket }) => {
        if (used.has(socket)) socket.destroy()
        else if (receiver.connections() <= 8) answerTogether(response)
        else response.end("ok")
        used.add(socket)
      }, secure)
      const url = `${scheme}://${host}:${receiver.port}/`
      yield* sendTogether(url, 8)
      yield* turn
      for (const _ of Array(8)) yield* receiver.next
      expect(yield* send(url)).toEqual(answered)
      expect(yield* receiver.waiting).toBe(2)
      expect(receiver.connections()).toBe(9)
    }),
  )

  run("a delivery that two connections have lost has failed", () =>
    Effect.gen(function* () {
      let count = 0
      const receiver = yield* listen((response, { socket }) => {
        count += 1
        if (count === 1) response.end("ok")
        else socket.destroy()
      }, secure)
      const url = `${scheme}://${host}:${receiver.port}/`
      expect(yield* send(url)).toEqual(answered)
      yield* turn
      expect(yield* send(url)).toEqual({
        _tag: "Unreachable",
        reason: "the connection was closed before the answer was complete",
      })
      expect(count).toBe(3)
    }),
  )
})

describe("kept connections", () => {
  run("of some hosts leave another host its own", () =>
    Effect.gen(function* () {
      for (const _ of [1, 2]) {
        const receiver = yield* listen(together(128))
        yield* sendTogether(`http://${host}:${receiver.port}/`, 128)
        yield* turn
      }
      const last = yield* listen((response) => response.end("ok"))
      expect(yield* send(`http://${host}:${last.port}/`)).toEqual(answered)
    }),
  )

  it.live("close with the layer", () =>
    Effect.gen(function* () {
      const receiver = yield* listen((response) => response.end("ok"))
      const url = `http://127.0.0.1:${receiver.port}/`
      yield* Effect.provide(send(url), NodeWebhookTransport.layer({ addresses: "any" }))
      const { socket } = yield* receiver.next
      yield* Effect.callback<void>((resume) => {
        if (socket.closed) resume(Effect.void)
        else socket.once("close", () => resume(Effect.void))
      })
    }),
  )
})
