/**
 * What an operator sees of a run: counts, lags, spans and log lines, and nothing of the persons whose money it is.
 * Source: D-194.
 */
import { ApiError } from "@countersign/client"
import { Jobs } from "@countersign/core"
import { machines } from "@countersign/core/verify"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { credentials, type Watched, watched } from "./Watched.ts"

/** Values that no log line, span or metric may contain. */
const personal = {
  name: "Wilhelmina Featherstonehaugh",
  email: "wilhelmina@persons.example",
  phone: "+14155550123",
  birthDate: "1987-06-05",
  number: "987650001234",
  street: "77 Concealed Lane",
  taxId: "078051120",
  platformCustomerId: "their-own-name-of-her",
}

let watch: Watched
let accessToken = ""
let code = ""
const settled = async () => {
  for (;;) if ((await watch.service.run(Jobs.use((jobs) => jobs.drain))) === 0) return
}

beforeAll(async () => {
  watch = await watched()
  const { service } = watch
  const platform = service.client(credentials)
  const address = { line1: personal.street, city: "Springfield", postalCode: "12345", country: "US" }
  const customer = await platform.customers.createCustomer({
    payload: {
      customerType: "INDIVIDUAL",
      platformCustomerId: personal.platformCustomerId,
      fullName: personal.name,
      email: personal.email,
      phoneNumber: personal.phone,
      birthDate: personal.birthDate,
      address,
    },
  })
  const { data } = await platform.customers.listCustomerInternalAccounts({
    query: { customerId: customer.id, currency: "USD" },
  })
  const account = data[0]?.id ?? ""
  const add = (accountNumber: string) =>
    platform.externalAccounts.createCustomerExternalAccount({
      payload: {
        customerId: customer.id,
        currency: "USD",
        accountInfo: {
          accountType: "USD_ACCOUNT",
          accountNumber,
          routingNumber: "021000021",
          beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: personal.name, address },
        },
      },
    })
  const source = await add(personal.number)
  const failing = await add(`${personal.number}002`)
  const { agent, deviceCode } = await platform.agents.createAgent({
    payload: {
      name: "Payroll",
      customerId: customer.id,
      policy: {
        permissions: ["CREATE_TRANSFERS"],
        defaultExecutionMode: "AUTO",
        spendingLimits: { currency: "USD", perTransactionLimit: 50_000 },
        approvalThresholds: { currency: "USD", amount: 10_000 },
      },
    },
  })
  const redeemed = await service.client("none").agents.redeemAgentDeviceCode({ params: { code: deviceCode.code } })
  accessToken = redeemed.accessToken
  const asAgent = service.client({ accessToken })
  const pull = (sourceId: string, amount: number) =>
    asAgent.agentsMe.agentCreateTransferIn({
      payload: { source: { accountId: sourceId }, destination: { accountId: account }, amount },
    })
  await pull(source.id, 5000)
  await pull(failing.id, 5000)
  const held = await pull(source.id, 20_000)
  await platform.agents.approveAgentAction({ params: { agentId: agent.id, actionId: held.id } })
  const rejected = await pull(source.id, 20_000)
  await platform.agents.rejectAgentAction({ params: { agentId: agent.id, actionId: rejected.id } })
  await settled()
  // An address may name a person or contain a secret, too.
  await platform.customers.listCustomers({ query: { platformCustomerId: personal.platformCustomerId } })
  code = deviceCode.code
  await platform.agents.getAgentDeviceCodeStatus({ params: { code } })
  // Failures are logged and counted, too.
  await expect(
    platform.customers.createCustomer({ payload: { customerType: "INDIVIDUAL", email: "no" } }),
  ).rejects.toThrow(ApiError)
  await expect(service.client({ ...credentials, clientSecret: "wrong" }).platform.getPlatformConfig()).rejects.toThrow(
    ApiError,
  )
  await service.run(Effect.logInfo("heard"))
}, 60_000)
afterAll(() => watch[Symbol.asyncDispose]())

/** Returns the count of a metric with these labels, among others. */
const count = (id: string, labels: Readonly<Record<string, string>> = {}): number =>
  watch
    .metrics()
    .filter(({ attributes, id: own }) => {
      const has = Object.entries(labels).every(([name, value]) => attributes?.[name] === value)
      return own === `countersign_${id}` && has
    })
    .reduce((sum, { state }) => sum + ("count" in state ? Number(state.count) : 0), 0)

