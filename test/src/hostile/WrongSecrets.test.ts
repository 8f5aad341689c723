/**
 * Guessed client secrets, agent tokens and device codes: throttled by source, without locking out the holder, and reported once.
 * Source: D-337; wire contract 11 (3, 11).
 */
import { PostgresStore } from "@countersign/adapter-postgres"
import { UseLimitSettings } from "@countersign/core/ports"
import { Effect, Layer, Logger } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as BoundedWindows from "../../../packages/core/src/foundation/kit/BoundedWindows.ts"
import { policy } from "../../../packages/test/src/harness/AgentWorld.ts"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import { at } from "../../../packages/test/src/harness/QuoteHarness.ts"
import { credentials } from "../../../packages/test/src/harness/World.ts"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import { eventually } from "../e2e/Deadline.ts"
import { basic, flooded, holder, statusesOf } from "./Flood.ts"

const right = { authorization: basic(holder.clientId, holder.clientSecret) } as const
const wrong = (index: number) => ({ ...right, authorization: basic(holder.clientId, `wrong ${index}`) })
const path = "/config"
const settings = (counts: (typeof UseLimitSettings)["Service"]["counts"]) =>
  Layer.effect(
    UseLimitSettings,
    Effect.map(UseLimitSettings, (chosen) => ({ ...chosen, counts })),
  )

/** Waits for a window that does not end while a test runs. */
const withinOneMinute = () =>
  eventually(
    "a minute with enough time left",
    () => 60_000 - (Date.now() % 60_000),
    (left) => left >= 15_000,
    20_000,
  )

describe("10,000 wrong secrets of one source", { timeout: 120_000 }, () => {
  it("are refused without a look-up, while the holder signs in from another one, and are reported once", async () => {
    await withinOneMinute()
    const warnings: Array<string> = []
    const logger = Logger.layer([
      Logger.make(({ logLevel, message }) => void (logLevel === "Warn" && warnings.push(JSON.stringify(message)))),
    ])
    await using pay = await flooded({ settings: logger })
    const attack = statusesOf(pay.send, 10_000, (index) => ({ ...wrong(index), path }))
    const holders: Array<number> = []
    for (let call = 0; call < 20; call++) holders.push((await pay.send({ ...right, path, from: "203.0.113.9" })).status)
    const statuses = await attack
    expect(holders).toEqual(Array.from({ length: 20 }, () => 200))
    // Requests that were under way when the limit was reached have been looked up as well.
    expect(statuses["401"]).toBeGreaterThanOrEqual(20)
    expect(statuses["401"]).toBeLessThanOrEqual(20 + 32)
    expect((statuses["401"] ?? 0) + (statuses["429"] ?? 0)).toBe(10_000)
    const refused = await pay.send({ ...right, path })
    expect(refused.status).toBe(429)
    expect(JSON.parse(refused.body)).toMatchObject({
      code: "RATE_LIMITED",
      details: { reason: "WRONG_CLIENT_SECRETS" },
    })
    expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(60)
    expect(refused.headers).toMatchObject({ "ratelimit-limit": "20", "ratelimit-remaining": "0" })
    const audit = await pay.send({ ...right, path: "/audit-records?limit=100", from: "203.0.113.9" })
    const records = (JSON.parse(audit.body) as { data: Array<{ operation: string }> }).data
    expect(records.filter(({ operation }) => operation === "CREDENTIAL_REFUSE")).toHaveLength(1)
    expect(audit.body).not.toContain("198.51.100.1")
    expect(warnings.filter((line) => line.includes("too many wrong secrets"))).toHaveLength(1)
    expect(warnings.join()).not.toContain("wrong 1")
  })

  it("do not use up the attempts of another client id or of another network", async () => {
    await withinOneMinute()
    await using pay = await flooded({ settings: settings({ WRONG_CLIENT_SECRETS: 5 }) })
    const from = "2001:db8:1:1::1"
    for (let index = 0; index < 5; index++) await pay.send({ ...wrong(index), path, from })
    const neighbour = (address: string) => pay.send({ ...right, path, from: address })
    // One subscriber has all addresses of a /64 network.
    expect((await neighbour("2001:db8:1:1:ffff::9")).status).toBe(429)
    expect((await neighbour("2001:db8:1:2::1")).status).toBe(200)
    expect((await pay.send({ path, from, authorization: basic("nobody", "x") })).status).toBe(401)
  })

  it("are answered alike for a client id that exists and for one that does not", async () => {
    await withinOneMinute()
    await using pay = await flooded({ settings: settings({ WRONG_CLIENT_SECRETS: 3 }) })
    const of = async (clientId: string) => {
      const statuses = []
      for (let index = 0; index < 5; index++) {
        const { body, status } = await pay.send({
          path,
          authorization: basic(clientId, "wrong"),
          from: `192.0.2.${clientId.length}`,
        })
        statuses.push([status, body.replace(/"retryAfterSeconds":\d+/u, "")])
      }
      return statuses
    }
    expect(await of(holder.clientId)).toEqual(await of("no-such-client"))
  })
})

