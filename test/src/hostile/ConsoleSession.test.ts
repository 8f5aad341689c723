/**
 * Attacks on the sessions of the console: stolen cookies, other pages, expired and ended sessions, forged names and passkeys.
 * Source: D-352, D-353.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { at, basic, textAt } from "../e2e/Client.ts"
import { type Agent, held, newWorld, transfer, type World } from "../e2e/Flow.ts"
import {
  advance,
  bodyOf,
  cookieOf,
  decisionsOf,
  fromPage,
  type Headers,
  newApprovingAgent,
  pageOf,
  setCookieOf,
  signIn,
} from "./ConsoleVisitor.ts"
import type { RawReply } from "./Rivals.ts"

describe("the console without passkeys", () => {
  let world: World
  let agent: Agent
  beforeAll(async () => {
    world = await newWorld()
    agent = await newApprovingAgent(world)
  }, 60_000)
  afterAll(() => world[Symbol.asyncDispose]())

  const hold = () => held(agent, transfer(world.source, world.customer, 200))
  const approvalOf = (actionId: string) => `/agents/${agent.agentId}/actions/${actionId}/approve`
  const statusOf = async (actionId: string) =>
    (await agent.send("GET", `/agents/me/actions/${actionId}`)).body["status"]

  it("keeps the session in a cookie that no script reads and no other site sends", async () => {
    const reply = await signIn({ world }, "Ada Lovelace")
    expect(setCookieOf(reply)).toMatch(/^console-session=[0-9a-f]{64}; /u)
    const attributes = setCookieOf(reply).split("; ").slice(1)
    expect(attributes).toEqual(expect.arrayContaining(["HttpOnly", "SameSite=Strict", "Path=/"]))
    expect(attributes).not.toContain("Secure")
    expect(reply.text).not.toContain(cookieOf(reply).split("=")[1])
    expect(bodyOf(reply)).toMatchObject({ approver: "Ada Lovelace", clientId: "first", proof: "SECRET" })
  })

  it("lets the browser keep the cookie for the eight hours that the session may last", async () => {
    const [, seconds] = /; Max-Age=(\d+);/u.exec(`${setCookieOf(await signIn({ world }, "Ada Lovelace"))};`) ?? []
    // To the minute: the cookie is set a moment after the session has begun.
    expect(Math.ceil(Number(seconds) / 60)).toBe(8 * 60)
  })

  it("records who approved and who rejected", async () => {
    const page = pageOf(world, cookieOf(await signIn({ world }, "  Ada   Lovelace ")))
    const [approved, rejected] = [await hold(), await hold()]
    expect((await page.api("POST", approvalOf(approved))).status).toBe(200)
    expect((await page.api("POST", approvalOf(rejected).replace("approve", "reject"), {})).status).toBe(200)
    const approver = { id: expect.stringMatching(/^Approver:/u), name: "Ada Lovelace", proof: "SECRET" }
    for (const [id, operation] of [
      [approved, "AGENT_ACTION_APPROVE"],
      [rejected, "AGENT_ACTION_REJECT"],
    ] as const) {
      expect((await decisionsOf(world, id)).filter((each) => each.operation === operation)).toMatchObject([
        { actor: { type: "PLATFORM", approver } },
      ])
    }
    const signIns = await world.platform("GET", "/audit-records?operation=CONSOLE_SIGN_IN&limit=1")
    expect(at(signIns.body, "data", 0, "actor", "approver")).toMatchObject({ name: "Ada Lovelace" })
  })

  it.each<readonly [string, (origin: string) => Headers]>([
    ["of another site", () => ({ origin: "https://evil.example", "sec-fetch-site": "cross-site" })],
    ["of a sibling site", (origin) => ({ origin, "sec-fetch-site": "same-site" })],
    ["of another port", () => ({ origin: "http://127.0.0.1:1", "sec-fetch-site": "same-site" })],
    ["that hides its origin", () => ({ "sec-fetch-site": "same-origin" })],
    ["with a null origin", () => ({ origin: "null" })],
    ["that nobody names", () => ({})],
    ["that the person typed", (origin) => ({ origin, "sec-fetch-site": "none" })],
  ])("approves nothing for a stolen cookie from a page %s", async (_, headers) => {
    const actionId = await hold()
    const cookie = cookieOf(await signIn({ world }, "Ada Lovelace"))
    const page = pageOf(world, cookie, headers(world.server.origin))
    expect((await page.api("POST", approvalOf(actionId))).status).toBe(403)
    expect((await page.session("DELETE")).status).toBe(403)
    expect(await statusOf(actionId)).toBe("PENDING_APPROVAL")
    expect((await pageOf(world, cookie).api("POST", approvalOf(actionId))).status).toBe(200)
  })

  it("authorizes what the page needs, and nothing else", async () => {
    const actionId = await hold()
    const page = pageOf(world, cookieOf(await signIn({ world }, "Ada Lovelace")))
    const { customer, source } = world
    for (const path of [
      "/agents",
      "/agents/approvals",
      `/agents/${agent.agentId}`,
      `/agents/${agent.agentId}/actions/${actionId}/evaluation`,
      `/customers/${customer.customerId}`,
      `/internal-accounts/${customer.accountId}`,
      `/customers/external-accounts/${source}`,
      "/audit-records",
      "/operator/records?type=Customer",
      `/operator/records/${source}`,
      `/operator/find?text=${source}`,
    ]) {
      expect([path, (await page.api("GET", path)).status]).toEqual([path, 200])
    }
    for (const [method, path] of [
      ["GET", "/config"],
      ["GET", "/tokens"],
      ["GET", "/customers"],
      ["GET", "/transactions"],
      ["POST", "/tokens"],
      ["POST", "/agents"],
      ["PATCH", "/config"],
      ["PATCH", `/agents/${agent.agentId}`],
      ["DELETE", `/agents/${agent.agentId}`],
      ["POST", "/transfer-out"],
      ["GET", "/agents/me"],
      ["POST", "/sandbox/webhooks/test"],
    ] as const) {
      expect([method, path, (await page.api(method, path)).status]).toEqual([method, path, 401])
    }
  })

  it("gives a session no permission that its credentials lack", async () => {
    const newToken = async (permission: string) => {
      const token = await world.platform("POST", "/tokens", { body: { name: permission, permissions: [permission] } })
      return { world, authorization: basic(textAt(token, "clientId"), textAt(token, "clientSecret")) }
    }
    expect((await signIn(await newToken("MANAGE"), "Ada Lovelace")).status).toBe(403)
    const actionId = await hold()
    const page = pageOf(world, cookieOf(await signIn(await newToken("VIEW"), "Ada Lovelace")))
    expect((await page.api("GET", "/agents/approvals")).status).toBe(200)
    expect((await page.api("POST", approvalOf(actionId))).status).toBe(403)
    expect(await statusOf(actionId)).toBe("PENDING_APPROVAL")
  })

  it("signs nobody in for another page, with wrong credentials, or under an invalid name", async () => {
    const refused = async (reply: RawReply, status: number) => {
      expect([reply.status, setCookieOf(reply)]).toEqual([status, ""])
    }
    const { origin } = world.server
    for (const headers of [
      { origin: "https://evil.example" },
      { origin, "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-origin" },
      {},
    ] as ReadonlyArray<Headers>) {
      await refused(await signIn({ world }, "Ada Lovelace", headers), 403)
    }
    await refused(await signIn({ world, authorization: basic("first", "wrong") }, "Ada Lovelace"), 401)
    await refused(await signIn({ world, authorization: `Bearer ${agent.token}` }, "Ada Lovelace"), 401)
    for (const name of [
      "",
      " ",
      "a".repeat(81),
      "\u202eecarG",
      "Ada\u0000",
      "Ada\nApproved",
      "\u200b",
      "<b>",
      7,
      null,
    ]) {
      await refused(await signIn({ world }, name), 400)
    }
  })

  it("knows one approver by one name, in any letter case and form, also for sign-ins at once", async () => {
    const names = ["Zoë Ångström", "zoë ångström", "ZOË ÅNGSTRÖM".normalize("NFD"), "Zoë  Ångström"]
    const replies = await Promise.all([...names, ...names].map((name) => signIn({ world }, name)))
    for (const reply of replies) expect([201, 409]).toContain(reply.status)
    for (const name of names) expect((await signIn({ world }, name)).status).toBe(201)
    const { body } = await world.platform("GET", "/audit-records?operation=CONSOLE_SIGN_IN&limit=100")
    const approvers = (body["data"] as ReadonlyArray<unknown>).map((each) => at(each, "actor", "approver"))
    const ids = approvers.filter((each) => String(at(each, "name")).startsWith("Zo")).map((each) => at(each, "id"))
    expect(new Set(ids).size).toBe(1)
    expect(ids.length).toBeGreaterThanOrEqual(5)
  })

  it("forgets a session when the approver signs out", async () => {
    const actionId = await hold()
    const page = pageOf(world, cookieOf(await signIn({ world }, "Ada Lovelace")))
    const out = await page.session("DELETE")
    expect(out.status).toBe(204)
    expect(setCookieOf(out)).toMatch(/^console-session=; .*Max-Age=0/u)
    expect((await page.api("POST", approvalOf(actionId))).status).toBe(401)
    expect(bodyOf(await page.session("GET"))).toEqual({ session: null, passkeys: "off" })
    expect((await page.session("DELETE")).status).toBe(204)
    expect((await page.session("POST", "/activity")).status).toBe(401)
  })

  it("ends a session with the API token that began it", async () => {
    const token = await world.platform("POST", "/tokens", { body: { name: "x", permissions: ["VIEW", "TRANSACT"] } })
    const authorization = basic(textAt(token, "clientId"), textAt(token, "clientSecret"))
    const page = pageOf(world, cookieOf(await signIn({ world, authorization }, "Ada Lovelace")))
    expect((await page.api("GET", "/agents/approvals")).status).toBe(200)
    await world.platform("DELETE", `/tokens/${textAt(token, "id")}`)
    expect((await page.api("GET", "/agents/approvals")).status).toBe(401)
  })

  it("accepts no cookie of another name, of another session's half, or with a hash", async () => {
    const cookie = cookieOf(await signIn({ world }, "Ada Lovelace"))
    const [, secret = ""] = cookie.split("=")
    const asHash = Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(secret))).toString("hex")
    for (const forged of [
      `__Host-console-session=${secret}`,
      `console-session=${asHash}`,
      `console-session=${secret.slice(0, 63)}`,
      `console-session=${secret}0`,
      "console-session=",
      "console-session=%00",
    ]) {
      expect([forged, (await pageOf(world, forged).api("GET", "/agents/approvals")).status]).toEqual([forged, 401])
    }
  })

  it("ends idle sessions although the page polls, and active ones after eight hours", {
    timeout: 120_000,
  }, async () => {
    const [idle, busy] = await Promise.all(
      ["Ida Idle", "Bea Busy"].map(async (name) => pageOf(world, cookieOf(await signIn({ world }, name)))),
    )
    if (idle === undefined || busy === undefined) throw new Error("no sessions")
    const statuses = async (page: typeof idle) => (await page.api("GET", "/agents/approvals")).status
    await advance(world, 14 * 60)
    expect([await statuses(idle), await statuses(busy)]).toEqual([200, 200])
    expect((await busy.session("POST", "/activity")).status).toBe(200)
    await advance(world, 61)
    expect([await statuses(idle), await statuses(busy)]).toEqual([401, 200])
    for (let minutes = 15; minutes < 8 * 60; minutes += 14) {
      expect((await busy.session("POST", "/activity")).status).toBe(200)
      await advance(world, 14 * 60)
    }
    expect(await statuses(busy)).toBe(401)
    expect((await busy.session("POST", "/activity")).status).toBe(401)
  })
})

describe("the console behind https", () => {
  const publicUrl = "https://pay.example.com"
  let world: World
  beforeAll(async () => {
    world = await newWorld({ options: ["--public-url", publicUrl] })
  }, 60_000)
  afterAll(() => world[Symbol.asyncDispose]())

  it("binds the cookie to the host, and accepts no other name of it", async () => {
    const reply = await signIn({ world, origin: publicUrl }, "Ada Lovelace")
    expect(setCookieOf(reply)).toMatch(/^__Host-console-session=[0-9a-f]{64}; /u)
    expect(setCookieOf(reply).split("; ")).toEqual(
      expect.arrayContaining(["Secure", "HttpOnly", "SameSite=Strict", "Path=/"]),
    )
    const cookie = cookieOf(reply)
    const status = async (sent: string) =>
      (await pageOf(world, sent, fromPage(publicUrl)).api("GET", "/agents/approvals")).status
    expect(await status(cookie)).toBe(200)
    expect(await status(cookie.replace("__Host-", ""))).toBe(401)
  })

  it("signs nobody in on the address behind the proxy", async () => {
    expect((await signIn({ world, origin: world.server.origin }, "Ada Lovelace")).status).toBe(403)
  })
})

it("signs nobody in over http from another machine's name", { timeout: 120_000 }, async () => {
  const origin = "http://pay.example.com"
  await using world = await newWorld({ options: ["--public-url", origin] })
  const reply = await signIn({ world, origin }, "Ada Lovelace")
  expect([reply.status, setCookieOf(reply)]).toEqual([403, ""])
  expect(reply.text).toContain("PUBLIC_URL_NEEDED")
})
