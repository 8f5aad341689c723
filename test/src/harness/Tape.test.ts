/** Recorded tapes: replay on another seed and store, export as a program, a test and curl commands, and detection of changed answers. */
import { asCurl, asScript, asTest, type Harness, harness, replay, type Tape } from "@countersign/test"
import { describe, expect, it } from "vitest"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import { run } from "./Tapes.ts"

/** Creates a customer with an agent over HTTP and advances the clock. */
const play = async (pay: Harness) => {
  const { id } = await pay.client.customers.createCustomer({
    payload: { customerType: "INDIVIDUAL", fullName: 'Ada\'s "$HOME" `x`' },
  })
  const { data } = await pay.client.accounts.listInternalAccounts({ query: { customerId: id, currency: "USD" } })
  const accountId = data[0]?.id ?? ""
  await pay.send("POST", `/sandbox/internal-accounts/${accountId}/fund`, { body: { amount: 100_000 } })
  const created = await pay.client.agents.createAgent({
    payload: {
      customerId: id,
      name: "Payroll",
      policy: {
        permissions: ["CREATE_TRANSFERS", "VIEW_TRANSACTIONS"],
        defaultExecutionMode: "AUTO",
        spendingLimits: { currency: "USD", perTransactionLimit: 100_000 },
      },
    },
  })
  const redeemed = await pay.send("POST", `/agents/device-codes/${created.deviceCode.code}/redeem`, { as: "nobody" })
  const { accessToken } = redeemed.body as { readonly accessToken: string }
  await pay.send("GET", "/agents/me", { as: { token: accessToken } })
  await pay.clock.advance("1 day")
  await pay.send("GET", `/transactions?customerId=${encodeURIComponent(id)}`)
  await pay.send("GET", "/customers/Customer:nobody")
}

const recorded = async (): Promise<Tape> => {
  await using pay = await harness()
  await play(pay)
  return JSON.parse(JSON.stringify(pay.tape()))
}

describe("a tape", () => {
  it("records no credentials, and refers to generated identifiers by step", async () => {
    const tape = await recorded()
    const text = JSON.stringify(tape.steps.map((step) => (step._tag === "Call" ? { ...step, answer: null } : step)))
    expect(text).not.toMatch(/secret_test|Customer:[0-9a-f]{8}/u)
    expect(tape.steps).toContainEqual(
      expect.objectContaining({
        path: "/agents/me",
        as: { token: expect.stringMatching(/^\{\{\d+:accessToken\}\}$/u) },
      }),
    )
  })

  it("replays with the same answers on a harness with other identifiers", async () => {
    const tape = await recorded()
    await using other = await harness({ seed: 99, startsAt: "2027-03-01T08:00:00Z" })
    expect(await replay(tape, other.replayTarget)).toEqual([])
  })

  it("replays on PostgreSQL with the answers recorded in memory", async () => {
    const tape = await recorded()
    const database = TestDatabase.create(4)
    try {
      await using other = await harness({ seed: 98, store: TestDatabase.emptyWorld(database) })
      expect(await replay(tape, other.replayTarget)).toEqual([])
    } finally {
      await (await database).close()
    }
  })

  it("reports the answer that differs from the recording", async () => {
    const tape = await recorded()
    await using other = await harness({ seed: 99 })
    other.failNext("USER_NOT_FOUND", "GET /agents/me")
    const [difference, ...more] = await replay(tape, other.replayTarget)
    expect(difference).toMatchObject({ at: "status", recorded: 200, played: 404 })
    expect(more).toEqual([])
    const changed = {
      ...tape,
      steps: tape.steps.map((step) =>
        step._tag === "Call" && step.path === "/agents/me"
          ? { ...step, answer: { status: 200, body: { ...(step.answer.body as object), name: "Another" } } }
          : step,
      ),
    }
    await using third = await harness({ seed: 100 })
    expect(await replay(changed, third.replayTarget)).toEqual([
      expect.objectContaining({ at: "name", recorded: "Another", played: "Payroll" }),
    ])
  })

  it("reports one recorded identifier that maps to two", async () => {
    await using pay = await harness()
    const one = await pay.client.customers.createCustomer({ payload: { customerType: "INDIVIDUAL" } })
    await pay.client.customers.getCustomerById({ params: { customerId: one.id } })
    const tape = pay.tape()
    const another = { ...one, id: "Customer:01a1fdfa-4600-7000-8000-000000000000" }
    const answers = [one, another]
    const found = await replay(tape, {
      send: async ({ method }) => ({ status: method === "POST" ? 201 : 200, body: answers.shift() }),
      advance: async () => undefined,
    })
    expect(found).toMatchObject([{ step: 1, at: "id" }])
  })

  it("exports a test that passes", async () => {
    const text = asTest(await recorded(), "a day of an agent")
    const args = ["--input-type=module", "--test-reporter=tap", "-e", text]
    const { code, output } = await run(process.execPath, args)
    expect(output).toContain("ok 1 - a day of an agent")
    expect(code).toBe(0)
  })

  it("exports a program and curl commands that run against any address", async () => {
    const tape = await recorded()
    const calls: Tape = { ...tape, steps: tape.steps.filter(({ _tag }) => _tag === "Call") }
    for (const [command, args, text] of [
      [process.execPath, ["--input-type=module", "-"], asScript(calls)],
      ["bash", ["-s"], asCurl(calls)],
    ] as const) {
      await using pay = await harness({ seed: 5 })
      await using serving = await pay.serve()
      const { clientId, clientSecret } = pay.credentials
      const env = { BASE_URL: serving.baseUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret }
      const { code, output } = await run(command, args, env, text)
      expect(code, output).toBe(0)
      expect(pay.tape().steps.map((step) => (step._tag === "Call" ? [step.path, step.answer.status] : []))).toEqual(
        calls.steps.map((step) => (step._tag === "Call" ? [step.path, step.answer.status] : [])),
      )
    }
  })
})
