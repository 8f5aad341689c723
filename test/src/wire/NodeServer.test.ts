/** The `node:http` server: bodies, malformed requests, clients that disconnect, and a close that lets running requests finish. */

import { once } from "node:events"
import { request } from "node:http"
import { createConnection } from "node:net"
import { setImmediate as turn } from "node:timers/promises"
import { type NodeServer, type NodeServerOptions, startNodeServer } from "@countersign/adapter-http"
import { Effect } from "effect"
import { afterEach, beforeAll, describe, expect, it } from "vitest"
import { basic, fakeService } from "./FakeService.ts"

const open: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

type Handler = NodeServerOptions["handler"]
type Served = Pick<NodeServerOptions, "handler" | "exchange">

const serve = async (served: Handler | Served, graceMillis = 60_000): Promise<NodeServer> => {
  const answering = typeof served === "function" ? { handler: served } : served
  const server = await startNodeServer({ ...answering, port: 0, host: "127.0.0.1", graceMillis })
  open.push(server.close)
  return server
}

const turns = async (count: number): Promise<void> => {
  for (let n = 0; n < count; n++) await turn()
}

const service = fakeService()
/** The routes handle `node:http` requests directly once they are built. */
const made = service.handler(new Request("http://service.test/healthz"))

const ways: ReadonlyArray<readonly [string, Served]> = [
  ["by the web handler", { handler: service.handler }],
  ["by the routes themselves", { ...service, handler: () => Promise.reject(new Error("the routes answer")) }],
]

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** Sends a request over a new connection. */
const ask = (
  { port }: NodeServer,
  path: string,
  method = "GET",
  headers: Readonly<Record<string, string>> = {},
  write: (send: (chunk: Uint8Array | string) => void, end: () => void) => void = (_send, end) => end(),
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request({ port, host: "127.0.0.1", path, method, headers, agent: false }, (response) => {
      let body = ""
      response.on("data", (chunk) => {
        body += String(chunk)
      })
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    sent.on("error", reject)
    write(
      (chunk) => sent.write(chunk),
      () => sent.end(),
    )
  })

/** Sends bytes and returns all received text when the connection ends. */
const raw = ({ port }: NodeServer, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = createConnection(port, "127.0.0.1", () => socket.write(bytes))
    let text = ""
    socket.on("data", (chunk) => {
      text += String(chunk)
    })
    socket.on("end", () => resolve(text))
    socket.on("error", reject)
  })

/** The headers that are equal in each run. */
const stableHeaders = ({ date: _date, "x-request-id": _id, ...headers }: Answer["headers"]) => ({ headers })

/** Sends addresses, headers and bodies in unusual forms. */
const unusualRequests = (server: NodeServer): Promise<ReadonlyArray<Answer>> => {
  const customers = "/2025-10-13/customers"
  const authorization = basic()
  const answers = [
    ask(server, "//healthz"),
    ask(server, "/x/../healthz"),
    ask(server, "/x/%2e%2e/healthz"),
    ask(server, "/healthz/?a=b&a=%20#c"),
    ask(server, `${customers}?limit=2&customerType=INDIVIDUAL`, "GET", { authorization }),
    ask(server, `${customers}?limit=%FF&cursor=é`, "GET", { authorization }),
    ask(server, "/2025-10-13/customers/Customer:a.b~c%20d", "GET", { authorization }),
    ask(server, customers, "GET"),
    ask(server, customers, "PUT", { authorization }),
    ask(server, customers, "OPTIONS"),
    ask(server, "/unknown\\path"),
    ask(server, customers, "POST", { authorization, "content-type": "text/xml" }, (send, end) => {
      send("{}")
      end()
    }),
    ask(server, customers, "POST", { authorization }, (send, end) => {
      send(new Uint8Array([0xff]))
      end()
    }),
  ]
  return Promise.all(answers)
}