describe("the metrics", () => {
  it("count requests and their duration by route and status", () => {
    const route = "/2025-10-13/agents/me/transfer-in"
    expect(count("requests_total", { method: "POST", route, status: "201" })).toBe(4)
    expect(count("request_seconds", { method: "POST", route })).toBe(4)
    expect(count("requests_total", { status: "400" })).toBe(1)
    expect(count("requests_total", { status: "401" })).toBe(1)
  })

  it("count commits by operation and outcome", () => {
    expect(count("commits_total", { operation: "AgentActions.submitTransferIn", outcome: "Committed" })).toBe(4)
    expect(count("commits_total", { outcome: "Conflict" })).toBe(0)
  })

  it("count jobs and the delay of jobs and webhooks", () => {
    const pulls = count("jobs_total", { kind: "transfer.pull", outcome: "done" })
    expect(pulls).toBe(3)
    expect(count("job_lag_seconds", { kind: "transfer.pull" })).toBe(pulls)
    expect(count("webhook_lag_seconds")).toBeGreaterThan(5)
  })

  it("count each state transition of a record", () => {
    const actions = { kind: "AgentAction", field: "status" }
    expect(count("transitions_total", { ...actions, from: "", to: "PENDING_APPROVAL" })).toBe(2)
    expect(count("transitions_total", { ...actions, from: "PENDING_APPROVAL", to: "APPROVED" })).toBe(1)
    expect(count("transitions_total", { ...actions, from: "PENDING_APPROVAL", to: "REJECTED" })).toBe(1)
    expect(count("transitions_total", { ...actions, from: "APPROVED", to: "FAILED" })).toBe(1)
    expect(count("transitions_total", { kind: "Transaction", to: "COMPLETED" })).toBe(2)
    // Only transitions of state machines are counted, and states of records without a machine.
    const states = new Set<string>(Object.values(machines).flatMap((machine) => machine.states))
    const unknown = watch
      .metrics()
      .filter(({ attributes, id }) => id === "countersign_transitions_total" && !states.has(attributes?.["to"] ?? ""))
      .map(({ attributes }) => attributes?.["kind"])
    expect(new Set(unknown)).toEqual(new Set(["DeviceCode"]))
  })

  it("are served in the Prometheus format", async () => {
    const response = await watch.service.handler(new Request("http://localhost/metrics"))
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8")
    const text = await response.text()
    expect(text).toContain("# TYPE countersign_commits_total counter")
    expect(text).toMatch(/^countersign_webhook_lag_seconds_bucket\{le="\+Inf"\} \d+$/mu)
  })
})

describe("the logs", () => {
  const lines = () =>
    watch.lines.map((line): { readonly message: unknown; readonly annotations: object } => JSON.parse(line))

  it("contain the request id that the response carries", async () => {
    const response = await watch.service.handler(new Request("http://localhost/2025-10-13/config"))
    const requestId = response.headers.get("x-request-id")
    const [line] = lines().filter(
      ({ annotations }) => "requestId" in annotations && annotations.requestId === requestId,
    )
    expect(line?.message).toMatchObject(["request", { method: "GET", route: "/2025-10-13/config", status: 401 }])
  })

  it("contain no personal data and no secret, and neither do spans and metrics", () => {
    const spans = watch.spans.map(({ attributes, name }) => JSON.stringify([name, ...attributes]))
    const metrics = watch.metrics().map(({ attributes, id }) => JSON.stringify([id, attributes]))
    expect([watch.lines.length > 10, spans.length > 20, metrics.length > 20]).toEqual([true, true, true])
    const secrets = { accessToken, code, clientSecret: credentials.clientSecret }
    for (const [what, value] of Object.entries({ ...personal, ...secrets })) {
      expect(value.length).toBeGreaterThan(6)
      const leaks = [...watch.lines, ...spans, ...metrics].filter((text) => text.includes(value))
      expect([what, leaks]).toEqual([what, []])
    }
  })
})

describe("the spans", () => {
  it("have the names of the code, and request spans the name of their route", () => {
    const names = new Set(watch.spans.map(({ name }) => name))
    const expected = ["POST /2025-10-13/agents/me/transfer-in", "AgentActions.submitTransferIn", "job transfer.pull"]
    for (const name of expected) expect(names).toContain(name)
  })

  it("continue the trace of the request", async () => {
    const traceId = "0af7651916cd43dd8448eb211c80319c"
    const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` }
    await watch.service.handler(new Request("http://localhost/healthz", { headers }))
    const [span] = watch.spans.filter((one) => one.traceId === traceId)
    expect(span?.name).toBe("GET /healthz")
    expect(span?.attributes.get("http.response.status_code")).toBe(200)
  })
})
