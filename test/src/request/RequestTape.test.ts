/**
 * A kept request as a program: it repeats what led to it on a new world, with equal statuses.
 * Source: D-479.
 */

import { maskedText, readTape, replay, type Tape } from "@countersign/client/tape"
import { SecretMask } from "@countersign/core"
import type { RequestTape, RequestTapeVariable } from "@countersign/core/models"
import { describe, expect, it } from "vitest"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import { policy, sourceOf } from "../../../packages/test/src/harness/AgentWorld.ts"
import { type Harness, harness, type Reply } from "../../../packages/test/src/harness/Harness.ts"
import { type ExportName, exports, run } from "../harness/Tapes.ts"

type Options = NonNullable<Parameters<Harness["send"]>[2]>

/** The member at a path of a JSON value. */
const at = (value: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>((inside, name) => Object(inside)[name], value)
const textAt = (value: unknown, ...path: ReadonlyArray<string | number>): string => String(at(value, ...path))

const sender =
  (pay: Harness) =>
  async (status: number, method: string, path: string, options: Options = {}): Promise<Reply> => {
    const reply = await pay.send(method, path, options)
    expect([path, reply.status, reply.body]).toEqual([path, status, reply.body])
    return reply
  }

const asTest = async (pay: Harness, { headers }: Pick<Reply, "headers">, query = ""): Promise<RequestTape> => {
  const reply = await pay.send("GET", `/sandbox/requests/${headers.get("x-request-id")}/tape${query}`)
  expect([reply.status, reply.body]).toEqual([200, reply.body])
  return reply.body as RequestTape
}
const tapeOf = ({ tape }: RequestTape): Tape => readTape(JSON.stringify(tape))
const pathsOf = (made: RequestTape): ReadonlyArray<string> =>
  tapeOf(made).steps.map((step) =>
    step._tag === "Call" ? `${step.method} ${step.path} ${step.answer.status}` : step._tag,
  )
const namesOf = (variables: ReadonlyArray<RequestTapeVariable>) => variables.map(({ name, reason }) => [name, reason])

/** The differences of its statuses and answers on a new world. */
const onNewWorld = async (made: RequestTape, variables: Readonly<Record<string, string>> = {}) => {
  await using fresh = await harness({ seed: 77 })
  return await replay(tapeOf(made), fresh.replayTarget, { variables })
}

/** A customer with money, an agent that needs approval, and a transfer of it that was approved; and much that does not matter. */
const approved = async (pay: Harness) => {
  const send = sender(pay)
  const other = await send(201, "POST", "/customers", { body: { customerType: "INDIVIDUAL", fullName: "Not Needed" } })
  await send(200, "GET", `/customers/${textAt(other.body, "id")}`)
  const customer = await send(201, "POST", "/customers", {
    body: { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" },
  })
  const customerId = textAt(customer.body, "id")
  await pay.settle()
  const accounts = await send(200, "GET", `/customers/internal-accounts?customerId=${customerId}&currency=USD`)
  const accountId = textAt(accounts.body, "data", 0, "id")
  const external = await send(201, "POST", "/customers/external-accounts", { body: { customerId, ...sourceOf("000") } })
  const agent = await send(201, "POST", "/agents", {
    body: { name: "Payroll", customerId, policy: policy({ defaultExecutionMode: "APPROVAL_REQUIRED" }) },
  })
  const agentId = textAt(agent.body, "agent", "id")
  const code = textAt(agent.body, "deviceCode", "code")
  const redeemed = await send(200, "POST", `/agents/device-codes/${code}/redeem`, { as: "nobody" })
  const token = textAt(redeemed.body, "accessToken")
  await send(200, "POST", `/sandbox/internal-accounts/${accountId}/fund`, { body: { amount: 5_000 } })
  await send(200, "GET", "/tokens")
  await send(200, "POST", "/sandbox/clock/advance", { body: { by: "P1D" } })
  const held = await send(201, "POST", "/agents/me/transfer-out", {
    as: { token },
    headers: { "idempotency-key": "payroll-1" },
    body: {
      source: { accountId },
      destination: { accountId: textAt(external.body, "id") },
      amount: 1_200,
    },
  })
  const actionId = textAt(held.body, "id")
  const reply = await send(200, "POST", `/agents/${agentId}/actions/${actionId}/approve`)
  return { accountId, actionId, agentId, code, customerId, reply, send, token }
}

describe("an approval, as a test", () => {
  it("repeats what led to it and nothing else, with the same statuses on a new world", async () => {
    await using pay = await harness()
    const { accountId, agentId, code, customerId, reply, token } = await approved(pay)
    const made = await asTest(pay, reply)
    const text = JSON.stringify(made)
    for (const secret of [token, code]) expect(text).not.toContain(secret)
    for (const id of made.requests) {
      const kept = await pay.send("GET", `/sandbox/requests/${id}`)
      // Digests of secrets are for this process alone.
      expect(JSON.stringify([kept.body, made])).not.toMatch(/[0-9a-f]{64}/u)
    }
    expect(pathsOf(made).filter((step) => step !== "Advance")).toEqual([
      "POST /customers 201",
      "GET /customers/internal-accounts?customerId={{0:id}}&currency=USD 200",
      "POST /customers/external-accounts 201",
      "POST /agents 201",
      "POST /agents/device-codes/{{4:deviceCode.code}}/redeem 200",
      "POST /sandbox/internal-accounts/{{2:data.0.id}}/fund 200",
      "POST /sandbox/clock/advance 200",
      "POST /agents/me/transfer-out 201",
      expect.stringMatching(/^POST \/agents\/\{\{4:agent\.id\}\}\/actions\/\{\{\d+:id\}\}\/approve 200$/u),
    ])
    for (const id of [accountId, agentId, customerId])
      expect(JSON.stringify(tapeOf(made).steps.at(-1))).not.toContain(`/${id}`)
    expect([made.variables, made.gaps, made.forgotten]).toEqual([[], [], 0])
    const transfer = tapeOf(made).steps.find((step) => step._tag === "Call" && step.path === "/agents/me/transfer-out")
    expect(transfer).toMatchObject({ as: { token: "{{5:accessToken}}" } })
    const found = await onNewWorld(made)
    expect(found.filter(({ at: place }) => place === "status")).toEqual([])
    expect(found.filter(({ step }) => step === tapeOf(made).steps.length - 1)).toEqual([])
  })

  it("is a test for `node:test` that passes on a harness of its own", async () => {
    await using pay = await harness()
    const { reply } = await approved(pay)
    const { program } = await asTest(pay, reply)
    const { code, output } = await run(process.execPath, ["--input-type=module", "--test-reporter=tap", "-e", program])
    expect(output).toMatch(/ok 1 - POST \/agents\/[^ ]+\/approve answers 200/u)
    expect(code, output).toBe(0)
  })

  it("is sent by the platform of the new world, also if the configured token has another secret", async () => {
    await using pay = await harness()
    const send = sender(pay)
    const tokenId = textAt((await send(200, "GET", "/tokens")).body, "data", 0, "id")
    await send(201, "POST", `/tokens/${tokenId}/secrets`, { body: {} })
    const made = await asTest(
      pay,
      await send(201, "POST", "/customers", { body: { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" } }),
    )
    expect([pathsOf(made), made.variables, made.gaps]).toEqual([["POST /customers 201"], [], []])
    expect(tapeOf(made).steps).toMatchObject([{ as: "platform" }])
    expect((await onNewWorld(made)).filter(({ at: place }) => place === "status")).toEqual([])
  })

  it.each<readonly [string, ExportName]>([
    ["SCRIPT", "program"],
    ["CURL", "curl"],
  ])("is a %s that ends with 0 on a server", async (form, way) => {
    await using pay = await harness()
    const made = await asTest(pay, (await approved(pay)).reply, `?form=${form}`)
    await using fresh = await harness({ seed: 78 })
    await using serving = await fresh.serve()
    const [command, args] = exports[way](tapeOf(made))
    const { clientId, clientSecret } = fresh.credentials
    const env = { BASE_URL: serving.baseUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret }
    const { code, output } = await run(command, args, env, made.program)
    expect(code, output).toBe(0)
    expect(output).toContain("APPROVED")
  })

  it("includes a refusal of the request itself, and what changed the account before it", async () => {
    await using pay = await harness()
    const { accountId, agentId, actionId, send } = await approved(pay)
    const again = await send(409, "POST", `/agents/${agentId}/actions/${actionId}/approve`)
    const made = await asTest(pay, again)
    expect(pathsOf(made).at(-1)).toMatch(/approve 409$/u)
    expect((await onNewWorld(made)).filter(({ at: place }) => place === "status")).toEqual([])
    await pay.settle()
    const balance = await send(200, "GET", `/internal-accounts/${accountId}`)
    const all = await asTest(pay, balance)
    expect(pathsOf(all).filter((step) => /fund|transfer-out|approve/u.test(step))).toHaveLength(3)
    const found = await onNewWorld(all)
    expect(found.filter(({ step }) => step === tapeOf(all).steps.length - 1)).toEqual([])
  })
})

describe("what a journal does not have", () => {
  it("is a variable with the reason: a masked member, an id, and credentials", async () => {
    await using pay = await agentHarness()
    const send = sender(pay)
    const odd = await asTest(
      pay,
      await send(400, "POST", "/customers", { body: { customerTyp: "INDIVIDUAL", fullName: "Ada" } }),
    )
    expect(namesOf(odd.variables)).toEqual([["CUSTOMER_TYP_1", "MASKED"]])
    expect(odd.program).toContain(`variable("CUSTOMER_TYP_1")`)
    expect((await onNewWorld(odd, { CUSTOMER_TYP_1: "x" })).filter(({ at: place }) => place === "status")).toEqual([])
    await expect(onNewWorld(odd)).rejects.toThrow("CUSTOMER_TYP_1")
    const id = "Customer:01a1fdfa-4600-740d-9f0d-2f1fd74d7ce4"
    const unknown = await asTest(pay, await send(404, "GET", `/customers/${id}`))
    expect(namesOf(unknown.variables)).toEqual([["CUSTOMER_ID_1", "NOT_ANSWERED"]])
    expect(unknown.variables[0]?.description).toContain(id)
    expect((await onNewWorld(unknown, { CUSTOMER_ID_1: id })).filter(({ at: place }) => place === "status")).toEqual([])
  })

  it("is not a variable where an earlier answer contained the masked credentials", async () => {
    await using pay = await harness()
    const send = sender(pay)
    const made = await send(201, "POST", "/tokens", { body: { name: "Reader", permissions: ["VIEW"] } })
    const authorization = `Basic ${btoa(`${textAt(made.body, "clientId")}:${textAt(made.body, "clientSecret")}`)}`
    const as: Options = { as: "nobody", headers: { authorization } }
    const refused = await asTest(pay, await send(403, "POST", "/customers", { ...as, body: {} }))
    expect(pathsOf(refused)).toEqual(["POST /tokens 201", "POST /customers 403"])
    expect(refused.variables).toEqual([])
    expect(JSON.stringify(refused)).not.toContain(textAt(made.body, "clientSecret"))
    expect(await onNewWorld(refused)).toEqual([])
  })

  it("is named when the journal has forgotten requests", async () => {
    await using pay = await agentHarness()
    const send = sender(pay)
    for (let count = 0; count < 1_000; count++) await pay.send("GET", "/tokens?limit=1")
    const made = await asTest(pay, await send(200, "GET", `/customers/${pay.customerId}`))
    expect(made.forgotten).toBeGreaterThan(3)
    expect(namesOf(made.variables)).toEqual([["CUSTOMER_ID_1", "NOT_ANSWERED"]])
    const byAgent = await asTest(pay, await send(200, "GET", "/agents/me", { as: { token: pay.accessToken } }))
    expect(namesOf(byAgent.variables)).toEqual([["AUTHORIZATION_1", "CREDENTIALS"]])
    expect(byAgent.variables[0]?.description).toContain(pay.agentId)
  }, 60_000)

  it("refuses a request that it has not kept as a whole, and one of another platform", async () => {
    await using pay = await harness()
    const sent = await pay.send("POST", "/customers", {
      body: { customerType: "INDIVIDUAL", fullName: "A".repeat(40_000) },
    })
    const reply = await pay.send("GET", `/sandbox/requests/${sent.headers.get("x-request-id")}/tape`)
    expect([reply.status, reply.body]).toMatchObject([409, { code: "CONFLICT", details: { reason: "NOT_REPEATABLE" } }])
    expect((await pay.send("GET", "/sandbox/requests/unknown/tape")).status).toBe(404)
  })
})

it("does not take a caller's text for a reference: a program sends it as it was", async () => {
  await using pay = await harness()
  const send = sender(pay)
  const token = await send(201, "POST", "/tokens", { body: { name: "Reader", permissions: ["VIEW"] } })
  const fullName = "{{env:HOME}} {{0:clientSecret}} {{{1:id}} {{braces}}"
  const customer = await send(201, "POST", "/customers", { body: { customerType: "INDIVIDUAL", fullName } })
  const found = await send(200, "GET", "/customers?platformCustomerId={{env:HOME}}")
  const made = await asTest(pay, customer)
  expect([made.variables, JSON.stringify(made)]).toEqual([[], expect.not.stringContaining(textAt(token.body, "id"))])
  await using fresh = await harness({ seed: 79 })
  expect(await replay(tapeOf(made), fresh.replayTarget)).toEqual([])
  expect((await fresh.send("GET", "/customers")).body).toMatchObject({ data: [{ fullName }] })
  expect((await asTest(pay, found)).variables).toEqual([])
  const { code, output } = await run(process.execPath, [
    "--input-type=module",
    "--test-reporter=tap",
    "-e",
    made.program,
  ])
  expect(code, output).toBe(0)
})

it("reads the mask of the journal as the tape's", () => {
  expect(maskedText).toBe(SecretMask.mask)
})

describe("time and worlds", () => {
  it("moves the clock by as much as it was moved to a time", async () => {
    await using pay = await harness()
    const send = sender(pay)
    const customer = await send(201, "POST", "/customers", {
      body: { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" },
    })
    const { body } = await send(200, "GET", "/sandbox/clock")
    const to = new Date(Date.parse(textAt(body, "now")) + 90_000).toISOString()
    await send(200, "POST", "/sandbox/clock/advance", { body: { to } })
    const made = await asTest(pay, await send(200, "GET", `/customers/${textAt(customer.body, "id")}`))
    expect(tapeOf(made).steps).toMatchObject([
      { path: "/customers" },
      { _tag: "Advance" },
      { path: "/sandbox/clock/advance", body: { by: "PT90S" } },
      { path: "/customers/{{0:id}}" },
    ])
    expect((await onNewWorld(made)).filter(({ at: place }) => place === "status")).toEqual([])
  })

  it("passes time in which nothing was sent", async () => {
    await using pay = await harness()
    const send = sender(pay)
    const customer = await send(201, "POST", "/customers", {
      body: { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" },
    })
    await pay.clock.advance(90_000)
    const made = await asTest(pay, await send(200, "GET", `/customers/${textAt(customer.body, "id")}`))
    expect(tapeOf(made).steps[1]).toEqual({ _tag: "Advance", millis: 90_000 })
  })

  it("forgets what was before another world, and names the id that it then lacks", async () => {
    await using pay = await harness()
    const send = sender(pay)
    const body = { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" }
    const customer = await send(201, "POST", "/customers", { body })
    await send(201, "POST", "/sandbox/worlds", { body: { name: "saved" } })
    await send(200, "POST", "/sandbox/worlds/saved/load")
    const made = await asTest(pay, await send(200, "GET", `/customers/${textAt(customer.body, "id")}`))
    expect(tapeOf(made).steps.filter((step) => step._tag === "Call" && step.method === "POST")).toEqual([])
    expect(made.variables.map(({ reason }) => reason)).toEqual(["NOT_ANSWERED"])
  })
})
