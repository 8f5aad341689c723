/**
 * What the approval and the rejection of a held action write, and why an approved one fails.
 * Spec: 4.2, States: AgentAction; wire contract 1.4 and 1.6; D-532.
 */
import { describe, expect, it } from "vitest"
import {
  type ApprovalFacts,
  type ApprovalRecords,
  alreadyDecided,
  approveAction,
  rejectAction,
} from "../../../packages/core/src/decision/approval/ActionApprovalDecision.ts"
import type { ActionFacts, ActionRecords } from "../../../packages/core/src/decision/approval/ActionLoaded.ts"
import type { Vote } from "../../../packages/core/src/decision/approval/ActionVote.ts"
import type { CommitRejection } from "../../../packages/core/src/decision/Decision.ts"
import { identity } from "../../../packages/core/src/foundation/money/Rate.ts"
import type { AgentAction } from "../../../packages/core/src/model/agent/AgentAction.ts"
import { agentWith } from "../agent/SpendingFacts.ts"
import { externalOf, written } from "../transaction/StoredTransactions.ts"
import { actionOf, approvals, contextOf, digest, execution, now, requirement, voteOf } from "./HeldActions.ts"

const facts: ActionFacts = {
  inspection: undefined,
  rates: new Map([["USD", identity("USD")]]),
  approvals,
  requiredChallenge: undefined,
  requiredSession: undefined,
  signature: undefined,
}
const loadedOf = (more: Partial<ApprovalRecords & ApprovalFacts> = {}): ApprovalRecords & ApprovalFacts => ({
  action: actionOf({}),
  transaction: undefined,
  quote: undefined,
  execution,
  facts,
  ...more,
})
const approved = (
  more: Partial<ApprovalRecords & ApprovalFacts> = {},
  vote?: Vote,
  rejections: ReadonlyArray<CommitRejection> = [],
) => approveAction(vote)(loadedOf(more), { ...contextOf(), rejections })
type Approved = ReturnType<typeof approved>
const actionsOf = ({ changes }: Approved) =>
  (changes?.updates ?? []).flatMap(({ data, kind }) => (kind === "AgentAction" ? [data as AgentAction] : []))
const auditsOf = ({ changes }: Approved) =>
  (changes?.inserts ?? []).flatMap((record) => (record.kind === "AuditRecord" ? [record.data] : []))
const guards = [
  { kind: "Agent", id: "Agent:1", version: 3 },
  { kind: "Customer", id: "Customer:1", version: 1 },
  { kind: "InternalAccount", id: "InternalAccount:1", version: 3 },
  { kind: "ExternalAccount", id: "ExternalAccount:1", version: 3 },
]
const withAgent = (more: Parameters<typeof agentWith>[0], paused = false): ActionRecords => ({
  ...execution,
  agent: { ...execution.agent, data: { ...agentWith(more), isPaused: paused } },
})
const withAccounts = (more: object): ActionRecords => {
  const { requested } = execution
  if (requested.type !== "TRANSFER_OUT") throw new Error("the sample is a transfer-out")
  return { ...execution, requested: { ...requested, accounts: { ...requested.accounts, ...more } } }
}

