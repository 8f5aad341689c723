/**
 * Saved worlds over the interface, on the store in memory: what a load restores, what stays the server's, and what is refused.
 * Source: D-470, D-471.
 */
import { Inboxes, Platforms } from "@countersign/core"
import { sandboxCurrencies } from "@countersign/core/models"
import { Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import { at } from "../customer/CustomerRequests.ts"
import { fork, list, load, reset, save, seen } from "./WorldCalls.ts"

const customer = { customerType: "INDIVIDUAL", fullName: "Grace Hopper" }
const received = { id: "message-1", headers: {}, body: "{}", bytes: 2, verification: { isVerified: false } }
const transferIn = (pay: { readonly sources: Readonly<Record<string, string>>; readonly accountId: string }) => ({
  source: { accountId: pay.sources["000"] },
  destination: { accountId: pay.accountId },
  amount: 1200,
})

describe("a saved world", () => {
  it("has after its load the same records, balances, due jobs, events and clock as when it was saved", async () => {
    await using pay = await agentHarness()
    await pay.send("POST", `/sandbox/internal-accounts/${pay.accountId}/fund`, { body: { amount: 5000 } })
    await pay.send("POST", "/transfer-in", { body: transferIn(pay) })
    await pay.send("POST", "/sandbox/clock/advance", { body: { by: "P2D" } })
    await pay.send("POST", "/transfer-in", { body: transferIn(pay) })
    const before = await seen(pay)
    await save(pay, "monday")
    await pay.send("POST", `/sandbox/internal-accounts/${pay.accountId}/fund`, { body: { amount: 77 } })
    await pay.send("POST", "/customers", { body: customer })
    await pay.send("POST", "/sandbox/clock/advance", { body: { by: "P40D" } })
    await pay.settle()
    expect(await seen(pay)).not.toEqual(before)
    const { current } = await load(pay, "monday")
    expect(current).toBe("monday")
    expect(await seen(pay)).toEqual(before)
    await pay.settle()
    expect(at(await pay.send("GET", "/transactions"), "data", 0, "status")).toBe("COMPLETED")
  })

  it.each(["load", "reset"])(
    "begins with no kept requests and an empty inbox, whose entries were of another world (%s)",
    async (how) => {
      await using pay = await agentHarness({}, { webhookEndpoint: null })
      const listed = async (path: string) =>
        at(await pay.send("GET", path), "data") as ReadonlyArray<{ operation?: string }>
      await save(pay, "quiet")
      await pay.send("POST", "/sandbox/inbox")
      await pay.send("POST", "/customers", { body: customer })
      await pay.run(Inboxes.use((inboxes) => inboxes.receive(received)))
      expect(await listed("/sandbox/inbox/messages")).toHaveLength(1)
      await (how === "load" ? load(pay, "quiet") : reset(pay))
      expect(await listed("/sandbox/inbox/messages")).toEqual([])
      const operations = (await listed("/sandbox/requests?limit=100")).map(({ operation }) => operation)
      expect(operations).not.toContain("createCustomer")
      expect(operations).toContain(how === "load" ? "sandboxLoadWorld" : "sandboxResetWorld")
    },
  )

  it("replays the idempotency keys of its time, and no later ones", async () => {
    await using pay = await agentHarness()
    const transfer = (key: string) =>
      pay.send("POST", "/transfer-in", { body: transferIn(pay), headers: { "idempotency-key": key } })
    const first = await transfer("early")
    await save(pay, "keys")
    const late = await transfer("late")
    await load(pay, "keys")
    expect(at(await transfer("early"), "id")).toBe(at(first, "id"))
    expect(at(await transfer("late"), "id")).not.toBe(at(late, "id"))
  })

  it("runs no job of the world that was replaced", async () => {
    await using pay = await agentHarness()
    await save(pay, "quiet")
    await pay.send("POST", "/transfer-in", { body: transferIn(pay) })
    await load(pay, "quiet")
    pay.inbox.clear()
    await pay.settle()
    expect(pay.inbox.received).toEqual([])
    expect(at(await pay.send("GET", "/transactions"), "data")).toEqual([])
  })

  it("leaves the credentials of the server as they are, also those that are younger than it", async () => {
    await using pay = await harness()
    await save(pay, "before-token")
    const token = await pay.send("POST", "/tokens", { body: { name: "late", permissions: ["VIEW"] } })
    await load(pay, "before-token")
    const basic = btoa(`${at(token, "clientId")}:${at(token, "clientSecret")}`)
    const headers = { authorization: `Basic ${basic}` }
    expect((await pay.send("GET", "/config", { as: "nobody", headers })).status).toBe(200)
    expect((await pay.send("GET", "/config")).status).toBe(200)
  })

  it("goes on under the name of a fork, and the world that it came from stays as saved", async () => {
    await using pay = await agentHarness()
    await save(pay, "main")
    const before = await seen(pay)
    await pay.send("POST", "/customers", { body: customer })
    await fork(pay, "with-grace")
    expect((await list(pay)).current).toBe("with-grace")
    await pay.send("POST", "/customers", { body: { ...customer, fullName: "Mary Shelley" } })
    await save(pay, "with-grace", { replaces: true })
    await load(pay, "main")
    expect(await seen(pay)).toEqual(before)
    await load(pay, "with-grace")
    expect(at(await pay.send("GET", "/customers"), "totalCount")).toBe(3)
    expect((await pay.send("POST", "/sandbox/worlds/fork", { body: { name: "main" } })).status).toBe(409)
  })

  it("is listed with its times, counts and size, and deleted by its name", async () => {
    await using pay = await agentHarness()
    await save(pay, "b")
    await save(pay, "a")
    const { current, data } = await list(pay)
    expect([current, data.map(({ name }) => name)]).toEqual(["b", ["a", "b"]])
    expect(data[0]).toMatchObject({ aheadMillis: 0, counts: { customers: 1, transactions: 0 } })
    expect(data[0]?.bytes).toBeGreaterThan(500)
    expect((await pay.send("DELETE", "/sandbox/worlds/b")).status).toBe(204)
    expect((await pay.send("DELETE", "/sandbox/worlds/b")).status).toBe(404)
    expect((await pay.send("POST", "/sandbox/worlds/b/load")).status).toBe(404)
    expect(await list(pay)).toEqual({ data: [data[0]] })
    await save(pay, "c")
    expect((await pay.send("DELETE", "/sandbox/worlds/a")).status).toBe(204)
    expect((await list(pay)).current).toBe("c")
  })

  it("is replaced on request only, and 50 are the most", async () => {
    await using pay = await harness()
    await save(pay, "w0")
    const again = await pay.send("POST", "/sandbox/worlds", { body: { name: "w0" } })
    expect(again).toMatchObject({ status: 409, body: { details: { reason: "WORLD_EXISTS" } } })
    await save(pay, "w0", { replaces: true })
    for (let count = 1; count < 50; count++) await save(pay, `w${count}`)
    const tooMany = await pay.send("POST", "/sandbox/worlds", { body: { name: "w50" } })
    expect(tooMany).toMatchObject({ status: 409, body: { details: { reason: "TOO_MANY_WORLDS" } } })
    await save(pay, "w49", { replaces: true })
  })

  it.each(["", ".hidden", "../up", "A", "a/b", "a b", "x".repeat(65), "é", "-a"])(
    "is not saved as %j",
    async (name) => {
      await using pay = await harness()
      const reply = await pay.send("POST", "/sandbox/worlds", { body: { name } })
      expect(reply).toMatchObject({ status: 400, body: { code: "INVALID_INPUT" } })
    },
  )
})

describe("a reset", () => {
  it("leaves the platform with its configuration, its empty accounts, its credentials and the saved worlds", async () => {
    await using pay = await agentHarness()
    await pay.send("PATCH", "/config", { body: { webhookEndpoint: "https://platform.example/other" } })
    const own = at(await pay.send("GET", "/platform/internal-accounts"), "data", 0, "id")
    await pay.send("POST", `/sandbox/internal-accounts/${own}/fund`, { body: { amount: 9 } })
    await pay.send("POST", "/sandbox/clock/advance", { body: { by: "P3D" } })
    await save(pay, "kept")
    const { current } = await reset(pay)
    expect(current).toBeUndefined()
    expect(at(await pay.send("GET", "/config"), "webhookEndpoint")).toBe("https://platform.example/other")
    expect(at(await pay.send("GET", "/customers"), "data")).toEqual([])
    expect(at(await pay.send("GET", "/operator/events"), "data")).toEqual([])
    expect(at(await pay.send("GET", "/operator/jobs"), "data")).toEqual([])
    const account = await pay.send("GET", `/internal-accounts/${own}`)
    expect([account.status, at(account, "balance", "amount")]).toEqual([200, 0])
    expect(at(await pay.send("GET", "/sandbox/clock"), "aheadMillis")).toBe(0)
    await pay.send("POST", `/sandbox/internal-accounts/${own}/fund`, { body: { amount: 4 } })
    expect(at(await pay.send("GET", `/internal-accounts/${own}`), "balance", "amount")).toBe(4)
    expect((await list(pay)).data.map(({ name }) => name)).toEqual(["kept"])
    await load(pay, "kept")
    expect(at(await pay.send("GET", `/internal-accounts/${own}`), "balance", "amount")).toBe(9)
  })
})

it("a reset switches the faults off", async () => {
  await using pay = await agentHarness()
  const rail = { kind: "REJECT", reason: "BANK_REJECTED" }
  expect((await pay.send("PUT", "/sandbox/faults", { body: { rail } })).status).toBe(200)
  await reset(pay)
  expect((await pay.send("GET", "/sandbox/faults")).body).not.toHaveProperty("rail")
})

describe("a server with several platforms", () => {
  it("refuses every operation on worlds, since a world is the state of all", async () => {
    await using pay = await harness()
    await save(pay, "alone")
    await pay.run(
      Platforms.use((platforms) =>
        platforms.setUp({
          clientId: "client_other",
          clientSecret: Redacted.make("secret_other"),
          name: "Other",
          currencies: sandboxCurrencies,
        }),
      ),
    )
    const body = { name: "x" }
    const calls = [
      pay.send("GET", "/sandbox/worlds"),
      pay.send("POST", "/sandbox/worlds", { body }),
      pay.send("POST", "/sandbox/worlds/fork", { body }),
      pay.send("POST", "/sandbox/worlds/alone/load"),
      pay.send("GET", "/sandbox/worlds/alone/file"),
      pay.send("DELETE", "/sandbox/worlds/alone"),
      pay.send("POST", "/sandbox/world/reset"),
    ]
    for (const reply of await Promise.all(calls)) {
      expect(reply).toMatchObject({ status: 409, body: { details: { reason: "SEVERAL_PLATFORMS" } } })
    }
  })
})
