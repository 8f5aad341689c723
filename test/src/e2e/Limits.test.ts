/**
 * The limits that the options of `countersign serve` set, over HTTP: reads, writes and the volume of a day.
 * Source: D-335, D-338, D-339.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Send } from "./Client.ts"
import { type Customer, credentialOptions, newCustomer, newSource, newWorld, platformAt, type World } from "./Flow.ts"
import { run, startServer } from "./ServerProcess.ts"

/** Sends until a request is refused, at most `max` times. */
const untilRefused = async (send: () => ReturnType<Send>, max: number) => {
  for (let sent = 1; sent <= max; sent++) {
    const reply = await send()
    if (reply.status === 429) return { reply, sent }
  }
  throw new Error(`none of ${max} requests was refused`)
}

describe("limits of serve", { timeout: 120_000 }, () => {
  it("refuses reads and writes above the counts of the options, each with its headers", async () => {
    const options = [...credentialOptions, "--reads-per-minute", "20", "--limit-processes", "2"]
    const env = { COUNTERSIGN_PLATFORM_WRITES_PER_MINUTE: "6" }
    await using server = await startServer({ options, env })
    const platform = platformAt(server.base)
    const first = await platform("GET", "/config")
    expect([first.status, first.headers.get("ratelimit-limit")]).toEqual([200, "10"])
    const read = await untilRefused(() => platform("GET", "/config"), 40)
    expect(read.sent).toBeGreaterThanOrEqual(10)
    expect(read.reply.body).toMatchObject({ code: "RATE_LIMITED", details: { reason: "READS" } })
    expect(Number(read.reply.headers.get("retry-after"))).toBeGreaterThan(0)
    expect(read.reply.headers.get("ratelimit-limit")).toBe("10")
    expect(read.reply.headers.get("ratelimit-remaining")).toBe("0")
    const body = { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" }
    const write = await untilRefused(() => platform("POST", "/customers", { body }), 40)
    expect(write.sent).toBeGreaterThanOrEqual(4)
    expect(write.reply.body).toMatchObject({ details: { reason: "WRITES_OF_PLATFORM" } })
    expect(write.reply.headers.get("ratelimit-limit")).toBe("3")
  })

  it("has no limit on reads unless an option sets one", async () => {
    await using server = await startServer({ options: credentialOptions })
    expect((await platformAt(server.base)("GET", "/config")).headers.get("ratelimit-limit")).toBeNull()
  })

  describe("with a daily volume", () => {
    let world: World
    beforeAll(async () => {
      world = await newWorld({
        options: ["--daily-volume", "EUR:5", "--daily-volume", "USD:1000", "--platform-daily-volume", "USD:1500"],
      })
    }, 60_000)
    afterAll(() => world[Symbol.asyncDispose]())

    it("refuses a payment above the volume of the customer, and of the platform", async () => {
      const { platform } = world
      let suffix = 500
      /** Pays to a new external account, because an account exists once for each customer. */
      const pay = async (customer: Customer, amount: number) => {
        const source = { accountId: customer.accountId }
        const destination = { accountId: await newSource(platform, customer, String(suffix++)) }
        await platform("POST", `/sandbox/internal-accounts/${customer.accountId}/fund`, { body: { amount: 2000 } })
        return platform("POST", "/transfer-out", { body: { source, destination, amount } })
      }
      expect((await pay(world.customer, 1001)).body).toMatchObject({
        code: "DAILY_VOLUME_LIMIT_EXCEEDED",
        details: { reason: "CUSTOMER_VOLUME", currency: "USD" },
      })
      const paid = await pay(world.customer, 1000)
      expect(paid.status, paid.text).toBe(201)
      const other = await newCustomer(platform)
      expect((await pay(other, 501)).body).toMatchObject({
        code: "DAILY_VOLUME_LIMIT_EXCEEDED",
        details: { reason: "PLATFORM_VOLUME" },
      })
      expect((await pay(other, 500)).status).toBe(201)
    })
  })

  const refused: ReadonlyArray<readonly [option: string, value: string]> = [
    ["--reads-per-minute", "0"],
    ["--writes-per-minute", "many"],
    ["--limit-processes", "0"],
    ["--daily-volume", "USD"],
    ["--daily-volume", "usd:5"],
    ["--daily-volume", "XYZ:5"],
    ["--platform-daily-volume", "USD:1.5"],
    ["--platform-daily-volume", "USD:-1"],
  ]
  it.each(refused)("exits with code 2 for %s %s", async (option, value) => {
    await using server = run({ options: ["--port", "0", option, value] })
    expect(await server.exited).toEqual({ code: 2, signal: null })
    expect(server.stderr()).toContain(option)
  })
})
