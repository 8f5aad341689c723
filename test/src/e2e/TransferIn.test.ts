/**
 * An agent's transfer-in over HTTP: executed at once, pending approval or refused, with and without an idempotency key.
 * Spec: 4.1, States: AgentAction; wire contract 0.4, 1.3, 1.4, 1.5 and 4.12.
 */
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { at, basic, client, type Reply, textAt } from "./Client.ts"
import { eventually } from "./Deadline.ts"
import { balanceOf, credentials, newAgent, newCustomer, newSource, newWorld, transfer, type World } from "./Flow.ts"

const path = "/agents/me/transfer-in"
let world: World

beforeAll(async () => {
  world = await newWorld()
}, 60_000)
afterAll(() => world[Symbol.asyncDispose]())

/** A new customer with a known balance. */
const fresh = async () => {
  const customer = await newCustomer(world.platform)
  return { customer, source: await newSource(world.platform, customer) }
}

const spending = (more: Readonly<Record<string, unknown>>) => ({
  spendingLimits: { currency: "USD", perTransactionLimit: 50_000, ...more },
})

describe("before an agent acts", () => {
  // Proves: SBX-FUND-01
  it("has an account in each currency, a source to pull from, and money from the sandbox", async () => {
    const { customer, source } = await fresh()
    const accounts = await world.platform("GET", `/customers/internal-accounts?customerId=${customer.customerId}`)
    const held = (accounts.body["data"] as ReadonlyArray<{ readonly type: string; readonly balance: unknown }>).map(
      ({ balance, type }) => `${type} ${at(balance, "currency", "code")}`,
    )
    expect(held.toSorted()).toEqual(
      [
        ...["USD", "EUR", "GBP", "MXN", "BRL", "INR"].map((code) => `INTERNAL_FIAT ${code}`),
        ...["USDC", "BTC", "USDB"].map((code) => `INTERNAL_CRYPTO ${code}`),
        "EMBEDDED_WALLET USDB",
      ].toSorted(),
    )
    expect(await world.platform("GET", `/customers/external-accounts/${source}`)).toMatchObject({
      status: 200,
      body: { status: "ACTIVE", currency: "USD", accountInfo: { accountType: "USD_ACCOUNT" } },
    })
    const funded = await world.platform("POST", `/sandbox/internal-accounts/${customer.accountId}/fund`, {
      body: { amount: 100_000 },
    })
    expect(funded).toMatchObject({ status: 200, body: { balance: { amount: 100_000, currency: { code: "USD" } } } })
    expect(await balanceOf(world.platform, customer)).toBe(100_000)
  })

  it("redeems its device code once, without credentials", async () => {
    const agent = await newAgent(world.server.base, world.platform, world.customer)
    expect(agent.deviceCode).toMatch(/^AGENT-[2-9A-Z]{4}-[2-9A-Z]{4}$/u)
    expect(agent.token).toMatch(/^gat_[0-9a-f]{40}$/u)
    expect(await agent.send("GET", "/agents/me")).toMatchObject({
      status: 200,
      body: { id: agent.agentId, isConnected: true, isPaused: false },
    })
    const nobody = client(world.server.base)
    const again = await nobody("POST", `/agents/device-codes/${agent.deviceCode}/redeem`)
    expect(again).toMatchObject({ status: 400, body: { code: "INVALID_INPUT", details: { reason: "REDEEMED" } } })
    expect(await nobody("POST", "/agents/device-codes/AGENT-2222-2222/redeem")).toMatchObject({
      status: 404,
      body: { code: "REFERENCE_NOT_FOUND" },
    })
  })
})

