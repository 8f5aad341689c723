/**
 * `countersign operate` on a real PostgreSQL while a server uses it: parked jobs, unapplied money, refunds and access.
 * Source: D-354, D-355, D-356.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { at, textAt } from "./Client.ts"
import { eventually } from "./Deadline.ts"
import { newAgent, newWorld, type World } from "./Flow.ts"
import { newDatabase, type ServerDatabase } from "./ServerDatabase.ts"
import { run } from "./ServerProcess.ts"

describe("countersign operate", { timeout: 120_000 }, () => {
  let database: ServerDatabase
  let world: World
  beforeAll(async () => {
    database = await newDatabase()
    world = await newWorld({ options: database.options })
  }, 60_000)
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
  })

  const operate = async (...parameters: ReadonlyArray<string>) => {
    await using command = run({
      command: "operate",
      options: [...parameters, ...database.options, "--operator", "Grace"],
    })
    const { code } = await command.exited
    return { code, stdout: command.stdout().trim(), stderr: command.stderr().trim() }
  }
  const audited = async (operation: string) =>
    at((await world.platform("GET", `/audit-records?operation=${operation}`)).body, "data", 0)
  const byGrace = { actor: { type: "SERVICE", operator: "Grace" } }

  it("lists, resumes and drops parked jobs", async () => {
    expect(await operate("jobs")).toMatchObject({ code: 0, stdout: "no job is parked" })
    const ids = [1, 2].map((n) => `Job:00000000-0000-7000-8000-00000000000${n}`)
    const { rows } = await database.pool.query<{ readonly platform: string }>(
      "select platform_id as platform from countersign.platform",
    )
    for (const id of ids) {
      await database.pool.query(
        `insert into countersign.job (owner_id, platform_id, id, queue, kind, due_at, payload, state, attempt, error, open, holds)
         values ($1, $1, $2, 'webhook', 'webhook.deliver', 0, '{"eventId":"none"}', 'parked', 9, 'no answer', true, false)`,
        [rows[0]?.platform, id],
      )
    }
    const listed = await operate("jobs")
    expect(listed.code).toBe(0)
    for (const id of ids) expect(listed.stdout).toContain(id)
    expect(listed.stdout).toContain("webhook.deliver")
    expect(await operate("resume", ids[0] ?? "")).toMatchObject({
      code: 0,
      stdout: `resumed ${ids[0]} (webhook.deliver)`,
    })
    expect(await operate("drop", ids[1] ?? "")).toMatchObject({
      code: 0,
      stdout: `dropped ${ids[1]} (webhook.deliver)`,
    })
    // The server runs the resumed job, whose event does not exist.
    await eventually(
      "the resumed job to run",
      async () => (await database.pool.query("select 1 from countersign.job where id = any ($1)", [ids])).rowCount,
      (left) => left === 0,
    )
    expect(await audited("JOB_RESUME")).toMatchObject({ ...byGrace, target: ids[0] })
    expect(await audited("JOB_DROP")).toMatchObject({ ...byGrace, target: ids[1] })
    expect(await operate("resume", ids[0] ?? "")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("parked job"),
    })
  })

  it("applies and returns unapplied money, and retries a refund", async () => {
    const { customer, platform } = world
    const fund = { body: { amount: 10_000 } }
    expect((await platform("POST", `/sandbox/internal-accounts/${customer.accountId}/fund`, fund)).status).toBe(200)
    const beneficiary = { beneficiaryType: "INDIVIDUAL", fullName: "Ada Lovelace" }
    const accountInfo = { accountType: "MXN_ACCOUNT", clabeNumber: "032180000118359007", beneficiary }
    const body = { customerId: customer.customerId, currency: "MXN", accountInfo }
    const external = textAt(await platform("POST", "/customers/external-accounts", { body }), "id")
    /** A payment whose payout and refund fail. */
    const failed = async () => {
      const quote = await platform("POST", "/quotes", {
        body: {
          source: { sourceType: "ACCOUNT", accountId: customer.accountId },
          destination: { destinationType: "ACCOUNT", accountId: external },
          lockedCurrencySide: "SENDING",
          lockedCurrencyAmount: 1000,
        },
      })
      const executed = await platform("POST", `/quotes/${textAt(quote, "id")}/execute`, { body: {} })
      expect(executed.status, executed.text).toBe(200)
      const id = textAt(executed, "transactionId")
      await eventually(
        "the refund to fail",
        async () => at((await platform("GET", `/transactions/${id}`)).body, "refund", "status"),
        (status) => status === "FAILED",
      )
      return id
    }
    const [first, second] = [await failed(), await failed()]
    const money = await operate("money", "--json")
    expect(JSON.parse(money.stdout)).toMatchObject([{ transactionId: second }, { transactionId: first }])
    expect(await operate("retry-refund", first)).toMatchObject({ code: 0 })
    await eventually(
      "the refund to fail again",
      async () => at((await platform("GET", `/transactions/${first}`)).body, "refund", "status"),
      (status) => status === "FAILED",
    )
    expect(await operate("apply", first)).toMatchObject({
      code: 0,
      stdout: `credited 10.00 USD to ${customer.accountId}`,
    })
    expect(await operate("return", second, "--reference", "wire 4711")).toMatchObject({
      code: 0,
      stdout: "recorded that 10.00 USD was returned",
    })
    expect(await operate("apply", first)).toMatchObject({ code: 1, stderr: expect.stringContaining("NOT_UNAPPLIED") })
    expect(await operate("money")).toMatchObject({ code: 0, stdout: "no money is unapplied" })
    expect(await audited("UNAPPLIED_APPLY")).toMatchObject({ ...byGrace, target: first })
    expect(await audited("UNAPPLIED_RETURN")).toMatchObject({ ...byGrace, details: { reference: "wire 4711" } })
    expect(await audited("REFUND_RETRY")).toMatchObject(byGrace)
  })

  it("ends the access of a customer", async () => {
    const agent = await newAgent(world.server.base, world.platform, world.customer)
    expect((await agent.send("GET", "/agents/me")).status).toBe(200)
    expect(await operate("end-access", world.customer.customerId)).toMatchObject({
      code: 0,
      stdout: "ended 0 sessions, 1 agent tokens and 0 device codes",
    })
    expect((await agent.send("GET", "/agents/me")).status).toBe(401)
    expect(await audited("CUSTOMER_ACCESS_END")).toMatchObject(byGrace)
    expect(await operate("end-access", "Customer:none")).toMatchObject({ code: 1 })
    expect(await operate("jobs", "--client-id", "nobody")).toMatchObject({ code: 2 })
  })
})