describe.each(ways)("the server, answering %s", (_way, served) => {
  beforeAll(() => made)

  it("passes headers and bodies, with a length or in chunks", async () => {
    const server = await serve(served)
    const headers = { authorization: basic(), "content-type": "application/json" }
    const body = '{"customerType":"INDIVIDUAL"}'
    const whole = await ask(
      server,
      "/2025-10-13/customers",
      "POST",
      { ...headers, "content-length": "29" },
      (send, end) => {
        send(body)
        end()
      },
    )
    const chunked = await ask(server, "/2025-10-13/customers", "POST", headers, (send, end) => {
      send(body.slice(0, 9))
      send(body.slice(9))
      end()
    })
    for (const answer of [whole, chunked]) {
      expect(answer.status).toBe(201)
      expect(JSON.parse(answer.body).payload).toEqual({ customerType: "INDIVIDUAL" })
    }
  })

  it("responds to HEAD without a body, sends an empty 204 and accepts a missing body", async () => {
    const server = await serve(served)
    const head = await ask(server, "/healthz", "HEAD")
    expect([head.status, head.body, head.headers["content-length"]]).toEqual([200, "", "15"])
    const deleted = await ask(server, "/2025-10-13/agents/x", "DELETE", { authorization: basic() })
    expect([deleted.status, deleted.body, deleted.headers["content-type"]]).toEqual([204, "", undefined])
    expect(
      (await ask(server, "/2025-10-13/agents/x/actions/y/reject", "POST", { authorization: basic() })).status,
    ).toBe(200)
  })

  it("responds to a body beyond the limit before it ends", async () => {
    const server = await serve(served)
    const headers = { authorization: basic(), "content-type": "application/json" }
    const answer = await ask(server, "/2025-10-13/customers", "POST", headers, (send) => {
      // The request never ends, so the response cannot wait for the rest.
      send(new Uint8Array(1024 * 1024 + 1).fill(32))
    })
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([400, "INVALID_REQUEST_FORMAT"])
  })

  it("keeps the connection after an oversized body that ends, and closes it for an endless one", async () => {
    const server = await serve(served)
    const head = `POST /2025-10-13/customers HTTP/1.1\r\nHost: a\r\nAuthorization: ${basic()}\r\nContent-Type: application/json\r\n`
    const next = "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    const size = 2 * 1024 * 1024
    const both = await raw(server, `${head}Content-Length: ${size}\r\n\r\n${" ".repeat(size)}${next}`)
    expect(both.match(/HTTP\/1\.1 \d+/gu)).toEqual(["HTTP/1.1 400", "HTTP/1.1 200"])
    const chunk = `10000\r\n${" ".repeat(0x10000)}\r\n`
    const cut = Promise.withResolvers<void>()
    const socket = createConnection(server.port, "127.0.0.1", () =>
      socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`),
    )
    const pour = () => {
      while (socket.writable && socket.write(chunk));
    }
    let got = ""
    socket.on("data", (data) => {
      got += String(data)
    })
    socket.on("drain", pour)
    socket.on("connect", pour)
    socket.on("error", () => {})
    socket.on("close", () => cut.resolve())
    await cut.promise
    expect(got).toMatch(/^HTTP\/1\.1 400 .*"INVALID_REQUEST_FORMAT"/su)
  })

  it("responds to invalid HTTP with a JSON error", async () => {
    const server = await serve(served)
    const text = await raw(server, "NONSENSE\r\n\r\n")
    expect(text).toMatch(/^HTTP\/1\.1 400 /u)
    expect(JSON.parse(text.slice(text.indexOf("{")))).toMatchObject({ status: 400, code: "INVALID_REQUEST_FORMAT" })
    const trace = await raw(server, "TRACE / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    expect(trace).toMatch(/^HTTP\/1\.1 405 .*"METHOD_NOT_ALLOWED"/su)
  })

  it("joins repeated header fields", async () => {
    const server = await serve(served)
    const type = "Content-Type: application/json\r\n"
    const head = `POST /2025-10-13/customers HTTP/1.1\r\nHost: a\r\nAuthorization: ${basic()}\r\nConnection: close\r\n`
    const text = await raw(server, `${head}${type}${type}Content-Length: 2\r\n\r\n{}`)
    expect(text).toMatch(/^HTTP\/1\.1 400 .*must be application\/json/su)
  })
})

describe("the server", () => {
  it("responds the same way through both paths to unusual requests", async () => {
    await made
    const answers: Array<unknown> = []
    for (const [, served] of ways) {
      const all = await unusualRequests(await serve(served))
      answers.push(all.map(({ body, headers, status }) => ({ ...stableHeaders(headers), body, status })))
    }
    expect(answers[1]).toEqual(answers[0])
    expect(answers[0]).toMatchObject(
      [200, 200, 200, 200, 200, 400, 200, 401, 405, 204, 404, 400, 400].map((status) => ({ status })),
    )
  })

  it("responds with a 500 without detail if the handler throws", async () => {
    const server = await serve(() => Promise.reject(new Error("secret")))
    const answer = await ask(server, "/")
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([500, "INTERNAL_ERROR"])
    expect(answer.body).not.toContain("secret")
  })

  it("aborts the request of a client that disconnects", async () => {
    const aborted = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    const server = await serve(({ signal }) => {
      signal.addEventListener("abort", () => aborted.resolve())
      reached.resolve()
      return new Promise(() => {})
    }, 0)
    const socket = createConnection(server.port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
    await reached.promise
    socket.destroy()
    await aborted.promise
  })

  it("interrupts the route of a client that disconnects", async () => {
    const aborted = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    const waiting = fakeService({
      ready: Effect.sync(reached.resolve).pipe(
        Effect.andThen(Effect.never),
        Effect.onInterrupt(() => Effect.sync(aborted.resolve)),
      ),
    })
    await waiting.handler(new Request("http://service.test/healthz"))
    const server = await serve(waiting, 0)
    const socket = createConnection(server.port, "127.0.0.1", () =>
      socket.write("GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n"),
    )
    await reached.promise
    socket.destroy()
    await aborted.promise
  })

  it("streams responses", async () => {
    const chunks = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const part of ["a", "b", "c"]) controller.enqueue(new TextEncoder().encode(part))
        controller.close()
      },
    })
    const server = await serve(() => Promise.resolve(new Response(chunks)))
    expect((await ask(server, "/")).body).toBe("abc")
  })
})

describe("closing the server", () => {
  it("lets a running request finish, accepts no other, and closes idle connections", async () => {
    const reached = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<Response>()
    const server = await serve((request) => {
      if (request.url.endsWith("/fast")) return Promise.resolve(new Response("fast"))
      reached.resolve()
      return answer.promise
    })
    const idle = Promise.withResolvers<void>()
    const kept = createConnection(server.port, "127.0.0.1", () => kept.write("GET /fast HTTP/1.1\r\nHost: a\r\n\r\n"))
    const answered = new Promise<void>((resolve) => kept.once("data", () => resolve()))
    kept.on("close", () => idle.resolve())
    await answered
    const running = ask(server, "/slow")
    await reached.promise
    const closed = server.close()
    await idle.promise
    await expect(ask(server, "/fast")).rejects.toThrow()
    answer.resolve(new Response("done"))
    const finished = await running
    expect([finished.status, finished.body, finished.headers["connection"]]).toEqual([200, "done", "close"])
    await closed
    await server.close()
  })

  it("closes a connection whose answer began before, once it has ended", async () => {
    const body = new TransformStream<string, string>()
    const server = await serve(() => Promise.resolve(new Response(body.readable.pipeThrough(new TextEncoderStream()))))
    const writer = body.writable.getWriter()
    const kept = createConnection(server.port, "127.0.0.1", () => kept.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
    let received = ""
    const begun = new Promise<void>((resolve) =>
      kept.on("data", (bytes) => {
        received += bytes
        if (received.includes("beginning")) resolve()
      }),
    )
    await writer.write("beginning")
    await begun
    const closed = server.close()
    const ended = once(kept, "end")
    await writer.write("end")
    await writer.close()
    // Otherwise the client would have to close it, or the server after a time.
    const isEnded = await Promise.race([ended.then(() => true), turns(1000).then(() => false)])
    kept.destroy()
    await closed
    expect(isEnded).toBe(true)
    expect(received).toMatch(/^HTTP\/1\.1 200 (?!.*connection: close).*beginning.*end/isu)
  })

  it("does not wait longer than the grace period", async () => {
    const reached = Promise.withResolvers<void>()
    const server = await serve(() => {
      reached.resolve()
      return new Promise(() => {})
    }, 0)
    const running = ask(server, "/")
    const outcome = expect(running).rejects.toThrow()
    await reached.promise
    await server.close()
    await outcome
  })

  it("rejects the start on a port that is in use", async () => {
    const server = await serve(service.handler)
    const second = startNodeServer({ handler: service.handler, port: server.port, host: "127.0.0.1" })
    await expect(second).rejects.toThrow("EADDRINUSE")
  })
})