describe("a transfer-in", () => {
  // Proves: EP-AGENT-01, EP-AGENT-11, EP-AGENT-13
  it("is executed at once if the policy allows it, and the money arrives", async () => {
    const { customer, source } = await fresh()
    const agent = await newAgent(world.server.base, world.platform, customer)
    const reply = await agent.send("POST", path, { body: transfer(source, customer, 12_345) })
    expect(reply).toMatchObject({
      status: 201,
      body: {
        status: "APPROVED",
        type: "TRANSFER_IN",
        agentId: agent.agentId,
        customerId: customer.customerId,
        platformCustomerId: customer.platformCustomerId,
        transferDetails: {
          amount: 12_345,
          currency: "USD",
          sourceAccountId: source,
          destinationAccountId: customer.accountId,
        },
        transaction: { type: "INCOMING", status: "PENDING", receivedAmount: { amount: 12_345 } },
      },
    })
    await eventually(
      "the money",
      () => balanceOf(world.platform, customer),
      (amount) => amount === 12_345,
    )
    const transactionId = textAt(reply, "transaction", "id")
    expect(await agent.send("GET", `/agents/me/transactions/${transactionId}`)).toMatchObject({
      status: 200,
      body: { status: "COMPLETED", agentId: agent.agentId },
    })
    expect((await agent.send("GET", "/agents/me")).body["usage"]).toMatchObject({
      dailySpend: 12_345,
      dailyTransactionCount: 1,
    })
  })

  // Proves: EP-AGENT-09
  it("uses the amount that the rail reports if the request has none", async () => {
    const { customer, source } = await fresh()
    const agent = await newAgent(world.server.base, world.platform, customer)
    const reply = await agent.send("POST", path, { body: transfer(source, customer) })
    expect(reply).toMatchObject({ status: 201, body: { transferDetails: { amount: 10_000 } } })
  })

  // Proves: LIM-12
  // Proves: EP-AGENT-12, STATE-ACTION-01, STATE-ACTION-03
  it("waits for approval by the default mode, by a threshold, and by an account rule", async () => {
    const { customer, source } = await fresh()
    const policies = [
      { defaultExecutionMode: "APPROVAL_REQUIRED" as const },
      { approvalThresholds: { currency: "USD", amount: 999 } },
      {
        accountRestrictions: {
          accountRules: [{ accountId: customer.accountId, executionMode: "APPROVAL_REQUIRED" }],
        },
      },
    ]
    for (const policy of policies) {
      const agent = await newAgent(world.server.base, world.platform, customer, policy)
      const reply = await agent.send("POST", path, { body: transfer(source, customer, 1000) })
      expect(reply).toMatchObject({ status: 201, body: { status: "PENDING_APPROVAL" } })
      expect(reply.body).not.toHaveProperty("transaction")
    }
    expect(await balanceOf(world.platform, customer)).toBe(0)
  })

  // Proves: STATE-ACTION-12
  it("ends FAILED if the bank refuses, and returns the amount to the daily limit", async () => {
    const { customer } = await fresh()
    const source = await newSource(world.platform, customer, "002")
    const agent = await newAgent(world.server.base, world.platform, customer)
    const reply = await agent.send("POST", path, { body: transfer(source, customer, 1000) })
    expect(reply.status).toBe(201)
    const ended = await eventually(
      "the refusal",
      () => agent.send("GET", `/agents/me/actions/${textAt(reply, "id")}`),
      ({ body }) => body["status"] === "FAILED",
    )
    expect(ended.body["transaction"]).toMatchObject({ status: "FAILED", failureReason: "COLLECTION_FAILED" })
    expect((await agent.send("GET", "/agents/me")).body["usage"]).toMatchObject({
      dailySpend: 0,
      dailyTransactionCount: 1,
    })
    expect(await balanceOf(world.platform, customer)).toBe(0)
  })
})

