/** Comparisons of policies over HTTP: the answer, its bounds, invalid bodies, other tenants, and nothing written. D-475. */
import { Platforms } from "@countersign/core"
import type { AgentPolicyComparison } from "@countersign/core/models"
import { Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import { at } from "../../../packages/test/src/harness/QuoteHarness.ts"
import { submit } from "./AgentSteps.ts"

type Pay = Awaited<ReturnType<typeof agentHarness>>

const pathOf = (pay: Pay) => `/operator/agents/${pay.agentId}/policy-evaluations`
const pullOf = (pay: Pay, amount: number) => ({
  type: "TRANSFER_IN",
  source: { accountId: pay.sources["000"] },
  destination: { accountId: pay.accountId },
  amount,
})
const executed = { type: "EXECUTE_QUOTE", quoteId: "Quote:00000000-0000-7000-8000-000000000001" }

const ask = async (pay: Pay, body: object) => {
  const reply = await pay.send("POST", pathOf(pay), { body })
  expect(reply.status).toBe(200)
  return reply.body as AgentPolicyComparison
}

describe("a comparison over HTTP", () => {
  it("answers both policies, the requested and the recent actions, and writes no audit record", async () => {
    await using pay = await agentHarness()
    const { id } = await submit(pay, 300)
    const audit = async () => (await pay.send("GET", "/audit-records?limit=100")).body
    const before = await audit()
    const policy = { approvalThresholds: { currency: "USD", amount: 200 }, spendingLimits: { dailyLimit: 700 } }
    const { actions, present, proposed, recent } = await ask(pay, { policy, actions: [pullOf(pay, 500)], recent: 10 })
    expect(proposed?.policy).toEqual({
      ...present.policy,
      ...policy,
      spendingLimits: { ...present.policy.spendingLimits, dailyLimit: 700 },
    })
    expect(present.usage).toEqual(at(await pay.send("GET", `/agents/${pay.agentId}`), "usage"))
    expect(actions).toMatchObject([
      {
        action: pullOf(pay, 500),
        present: { outcome: "APPROVED", transferDetails: { amount: 500 } },
        proposed: { outcome: "REFUSED", error: { status: 403 }, details: { limit: "dailyLimit", used: 300 } },
      },
    ])
    expect(recent).toMatchObject([
      {
        actionId: id,
        status: "APPROVED",
        amount: 300,
        present: { outcome: "APPROVED" },
        proposed: { outcome: "PENDING_APPROVAL" },
      },
    ])
    expect(await audit()).toEqual(before)
    expect(await ask(pay, {})).toMatchObject({ actions: [], recent: [] })
  })

  it("is the same in a deployment with a name of its own", async () => {
    await using pay = await agentHarness({}, { serviceName: "Acme" })
    const { actions } = await ask(pay, { actions: [pullOf(pay, 500)] })
    expect(actions).toMatchObject([{ present: { outcome: "APPROVED" } }])
  })

  it("refuses what the update of the policy refuses, with the same error", async () => {
    await using pay = await agentHarness()
    const foreign = "InternalAccount:00000000-0000-7000-8000-00000000dead"
    for (const policy of [
      { accountRestrictions: { allowedAccountIds: [foreign] } },
      { approvalThresholds: { amount: 5 } },
      { permissions: ["VIEW_TRANSACTIONS", "VIEW_TRANSACTIONS"] },
    ]) {
      const { error, status } = await pay
        .send("PATCH", `/agents/${pay.agentId}/policy`, { body: policy })
        .then(({ body, status }) => ({ error: body, status }))
      expect([policy, status]).toEqual([policy, 400])
      expect((await pay.send("POST", pathOf(pay), { body: { policy } })).body).toEqual(error)
    }
  })

  it.each<[string, object, string]>([
    ["too many actions", { actions: Array.from({ length: 21 }, () => executed) }, "actions"],
    ["more recent actions than a hundred", { recent: 101 }, "recent"],
    ["no recent action", { recent: 0 }, "recent"],
    ["half a recent action", { recent: 1.5 }, "recent"],
    [
      "a limit of 0",
      { policy: { spendingLimits: { perTransactionLimit: 0 } } },
      "policy.spendingLimits.perTransactionLimit",
    ],
    ["an unknown permission", { policy: { permissions: ["ALL"] } }, "policy.permissions.0"],
    ["an unknown type", { actions: [{ type: "PAY" }] }, "actions.0.type"],
    ["no list", { actions: "all" }, "actions"],
    ["no object", { policy: [] }, "policy"],
  ])("answers 400 to %s", async (_label, body, field) => {
    await using pay = await agentHarness()
    const reply = await pay.send("POST", pathOf(pay), { body })
    expect(reply).toMatchObject({ status: 400, body: { code: "INVALID_INPUT", details: { errors: [{ field }] } } })
    expect(JSON.stringify(reply.body).length).toBeLessThan(4_000)
  })

  it("knows no agent that is deleted, unknown or another platform's, and no agent's token", async () => {
    await using pay = await agentHarness()
    const credentials = {
      clientId: "other",
      clientSecret: Redacted.make("other-secret"),
      name: "Other",
      currencies: [],
    }
    await pay.run(Platforms.use((platforms) => platforms.setUp(credentials)))
    const headers = { authorization: `Basic ${btoa("other:other-secret")}` }
    const body = { actions: [pullOf(pay, 1)], recent: 5 }
    const foreign = await pay.send("POST", pathOf(pay), { as: "nobody", headers, body })
    const unknown = await pay.send("POST", "/operator/agents/Agent:none/policy-evaluations", { body })
    expect([foreign.status, foreign.body]).toEqual([404, unknown.body])
    expect((await pay.send("POST", pathOf(pay), { as: { token: pay.accessToken }, body })).status).toBe(401)
    await pay.send("DELETE", `/agents/${pay.agentId}`)
    expect((await pay.send("POST", pathOf(pay), { body })).status).toBe(404)
  })

  it("refuses the accounts of another customer as a submission does", async () => {
    await using pay = await agentHarness()
    const unknown = "InternalAccount:00000000-0000-7000-8000-00000000dead"
    const action = { ...pullOf(pay, 5), destination: { accountId: unknown } }
    const { actions } = await ask(pay, { policy: {}, actions: [action] })
    const refused = { outcome: "REFUSED", error: { code: "REFERENCE_NOT_FOUND" }, limits: [] }
    expect(actions).toMatchObject([{ present: refused, proposed: refused }])
    expect(actions[0]?.present.rows.find(({ result }) => result === "DECIDED")?.rule).toBe("ACTION_POSSIBLE")
  })
})
