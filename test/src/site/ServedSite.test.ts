/** The server shows the documentation site below /docs/site/, and /docs leads there. */
import { createHash } from "node:crypto"
import { beforeAll, describe, expect, it } from "vitest"
import { browser } from "../console/Browser.ts"
import { person } from "../console/Person.ts"
import { eventually } from "../e2e/Deadline.ts"
import { credentialOptions } from "../e2e/Flow.ts"
import { startServer } from "../e2e/ServerProcess.ts"
import { fakeService } from "../wire/FakeService.ts"
import { builtSite } from "./BuiltSite.ts"

beforeAll(async () => {
  await builtSite()
}, 180_000)

const service = fakeService()
const ask = (path: string, init: RequestInit = {}) => service.handler(new Request(`http://service.test${path}`, init))

describe("the site", () => {
  it.each(["/docs/site", "/docs/site/", "/docs/site/guides/testing", "/docs/site/guides/testing.html?from=here"])(
    "answers %s with a page",
    async (path) => {
      const response = await ask(path)
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
      expect(await response.text()).toContain("Countersign")
    },
  )

  it.each(["/docs/site/missing", "/docs/site/assets", "/docs/site/%2e%2e%2fguide.html", "/docs/site/..%5csite.json"])(
    "answers %s with 404",
    async (path) => expect((await ask(path)).status).toBe(404),
  )

  it.each(["/docs/site", "/docs/site/", "/docs/site/time"])("refuses another method of %s", async (path) => {
    const response = await ask(path, { method: "POST" })
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"])
  })

  it("allows the scripts within each page, and no others", async () => {
    for (const path of ["/docs/site/", "/docs/site/wire", "/docs/site/missing"]) {
      const response = await ask(path)
      const policy = response.headers.get("content-security-policy") ?? ""
      const [, scripts = ""] = /script-src ([^;]*);/u.exec(policy) ?? []
      const inline = [...(await response.text()).matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/gu)]
      expect(inline.length).toBeGreaterThan(0)
      for (const [, text = ""] of inline)
        expect(scripts).toContain(`'sha256-${createHash("sha256").update(text).digest("base64")}'`)
      expect(scripts).not.toContain("unsafe")
    }
  })

  it("is linked from the pages of the reference", async () => {
    for (const path of ["/docs", "/docs/static"])
      expect(await (await ask(path)).text()).toContain('<a href="/docs/site/">Documentation</a>')
  })
})

it("finds a page by a word, without a complaint of the browser", { timeout: 120_000 }, async () => {
  await using server = await startServer({ options: credentialOptions })
  await using chrome = await browser()
  const page = await chrome.page("about:blank")
  await page.send("Log.enable")
  await page.open(`${server.origin}/docs/site/`)
  const reader = person(page)
  await reader.tabTo("Search")
  await reader.press("Enter")
  await eventually("the field", () => page.evaluate("document.activeElement?.tagName === 'INPUT'"), Boolean)
  await reader.type("hot_standby")
  await reader.awaits(/Scale/u)
  await reader.press("Enter")
  await eventually(
    "the page",
    () => page.evaluate("location.pathname"),
    (path) => path === "/docs/site/scale.html",
  )
  expect(page.console).toEqual([])
})
