/**
 * Approvals that several named approvers must give: who counts, what executes, what is refused, and what the audit proves.
 * Source: D-532.
 */
import { AgentActions, Agents, tenant } from "@countersign/core"
import { ApprovalPolicies } from "@countersign/core/ports"
import { Effect, Layer, Result } from "effect"
import { describe, expect, it } from "vitest"
import { approvalPolicyOf } from "../../../packages/core/src/settings/ApprovalPolicies.ts"
import { addSource, agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { action, attempt, balance, decide, held, submit, submitOut, types } from "../agent/AgentSteps.ts"
import { personOf, policyOf, twoOfFinance, withRows } from "./Policies.ts"
import { audited, auditedVotes, look, outcome, shown, vote } from "./Votes.ts"

const statedAda = { id: "Approver:ada-lovelace", name: "Ada Lovelace", proof: "SECRET" } as const
const two = withRows(twoOfFinance)

describe("an action that two of three must approve", () => {
  it("waits after the first approval, and is executed by the second", async () => {
    await using pay = await agentWorld(held, { ports: two })
    const { id } = await submit(pay, 900)
    expect(outcome(await vote(pay, id, "Ada Lovelace"))).toBe("PENDING_APPROVAL")
    expect(await balance(pay)).toBe(0)
    expect(await shown(pay, id, "Grace Hopper")).toMatchObject({
      needed: 2,
      votes: [{ approver: "Ada Lovelace", counts: true, isSigned: false }],
      awaited: ["Grace Hopper", "Alan Turing"],
    })
    expect(outcome(await vote(pay, id, "Grace Hopper"))).toBe("APPROVED")
    await pay.settle()
    expect(await balance(pay)).toBe(900)
    expect(await look(pay, id)).toBeNull()
    expect(types(pay).filter((type) => type.startsWith("AGENT_ACTION"))).toEqual(["AGENT_ACTION.PENDING_APPROVAL"])
  })

  it("counts a person once, in whatever spelling", async () => {
    await using pay = await agentWorld(held, { ports: two })
    const { id } = await submit(pay, 900)
    await vote(pay, id, "Ada Lovelace")
    expect(outcome(await vote(pay, id, "ADA LOVELACE"))).toBe("APPROVED_ALREADY")
    expect((await action(pay, id)).status).toBe("PENDING_APPROVAL")
    expect(await shown(pay, id, "ada lovelace")).toMatchObject({ refusal: { reason: "APPROVED_ALREADY" } })
  })

  it("is rejected at once by any approver, and by the platform's program", async () => {
    await using pay = await agentWorld(held, { ports: two })
    for (const caller of [personOf(pay, "Emmy Noether"), undefined]) {
      const { id } = await submit(pay, 900)
      await vote(pay, id, "Ada Lovelace")
      const rejected = await pay.run(
        AgentActions.use((actions) => actions.reject(pay.agentId, id, "No.")),
        ...(caller === undefined ? [] : [caller]),
      )
      expect(rejected.body).toMatchObject({ status: "REJECTED", rejectionReason: "No." })
      expect(outcome(await vote(pay, id, "Grace Hopper", "0"))).toBe("ACTION_DECIDED")
    }
  })

  it("is not approved by a program, nor by people who are not among the approvers", async () => {
    await using pay = await agentWorld(held, { ports: two })
    const { id } = await submit(pay, 900)
    const program = await decide(pay, id, "approve")
    expect(Result.isFailure(program) && program.failure).toMatchObject({
      code: "FORBIDDEN",
      details: { reason: "NAMED_APPROVER_NEEDED", row: "two of finance", needed: 2 },
    })
    expect(outcome(await vote(pay, id, "Emmy Noether"))).toBe("NOT_AN_APPROVER")
    expect(await shown(pay, id, "Emmy Noether")).toMatchObject({ refusal: { reason: "NOT_AN_APPROVER" } })
    expect((await action(pay, id)).status).toBe("PENDING_APPROVAL")
  })

  it("is not approved by a name that no passkey has proven, unless the policy accepts it", async () => {
    await using pay = await agentWorld(held, { ports: two })
    const { id } = await submit(pay, 900)
    const stated = { ...tenant(pay.platformId), tokenId: "ApiToken:console", approver: statedAda }
    expect(outcome(await vote(pay, id, stated))).toBe("PASSKEY_SIGN_IN_NEEDED")
    const policy = { ...policyOf(twoOfFinance), acceptsStatedNames: true }
    await using lax = await agentWorld(held, { ports: Layer.succeed(ApprovalPolicies, { policy }) })
    const other = await submit(lax, 900)
    expect(outcome(await vote(lax, other.id, { ...stated, platformId: lax.platformId }))).toBe("PENDING_APPROVAL")
  })

  it("is not approved with an API token that was given a credential of the agent", async () => {
    await using pay = await agentWorld(held, { ports: two })
    const manager = { ...tenant(pay.platformId), tokenId: "ApiToken:manager" }
    await pay.run(
      Agents.use((agents) => agents.rotateToken(pay.agentId, {})),
      manager,
    )
    const { id } = await submit(pay, 900)
    expect(outcome(await vote(pay, id, personOf(pay, "Ada Lovelace", "ApiToken:manager")))).toBe("ASKED_BY_TOKEN")
    expect(outcome(await vote(pay, id, "Ada Lovelace"))).toBe("PENDING_APPROVAL")
  })

  it("is not approved by the person at whose word a sandbox sent the agent's request again", async () => {
    await using pay = await agentWorld(held, { ports: two })
    const approver = { id: "Approver:ada-lovelace", name: "Ada Lovelace", proof: "PASSKEY" } as const
    const resender = { id: "ApiToken:resent", approver }
    const submitted = await attempt({ ...pay, agent: { ...pay.agent, resender } }, 900)
    const { id } = Result.getOrThrow(submitted).body
    expect(outcome(await vote(pay, id, "Ada Lovelace"))).toBe("ASKED_BY_APPROVER")
    expect(outcome(await vote(pay, id, personOf(pay, "Grace Hopper", "ApiToken:resent")))).toBe("ASKED_BY_TOKEN")
    expect(outcome(await vote(pay, id, "Grace Hopper"))).toBe("PENDING_APPROVAL")
  })

  it("fails by the last approval if it can no longer be executed", async () => {
    await using pay = await agentWorld(held, { ports: two })
    const { id } = await submit(pay, 900)
    await vote(pay, id, "Ada Lovelace")
    await pay.run(
      Agents.use((agents) => agents.updatePolicy(pay.agentId, { spendingLimits: { perTransactionLimit: 5 } })),
    )
    expect(outcome(await vote(pay, id, "Grace Hopper"))).toBe("FAILED")
  })
})

describe("a row", () => {
  it("holds an action that the agent's own policy would execute", async () => {
    await using pay = await agentWorld(
      {},
      { ports: withRows({ ...twoOfFinance, from: { currency: "USD", amount: 500 } }) },
    )
    expect(await submit(pay, 499)).toMatchObject({ status: "APPROVED" })
    expect(await submit(pay, 500)).toMatchObject({
      status: "PENDING_APPROVAL",
      details: { rule: "APPROVAL_POLICY", row: "two of finance", needed: 2 },
    })
  })

  it("leaves an action that it does not cover to one approval of any caller", async () => {
    await using pay = await agentWorld(held, {
      ports: withRows({ ...twoOfFinance, from: { currency: "USD", amount: 500 } }),
    })
    const { id } = await submit(pay, 499)
    expect(await look(pay, id)).toBeNull()
    expect(outcome(Result.map(await decide(pay, id, "approve"), ({ body }) => body))).toBe("APPROVED")
  })

  it("compares an amount in its own currency", async () => {
    await using pay = await agentWorld(held, {
      ports: withRows({ ...twoOfFinance, from: { currency: "EUR", amount: 1000 } }),
    })
    expect(await look(pay, (await submit(pay, 900)).id)).toBeNull()
    expect(await look(pay, (await submit(pay, 5000)).id)).not.toBeNull()
  })

  it("covers a payment to an account that is new, until it is known", async () => {
    await using pay = await agentWorld(held, {
      ports: withRows({ ...twoOfFinance, destination: { is: "NEW", days: 30 } }),
    })
    await submit(pay, 5000)
    const first = await submitOut(pay, 10)
    expect(await shown(pay, first.id)).toMatchObject({ shown: { destination: { name: "Ada Lovelace" } } })
    expect(await look(pay, (await submit(pay, 10)).id)).toBeNull()
    await pay.clock.advance("30 days")
    expect(await look(pay, (await submitOut(pay, 10)).id)).toBeNull()
    const source = await addSource(pay, pay.customerId, "900")
    expect(await look(pay, (await submitOut(pay, 10, { destinationAccountId: source })).id)).not.toBeNull()
  })

  it("of a platform's own policy applies in place of the general one", () => {
    const [general, own] = [policyOf(twoOfFinance), policyOf()]
    const settings = { policy: general, platforms: { "Platform:1": own } }
    expect(approvalPolicyOf(settings, "Platform:1")).toBe(own)
    expect(approvalPolicyOf(settings, "Platform:2")).toBe(general)
    expect(approvalPolicyOf({ policy: general }, "Platform:1")).toBe(general)
    expect(approvalPolicyOf({}, "Platform:1")).toBeUndefined()
  })
})

describe("the audit of the votes", () => {
  it("names each approver with the proof and the digest of what was shown, and no beneficiary", async () => {
    await using pay = await agentWorld(held, { ports: two })
    const { id } = await submitOut(pay, 900)
    const seen = await shown(pay, id)
    expect(seen.shown).toMatchObject({
      actionId: id,
      sending: { amount: 900, currency: "USD" },
      destination: { name: "Ada Lovelace" },
    })
    await vote(pay, id, "Ada Lovelace")
    await vote(pay, id, { ...personOf(pay, "Grace Hopper") })
    const records = await audited(pay, id)
    expect(records.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(["AGENT_ACTION_SUBMIT", "AGENT_ACTION_VOTE", "AGENT_ACTION_VOTE", "AGENT_ACTION_APPROVE"]),
    )
    const votes = await auditedVotes(pay, id)
    expect(votes.map(({ actor }) => actor.approver?.name)).toEqual(["Ada Lovelace", "Grace Hopper"])
    for (const [index, { actor, details }] of votes.entries()) {
      expect(actor.approver?.proof).toBe("PASSKEY")
      expect(details).toMatchObject({ row: "two of finance", votes: index + 1, needed: 2, digest: seen.digest })
      expect(JSON.stringify(details)).not.toContain("Lovelace")
    }
  })
})

describe("what was shown", () => {
  it("must be what the action still is, and votes over what it was no longer count", async () => {
    await using pay = await agentWorld(held, { ports: two })
    const { id } = await submit(pay, 900)
    const before = await shown(pay, id)
    await vote(pay, id, "Ada Lovelace")
    await pay.run(Agents.use((agents) => agents.update(pay.agentId, { name: "Payroll of March" })))
    expect((await shown(pay, id)).digest).not.toBe(before.digest)
    expect(outcome(await vote(pay, id, "Grace Hopper", before.digest))).toBe("SHOWN_DIGEST_DIFFERS")
    expect(outcome(await vote(pay, id, "Grace Hopper"))).toBe("PENDING_APPROVAL")
    expect((await shown(pay, id)).votes.map(({ counts }) => counts)).toEqual([false, true])
    expect(outcome(await vote(pay, id, "Ada Lovelace"))).toBe("APPROVED")
  })

  it("must be stated", async () => {
    await using pay = await agentWorld(held, { ports: two })
    const { id } = await submit(pay, 900)
    const blind = await pay.run(
      Effect.result(AgentActions.use((actions) => actions.approve(pay.agentId, id))),
      personOf(pay, "Ada Lovelace"),
    )
    expect(outcome(Result.map(blind, ({ body }) => body))).toBe("SHOWN_DIGEST_MISSING")
  })
})