describe("a refusal", () => {
  const limits = [
    ["perTransactionLimit", { perTransactionLimit: 999 }],
    ["dailyLimit", { dailyLimit: 1999 }],
    ["monthlyLimit", { monthlyLimit: 1999 }],
    ["dailyTransactionLimit", { dailyTransactionLimit: 1 }],
  ] as const

  // Proves: ERR-RULE-01
  // Proves: EP-AGENT-17
  it.each(limits)("names the limit: %s", async (limit, more) => {
    const { customer, source } = await fresh()
    const agent = await newAgent(world.server.base, world.platform, customer, spending(more))
    const body = transfer(source, customer, 1000)
    const replies: Array<Reply> = [await agent.send("POST", path, { body }), await agent.send("POST", path, { body })]
    expect(replies.at(-1)).toMatchObject({
      status: 403,
      body: { status: 403, code: "FORBIDDEN", details: { reason: "LIMIT_EXCEEDED", limit } },
    })
    expect(replies[0]?.status).toBe(limit === "perTransactionLimit" ? 403 : 201)
  })

  // Proves: EP-AGENT-04, EP-AGENT-16, EP-MGMT-09
  it("names the permission, the account out of scope, and the pause", async () => {
    const { customer, source } = await fresh()
    const body = transfer(source, customer, 1000)
    const reader = await newAgent(world.server.base, world.platform, customer, { permissions: ["VIEW_TRANSACTIONS"] })
    expect(await reader.send("POST", path, { body })).toMatchObject({
      status: 403,
      body: { code: "FORBIDDEN", details: { reason: "PERMISSION_MISSING", permission: "CREATE_TRANSFERS" } },
    })
    const restricted = await newAgent(world.server.base, world.platform, customer, {
      accountRestrictions: { allowedAccountIds: [] },
    })
    expect(await restricted.send("POST", path, { body })).toMatchObject({
      status: 403,
      body: { code: "FORBIDDEN", details: { reason: "ACCOUNT_NOT_ALLOWED", accountId: customer.accountId } },
    })
    const paused = await newAgent(world.server.base, world.platform, customer)
    await world.platform("PATCH", `/agents/${paused.agentId}`, { body: { isPaused: true } })
    expect(await paused.send("POST", path, { body })).toMatchObject({
      status: 403,
      body: { code: "FORBIDDEN", details: { reason: "AGENT_PAUSED" } },
    })
  })

  // Proves: EP-AGENT-07, EP-AGENT-08, EP-AGENT-10, EP-AGENT-14, EP-AGENT-18
  it("names invalid amounts and accounts", async () => {
    const { customer, source } = await fresh()
    const agent = await newAgent(world.server.base, world.platform, customer)
    for (const amount of [0, -5]) {
      const reply = await agent.send("POST", path, { body: transfer(source, customer, amount) })
      expect(reply).toMatchObject({ status: 400, body: { code: "INVALID_AMOUNT" } })
    }
    for (const amount of [1.5, "100", 2 ** 53]) {
      const reply = await agent.send("POST", path, { body: transfer(source, customer, amount) })
      expect(reply).toMatchObject({
        status: 400,
        body: { code: "INVALID_INPUT", details: { errors: [{ field: "amount" }] } },
      })
    }
    const unknown = `ExternalAccount:${randomUUID()}`
    expect(await agent.send("POST", path, { body: transfer(unknown, customer, 1) })).toMatchObject({
      status: 404,
      body: { code: "REFERENCE_NOT_FOUND" },
    })
    const both = await agent.send("POST", path, { body: { source: { accountId: "x" }, amount: "y" } })
    expect(both.status).toBe(400)
    const { errors } = both.body["details"] as { readonly errors: ReadonlyArray<{ readonly field: string }> }
    expect(errors.map(({ field }) => field).toSorted()).toEqual(["amount", "destination", "source.accountId"])
  })
})

