/**
 * Pages of other sites that make a victim's browser send changes, with whatever credentials the browser attaches by itself.
 * Source: D-350, D-423.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Browser, browser } from "../console/Browser.ts"
import { basic } from "../e2e/Client.ts"
import { eventually } from "../e2e/Deadline.ts"
import { type Agent, credentials, held, newAgent, newWorld, transfer, type World } from "../e2e/Flow.ts"
import { rival, sendRaw } from "./Rivals.ts"

const authorization = basic(credentials.clientId, credentials.clientSecret)
let world: World
let agent: Agent
let approval: string
let actionId: string

beforeAll(async () => {
  world = await newWorld()
  agent = await newAgent(world.server.base, world.platform, world.customer, {
    defaultExecutionMode: "APPROVAL_REQUIRED",
    spendingLimits: { currency: "USD", perTransactionLimit: 500_000 },
  })
  actionId = await held(agent, transfer(world.source, world.customer, 200))
  approval = `${world.server.base}/agents/${agent.agentId}/actions/${actionId}/approve`
}, 60_000)
afterAll(() => world[Symbol.asyncDispose]())

const statusOf = async (id: string) => (await agent.send("GET", `/agents/me/actions/${id}`)).body["status"]

const marks: ReadonlyArray<readonly [string, Readonly<Record<string, string>>]> = [
  ["a page of another site", { "sec-fetch-site": "cross-site" }],
  ["a page of a sibling site", { "sec-fetch-site": "same-site" }],
  ["a page of a site that no browser names", { "sec-fetch-site": "elsewhere" }],
  ["another origin", { origin: "https://evil.example" }],
  ["a hidden origin", { origin: "null" }],
  ["an empty origin", { origin: "" }],
  ["another port of the same machine", { origin: "http://127.0.0.1:1" }],
  ["another scheme", { origin: "https://127.0.0.1" }],
  ["another origin that claims to be this one", { origin: "https://evil.example", "sec-fetch-site": "same-origin" }],
  ["another origin whose Host is its own", { origin: "http://evil.example", host: "evil.example" }],
  ["a form", { "content-type": "application/x-www-form-urlencoded" }],
  ["a form with files", { "content-type": "multipart/form-data; boundary=x" }],
  ["a form of text", { "content-type": "TEXT/plain; charset=utf-8" }],
]

describe("a change that a browser sends with credentials of its own", () => {
  it.each(marks)("is refused from %s, and nothing is done", async (_, headers) => {
    const { length } = (await world.platform("GET", "/audit-records?limit=100")).text
    const reply = await sendRaw(approval, "POST", { authorization, ...headers })
    expect(reply.status).toBe(403)
    expect(JSON.parse(reply.text)).toMatchObject({
      code: "FORBIDDEN",
      details: { reason: expect.stringMatching(/^(?:CROSS_SITE_REQUEST|FORM_CONTENT_TYPE)$/u) },
    })
    expect(await statusOf(actionId)).toBe("PENDING_APPROVAL")
    expect((await world.platform("GET", "/audit-records?limit=100")).text).toHaveLength(length)
  })

  it.each(["POST", "PATCH", "DELETE", "PUT"])("is refused for %s before anything else is checked", async (method) => {
    const reply = await sendRaw(`${world.server.base}/nowhere`, method, { "sec-fetch-site": "cross-site" })
    expect(reply.status).toBe(403)
  })

  it("is refused for an agent's token, too", async () => {
    const headers = { authorization: `Bearer ${agent.token}`, "content-type": "application/json", origin: "null" }
    const body = JSON.stringify(transfer(world.source, world.customer, 201))
    expect((await sendRaw(`${world.server.base}/agents/me/transfer-in`, "POST", headers, body)).status).toBe(403)
  })
})

describe("an upload", () => {
  const boundary = "a-boundary"
  const files = `multipart/form-data; boundary=${boundary}`
  const uploads: ReadonlyArray<readonly [method: string, path: () => string]> = [
    ["POST", () => "/documents"],
    ["PUT", () => `/documents/${stored}`],
    ["POST", () => "/customers/bulk/csv"],
  ]
  let stored = ""

  const part = (name: string, value: string, fileName = "") =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${fileName}\r\n\r\n${value}\r\n`
  const passportOf = (holder: string) =>
    [
      part("documentHolder", holder),
      part("documentType", "PASSPORT"),
      part("country", "US"),
      part("file", "%PDF-1.7", '; filename="a.pdf"'),
      `--${boundary}--\r\n`,
    ].join("")
  const send = (method: string, path: string, headers: Readonly<Record<string, string>>) =>
    sendRaw(
      `${world.server.base}${path}`,
      method,
      { authorization, "content-type": files, ...headers },
      passportOf(world.customer.customerId),
    )
  const documents = async () => (await world.platform("GET", "/documents")).body["totalCount"]

  beforeAll(async () => {
    const reply = await send("POST", "/documents", {})
    expect([reply.status, reply.text]).toEqual([201, expect.any(String)])
    stored = JSON.parse(reply.text).id
  })

  const refused: typeof marks = [
    ...marks.filter(([, headers]) => headers["content-type"] === undefined),
    ["a browser that hides the origin", { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36" }],
    ["a form without files", { "content-type": "application/x-www-form-urlencoded" }],
    ["a form of text", { "content-type": 'text/plain; x="multipart/form-data"' }],
  ]
  it.each(refused)("is refused from %s, and nothing is stored", async (_, headers) => {
    const before = await documents()
    for (const [method, path] of uploads) {
      const reply = await send(method, path(), headers)
      expect([method, path(), reply.status]).toEqual([method, path(), 403])
      expect(JSON.parse(reply.text).details.reason).toMatch(/^(?:CROSS_SITE_REQUEST|FORM_CONTENT_TYPE)$/u)
    }
    expect(await documents()).toBe(before)
  })

  it.each<readonly [string, () => Readonly<Record<string, string>>]>([
    ["a program", () => ({})],
    ["a program that names itself", () => ({ "user-agent": "Java/21", accept: "text/html, *; q=.2" })],
    ["the own origin", () => ({ origin: world.server.origin, "user-agent": "Mozilla/5.0" })],
    ["a program that speaks for a browser", () => ({ "sec-fetch-site": "none", "user-agent": "Mozilla/5.0" })],
  ])("is accepted from %s", async (_, headers) => {
    expect((await send("POST", "/documents", headers())).status).toBe(201)
  })

  it("is refused elsewhere, also with an own origin", async () => {
    const reply = await sendRaw(
      `${world.server.base}/customers`,
      "POST",
      { authorization, "content-type": files, origin: world.server.origin },
      passportOf(world.customer.customerId),
    )
    expect([reply.status, JSON.parse(reply.text).details.reason]).toEqual([403, "FORM_CONTENT_TYPE"])
  })
})

describe("a change from a page of the service, or from a program", () => {
  it.each<readonly [string, () => Readonly<Record<string, string>>]>([
    ["a program", () => ({})],
    ["a program that fetches", () => ({ "sec-fetch-mode": "cors" })],
    ["the own origin", () => ({ origin: world.server.origin, "sec-fetch-site": "same-origin" })],
    ["the own origin in a browser without metadata", () => ({ origin: world.server.origin })],
    ["the own origin by the machine's name", () => ({ origin: `http://localhost:${world.server.port}` })],
  ])("is accepted from %s", async (_, headers) => {
    const id = await held(agent, transfer(world.source, world.customer, 300))
    const url = `${world.server.base}/agents/${agent.agentId}/actions/${id}/approve`
    expect((await sendRaw(url, "POST", { authorization, ...headers() })).status).toBe(200)
  })

  it("is accepted from the configured address only", { timeout: 120_000 }, async () => {
    await using named = await newWorld({ options: ["--public-url", "https://pay.example.com"] })
    const send = (origin: string) =>
      sendRaw(
        `${named.server.base}/tokens`,
        "POST",
        { authorization, origin, "content-type": "application/json" },
        '{"name":"x","permissions":["VIEW"]}',
      )
    expect((await send("https://pay.example.com")).status).toBe(201)
    for (const origin of [named.server.origin, "http://pay.example.com", "https://pay.example.com.evil.example"])
      expect((await send(origin)).status).toBe(403)
  })

  it("reads are not refused, because no other site can see the answer", async () => {
    const reply = await sendRaw(`${world.server.base}/config`, "GET", { authorization, origin: "https://evil.example" })
    expect(reply.status).toBe(200)
    expect(Object.keys(reply.headers).filter((name) => name.startsWith("access-control-"))).toEqual([])
  })
})

describe("the challenge of a 401", () => {
  const challengeOf = async (headers: Readonly<Record<string, string>>) => {
    const reply = await sendRaw(`${world.server.base}/config`, "GET", headers)
    expect(reply.status).toBe(401)
    return reply.headers["www-authenticate"]
  }
  it("asks a program for Basic credentials", async () => {
    expect(await challengeOf({})).toBe('Basic realm="payments", charset="UTF-8"')
    expect(await challengeOf({ accept: "application/json", "sec-fetch-mode": "cors" })).toMatch(/^Basic /u)
  })
  it.each([
    { "sec-fetch-site": "none" },
    { "sec-fetch-site": "same-origin", authorization: basic("first", "wrong") },
    { origin: "https://evil.example" },
    { accept: "text/html,application/xhtml+xml,*/*;q=0.8" },
  ])("never asks a browser for Basic credentials: %j", async (headers) => {
    expect(await challengeOf(headers as Readonly<Record<string, string>>)).toBeUndefined()
  })
})

