/**
 * What a kept request says of its decision and its commits: the rule that refused and its facts, and everything that was written.
 * Source: D-465.
 */
import type { RequestDetail } from "@countersign/core/models"
import { Rules } from "@countersign/core/verify"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { decideTraced, makeRequestTrace } from "../../../packages/core/src/operation/RequestTrace.ts"
import { shownFacts } from "../../../packages/core/src/operation/ShownFacts.ts"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import { policy } from "../../../packages/test/src/harness/AgentWorld.ts"
import { at } from "../e2e/Client.ts"

type Pay = Awaited<ReturnType<typeof agentHarness>>
let pay: Pay
beforeAll(async () => {
  pay = await agentHarness({ spendingLimits: { currency: "USD", perTransactionLimit: 1_000 } })
})
afterAll(() => pay[Symbol.asyncDispose]())

const detailOf = async ({ headers }: { readonly headers: Headers }): Promise<RequestDetail> =>
  (await pay.send("GET", `/sandbox/requests/${headers.get("x-request-id")}`)).body as RequestDetail

const transferIn = (amount: number) =>
  pay.send("POST", "/agents/me/transfer-in", {
    as: { token: pay.accessToken },
    body: { source: { accountId: pay.sources["000"] }, destination: { accountId: pay.accountId }, amount },
  })

describe("a refused request", () => {
  it("names the rule that refused an agent above its limit, its place, and the facts that it saw", async () => {
    const sent = await transferIn(1_001)
    expect([sent.status, sent.body]).toMatchObject([403, { details: { reason: "LIMIT_EXCEEDED" } }])
    const kept = await detailOf(sent)
    const [rule, ...others] = kept.rules
    expect(others).toEqual([])
    expect(rule).toMatchObject({
      list: "AgentSpending",
      rule: kept.rule,
      isRefusal: true,
      facts: {
        amount: "1001",
        currency: "USD",
        "agent.policy.spendingLimits.perTransactionLimit": "1000",
        "accounts.0.id": pay.accountId,
      },
    })
    expect(rule?.position).toBeGreaterThan(0)
    expect(rule?.position).toBeLessThanOrEqual(rule?.rows ?? 0)
    const { data } = (await pay.send("GET", "/sandbox/requests?limit=1")).body as { data: ReadonlyArray<object> }
    expect(data[0]).toMatchObject({ rule: kept.rule })
    expect(data[0]).not.toHaveProperty("rules")
  })

  it("shows no name of the agent and no hash of its token among the facts", async () => {
    const kept = await detailOf(await transferIn(1_001))
    expect(JSON.stringify(kept.rules)).not.toMatch(/Payroll|[0-9a-f]{64}/u)
  })

  it("names the reason of a decision that no rule list made", async () => {
    const destination = { accountId: pay.sources["000"] }
    const body = { source: { accountId: pay.accountId }, destination, amount: 900_000 }
    const sent = await pay.send("POST", "/transfer-out", { body })
    expect((await detailOf(sent)).rules).toEqual([
      {
        operation: expect.any(String),
        list: "Decision",
        rule: "INSUFFICIENT_FUNDS",
        position: 1,
        rows: 1,
        isRefusal: true,
        facts: { reason: "INSUFFICIENT_FUNDS" },
      },
    ])
  })

  it("names what the commit itself refused", () => {
    const trace = makeRequestTrace()
    const bound = { _tag: "Floor", account: "available:1" } as const
    const refusal = { code: "INVALID_INPUT", message: "No funds." }
    decideTraced(trace, "Any", [{ _tag: "Bound", bound }], () => ({ _tag: "Refuse", refusal }))
    expect(trace.rules).toMatchObject([
      { list: "Commit", rule: "BALANCE_FLOOR", isRefusal: true, facts: { ledgerAccount: "available:1" } },
    ])
  })

  it("has no rule if the request was malformed", async () => {
    const kept = await detailOf(await pay.send("POST", "/transfer-in", { body: {} }))
    expect([kept.status, kept.rules, kept.commits]).toEqual([400, [], []])
  })
})

