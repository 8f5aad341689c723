/**
 * Live mode with an embedder's ports: accepted webhook addresses, operations that only the sandbox has, and the ports' answers.
 * Spec: 4.1; wire contract 1.6 and 7.1; D-011, D-026, D-029.
 */
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { client, textAt } from "./Client.ts"
import { eventually } from "./Deadline.ts"
import { balanceOf, held, newAgent, newSource, newWorld, transfer, type World } from "./Flow.ts"
import { newFolder } from "./Folder.ts"
import { receiver } from "./Receiver.ts"

const ports = fileURLToPath(new URL("./SandboxPorts.ts", import.meta.url))
const live = ["--mode", "live", "--ports", ports]
let folder: Awaited<ReturnType<typeof newFolder>>
let world: World

beforeAll(async () => {
  folder = await newFolder()
  world = await newWorld({ options: [...live, "--store", `pglite:${folder.path}`] })
}, 120_000)
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

describe("live mode", () => {
  it("refuses webhook addresses that are not public, and names the field", async () => {
    await using hooks = await receiver()
    for (const webhookEndpoint of [
      hooks.url,
      hooks.url.replace("http:", "https:"),
      "https://localhost/hooks",
      "https://10.0.0.1/hooks",
      "https://169.254.169.254/latest",
      "https://[::1]/hooks",
      "https://[::ffff:127.0.0.1]/hooks",
    ]) {
      expect(await world.platform("PATCH", "/config", { body: { webhookEndpoint } })).toMatchObject({
        status: 400,
        body: { code: "INVALID_INPUT", details: { errors: [{ field: "webhookEndpoint" }] } },
      })
    }
    expect((await world.platform("GET", "/config")).body).not.toHaveProperty("webhookEndpoint")
    expect(hooks.received).toEqual([])
  })

  it("accepts a private webhook address that --webhook-allow names", { timeout: 120_000 }, async () => {
    await using hooks = await receiver()
    await using own = await newFolder()
    const options = [...live, "--store", `pglite:${own.path}`]
    await using allowed = await newWorld({ options, env: { COUNTERSIGN_WEBHOOK_ALLOW: "10.0.0.0/8,127.0.0.1" } })
    const body = { webhookEndpoint: hooks.url }
    expect(await allowed.platform("PATCH", "/config", { body })).toMatchObject({ status: 200, body })
    await hooks.delivered(({ event }) => event.type === "TEST")
  })

  it("gives customers unique UMA addresses until the platform configures a domain", async () => {
    const { body } = await world.platform("GET", "/config")
    expect(body["umaDomain"]).toMatch(/^[0-9a-f]{12}\.uma\.invalid$/u)
  })

  it("responds with 404 to the sandbox's funding and clock", async () => {
    const fund = `/sandbox/internal-accounts/${world.customer.accountId}/fund`
    expect(await world.platform("POST", fund, { body: { amount: 1 } })).toMatchObject({
      status: 404,
      body: { code: "REFERENCE_NOT_FOUND" },
    })
    expect(await balanceOf(world.platform, world.customer)).toBe(0)
    expect(await world.platform("GET", "/sandbox/clock")).toMatchObject({ status: 404 })
    expect(await world.platform("POST", "/sandbox/clock/advance", { body: { seconds: 60 } })).toMatchObject({
      status: 404,
      body: { code: "REFERENCE_NOT_FOUND" },
    })
    expect((await client(world.server.origin)("GET", "/openapi.json")).text).not.toContain("/sandbox/")
  })

  it("ignores magic values", async () => {
    const info = { legalName: "x", country: "US", taxId: "987654321", incorporatedOn: "2020-01-01" }
    const business = { customerType: "BUSINESS", businessInfo: { ...info, registrationNumber: "REG-002" } }
    const customerId = textAt(await world.platform("POST", "/customers", { body: business }), "id")
    // A live verification looks at documents, whatever the registration number says.
    expect((await world.platform("POST", "/verifications", { body: { customerId } })).body).toMatchObject({
      verificationStatus: "RESOLVE_ERRORS",
    })
    const person = { customerType: "INDIVIDUAL", fullName: "Ada 002" }
    expect((await world.platform("POST", "/customers", { body: person })).body).toMatchObject({ kycStatus: "PENDING" })
  })

  it("moves money through the embedder's bank", async () => {
    const agent = await newAgent(world.server.base, world.platform, world.customer)
    const body = transfer(world.source, world.customer, 250)
    expect(await agent.send("POST", "/agents/me/transfer-in", { body })).toMatchObject({
      status: 201,
      body: { status: "APPROVED" },
    })
    await eventually(
      "the money",
      () => balanceOf(world.platform, world.customer),
      (amount) => amount === 250,
    )
    const unsaid = transfer(world.source, world.customer)
    expect(await agent.send("POST", "/agents/me/transfer-in", { body: unsaid })).toMatchObject({
      status: 400,
      body: { code: "INVALID_AMOUNT", details: { reason: "AMOUNT_REQUIRED" } },
    })
  })

  it("refuses a source that the bank cannot pull from", async () => {
    const agent = await newAgent(world.server.base, world.platform, world.customer)
    const source = await newSource(world.platform, world.customer, "008")
    const body = transfer(source, world.customer, 250)
    expect(await agent.send("POST", "/agents/me/transfer-in", { body })).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", details: { reason: "SOURCE_NOT_PULLABLE" } },
    })
  })

  it("ends an action FAILED without a transaction when funds are missing, with and without approval", async () => {
    const source = await newSource(world.platform, world.customer, "009")
    const body = transfer(source, world.customer, 250)
    const atOnce = await newAgent(world.server.base, world.platform, world.customer)
    const failed = await atOnce.send("POST", "/agents/me/transfer-in", { body })
    expect(failed).toMatchObject({ status: 201, body: { status: "FAILED" } })
    expect(failed.body).not.toHaveProperty("transaction")
    expect((await atOnce.send("GET", "/agents/me")).body["usage"]).toMatchObject({ dailyTransactionCount: 0 })

    const agent = await newAgent(world.server.base, world.platform, world.customer, {
      defaultExecutionMode: "APPROVAL_REQUIRED",
    })
    const actionId = await held(agent, body)
    const approved = await world.platform("POST", `/agents/${agent.agentId}/actions/${actionId}/approve`)
    expect(approved).toMatchObject({ status: 200, body: { status: "FAILED" } })
    expect(approved.body).not.toHaveProperty("transaction")
    expect(textAt(await agent.send("GET", `/agents/me/actions/${actionId}`), "status")).toBe("FAILED")
  })
})
