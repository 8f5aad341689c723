/** The listener for `node:http`: how it passes a request on, sends each kind of answer, and ends what fails. Source: D-315, D-363. */
import { createServer, IncomingMessage, type RequestListener, request, ServerResponse } from "node:http"
import { type AddressInfo, Socket } from "node:net"
import { Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { Exchange } from "../../../packages/adapter-http/src/server/Exchange.ts"
import { nodeListenerOf } from "../../../packages/adapter-http/src/server/NodeListener.ts"

type Target = Parameters<typeof nodeListenerOf>[0]
type Handler = Target["handler"]

const open: Array<() => void> = []
afterEach(() => {
  for (const close of open.splice(0)) close()
})

const refuses: Handler = () => Promise.reject(new Error("its detail"))

/** Serves a target behind middleware of another framework, and returns what sends it requests. */
const served = async (target: Target, before: RequestListener = () => undefined, options = {}) => {
  const listener = nodeListenerOf(target, options)
  const server = createServer((incoming, response) => {
    before(incoming, response)
    void listener(incoming, response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  open.push(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return (
    method: string,
    path = "/",
    { body, headers = {} }: { readonly body?: string; readonly headers?: Record<string, string | Array<string>> } = {},
  ) =>
    new Promise<{ status: number; headers: IncomingMessage["headers"]; text: string }>((resolve, reject) => {
      const sent = request({ port, host: "127.0.0.1", method, path, headers, agent: false }, (answer) => {
        let text = ""
        answer.on("data", (chunk) => {
          text += String(chunk)
        })
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
        answer.on("error", reject)
      })
      sent.on("error", reject)
      sent.end(body)
    })
}

/** Serves an answer of the routes. */
const routes = (answer: HttpServerResponse.HttpServerResponse, before?: RequestListener) =>
  served({ handler: refuses, exchange: () => answering(answer) }, before)
const answering =
  (answer: HttpServerResponse.HttpServerResponse): Exchange =>
  (incoming) => {
    incoming.answer(answer)
    return () => undefined
  }

/** Answers with a body of this length that breaks off. */
const breaking = (length: number | undefined) => async () => {
  const body = new ReadableStream({
    pull: (controller) => controller.error(new Error("its detail")),
    start: (controller) => controller.enqueue(new Uint8Array(10)),
  })
  return new Response(body, { headers: length === undefined ? {} : { "content-length": String(length) } })
}

const internal = { status: 500, code: "INTERNAL_ERROR", message: "An internal error occurred." }

describe("a request for a web handler", () => {
  const seen = async (...sent: Parameters<Awaited<ReturnType<typeof served>>>) => {
    const requests: Array<{ readonly given: Request; readonly text: string; readonly address: string | undefined }> = []
    const send = await served(
      {
        handler: async (given, info) => {
          requests.push({ given, text: await given.text(), address: info?.clientAddress })
          return new Response(null, { status: 204 })
        },
      },
      undefined,
      { trustedProxies: ["127.0.0.1"] },
    )
    expect((await send(...sent)).status).toBe(204)
    const [first] = requests
    if (first === undefined) throw new Error("no request")
    return first
  }

  it("has its method, address, headers and body", async () => {
    const headers = { "x-a": ["1", "2"], "content-type": "text/plain" }
    const { address, given, text } = await seen("PATCH", "/a?b=c", { body: "Łukasz", headers })
    expect([given.method, given.url, text, address]).toEqual(["PATCH", "http://localhost/a?b=c", "Łukasz", "127.0.0.1"])
    expect([given.headers.get("x-a"), given.headers.get("content-type")]).toEqual(["1, 2", "text/plain"])
  })

  it("has no body without one, and the address that a trusted proxy gives", async () => {
    const { address, given } = await seen("GET", "/", { headers: { "x-forwarded-for": "192.0.2.7" } })
    expect([given.body, address]).toEqual([null, "192.0.2.7"])
  })

  it("is not aborted when its answer was sent", async () => {
    const signals: Array<AbortSignal> = []
    const send = await served({
      handler: async ({ signal }) => {
        signals.push(signal)
        return new Response("done")
      },
    })
    expect((await send("GET")).text).toBe("done")
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  })

  it.each(["TRACE"])("is refused with the method %s", async (method) => {
    const answer = await (await served({ handler: refuses }))(method)
    expect([answer.status, answer.headers.allow]).toEqual([405, "GET, HEAD, POST, PATCH, DELETE, OPTIONS"])
    expect(answer.headers["content-type"]).toBe("application/json")
    expect(JSON.parse(answer.text)).toMatchObject({
      code: "METHOD_NOT_ALLOWED",
      message: "This method is not supported.",
    })
  })
})

describe("the answer of a web handler", () => {
  it("has its status, each of its headers and its body", async () => {
    const headers = new Headers([
      ["set-cookie", "a=1"],
      ["set-cookie", "b=2"],
      ["x-a", "1"],
    ])
    const send = await served(
      { handler: async () => new Response("text", { status: 418, headers }) },
      (_, response) => {
        response.setHeader("x-framework", "yes")
      },
    )
    const answer = await send("GET")
    expect([answer.status, answer.text]).toEqual([418, "text"])
    expect(answer.headers).toMatchObject({ "set-cookie": ["a=1", "b=2"], "x-a": "1", "x-framework": "yes" })
  })

  it.each([65_537, undefined])("of %s bytes is sent as it is made, and breaks off with its failure", async (length) => {
    await expect((await served({ handler: breaking(length) }))("GET")).rejects.toThrow(/aborted|hang up/u)
  })

  it.each([300, 65_536])("of %i bytes that breaks off has a failure with a head of its own", async (length) => {
    const handler = async () => {
      const answer = await breaking(length)()
      answer.headers.append("set-cookie", "a=1")
      answer.headers.set("etag", '"1"')
      return answer
    }
    const send = await served({ handler }, (_, response) => {
      response.setHeader("x-framework", "yes")
      response.setHeader("set-cookie", ["own=1"])
    })
    const { headers, text } = await send("GET")
    expect(JSON.parse(text)).toEqual(internal)
    expect(headers).toMatchObject({ "content-type": "application/json", "x-framework": "yes", "set-cookie": ["own=1"] })
    expect(headers).not.toHaveProperty("etag")
    expect(headers["content-length"] ?? text.length).toEqual(text.length)
  })

  it("that is no answer is a failure without its detail", async () => {
    const answer = await (await served({ handler: refuses }))("GET")
    expect([answer.status, answer.headers["content-type"]]).toEqual([500, "application/json"])
    expect(JSON.parse(answer.text)).toEqual(internal)
  })
})

describe("the answer of the routes", () => {
  it.each<readonly [what: string, answer: HttpServerResponse.HttpServerResponse, status: number, text: string]>([
    ["a text", HttpServerResponse.text("Łukasz", { status: 201 }), 201, "Łukasz"],
    ["bytes", HttpServerResponse.uint8Array(new Uint8Array([97, 98])), 200, "ab"],
    ["JSON", HttpServerResponse.jsonUnsafe({ a: 1 }, { status: 409 }), 409, '{"a":1}'],
    ["a stream", HttpServerResponse.stream(Stream.make(new Uint8Array([97]), new Uint8Array([98]))), 200, "ab"],
    ["nothing", HttpServerResponse.empty({ status: 200 }), 200, ""],
    ["nothing for 204", HttpServerResponse.empty({ status: 204 }), 204, ""],
    ["no body for 205", HttpServerResponse.text("a", { status: 205 }), 205, ""],
    ["no body for 304", HttpServerResponse.text("a", { status: 304 }), 304, ""],
  ])("is sent as %s", async (_what, given, status, text) => {
    const answer = await (await routes(HttpServerResponse.setHeader(given, "x-a", "1")))("GET")
    expect([answer.status, answer.text, answer.headers["x-a"]]).toEqual([status, text, "1"])
  })

  it("to HEAD has its headers and no body", async () => {
    const answer = await (await routes(HttpServerResponse.text("text")))("HEAD")
    expect([answer.status, answer.text, answer.headers["content-length"]]).toEqual([200, "", "4"])
  })

  it("has its cookies", async () => {
    const answer = await (await routes(HttpServerResponse.setCookieUnsafe(HttpServerResponse.text("a"), "b", "c")))(
      "GET",
    )
    expect([answer.headers["set-cookie"], answer.text]).toEqual([["b=c"], "a"])
  })

  it("keeps the headers that a framework has set, also beside its own of the same name", async () => {
    const given = HttpServerResponse.text("a", { headers: { vary: "origin", "x-a": "1" } })
    const answer = await (
      await routes(given, (_, response) => {
        response.setHeader("vary", "accept")
        response.setHeader("x-framework", "yes")
      })
    )("GET")
    expect(answer.headers).toMatchObject({ vary: "accept, origin", "x-a": "1", "x-framework": "yes" })
  })

  it("that fails before it is sent is a failure without its detail", async () => {
    const failing = HttpServerResponse.stream(Stream.fail(new Error("its detail")))
    const sent = (await routes(failing))("GET")
    await expect(sent).rejects.toThrow(/aborted|hang up/u)
  })

  it("is the web handler's until they are built", async () => {
    const handler = async () => new Response("by the handler")
    expect((await (await served({ handler, exchange: () => undefined }))("GET")).text).toBe("by the handler")
  })
})

/** A request and its response without a connection. */
const exchanged = (method = "GET", headers: IncomingMessage["headers"] = {}) => {
  const socket = new Socket()
  Object.defineProperty(socket, "remoteAddress", { value: "192.0.2.1" })
  const incoming = new IncomingMessage(socket)
  Object.assign(incoming, { method, headers, url: "/a" })
  const response = new ServerResponse(incoming)
  return { socket, incoming, response }
}
const text = HttpServerResponse.text("a")

describe("a request without a connection", () => {
  it.each([
    ["TRACE", 405],
    ["CONNECT", 405],
    ["TRACK", 405],
    ["GET", 200],
    ["OPTIONS", 200],
    ["PUT", 200],
  ])("with the method %s is answered with %d", async (method, status) => {
    const { incoming, response } = exchanged(method)
    await nodeListenerOf({ handler: refuses, exchange: () => answering(text) })(incoming, response)
    expect(response.headersSent).toBe(true)
    expect(response.statusCode).toBe(status)
  })

  it.each([
    ["by the routes", { handler: refuses, exchange: () => answering(text) }],
    ["by the handler", { handler: async () => new Response("a", { headers: { "content-length": "1" } }) }],
  ])("sends its head first if it has an expectation, answered %s", async (_way, target) => {
    const flushes = async (headers: IncomingMessage["headers"]) => {
      const { incoming, response } = exchanged("GET", headers)
      const flush = vi.spyOn(response, "flushHeaders")
      await nodeListenerOf(target)(incoming, response)
      expect(response.headersSent).toBe(true)
      return flush.mock.calls.length
    }
    expect([await flushes({ expect: "100-continue" }), await flushes({})]).toEqual([1, 0])
  })

  it.each([
    [65_536, 500],
    [65_537, 200],
  ])("has an answer of %d bytes that breaks off as the status %d", async (length, status) => {
    const { incoming, response } = exchanged()
    await nodeListenerOf({ handler: breaking(length) })(incoming, response)
    expect(response.statusCode).toBe(status)
  })

  it("aborts the routes when its client leaves, and not when the answer was sent", async () => {
    const abort = vi.fn()
    const { incoming, response } = exchanged()
    void nodeListenerOf({ handler: refuses, exchange: () => () => abort })(incoming, response)
    expect(abort).not.toHaveBeenCalled()
    response.emit("close")
    expect(abort).toHaveBeenCalledOnce()
    const other = exchanged()
    void nodeListenerOf({ handler: refuses, exchange: () => () => abort })(other.incoming, other.response)
    Object.defineProperty(other.response, "writableFinished", { value: true })
    other.response.emit("close")
    expect(abort).toHaveBeenCalledOnce()
  })

  it("has 4 MiB of its unread body discarded, and no byte more", async () => {
    const { incoming, response, socket } = exchanged()
    await nodeListenerOf({ handler: async () => new Response(null) })(incoming, response)
    incoming.emit("data", new Uint8Array(4 * 1024 * 1024 - 1))
    incoming.emit("data", new Uint8Array(1))
    expect(socket.destroyed).toBe(false)
    incoming.emit("data", new Uint8Array(1))
    expect(socket.destroyed).toBe(true)
  })
})