describe("a request that is accepted", () => {
  it("lists the records, ledger transfers, events and jobs of its commit", async () => {
    const body = { amount: 5_000 }
    const funded = await pay.send("POST", `/sandbox/internal-accounts/${pay.accountId}/fund`, { body })
    const { commits, rules } = await detailOf(funded)
    expect(rules).toEqual([])
    expect(commits).toHaveLength(1)
    const [commit] = commits
    expect(commit?.records).toContainEqual({
      kind: "Transaction",
      id: expect.stringMatching(/^Transaction:/u),
      change: "INSERTED",
    })
    expect(commit?.transfers).toEqual([
      {
        from: expect.any(String),
        to: `available:${pay.accountId}`,
        amount: 5_000,
        currency: expect.objectContaining({ code: "USD", decimals: 2 }),
        reference: expect.stringMatching(/^Transaction:/u),
      },
    ])
    expect(commit?.events.map(({ type }) => type)).toContain("INTERNAL_ACCOUNT.BALANCE_UPDATED")
    const [event] = commit?.events ?? []
    expect((await pay.send("GET", `/operator/events/${event?.id}`)).body).toMatchObject({ type: event?.type })
    expect(commit?.jobs.map(({ kind }) => kind)).toContain("webhook.deliver")
    expect(commit?.omitted).toBe(0)
  })

  it("has no commit if it only reads", async () => {
    expect((await detailOf(await pay.send("GET", "/customers"))).commits).toEqual([])
  })

  it("has no commit if its answer is a replay", async () => {
    const send = () => pay.send("POST", "/webhooks/keys/rotate", { headers: { "idempotency-key": "k" }, body: {} })
    expect((await detailOf(await send())).commits).toHaveLength(1)
    expect(await detailOf(await send())).toMatchObject({ isReplay: true, commits: [] })
  })

  it("is kept for the platform whose device code was redeemed without credentials", async () => {
    const body = { name: "Second", customerId: pay.customerId, policy: policy({}) }
    const agent = await pay.send("POST", "/agents", { body })
    const code = String(at(agent.body, "deviceCode", "code"))
    const redeemed = await pay.send("POST", `/agents/device-codes/${code}/redeem`, { as: "nobody" })
    expect(redeemed.status).toBe(200)
    const kept = await detailOf(redeemed)
    expect(kept).toMatchObject({ caller: { kind: "NOBODY" }, path: "/agents/device-codes/[masked]/redeem" })
    const all = JSON.stringify([kept, (await pay.send("GET", "/sandbox/requests?limit=100")).body])
    expect(all).not.toContain(code)
    expect(all).not.toContain(String(at(redeemed.body, "accessToken")))
  })
})

describe("the facts of a rule", () => {
  it("are numbers, truth values, ids and constants, and no other texts", () => {
    const id = "Customer:01a1fdfa-4600-7000-8000-000000000000"
    const facts = {
      amount: 5,
      big: 12n,
      isOpen: true,
      none: null,
      id,
      status: "PENDING_APPROVAL",
      currency: "USD",
      name: "Ada",
      code: "123456",
      device: "AGENT-X7K9-M2P4",
      hash: "a".repeat(64),
      list: [{ id }, { id: "secret" }],
      map: new Map([["a", 1]]),
      when: new Date(0),
      call: () => 1,
    }
    expect(shownFacts(facts)).toEqual({
      amount: "5",
      big: "12",
      isOpen: "true",
      none: "null",
      id,
      status: "PENDING_APPROVAL",
      currency: "USD",
      "list.0.id": id,
    })
  })

  it("are bounded in number and depth", () => {
    const wide = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`n${index}`, index]))
    expect(Object.keys(shownFacts(wide))).toHaveLength(60)
    const deep: { [name: string]: unknown } = { n: 1 }
    deep["inside"] = deep
    expect(Object.keys(shownFacts(deep))).toHaveLength(5)
    expect(Object.keys(shownFacts({ list: Array.from({ length: 100 }, () => 1) }))).toHaveLength(5)
  })
})

it("reports the rows that fail while it observes, and none before or after", () => {
  const rules = Rules.make<number, string>("Even", [
    ["Positive", (n) => (n > 0 ? undefined : "no")],
    ["Even", (n) => (n % 2 === 0 ? undefined : "odd")],
  ])
  const failed: Array<Rules.FailedRule> = []
  rules.first(3)
  expect(
    Rules.observing(
      (rule) => failed.push(rule),
      () => rules.first(3)?.rule,
    ),
  ).toBe("Even")
  rules.first(3)
  expect(failed).toEqual([{ list: "Even", rule: "Even", position: 2, rows: 2, facts: 3, refusal: "odd" }])
  expect(() =>
    Rules.observing(
      () => undefined,
      () => {
        throw new Error("stops")
      },
    ),
  ).toThrow("stops")
  rules.first(3)
  expect(failed).toHaveLength(1)
})