describe("the approval of a held action", () => {
  it("begins its transaction, charges the budget of the day that was read, and guards what it depends on", () => {
    const decision = approved()
    const transactionId = "Transaction:1"
    expect(decision).toMatchObject({ status: 200, body: { id: "AgentAction:1", status: "APPROVED" } })
    expect(actionsOf(decision)).toEqual([
      {
        ...actionOf({}).data,
        status: "APPROVED",
        transactionId,
        charges: [
          { period: "2026-03-02", budget: expect.any(String), amount: 70 },
          { period: "2026-03", budget: expect.any(String), amount: 70 },
        ],
      },
    ])
    expect(written(decision.changes).postings).toEqual(["70 available:InternalAccount:1 held:InternalAccount:1"])
    expect(decision.changes?.inserts?.[0]).toMatchObject({
      kind: "Transaction",
      id: transactionId,
      data: { amount: 70, agentId: "Agent:1", actionId: "AgentAction:1" },
    })
    const counters = (decision.changes?.counters ?? []).filter(({ key }) => key.includes("Agent:1"))
    expect(counters.map(({ delta }) => delta)).toEqual([1, 70, 70])
    expect(decision.changes?.guards).toEqual(expect.arrayContaining(guards))
    expect(decision.changes?.validUntil).toBe(execution.dayEndsAt)
    expect(auditsOf(decision)).toMatchObject([
      { operation: "AGENT_ACTION_APPROVE", target: "AgentAction:1", outcome: "DONE", details: {} },
    ])
  })

  const volume: CommitRejection = {
    _tag: "Bound",
    bound: { _tag: "Counter", key: `limit:${now + 5000}:DAILY_VOLUME:USD:` },
  }
  it.each<[string, Partial<ApprovalRecords>, object, ReadonlyArray<CommitRejection>]>([
    ["a paused agent", { execution: withAgent({}, true) }, { rule: "NOT_PAUSED" }, []],
    [
      "a paused agent, before an account that is closed",
      { execution: { ...withAccounts({ source: undefined }), agent: withAgent({}, true).agent } },
      { rule: "NOT_PAUSED" },
      [],
    ],
    [
      "an account that does not exist",
      { execution: withAccounts({ source: undefined }) },
      { rule: "ACTION_POSSIBLE", code: expect.any(String) },
      [],
    ],
    [
      "an inactive beneficiary",
      { execution: withAccounts({ destination: externalOf({ status: "INACTIVE" }) }) },
      { rule: "ACTION_POSSIBLE", code: "INVALID_BANK_ACCOUNT" },
      [],
    ],
    [
      "a limit of the policy",
      { execution: withAgent({ spendingLimits: { currency: "USD", perTransactionLimit: 69 } }) },
      { rule: "PER_TRANSACTION_LIMIT", limit: "perTransactionLimit" },
      [],
    ],
    [
      "missing money",
      { execution: withAccounts({ available: { balance: 69, sequence: 4 } }) },
      { rule: "FUNDS", currency: "USD", amount: 70, available: 69 },
      [],
    ],
    ["the volume of a day", {}, { rule: "ACTION_POSSIBLE", code: "DAILY_VOLUME_LIMIT_EXCEEDED" }, [volume]],
  ])("fails it for %s, and moves nothing", (_, more, explanation, rejections) => {
    const decision = approved(more, undefined, rejections)
    expect(decision).toMatchObject({ status: 200, body: { status: "FAILED" } })
    expect(actionsOf(decision)).toMatchObject([{ status: "FAILED", explanation, charges: [] }])
    expect(actionsOf(decision)[0]).not.toHaveProperty("transactionId")
    expect(written(decision.changes)).toMatchObject({ postings: [], jobs: [] })
    expect(auditsOf(decision)).toMatchObject([
      { operation: "AGENT_ACTION_APPROVE", outcome: "FAILED", details: explanation },
    ])
    expect(decision.changes?.validUntil).toBe(execution.dayEndsAt)
  })

  it("waits for others where a row needs more votes, and guards what was shown", () => {
    const decision = approved({ action: actionOf() }, { digest })
    expect(decision).toMatchObject({ status: 200, body: { status: "PENDING_APPROVAL" } })
    expect(actionsOf(decision)).toEqual([
      actionOf({ requirement: { ...requirement, votes: [voteOf("Ada Lovelace", { at: now })] } }).data,
    ])
    expect(decision.changes?.guards).toEqual(guards)
    expect(auditsOf(decision).map(({ operation }) => operation)).toEqual(["AGENT_ACTION_VOTE"])
    expect(decision.changes?.validUntil).toBe(now + 20_000)
  })

  it("by the last needed vote executes it, and stores the vote", () => {
    const votes = [voteOf("Grace Hopper")]
    const decision = approved({ action: actionOf({ requirement: { ...requirement, votes } }) }, { digest })
    expect(actionsOf(decision)).toMatchObject([
      { status: "APPROVED", requirement: { votes: [{ name: "Grace Hopper" }, { name: "Ada Lovelace" }] } },
    ])
    expect(auditsOf(decision).map(({ operation }) => operation)).toEqual(["AGENT_ACTION_APPROVE", "AGENT_ACTION_VOTE"])
    expect(decision.changes?.validUntil).toBe(now + 20_000)
    expect(written(decision.changes).postings).toHaveLength(1)
  })

  it("is refused with the refusal of its vote", () => {
    const decision = approved({ action: actionOf() }, { digest: "other" })
    expect(decision).toMatchObject({ refusal: { details: { reason: "SHOWN_DIGEST_DIFFERS" } } })
    expect(decision.changes).toEqual({})
  })

  it("needs the records of its execution", () => {
    expect(() => approved({ execution: undefined })).toThrow("AgentAction:1 was loaded without its execution")
    expect(() => approved({ facts: undefined })).toThrow("AgentAction:1 was loaded without its execution")
  })
})

describe("the rejection of a held action", () => {
  const rejected = (reason?: string, action = actionOf({})) =>
    rejectAction(reason)({ action, transaction: undefined, quote: undefined }, contextOf())

  it("stores its reason and is audited, whatever its row needs", () => {
    for (const action of [actionOf({}), actionOf()]) {
      const decision = rejected("Too much", action)
      expect(decision).toMatchObject({ status: 200, body: { status: "REJECTED" } })
      expect(actionsOf(decision)).toEqual([{ ...action.data, status: "REJECTED", rejectionReason: "Too much" }])
      expect(auditsOf(decision)).toMatchObject([
        { operation: "AGENT_ACTION_REJECT", target: "AgentAction:1", outcome: "DONE" },
      ])
    }
    expect(actionsOf(rejected())).toEqual([actionOf({ status: "REJECTED" }).data])
  })

  it.each(["APPROVED", "REJECTED", "FAILED"] as const)("and its approval are refused once it is %s", (status) => {
    const action = actionOf({ status })
    const refusal = alreadyDecided({ action, transaction: undefined, quote: undefined }, now)
    expect(refusal).toMatchObject({
      code: "CONFLICT",
      message: `The action is ${status}, not PENDING_APPROVAL.`,
      details: { reason: "ACTION_DECIDED", action: { id: "AgentAction:1", status } },
    })
    for (const decision of [rejected("x", action), approved({ action, execution: undefined, facts: undefined })])
      expect(decision).toEqual({ _tag: "Refuse", refusal, changes: {} })
    expect(alreadyDecided({ action: actionOf({}), transaction: undefined, quote: undefined }, now)).toBeUndefined()
  })
})
