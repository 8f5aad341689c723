/**
 * The sandbox's clock across processes: all processes of a database agree at once, a restart keeps it, and live mode has none.
 * Source: D-100 to D-103.
 */
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { basic, client, type Send, textAt } from "./Client.ts"
import { credentialOptions, newCustomer, newSource, platformAt } from "./Flow.ts"
import { newFolder } from "./Folder.ts"
import { newDatabase, type ServerDatabase } from "./ServerDatabase.ts"
import { run, startServer } from "./ServerProcess.ts"

const advance = async (platform: Send, body: unknown) => {
  const reply = await platform("POST", "/sandbox/clock/advance", { body })
  expect(reply).toMatchObject({ status: 200, body: { isComplete: true } })
  return reply
}
const aheadOf = async (platform: Send): Promise<number> =>
  Number((await platform("GET", "/sandbox/clock")).body["aheadMillis"])

const day = 86_400_000

describe("processes on one database", { timeout: 120_000 }, () => {
  let database: ServerDatabase
  beforeAll(async () => {
    database = await newDatabase()
  }, 60_000)
  afterAll(() => database[Symbol.asyncDispose]())

  it("shows the new time in every process once an advance is answered", async () => {
    const start = (...options: ReadonlyArray<string>) =>
      startServer({ options: [...credentialOptions, ...database.options, ...options] })
    let before = 0
    {
      await using one = await start()
      await using two = await start("--role", "api")
      await using _works = await start("--role", "worker")
      const platforms = [platformAt(one.base), platformAt(two.base)] as const
      expect(one.printed("clock")).toBeUndefined()
      for (let round = 0; round < 6; round++) {
        const [advancing, reading] = round % 2 === 0 ? platforms : platforms.toReversed()
        if (advancing === undefined || reading === undefined) throw new Error("no platforms")
        const advanced = await advance(advancing, { by: "P1D" })
        const seen = await reading("GET", "/sandbox/clock")
        expect(textAt(seen, "now") >= textAt(advanced, "now")).toBe(true)
        const made = await reading("POST", "/customers", { body: { customerType: "INDIVIDUAL", fullName: "Ada" } })
        expect(textAt(made, "createdAt") >= textAt(advanced, "now")).toBe(true)
        const ahead = await aheadOf(reading)
        expect(await aheadOf(advancing)).toBe(ahead)
        // The real time that the due work takes counts towards the day.
        expect(ahead).toBeGreaterThan(before + day - 60_000)
        before = ahead
      }

      const customer = await newCustomer(platformAt(two.base))
      const slow = await newSource(platformAt(two.base), customer, "005")
      await platformAt(two.base)("POST", `/sandbox/internal-accounts/${customer.accountId}/fund`, {
        body: { amount: 900 },
      })
      const body = { source: { accountId: customer.accountId }, destination: { accountId: slow }, amount: 500 }
      const sent = await platformAt(two.base)("POST", "/transfer-out", { body })
      expect(sent.status).toBe(201)
      await advance(platformAt(one.base), { by: "PT1M" })
      const found = await platformAt(two.base)("GET", `/transactions/${textAt(sent, "id")}`)
      expect(found.body).toMatchObject({ status: "FAILED", refund: { status: "COMPLETED", reason: "TIMEOUT" } })
      before = await aheadOf(platformAt(two.base))
    }
    await using again = await start()
    expect(again.printed("clock")).toMatch(/^\S+Z, ahead of real time$/u)
    expect(await aheadOf(platformAt(again.base))).toBe(before)
  })
})

describe("a folder", { timeout: 120_000 }, () => {
  it("keeps the time across a restart, and refuses live mode afterwards", async () => {
    await using folder = await newFolder()
    const options = [...credentialOptions, "--store", `pglite:${folder.path}`]
    let ahead = 0
    let now = ""
    {
      await using before = await startServer({ options })
      now = textAt(await advance(platformAt(before.base), { by: "P40D" }), "now")
      ahead = await aheadOf(platformAt(before.base))
    }
    {
      await using after = await startServer({ options })
      const [shown = ""] = after.printed("clock")?.split(",") ?? []
      expect(shown > now).toBe(true)
      expect(await aheadOf(platformAt(after.base))).toBe(ahead)
    }
    const ports = fileURLToPath(new URL("./SandboxPorts.ts", import.meta.url))
    await using live = run({ options: ["--port", "0", ...options, "--mode", "live", "--ports", ports] })
    expect(await live.exited).toEqual({ code: 5, signal: null })
    expect(live.stderr()).toContain("a sandbox has moved the time of this store")
  })
})

describe("one server", { timeout: 120_000 }, () => {
  const further = [...credentialOptions, "--platform", "second:second-secret"]

  it("refuses to advance time with several platforms, unless --shared-clock is set", async () => {
    await using closed = await startServer({ options: further })
    expect(await platformAt(closed.base)("POST", "/sandbox/clock/advance", { body: { seconds: 60 } })).toMatchObject({
      status: 409,
      body: { code: "CONFLICT", details: { reason: "SEVERAL_PLATFORMS" } },
    })
    await using open = await startServer({ options: further, env: { COUNTERSIGN_SHARED_CLOCK: "true" } })
    const second = client(open.base, basic("second", "second-secret"))
    await advance(second, { seconds: 60 })
    expect(await aheadOf(platformAt(open.base))).toBe(await aheadOf(second))
    expect(await aheadOf(second)).toBeGreaterThanOrEqual(59_000)
  })

  it("stamps log lines with real time", async () => {
    await using server = await startServer({ options: [...credentialOptions, "--log", "json"] })
    await advance(platformAt(server.base), { by: "P400D" })
    // The server logs a test event that cannot be delivered.
    const body = { webhookEndpoint: "http://127.0.0.1:1/nobody" }
    const changed = await platformAt(server.base)("PATCH", "/config", { body })
    await advance(platformAt(server.base), { seconds: 1 })
    const [line = ""] = server.stdout().match(/^.*a test event was not acknowledged.*$/mu) ?? []
    const { timestamp } = JSON.parse(line) as { readonly timestamp: string }
    expect(timestamp < textAt(changed, "updatedAt").replace("Z", "")).toBe(true)
  })
})