describe("an Idempotency-Key", () => {
  const key = () => ({ "Idempotency-Key": randomUUID() })

  // Proves: EP-AGENT-06
  it("replays the stored response for the same body, and refuses another body", async () => {
    const { customer, source } = await fresh()
    const agent = await newAgent(world.server.base, world.platform, customer)
    const headers = key()
    const first = await agent.send("POST", path, { headers, body: transfer(source, customer, 700) })
    const again = await agent.send("POST", path, { headers, body: transfer(source, customer, 700) })
    expect([again.status, again.text]).toEqual([first.status, first.text])
    expect(first.headers.get("Idempotency-Replayed")).toBeNull()
    expect(again.headers.get("Idempotency-Replayed")).toBe("true")
    const other = await agent.send("POST", path, { headers, body: transfer(source, customer, 701) })
    expect(other).toMatchObject({ status: 409, body: { status: 409, code: "CONFLICT" } })
    expect((await agent.send("GET", "/agents/me/actions")).body["totalCount"]).toBe(1)
  })

  // Proves: EP-AGENT-05
  it("is scoped to its caller, and is optional", async () => {
    const { customer, source } = await fresh()
    const headers = key()
    const body = transfer(source, customer, 700)
    for (const agent of [
      await newAgent(world.server.base, world.platform, customer),
      await newAgent(world.server.base, world.platform, customer),
    ]) {
      expect((await agent.send("POST", path, { headers, body })).headers.get("Idempotency-Replayed")).toBeNull()
      await agent.send("POST", path, { body })
      await agent.send("POST", path, { body })
      expect((await agent.send("GET", "/agents/me/actions")).body["totalCount"]).toBe(3)
    }
  })

  it("executes many concurrent calls once, with one answer", async () => {
    const { customer, source } = await fresh()
    const agent = await newAgent(world.server.base, world.platform, customer)
    const headers = key()
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => agent.send("POST", path, { headers, body: transfer(source, customer, 700) })),
    )
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(replies[0]?.status).toBe(201)
    expect(replies.filter((reply) => reply.headers.get("Idempotency-Replayed") === null)).toHaveLength(1)
    await eventually(
      "the money",
      () => balanceOf(world.platform, customer),
      (amount) => amount === 700,
    )
    expect((await agent.send("GET", "/agents/me")).body["usage"]).toMatchObject({ dailyTransactionCount: 1 })
  })
})

describe("credentials", () => {
  // Proves: AUTH-01, AUTH-03
  // Proves: EP-AGENT-15
  it("answers 401 with the reason if they are missing, malformed or wrong", async () => {
    const { base } = world.server
    const { clientId, clientSecret } = credentials
    const agent = await newAgent(base, world.platform, world.customer)
    const cases: ReadonlyArray<readonly [path: string, authorization: string | undefined, reason: string]> = [
      ["/config", undefined, "Missing credentials"],
      ["/config", "Basic !!!", "Malformed credentials"],
      ["/config", basic(clientId, "wrong"), "Invalid credentials"],
      ["/config", basic("wrong", clientSecret), "Invalid credentials"],
      ["/config", `Bearer ${agent.token}`, "Malformed credentials"],
      ["/agents/me", undefined, "Missing credentials"],
      ["/agents/me", basic(clientId, clientSecret), "Malformed credentials"],
      ["/agents/me", `Bearer gat_${"0".repeat(40)}`, "Invalid agent token"],
    ]
    for (const [path, authorization, reason] of cases) {
      const reply = await client(base, authorization)("GET", path)
      expect(reply).toMatchObject({
        status: 401,
        body: { status: 401, code: "UNAUTHORIZED", reason, details: { reason } },
      })
      expect(reply.headers.get("www-authenticate")).toMatch(path === "/config" ? /^Basic / : /^Bearer/)
    }
  })

  // Proves: EP-AGENT-15
  it("are checked before the rest of the request, but not for an unknown path or method", async () => {
    const nobody = client(world.server.base)
    expect(await nobody("POST", path, { body: { amount: "nonsense" } })).toMatchObject({ status: 401 })
    expect(await nobody("GET", "/no-such-path")).toMatchObject({
      status: 404,
      body: { status: 404, code: "REFERENCE_NOT_FOUND" },
    })
    const method = await nobody("PUT", path)
    expect(method).toMatchObject({ status: 405, body: { status: 405, code: "METHOD_NOT_ALLOWED" } })
    expect(method.headers.get("allow")).toContain("POST")
  })
})