describe("wrong secrets without a source", () => {
  it("never refuse the holder, who cannot be distinguished from an attacker", async () => {
    await using pay = await harness()
    const configOf = async (secret: string) => {
      const headers = { authorization: basic(credentials.clientId, secret) }
      return (await pay.send("GET", path, { as: "nobody", headers })).status
    }
    const statuses = []
    for (let index = 0; index < 25; index++) statuses.push(await configOf(`wrong ${index}`))
    expect(statuses).toEqual(Array.from({ length: 25 }, () => 401))
    expect(await configOf(credentials.clientSecret)).toBe(200)
  })
})

describe("a source with many wrong credentials", { timeout: 120_000 }, () => {
  it("is refused for every client id, agent token and device code", async () => {
    await withinOneMinute()
    await using pay = await flooded({ settings: settings({ WRONG_CREDENTIALS: 30 }) })
    const token = { path: "/agents/me", authorization: `Bearer gat_${"0".repeat(40)}` }
    const statuses = await statusesOf(pay.send, 200, (index) =>
      index % 2 === 0 ? token : { path, authorization: basic(`client-${index}`, "x") },
    )
    expect(statuses["401"]).toBeLessThanOrEqual(30 + 32)
    expect(statuses["429"]).toBeGreaterThanOrEqual(138)
    for (const call of [
      token,
      { ...right, path },
      { method: "POST", path: "/agents/device-codes/AGENT-2222-2222/redeem" },
    ]) {
      const { body, status } = await pay.send(call)
      expect([status, JSON.parse(body)]).toMatchObject([429, { details: { reason: "WRONG_CREDENTIALS" } }])
      expect((await pay.send({ ...call, from: "203.0.113.7" })).status).not.toBe(429)
    }
  })

  it("guesses twenty device codes a minute at most", async () => {
    await using pay = await harness()
    const redeem = (index: number) =>
      pay.send("POST", `/agents/device-codes/AGENT-2222-${2222 + index}/redeem`, { as: "nobody" })
    const statuses = []
    for (let index = 0; index < 25; index++) statuses.push((await redeem(index)).status)
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 404), ...Array.from({ length: 5 }, () => 429)])
    await pay.clock.advance("1 minute")
    expect((await redeem(0)).status).toBe(404)
  })
})

describe("a device code that was redeemed", () => {
  it("counts as a wrong one with each use after it", async () => {
    await using pay = await harness()
    const person = { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" }
    const customerId = at(await pay.send("POST", "/customers", { body: person }), "id")
    const body = { name: "Payroll", customerId, policy: policy() }
    const code = String(at(await pay.send("POST", "/agents", { body }), "deviceCode", "code"))
    const redeem = async (text: string) =>
      (await pay.send("POST", `/agents/device-codes/${text}/redeem`, { as: "nobody" })).status
    expect(await redeem(code)).toBe(200)
    const statuses = []
    for (let index = 0; index < 21; index++) statuses.push(await redeem(code))
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 400), 429])
    expect(await redeem("AGENT-2222-2222")).toBe(429)
  })
})

describe("several processes", { timeout: 120_000 }, () => {
  let database: TestDatabase.TestDatabase
  beforeAll(async () => {
    database = await TestDatabase.create(8)
  }, 60_000)
  afterAll(() => database.close())

  it("agree on what a source has guessed, and audit it once", async () => {
    await withinOneMinute()
    const store = () => PostgresStore.layerPool({ pool: database.another(4) })
    await using one = await flooded({ store: store() })
    await using other = await flooded({ store: store() })
    for (let index = 0; index < 12; index++) {
      expect((await one.send({ ...wrong(index), path })).status).toBe(401)
      if (index < 9) expect((await other.send({ ...wrong(index), path })).status).toBe(401)
    }
    for (const { send } of [one, other]) {
      const isRefused = (status: number) => status === 429
      await eventually("refused by both", async () => (await send({ ...right, path })).status, isRefused)
    }
    expect((await one.send({ ...right, path, from: "203.0.113.9" })).status).toBe(200)
    const { rows } = await database.pool.query(
      `select from countersign.audit_record where data->>'operation' = 'CREDENTIAL_REFUSE'`,
    )
    expect(rows).toHaveLength(1)
    const keys = await database.pool.query<{ readonly key: string }>(
      "select key from countersign.counter where key like 'limit:%'",
    )
    expect(keys.rows.map(({ key }) => key).join()).not.toMatch(/198\.51|host/u)
  })
})

describe("the windows of a process", () => {
  it("keep at most their number of keys, and forget the key that came first", () => {
    const windows = BoundedWindows.make<never>(1000)
    for (let index = 0; index < 100_000; index++) windows.add(`key ${index}`, 1000, 0)
    expect(windows.size()).toBe(1000)
    expect(windows.find("key 0", 0)).toBeUndefined()
    expect(windows.add("key 99999", 1000, 0).count).toBe(2)
  })

  it("forget all keys at the end of their window", () => {
    const windows = BoundedWindows.make<never>(1000)
    for (let index = 0; index < 10; index++) windows.add(`key ${index}`, 1000, 0)
    expect(windows.find("key 9", 999)?.count).toBe(1)
    expect(windows.find("key 9", 1000)).toBeUndefined()
    expect(windows.size()).toBe(0)
  })
})
