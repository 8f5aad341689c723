/** Limits on reads and writes of signed-in callers, which a deployment chooses. D-338; wire contract 11 (3, 30). */
import { UseLimitSettings } from "@countersign/core/ports"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import * as RequestRate from "../../../packages/core/src/foundation/kit/RequestRate.ts"
import { harness, type Reply } from "../../../packages/test/src/harness/Harness.ts"
import { newCustomer } from "../account/ExternalAccountRequests.ts"
import { basic, flooded, holder } from "./Flood.ts"

type Settings = (typeof UseLimitSettings)["Service"]
const limits = (more: Partial<Settings>) =>
  Layer.effect(
    UseLimitSettings,
    Effect.map(UseLimitSettings, (chosen) => ({ ...chosen, ...more })),
  )
const settings = (counts: Settings["counts"], processes = 1) => limits({ counts, processes })
const fields = ({ headers }: Reply) =>
  ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "retry-after"].map((name) => headers.get(name))

describe("requests beyond a limit", () => {
  it("are refused before their body is read, and allowed again one by one", async () => {
    await using pay = await harness({ ports: settings({ WRITES: 3 }) })
    const write = () => pay.send("POST", "/customers", { body: { customerType: "x" } })
    const replies = [await write(), await write(), await write(), await write()]
    expect(replies.map(({ status }) => status)).toEqual([400, 400, 400, 429])
    expect(replies.map(fields)).toEqual([
      ["3", "2", "20", null],
      ["3", "1", "40", null],
      ["3", "0", "60", null],
      ["3", "0", "20", "20"],
    ])
    expect(replies[3]).toMatchObject({ body: { code: "RATE_LIMITED", details: { reason: "WRITES", limit: 3 } } })
    await pay.clock.advance("19999 millis")
    expect((await write()).status).toBe(429)
    await pay.clock.advance("1 millis")
    expect([(await write()).status, (await write()).status]).toEqual([400, 429])
    expect((await pay.send("GET", "/config")).headers.get("ratelimit-limit")).toBeNull()
  })

  it("are counted apart for reads and writes, by credential and by platform", async () => {
    await using pay = await harness({ ports: settings({ READS: 2, READS_OF_PLATFORM: 3 }) })
    const body = { name: "other", permissions: ["VIEW"] }
    const { body: token } = await pay.send("POST", "/tokens", { body })
    const { clientId, clientSecret } = token as { readonly clientId: string; readonly clientSecret: string }
    const read = () => pay.send("GET", "/config")
    const other = () => {
      const headers = { authorization: basic(clientId, clientSecret) }
      return pay.send("GET", "/config", { as: "nobody", headers })
    }
    expect([(await read()).status, (await read()).status]).toEqual([200, 200])
    expect(await read()).toMatchObject({ status: 429, body: { details: { reason: "READS" } } })
    expect((await other()).status).toBe(200)
    expect(await other()).toMatchObject({ status: 429, body: { details: { reason: "READS_OF_PLATFORM" } } })
    expect((await pay.send("POST", "/customers", { body: {} })).status).toBe(400)
  })

  it("leave requests alone whose caller is unknown or lacks the permission", async () => {
    await using pay = await harness({ ports: settings({ READS: 1 }) })
    const { body: token } = await pay.send("POST", "/tokens", { body: { name: "x", permissions: ["TRANSACT"] } })
    const { clientId, clientSecret } = token as { readonly clientId: string; readonly clientSecret: string }
    const headers = { authorization: basic(clientId, clientSecret) }
    for (let call = 0; call < 3; call++) {
      expect((await pay.send("GET", "/config", { as: "nobody", headers })).status).toBe(403)
      expect((await pay.send("GET", "/config", { as: "nobody" })).status).toBe(401)
    }
  })

  it("are off unless a deployment sets them", async () => {
    await using pay = await harness()
    const replies = await Promise.all(Array.from({ length: 500 }, () => pay.send("GET", "/config")))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    expect(replies[0]?.headers.get("ratelimit-limit")).toBeNull()
    await newCustomer(pay)
  })

  it("are an option of the embedded service, divided among its processes", async () => {
    await using pay = await flooded({ settings: settings({ READS: 20 }, 4) })
    const read = () => pay.send({ path: "/config", authorization: basic(holder.clientId, holder.clientSecret) })
    const replies = [await read(), await read(), await read(), await read(), await read()]
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(replies[0]?.headers).toMatchObject({ "ratelimit-limit": "5", "ratelimit-remaining": "4" })
    expect((await read()).status).toBe(429)
  })
})

describe("the part of a process", () => {
  it.each([
    [20, 4, 5],
    [20, 3, 6],
    [11, 4, 2],
    [2, 3, 1],
  ])(
    "of %i requests among %i processes is %i: together they allow no more, unless one each is more",
    async (...row) => {
      const [count, processes, part] = row
      await using pay = await harness({ ports: settings({ READS: count, WRITES_OF_PLATFORM: count }, processes) })
      const write = await pay.send("POST", "/customers", { body: {} })
      const limitOf = ({ headers }: Reply) => Number(headers.get("ratelimit-limit"))
      expect([limitOf(await pay.send("GET", "/config")), limitOf(write)]).toEqual([part, part])
    },
  )
})

describe("a rate", () => {
  it("keeps at most its number of keys", () => {
    const rate = RequestRate.make(2, 1000, 3)
    for (const key of ["a", "b", "c"]) rate.take(key, 0)
    expect(rate.take("a", 0).isAllowed).toBe(true)
    expect(rate.take("a", 0).isAllowed).toBe(false)
    rate.take("d", 0)
    expect(rate.take("a", 0)).toMatchObject({ isAllowed: true, remaining: 1 })
  })
})
