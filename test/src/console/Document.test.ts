/** The document of the approvals page: where it is served, and its content security policy. Source: D-214. */
import { createHash } from "node:crypto"
import { fileURLToPath } from "node:url"
import { gunzipSync, gzipSync } from "node:zlib"
import { consoleDocument } from "@countersign/console"
import { describe, expect, it } from "vitest"
import { client } from "../e2e/Client.ts"
import { credentialOptions } from "../e2e/Flow.ts"
import { newFolder } from "../e2e/Folder.ts"
import { startServer } from "../e2e/ServerProcess.ts"
import { fakeService, sendTo } from "../wire/FakeService.ts"

const ports = fileURLToPath(new URL("../e2e/SandboxPorts.ts", import.meta.url))
const live = ["--mode", "live", "--ports", ports]

describe("the page is served", () => {
  const cases: ReadonlyArray<readonly [options: ReadonlyArray<string>, status: 200 | 404]> = [
    [[], 200],
    [["--console", "off"], 404],
    [live, 404],
    [[...live, "--console", "on"], 200],
  ]
  it.each(cases)("with the options %j: %i", async (options, status) => {
    await using folder = await newFolder()
    const store = ["--store", `pglite:${folder.path}`]
    await using server = await startServer({ options: [...credentialOptions, ...store, ...options] })
    const reply = await client(server.origin)("GET", "/console")
    expect(reply.status).toBe(status)
    // The root of a sandbox is the page, too; that of a live server is nothing.
    const isAtRoot = status === 200 && !options.includes("live")
    expect((await client(server.origin)("GET", "/")).status).toBe(isAtRoot ? 200 : 404)
    expect(await client(server.base)("GET", "")).toMatchObject({
      status: 200,
      body: { documentation: "/docs", pages: [...(status === 200 ? ["/console"] : []), ...(isAtRoot ? ["/"] : [])] },
    })
    if (status === 200) expect(server.printed(isAtRoot ? "workbench" : "approvals")).toBe(`${server.origin}/console`)
    else expect(server.stdout()).not.toContain("/console")
  })

  it("by an embedder only on request", async () => {
    const asked = { authorization: null }
    expect((await sendTo(fakeService())("/console", asked)).status).toBe(404)
    const served = await sendTo(fakeService({ console: true }))("/console", asked)
    expect(served.status).toBe(200)
    expect(served.headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect((await sendTo(fakeService({ console: true }))("/console", { ...asked, method: "POST" })).status).toBe(405)
  })
})

describe("the document", () => {
  it("is smaller than 120 kB, compressed", () => {
    expect(gzipSync(consoleDocument("/2025-10-13")).length).toBeLessThan(120_000)
  })

  it.each([
    ["gzip, deflate, br", true],
    ["br;q=1, GZIP;q=0.5", true],
    ["br, gzip;q=0", false],
    ["x-gzip", false],
    ["", false],
  ])("is sent compressed to a browser that reads it: %s", async (accepted, isCompressed) => {
    const headers = { "accept-encoding": accepted }
    const served = await sendTo(fakeService({ console: true }))("/console", { authorization: null, headers })
    const bytes = Buffer.from(await served.arrayBuffer())
    expect(served.headers.get("content-encoding")).toBe(isCompressed ? "gzip" : null)
    expect(served.headers.get("vary")).toBe("Accept-Encoding")
    if (isCompressed) expect(bytes.length).toBeLessThan(120_000)
    expect((isCompressed ? gunzipSync(bytes) : bytes).toString()).toContain('<div id="root"></div>')
  })

  it("allows only its own script and style, by hash, and no frame", async () => {
    const served = await sendTo(fakeService({ console: true, basePath: "/v1" }))("/console", { authorization: null })
    const html = await served.text()
    const policy = new Map(
      (served.headers.get("content-security-policy") ?? "").split("; ").map((part) => {
        const [name = "", ...values] = part.split(" ")
        return [name, values.join(" ")]
      }),
    )
    const hashed = (tag: string) => {
      const [, text = ""] = new RegExp(`<${tag}[^>]*>(.*?)</${tag}>`, "su").exec(html) ?? []
      return `'sha256-${createHash("sha256").update(text).digest("base64")}'`
    }
    expect(Object.fromEntries(policy)).toEqual({
      "default-src": "'none'",
      "script-src": hashed("script"),
      "style-src": hashed("style"),
      "connect-src": "'self'",
      "base-uri": "'none'",
      "form-action": "'none'",
      "frame-ancestors": "'none'",
      "require-trusted-types-for": "'script'",
      "trusted-types": "'none'",
    })
    expect(Object.fromEntries(served.headers)).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    })
    expect(html).toContain('<meta name="base-path" content="/v1">')
    // No part of it is elsewhere; names of formats are no addresses.
    expect(
      html.match(/https?:\/\/[^"'`\s]+/gu)?.filter((address) => !address.startsWith("http://www.w3.org/")) ?? [],
    ).toEqual([])
  })

  it("escapes the base path", () => {
    expect(consoleDocument('/"><script>')).toContain('content="/&quot;>&lt;script>"')
  })
})
