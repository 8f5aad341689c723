/** What a delivery over HTTP/2 makes of each end of its stream, without a network. Source: RFC 9113, sections 7 and 8.7; D-510. */
import { Duplex } from "node:stream"
import type { WebhookRequest } from "@countersign/core/ports"
import { Effect, Exit, Fiber } from "effect"
import { describe, expect, it } from "vitest"
import { Http2Connection } from "../../../packages/adapter-http/src/webhook/Http2Connections.ts"
import * as Http2Exchange from "../../../packages/adapter-http/src/webhook/Http2Exchange.ts"

const [cancel, refused, http1] = [8, 7, 13]
const early = "the connection was closed before the answer was complete"

/** A stream whose receiver is the test. */
class FakeStream extends Duplex {
  readonly id = 1
  rstCode = 0
  readonly sent: Array<Buffer> = []
  readonly closedWith: Array<number> = []

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.sent.push(chunk)
    done()
  }

  close(code: number): void {
    this.closedWith.push(code)
  }

  /** Ends as a receiver that resets it, or whose connection is lost. */
  fail(code: number, error?: Error): void {
    this.rstCode = code
    this.destroy(error)
  }
}

interface Facts {
  readonly isOpen?: boolean
  readonly hasAnswered?: boolean
  readonly isUnprocessed?: boolean
  readonly isDestroyed?: boolean
}

const connectionWith = ({ hasAnswered = false, isDestroyed = false, isOpen = true, isUnprocessed = false }: Facts) => {
  const stream = new FakeStream()
  const headers: Array<object> = []
  const state = { retired: 0 }
  const connection: Http2Connection = Object.create(Http2Connection.prototype, {
    isOpen: { value: isOpen },
    hasAnswered: { value: hasAnswered, writable: true },
    socket: { value: { destroyed: isDestroyed } },
    isUnprocessed: { value: () => isUnprocessed },
    retire: { value: () => (state.retired += 1) },
    request: {
      value: (given: object) => {
        headers.push(given)
        return stream
      },
    },
  })
  return { connection, stream, headers, state }
}

const request: WebhookRequest = {
  url: "https://receiver.example/hook?a=b",
  headers: { "webhook-id": "w1" },
  body: "é",
  timeoutMillis: 1_000,
}

/** Sends, lets the receiver act, and returns the result or the failure. */
const exchange = async (facts: Facts, act: (stream: FakeStream) => void) => {
  const made = connectionWith(facts)
  const sending = Http2Exchange.send(new URL(request.url), request, made.connection)
  const result = Effect.runPromise(Effect.result(sending))
  act(made.stream)
  const settled = await result
  const value = settled._tag === "Success" ? settled.success : { ...settled.failure }
  return { ...made, value }
}
const answered = (status: number, body: string) => (stream: FakeStream) => {
  stream.emit("response", { ":status": status })
  stream.push(body)
  stream.push(null)
}
const coded = (code: string) => Object.assign(new Error("with an address"), { code })
const unreachable = (reason: string) => ({ _tag: "Unreachable", reason })
const again = (reason: string, over = "any") => ({ _tag: "NotProcessed", reason, over })

