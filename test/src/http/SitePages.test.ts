/** The files of the documentation site: which one an address names, its type, its policy and how long it is kept. Source: D-543. */
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { beforeAll, describe, expect, it } from "vitest"
import * as SitePages from "../../../packages/adapter-http/src/server/SitePages.ts"
import { type BuiltSite, builtSite } from "../site/BuiltSite.ts"

let site: BuiltSite
beforeAll(async () => {
  site = await builtSite()
}, 180_000)

const pages = SitePages.make()
const ask = async (url: string) => {
  const request = HttpServerRequest.fromWeb(new Request(`http://service.test${url}`)).modify({ url })
  const answered = Effect.provideService(pages, HttpServerRequest.HttpServerRequest, request)
  return HttpServerResponse.toWeb(await Effect.runPromise(answered))
}
/** The name of the file that an address is answered with, by its text. */
const answered = async (url: string, names: ReadonlyArray<string>) => {
  const response = await ask(url)
  const text = await response.text()
  return [response.status, names.find((name) => site.read(name) === text)]
}

describe("an address of the site", () => {
  it.each<readonly [url: string, name: string]>([
    ["/docs/site/", "index.html"],
    ["/docs/site", "index.html"],
    ["/docs/site?a=/wire", "index.html"],
    ["/docs/site/architecture", "architecture.html"],
    ["/docs/site/architecture/", "architecture.html"],
    ["/docs/site/architecture.html", "architecture.html"],
    ["/docs/site/architecture.md", "architecture.md"],
    ["/docs/site/architecture?from=x", "architecture.html"],
    ["//docs//site//architecture//", "architecture.html"],
    ["/docs/site/LICENSES.txt", "LICENSES.txt"],
    ["/docs/site/404.html", "404.html"],
  ])("%s names %s", async (url, name) => {
    expect(
      await answered(url, ["index.html", "architecture.html", "architecture.md", "LICENSES.txt", "404.html"]),
    ).toEqual([200, name])
  })

  it.each([
    "/docs/site/missing",
    "/docs/site/assets",
    "/docs/site/site.json",
    "/docs/site/x/docs/site/architecture",
    "/a",
  ])("%s names no file", async (url) => {
    expect(await answered(url, ["404.html", "architecture.html"])).toEqual([404, "404.html"])
  })
})

describe("a file of the site", () => {
  const types: Readonly<Record<string, string>> = {
    css: "text/css; charset=utf-8",
    html: "text/html; charset=utf-8",
    js: "text/javascript; charset=utf-8",
    json: "application/json",
    md: "text/markdown; charset=utf-8",
    png: "image/png",
    svg: "image/svg+xml",
    txt: "text/plain; charset=utf-8",
  }

  it("has the type of its suffix, and is kept by browsers if its name has its version", async () => {
    const suffixOf = (name: string) => name.split(".").at(-1) ?? ""
    const firstOf = Map.groupBy(site.files, (name) => `${suffixOf(name)} ${name.startsWith("assets/")}`)
    for (const [name = ""] of firstOf.values()) {
      const response = await ask(`/docs/site/${name}`)
      expect([name, response.status, response.headers.get("content-type")]).toEqual([name, 200, types[suffixOf(name)]])
      expect(response.headers.get("cache-control")).toBe(
        name.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache",
      )
    }
    expect(new Set(site.files.map(suffixOf))).toEqual(new Set(Object.keys(types)))
  })

  it.each(["/docs/site/", "/docs/site/missing", "/docs/site/LICENSES.txt"])(
    "allows what the site needs and nothing else: %s",
    async (url) => {
      const { headers } = await ask(url)
      const policy = headers.get("content-security-policy")?.replaceAll(/'sha256-[\w+/]+=*'/gu, "'hash'")
      expect(policy?.replaceAll(/(?: 'hash')+/gu, " 'hash'")).toBe(
        [
          "default-src 'none'",
          "script-src 'self' 'hash'",
          "style-src 'self' 'unsafe-inline'",
          "img-src 'self' data:",
          "connect-src 'self'",
          "base-uri 'none'",
          "form-action 'none'",
          "frame-ancestors 'none'",
        ].join("; "),
      )
      expect([headers.get("referrer-policy"), headers.get("x-content-type-options")]).toEqual([
        "no-referrer",
        "nosniff",
      ])
    },
  )
})

it("is linked where it was built", () => {
  expect(SitePages.isThere()).toBe(true)
  expect(SitePages.link()).toBe('<a href="/docs/site/">Documentation</a>')
  expect(SitePages.paths).toEqual({ route: "/docs/site/*", added: "/docs/site" })
})