describe("Chromium", () => {
  let chrome: Browser
  beforeAll(async () => {
    chrome = await browser()
  }, 120_000)
  afterAll(() => chrome[Symbol.asyncDispose]())

  it("keeps no credentials of an address, and approves nothing for a page of another site", async () => {
    const { host } = new URL(world.server.origin)
    const { clientId, clientSecret } = credentials
    const page = await chrome.page("about:blank")
    await page.open(`http://${clientId}:${clientSecret}@${host}/2025-10-13/agents/approvals`).catch(() => undefined)
    const form = `<form method="post" action="${approval}"></form><script>document.forms[0].submit()</script>`
    await using evil = await rival(form, "text/html")
    // Another name of the same machine is another site.
    await page.open(`http://localhost:${evil.port}/`)
    await eventually(
      "the service answers the form",
      async () => String(await page.evaluate("document.body.innerText").catch(() => "")),
      (shown) => shown.includes("status") || shown.includes("code"),
    )
    expect(evil.requests).toContain("GET /")
    expect(String(await page.evaluate("document.body.innerText"))).toContain("CROSS_SITE_REQUEST")
    expect(await statusOf(actionId)).toBe("PENDING_APPROVAL")
  }, 60_000)

  it("uploads nothing for a page of another site, although it knows the credentials", async () => {
    const before = (await world.platform("GET", "/documents")).body["totalCount"]
    const { host } = new URL(world.server.origin)
    const { clientId, clientSecret } = credentials
    const action = `http://${clientId}:${clientSecret}@${host}/2025-10-13/documents`
    const texts = { documentHolder: world.customer.customerId, documentType: "PASSPORT", country: "US" }
    const script = `
      const form = document.querySelector("form")
      const files = new DataTransfer()
      files.items.add(new File(["%PDF-1.7"], "a.pdf"))
      form.elements.file.files = files.files
      form.submit()`
    const inputs = Object.entries(texts).map(([name, value]) => `<input name="${name}" value="${value}">`)
    await using evil = await rival(
      `<form method="post" enctype="multipart/form-data" action="${action}">${inputs.join("")}<input type="file" name="file"></form><script>${script}</script>`,
      "text/html",
    )
    const page = await chrome.page("about:blank")
    await page.open(`http://localhost:${evil.port}/`)
    const shown = await eventually(
      "the service answers the form",
      async () => String(await page.evaluate("document.body.innerText").catch(() => "")),
      (text) => text.includes("status") || text.includes("code"),
    )
    expect(shown).toContain("CROSS_SITE_REQUEST")
    expect((await world.platform("GET", "/documents")).body["totalCount"]).toBe(before)
  }, 60_000)
})