describe("a delivery over HTTP/2", () => {
  it("is one POST with its headers and bytes", async () => {
    const { headers, stream, value } = await exchange({}, answered(200, "ok"))
    expect(headers).toEqual([{ "webhook-id": "w1", ":method": "POST", ":path": "/hook?a=b", "content-length": 2 }])
    expect(Buffer.concat(stream.sent).toString()).toBe("é")
    expect(value).toEqual({ _tag: "Answered", status: 200, body: "ok" })
  })

  it("marks the connection as one that has answered", async () => {
    expect((await exchange({}, answered(500, ""))).connection.hasAnswered).toBe(true)
    expect((await exchange({}, (stream) => stream.fail(cancel))).connection.hasAnswered).toBe(false)
  })

  it("reads 64 KiB of an answer, and no more", async () => {
    const whole = await exchange({}, answered(200, "x".repeat(65_535)))
    expect([whole.value, whole.stream.closedWith]).toMatchObject([{ body: "x".repeat(65_535) }, []])
    const full = await exchange({}, answered(200, "x".repeat(65_536)))
    expect([full.value, full.stream.closedWith]).toMatchObject([{ body: "x".repeat(65_536) }, [cancel]])
    const cut = await exchange({}, (stream) => {
      stream.emit("response", { ":status": 200 })
      stream.push("x".repeat(65_537))
    })
    expect([cut.value, cut.stream.closedWith]).toMatchObject([{ body: "x".repeat(65_536) }, [cancel]])
  })

  it("on a connection that has closed meanwhile is not sent", async () => {
    const { headers, value } = await exchange({ isOpen: false }, () => {})
    expect([value, headers]).toEqual([again(early), []])
  })

  it.each([
    [1, "PROTOCOL_ERROR"],
    [2, "INTERNAL_ERROR"],
    [3, "FLOW_CONTROL_ERROR"],
    [4, "SETTINGS_TIMEOUT"],
    [5, "STREAM_CLOSED"],
    [6, "FRAME_SIZE_ERROR"],
    [7, "REFUSED_STREAM"],
    [8, "CANCEL"],
    [9, "COMPRESSION_ERROR"],
    [10, "CONNECT_ERROR"],
    [11, "ENHANCE_YOUR_CALM"],
    [12, "INADEQUATE_SECURITY"],
    [14, "14"],
  ])("that is reset with %d names the code %s", async (code, name) => {
    const { value } = await exchange({}, (stream) => stream.fail(code))
    expect(value).toEqual(unreachable(`the receiver reset the stream (${name})`))
    const ofNode = await exchange({}, (stream) => stream.fail(code, coded("ERR_HTTP2_STREAM_ERROR")))
    expect(ofNode.value).toEqual(unreachable(`the receiver reset the stream (${name})`))
  })

  it.each<readonly [what: string, facts: Facts, code: number, error: Error | undefined, value: object]>([
    [
      "is refused unprocessed",
      { isUnprocessed: true },
      refused,
      undefined,
      again("the receiver reset the stream (REFUSED_STREAM)"),
    ],
    ["needs HTTP/1.1", {}, http1, undefined, again("the receiver reset the stream (HTTP_1_1_REQUIRED)", "http1")],
    [
      "is lost with a connection that has answered",
      { hasAnswered: true, isDestroyed: true },
      0,
      undefined,
      again(early),
    ],
    ["is lost with a new connection", { isDestroyed: true }, 0, undefined, unreachable(early)],
    ["is lost by a reset", { hasAnswered: true, isDestroyed: true }, cancel, coded("ECONNRESET"), again(early)],
    ["is lost while it is sent", { hasAnswered: true, isDestroyed: true }, cancel, coded("EPIPE"), again(early)],
    [
      "fails otherwise on a connection that has answered",
      { hasAnswered: true, isDestroyed: true },
      cancel,
      coded("ETIMEDOUT"),
      unreachable("the connection timed out"),
    ],
    ["ends without an answer", {}, 0, undefined, unreachable(early)],
    ["fails with an unknown error", {}, 0, coded("EWHATEVER"), unreachable("the connection failed (EWHATEVER)")],
    ["is closed on a connection that stays", { hasAnswered: true }, cancel, coded("EPIPE"), unreachable(early)],
  ])("that %s has that result", async (_what, facts, code, error, value) => {
    expect((await exchange(facts, (stream) => stream.fail(code, error))).value).toEqual(value)
  })

  it.each<readonly [what: string, facts: Facts, code: number]>([
    ["unprocessed", { isUnprocessed: true }, refused],
    ["for HTTP/1.1", {}, http1],
    ["with its connection", { hasAnswered: true, isDestroyed: true }, 0],
  ])("that is lost %s after its answer began is not sent again", async (_what, facts, code) => {
    const { value } = await exchange(facts, (stream) => {
      stream.emit("response", { ":status": 200 })
      stream.fail(code)
    })
    expect(value).toMatchObject({ _tag: "Unreachable" })
  })

  it("whose body is reset after it ended is not answered", async () => {
    const { value } = await exchange({}, (stream) => {
      answered(200, "part")(stream)
      stream.rstCode = cancel
    })
    expect(value).toEqual(unreachable("the receiver reset the stream (CANCEL)"))
  })

  it.each([
    [undefined, 1],
    [200, 0],
  ])(
    "that is interrupted with the status %s resets its stream, and retires %d connections",
    async (status, retired) => {
      const { connection, state, stream } = connectionWith({})
      const sending = Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(Http2Exchange.send(new URL(request.url), request, connection), {
          startImmediately: true,
        })
        if (status !== undefined) stream.emit("response", { ":status": status })
        yield* Fiber.interrupt(fiber)
        return yield* Fiber.await(fiber)
      })
      expect(Exit.hasInterrupts(await Effect.runPromise(sending))).toBe(true)
      expect([stream.closedWith, state.retired]).toEqual([[cancel], retired])
    },
  )
})
