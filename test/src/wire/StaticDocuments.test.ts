/** The OpenAPI document and its page: entity tags, compression and HEAD, as RFC 9110 defines them. */
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { encodingFor, namesTag } from "../../../packages/adapter-http/src/server/StaticDocument.ts"
import { startHostileServer } from "../hostile/HostileServer.ts"
import { exchange } from "../hostile/RawClient.ts"
import { fakeService } from "./FakeService.ts"

const service = fakeService()

const ask = (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
  service.handler(new Request(`http://service.test${path}`, { method, headers }))

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

const headersOf = (response: Response, ...names: ReadonlyArray<string>) =>
  names.map((name) => response.headers.get(name))

describe.each(["/openapi.json", "/docs", "/docs/static", "/docs/guide", "/docs/samples.json"])("%s", (path) => {
  it("has a strong entity tag that stays the same, and must be revalidated", async () => {
    const [first, second] = [await ask(path), await ask(path)]
    expect(headersOf(first, "etag", "vary", "cache-control")).toEqual(
      headersOf(second, "etag", "vary", "cache-control"),
    )
    expect(headersOf(first, "vary", "cache-control", "content-encoding")).toEqual(["Accept-Encoding", "no-cache", null])
    expect(first.headers.get("etag")).toMatch(/^"[\w-]{43}"$/u)
  })

  it("is compressed as the client accepts, with a tag for each coding", async () => {
    const plain = await ask(path)
    const brotli = await ask(path, { "accept-encoding": "gzip, br" })
    const gzip = await ask(path, { "accept-encoding": "gzip" })
    expect([brotli, gzip].map((response) => response.headers.get("content-encoding"))).toEqual(["br", "gzip"])
    expect(new Set([plain, brotli, gzip].map((response) => response.headers.get("etag"))).size).toBe(3)
    expect([brotli, gzip].map((response) => response.headers.get("vary"))).toEqual([
      "Accept-Encoding",
      "Accept-Encoding",
    ])
    const text = await bytesOf(plain)
    const packed = await bytesOf(brotli)
    expect(brotliDecompressSync(packed).equals(text)).toBe(true)
    expect(gunzipSync(await bytesOf(gzip)).equals(text)).toBe(true)
    expect(packed.byteLength * 2).toBeLessThan(text.byteLength)
  })

  it("is not sent again to a client that has it", async () => {
    const headers = { "accept-encoding": "br" }
    const etag = (await ask(path, headers)).headers.get("etag") ?? ""
    for (const named of [etag, `W/${etag}`, `"a", W/"b" ,${etag}`, "*"]) {
      const response = await ask(path, { ...headers, "if-none-match": named })
      expect([response.status, await response.text()]).toEqual([304, ""])
      expect(headersOf(response, "etag", "vary", "cache-control")).toEqual([etag, "Accept-Encoding", "no-cache"])
    }
    for (const named of ['"a"', etag.slice(1, -1), `"x${etag.slice(1)}`]) {
      expect((await ask(path, { ...headers, "if-none-match": named })).status).toBe(200)
    }
    // The tag of another coding.
    expect((await ask(path, { "if-none-match": etag })).status).toBe(200)
  })

  it("answers HEAD like GET, without the body", async () => {
    const headers = { "accept-encoding": "br" }
    const [got, head] = [await ask(path, headers), await ask(path, headers, "HEAD")]
    const names = ["etag", "vary", "content-encoding", "content-type", "content-length"]
    expect(headersOf(head, ...names)).toEqual(headersOf(got, ...names))
    expect([head.status, await head.text()]).toEqual([200, ""])
    const etag = got.headers.get("etag") ?? ""
    expect((await ask(path, { ...headers, "if-none-match": etag }, "HEAD")).status).toBe(304)
  })

  it("ends its answers on a connection, so that the next one follows", async () => {
    const server = await startHostileServer()
    const request = (method: string, more: string) =>
      `${method} ${path} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br\r\n${more}\r\n`
    const { text } = await exchange(
      server.port,
      request("HEAD", "If-None-Match: *\r\n") + request("GET", "If-None-Match: *\r\nConnection: close\r\n"),
    )
    expect(text.match(/HTTP\/1\.1 \d+/gu)).toEqual(["HTTP/1.1 304", "HTTP/1.1 304"])
    expect(text.endsWith("\r\n\r\n")).toBe(true)
  })
})

describe("the coding for Accept-Encoding", () => {
  it.each([
    [undefined, "identity"],
    ["", "identity"],
    ["br", "br"],
    ["GZIP", "gzip"],
    ["gzip, deflate, br", "br"],
    ["gzip;q=1.0, br;q=0.5", "gzip"],
    ["gzip;q=0.001", "gzip"],
    ["gzip;q=0, br;q=0", "identity"],
    ["identity;q=1, br;q=0.5", "identity"],
    ["identity;q=0, gzip;q=0.5", "gzip"],
    ["*", "br"],
    ["*;q=0, gzip", "gzip"],
    ["*;q=0", "identity"],
    ["deflate, zstd", "identity"],
    ["br;q=2;q=0, constructor", "br"],
  ])("%s is %s", (header, coding) => {
    expect(encodingFor(header)).toBe(coding)
  })
})

describe("If-None-Match", () => {
  it("names no tag in an empty or malformed list", () => {
    for (const header of [undefined, "", '"', "a", 'W/"', '"b"']) expect(namesTag(header, '"a"')).toBe(false)
  })
})
