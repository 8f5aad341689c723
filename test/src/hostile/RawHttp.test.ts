/** Malformed and ambiguous HTTP over raw sockets: one bounded answer at most, and nothing that follows is a request. */
import { describe, expect, it } from "vitest"
import { basic } from "../wire/FakeService.ts"
import { startHostileServer, until } from "./HostileServer.ts"
import { exchange, open, received } from "./RawClient.ts"

const counted = "GET /counted HTTP/1.1\r\nHost: a\r\n\r\n"
const head = `POST /2025-10-13/customers HTTP/1.1\r\nHost: a\r\nAuthorization: ${basic()}\r\nContent-Type: application/json\r\n`
const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`

/** What the server may answer before it closes the connection. */
type Answer = 400 | 408 | 413 | 417 | 431 | "closed"

const attacks: ReadonlyArray<readonly [name: string, bytes: string, answer: Answer]> = [
  ["a length and a transfer coding", `${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
  ["a transfer coding and a length", `${head}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n`, 400],
  ["two different lengths", `${head}Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}`, 400],
  ["two equal lengths", `${head}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`, 400],
  ["two lengths in one line", `${head}Content-Length: 2, 2\r\n\r\n{}`, 400],
  ["a negative length", `${head}Content-Length: -1\r\n\r\n`, 400],
  ["a length with a sign", `${head}Content-Length: +2\r\n\r\n{}`, 400],
  ["a hexadecimal length", `${head}Content-Length: 0x2\r\n\r\n{}`, 400],
  ["a length beyond 64 bits", `${head}Content-Length: 99999999999999999999\r\n\r\n{}`, 400],
  ["the coding identity", `${head}Transfer-Encoding: identity\r\n\r\n`, 400],
  ["chunked that is not the last coding", `${head}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`, 400],
  ["a coding that only resembles chunked", `${head}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`, 400],
  ["a coding after a vertical tab", `${head}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n`, 400],
  ["a folded header line", `GET / HTTP/1.1\r\nHost: a\r\nX-A: b\r\n c\r\n\r\n`, 400],
  ["a folded transfer coding", `${head}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n`, 400],
  ["bare line feeds", "GET / HTTP/1.1\nHost: a\n\n", 400],
  ["a bare line feed in a header", "GET / HTTP/1.1\r\nHost: a\r\nX-A: b\nX-B: c\r\n\r\n", 400],
  ["a bare carriage return in a header", "GET / HTTP/1.1\r\nHost: a\r\nX-A: b\rX-B: c\r\n\r\n", 400],
  ["NUL in a header", "GET / HTTP/1.1\r\nHost: a\r\nX-A: b\0c\r\n\r\n", 400],
  ["a space before a colon", `${head}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`, 400],
  ["a space in a header's name", "GET / HTTP/1.1\r\nHost: a\r\nX A: b\r\n\r\n", 400],
  ["a header without a name", "GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n", 400],
  ["a header line without a colon", "GET / HTTP/1.1\r\nHost: a\r\nX-A\r\n\r\n", 400],
  ["a first header line that begins with a space", "GET / HTTP/1.1\r\n X-A: b\r\nHost: a\r\n\r\n", 400],
  ["NUL in the target", "GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n", 400],
  ["a carriage return in the target", "GET /\r HTTP/1.1\r\nHost: a\r\n\r\n", 400],
  ["a space in the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", 400],
  ["a target without a slash", "GET counted HTTP/1.1\r\nHost: a\r\n\r\n", 400],
  ["a request without a Host header", "GET / HTTP/1.1\r\n\r\n", 400],
  ["two Host headers", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400],
  ["HTTP/0.9", "GET /\r\n\r\n", 400],
  ["HTTP/2.0 in the request line", "GET / HTTP/2.0\r\nHost: a\r\n\r\n", 400],
  ["a version with more digits", "GET / HTTP/1.10\r\nHost: a\r\n\r\n", 400],
  ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
  ["CONNECT to an authority", "CONNECT internal:443 HTTP/1.1\r\nHost: a\r\n\r\n", "closed"],
  ["the handshake of TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400],
  ["an unknown method", "COUNT / HTTP/1.1\r\nHost: a\r\n\r\n", 400],
  ["a method in lower case", "get / HTTP/1.1\r\nHost: a\r\n\r\n", 400],
  ["an unknown expectation", "GET / HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\n\r\n", 417],
  ["headers that are too large", `GET / HTTP/1.1\r\nHost: a\r\nX-A: ${"a".repeat(20_000)}\r\n\r\n`, 431],
  ["a target that is too large", `GET /${"a".repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
  ["too many headers", `GET / HTTP/1.1\r\nHost: a\r\n${"A: b\r\n".repeat(100)}\r\n`, 431],
  ["a chunk size that is not hexadecimal", `${chunked}zz\r\n{}\r\n0\r\n\r\n`, 400],
  ["a negative chunk size", `${chunked}-2\r\n{}\r\n0\r\n\r\n`, 400],
  ["a chunk size with a prefix", `${chunked}0x2\r\n{}\r\n0\r\n\r\n`, 400],
  ["a chunk size beyond 64 bits", `${chunked}fffffffffffffffff\r\n{}\r\n0\r\n\r\n`, 400],
  ["a chunk longer than its size", `${chunked}1\r\n{}\r\n0\r\n\r\n`, 400],
  ["a chunk size that ends in a bare line feed", `${chunked}2\n{}\r\n0\r\n\r\n`, 400],
  ["a chunk that ends in a bare line feed", `${chunked}2\r\n{}\n0\r\n\r\n`, 400],
  ["chunk extensions without end", `${chunked}2;${"name=value;".repeat(5_000)}\r\n{}\r\n0\r\n\r\n`, 413],
  ["a bare line feed in a chunk extension", `${chunked}2;a\n{}\r\n0\r\n\r\n`, 400],
  ["trailers without end", `${chunked}2\r\n{}\r\n0\r\nX-A: ${"a".repeat(20_000)}\r\n\r\n`, 431],
]

describe("a server that receives malformed HTTP", () => {
  it.each(attacks)("answers %s once at most and takes nothing after it for a request", async (_name, bytes, answer) => {
    const server = await startHostileServer()
    const { statuses, text } = await exchange(server.port, `${bytes}${counted}${counted}`)
    expect(statuses).toEqual(answer === "closed" ? [] : [answer])
    expect(text.length).toBeLessThan(1_000)
    if (answer !== "closed") {
      expect(text.toLowerCase()).toContain("connection: close\r\n")
      expect(JSON.parse(text.slice(text.indexOf("{")))).toMatchObject({
        status: answer,
        code: "INVALID_REQUEST_FORMAT",
      })
    }
    expect(server.counted()).toBe(0)
  })

  it("answers the requests before a malformed one, and none after it", async () => {
    const server = await startHostileServer()
    const { statuses } = await exchange(server.port, `${counted}${counted}NONSENSE\r\n\r\n${counted}`)
    expect([200, 200]).toEqual(statuses.slice(0, 2))
    expect(statuses.slice(2).every((status) => status === 400)).toBe(true)
    expect(server.counted()).toBe(2)
  })

  it("lets a running request finish before it closes the connection of a malformed one", async () => {
    const server = await startHostileServer()
    const socket = await open(server.port)
    const { closed } = received(socket)
    socket.write("GET /waiting HTTP/1.1\r\nHost: a\r\n\r\n")
    await until(() => server.counted() === 1)
    socket.write(`NONSENSE\r\n\r\n${counted}`)
    // The malformed bytes have been read when another connection was answered.
    await exchange(server.port, counted.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"))
    server.release()
    expect((await closed()).statuses).toEqual([200])
    expect(server.counted()).toBe(2)
  })

  it("gives a request that was answered before its body ended no second answer", async () => {
    const server = await startHostileServer()
    const socket = await open(server.port)
    const { closed, matching } = received(socket)
    socket.write(`${head.replace(/Authorization.*?\r\n/u, "")}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`)
    await matching(/"UNAUTHORIZED"/u)
    socket.write(`nonsense\r\n${counted}`)
    expect((await closed()).statuses).toEqual([401])
    expect(server.counted()).toBe(0)
  })

  it("closes the connection of a client that stays silent after a malformed request", async () => {
    const server = await startHostileServer()
    const socket = await open(server.port)
    const { matching } = received(socket)
    // This end of the connection stays open.
    socket.allowHalfOpen = true
    socket.write("NONSENSE\r\n\r\n")
    await matching(/INVALID_REQUEST_FORMAT/u)
    await until(() => server.openConnections() === 0)
    socket.destroy()
  })
})

describe("a server that receives unusual HTTP", () => {
  it.each([
    ["an absolute target", "GET http://other.test/counted HTTP/1.1\r\nHost: a\r\n", 200, 1],
    ["an absolute target without a path", "GET http://other.test HTTP/1.1\r\nHost: a\r\n", 404, 0],
    [
      "an upgrade that it does not offer",
      "GET /counted HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: Upgrade, close\r\n",
      200,
      1,
    ],
    ["HTTP/1.0 without a Host header", "GET /counted HTTP/1.0\r\n", 200, 1],
    ["Expect: 100-continue", "GET /counted HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n", 200, 1],
    ["a body with GET", "GET /counted HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nX: y\r\n", 200, 1],
  ])("answers %s as one request", async (_name, bytes, status, count) => {
    const server = await startHostileServer()
    const body = bytes.includes("Content-Length") ? "GET" : ""
    const { statuses } = await exchange(server.port, `${bytes}Connection: close\r\n\r\n${body}`)
    expect(statuses).toEqual([status])
    expect(server.counted()).toBe(count)
  })

  it("invites a client to send a body only once, and reads it as the request's own", async () => {
    const server = await startHostileServer()
    const socket = await open(server.port)
    const { closed, matching } = received(socket)
    socket.write(`${head}Connection: close\r\nExpect: 100-continue\r\nContent-Length: ${counted.length}\r\n\r\n`)
    await matching(/^HTTP\/1\.1 100 Continue\r\n\r\n/u)
    socket.write(counted)
    const { statuses, text } = await closed()
    expect(statuses).toEqual([400])
    expect(text).toContain("INVALID_REQUEST_FORMAT")
    expect(server.counted()).toBe(0)
  })
})

it("answers a request that expects 100 Continue in order, behind another response", async () => {
  const server = await startHostileServer()
  const socket = await open(server.port)
  const { closed } = received(socket)
  const expecting = "GET /large HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n"
  socket.write(`GET /waiting HTTP/1.1\r\nHost: a\r\n\r\n${expecting}`)
  await until(() => server.counted() === 2)
  server.release()
  const { statuses, text } = await closed()
  expect(statuses).toEqual([200, 200])
  expect(text).toMatch(/100 Continue\r\n\r\nHTTP\/1\.1 200 /u)
})
