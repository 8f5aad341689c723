/** The routes of a web handler beside the interface: which exist with which options, and which are about the process. Source: D-214, D-363. */
import type { Page } from "@countersign/adapter-http"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { afterEach, describe, expect, it } from "vitest"
import { type FakeOptions, fakeService } from "../wire/FakeService.ts"

type Service = ReturnType<typeof fakeService>
const open: Array<Service> = []
afterEach(async () => {
  for (const service of open.splice(0)) await service.dispose()
})
const served = (options: FakeOptions = {}): Service => {
  const service = fakeService(options)
  open.push(service)
  return service
}
const ask = (service: Service, path: string, method = "GET") =>
  service.handler(new Request(`http://service.test${path}`, { method }))

const page: Page = {
  route: { method: "GET", path: "/own" },
  layer: (basePath) => HttpRouter.add("GET", "/own", HttpServerResponse.text(`below ${basePath}`)),
}
const received: Page = {
  route: { method: "POST", path: "/received" },
  layer: () => HttpRouter.add("POST", "/received", HttpServerResponse.text("received")),
}

describe("a route", () => {
  it.each<readonly [path: string, allow: string | null, options: FakeOptions]>([
    ["/metrics", "GET, HEAD, OPTIONS", { metrics: true }],
    ["/metrics", null, { metrics: false }],
    ["/metrics", null, {}],
    ["/inbox/any", "POST, OPTIONS", {}],
    ["/inbox/any", null, { sandbox: false }],
    ["/sandbox/card-frame", "GET, HEAD, OPTIONS", {}],
    ["/sandbox/card-frame", null, { sandbox: false }],
    ["/sandbox/card-frame", "GET, HEAD, OPTIONS", { sandbox: "unset" }],
    ["/healthz", "GET, HEAD, OPTIONS", { sandbox: false }],
    ["/docs/credentials.json", "GET, HEAD, OPTIONS", {}],
    ["/own", "GET, HEAD, OPTIONS", { pages: [page] }],
    ["/own", null, {}],
    ["/received", "POST, OPTIONS", { pages: [received] }],
    ["/console/session", null, { pages: [page] }],
    ["/console/votes/a/b", null, {}],
    ["/console/votes/a/b", "GET, POST, HEAD, OPTIONS", { console: true }],
    ["/2025-10-13", "GET, HEAD, OPTIONS", {}],
    ["/v1", "GET, HEAD, OPTIONS", { basePath: "v1/" }],
    ["/2025-10-13", null, { basePath: "/v1" }],
    ["/", "GET, HEAD, OPTIONS", { basePath: "///" }],
  ])("%s has the methods %s with %j", async (path, allow, options) => {
    const response = await ask(served(options), path, "OPTIONS")
    const sorted = (methods: string | null) => methods?.split(", ").toSorted()
    expect(response.status).toBe(allow === null ? 404 : 204)
    if (allow !== null) expect(sorted(response.headers.get("allow"))).toEqual(sorted(allow))
  })

  it("of the metrics has them in the format of Prometheus", async () => {
    const response = await ask(served({ metrics: true }), "/metrics")
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      expect.stringContaining("text/plain"),
    ])
    expect(await response.text()).toMatch(/^# TYPE /mu)
  })

  it("of a page knows the base path", async () => {
    const service = served({ pages: [page, received], basePath: "/a/v1" })
    expect(await (await ask(service, "/own")).text()).toBe("below /a/v1")
    expect(await (await ask(service, "/received", "POST")).text()).toBe("received")
  })
})

describe("the page at the base path", () => {
  it("names the pages that a browser can open", async () => {
    const index = await (await ask(served({ pages: [page, received] }), "/2025-10-13")).json()
    expect(index).toEqual({
      basePath: "/2025-10-13",
      documentation: "/docs",
      description: "/openapi.json",
      health: "/healthz",
      pages: ["/own"],
    })
  })

  it("is another page if that has its address", async () => {
    const root: Page = {
      route: { method: "GET", path: "/v1" },
      layer: () => HttpRouter.add("GET", "/v1", HttpServerResponse.text("the other one")),
    }
    const response = await ask(served({ basePath: "/v1", pages: [root] }), "/v1")
    expect(await response.text()).toBe("the other one")
  })
})

describe("the addresses about the process", () => {
  const options: FakeOptions = { pages: [page, received], metrics: true }
  it.each<readonly [url: string, isAbout: boolean, options: FakeOptions]>([
    ["/healthz", true, {}],
    ["/readyz?verbose=1", true, {}],
    ["/healthz?a\nb", true, {}],
    ["/webhooks/public-key", true, {}],
    ["/openapi.json", true, {}],
    ["/docs", true, {}],
    ["/docs/reference.js", true, {}],
    ["/2025-10-13", true, {}],
    ["/2025-10-13?a", true, {}],
    ["/own", true, options],
    ["/received", true, options],
    ["/metrics", true, options],
    ["/metrics", false, {}],
    ["/own", false, {}],
    ["/2025-10-13/customers", false, {}],
    ["/2025-10-13/healthz", false, {}],
    ["/healthz/x", false, {}],
    ["/inbox/a", false, {}],
    ["?/healthz", false, {}],
    ["", false, {}],
  ])("%j: %s with %j", (url, isAbout, given) => {
    expect(served(given).asksAboutProcess?.(url)).toBe(isAbout)
  })
})

it("has no fragment in the address of a request, and keeps its method", async () => {
  const echo: Page = {
    route: { method: "POST", path: "/echo" },
    layer: () =>
      HttpRouter.add(
        "POST",
        "/echo",
        Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) => HttpServerResponse.text(url)),
      ),
  }
  const service = served({ pages: [echo] })
  expect(await (await ask(service, "/echo?a=b#c", "POST")).text()).toMatch(/\/echo\?a=b$/u)
  expect(await (await ask(service, "/echo#?c", "POST")).text()).toMatch(/\/echo$/u)
})

it.each<readonly [limit: keyof FakeOptions, value: number]>([
  ["requestsInFlightMax", 0],
  ["requestsInFlightMax", 1.5],
  ["requestsInFlightPerTenantMax", -1],
])("a limit that is not valid ends the start: %s of %d", (limit, value) => {
  expect(() => fakeService({ [limit]: value })).toThrow(limit)
})
