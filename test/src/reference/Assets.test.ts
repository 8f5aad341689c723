/** The files of the interactive page: those of the published renderer, compressed, and kept by browsers. Source: D-440. */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { expect, it } from "vitest"
import { assets, rendererVersion } from "../../../packages/adapter-http/src/server/ReferencePage.ts"
import { fakeService } from "../wire/FakeService.ts"

const service = fakeService()
const ask = (path: string, encoding: string) =>
  service.handler(new Request(`http://service.test${path}`, { headers: { "accept-encoding": encoding } }))
const folder = new URL("../../../packages/adapter-http/assets/renderer/", import.meta.url)
const unpacked = (name: string) => brotliDecompressSync(readFileSync(new URL(`${name}.br`, folder)))

/** Of `swagger-ui-dist` at this version, as its registry serves it. */
const published = {
  "swagger-ui-bundle.js": "e6a898692f2d768e807c3ba4626068a69a2c5dd960dd6c76f3e4d3a3de180af2",
  "swagger-ui.css": "5ed08757e53da3e026d6cbecc61fe5d43585c9560b302d534ad56692519a273d",
}

it.each(Object.entries(published))("%s is the published file", (name, digest) => {
  expect(readFileSync(new URL("version", folder), "utf8")).toBe(rendererVersion)
  expect(createHash("sha256").update(unpacked(name)).digest("hex")).toBe(digest)
})

it.each(assets)("$path is served in each coding with the same content", async ({ contentType, isImmutable, path }) => {
  const [brotli, gzip, plain] = await Promise.all(["br", "gzip", ""].map((encoding) => ask(path, encoding)))
  if (brotli === undefined || gzip === undefined || plain === undefined) throw new Error("not asked")
  const bytes = Buffer.from(await plain.arrayBuffer())
  expect(bytes.byteLength).toBeGreaterThan(500)
  expect(brotliDecompressSync(Buffer.from(await brotli.arrayBuffer())).equals(bytes)).toBe(true)
  expect(gunzipSync(Buffer.from(await gzip.arrayBuffer())).equals(bytes)).toBe(true)
  expect(plain.headers.get("content-type")).toBe(contentType)
  expect(plain.headers.get("cache-control")).toBe(isImmutable ? "public, max-age=31536000, immutable" : "no-cache")
})

it("adds less than 400 kB to the package, and nothing that a service loads before it is asked", () => {
  const bytes = ["swagger-ui-bundle.js.br", "swagger-ui.css.br"].map(
    (name) => readFileSync(new URL(name, folder)).byteLength,
  )
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(400_000)
})

it("allows the page scripts and styles of this server only, and makes no text into code", async () => {
  const response = await ask("/docs", "")
  const directives = Object.fromEntries(
    (response.headers.get("content-security-policy") ?? "").split("; ").map((directive) => {
      const [name = "", ...sources] = directive.split(" ")
      return [name, sources.join(" ")]
    }),
  )
  expect(directives).toEqual({
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "data:",
    "connect-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "dompurify",
  })
  const page = await response.text()
  expect(page).toContain('<a href="/docs/static">')
  expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=|style="/u)
})
