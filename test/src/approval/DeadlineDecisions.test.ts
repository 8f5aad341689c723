/** What time alone does with a held action, decided on its record: which jobs it has, and when they change nothing. Source: D-532. */
import { describe, expect, it } from "vitest"
import {
  deadlineJobs,
  escalateApproval,
  expireApproval,
} from "../../../packages/core/src/decision/approval/ApprovalDeadlineDecision.ts"
import type { AgentAction } from "../../../packages/core/src/model/agent/AgentAction.ts"
import { requirementOf } from "../../../packages/core/src/model/approval/ApprovalRequirement.ts"
import type { Stored } from "../../../packages/core/src/store/ChangeSet.ts"
import { contextAt } from "./DecisionContexts.ts"
import { twoOfFinance } from "./Policies.ts"

const requirement = requirementOf(
  { ...twoOfFinance, expiresAfterSeconds: 20, escalates: { afterSeconds: 10, to: "board" } },
  { tokenIds: [] },
  1000,
)
const held: AgentAction = {
  agentId: "Agent:1",
  platformCustomerId: "ada",
  status: "PENDING_APPROVAL",
  type: "TRANSFER_IN",
  charges: [],
  requirement,
}
const stored = (more: Partial<AgentAction> = {}): Stored<"AgentAction"> => ({
  kind: "AgentAction",
  id: "AgentAction:1",
  platformId: "Platform:1",
  customerId: "Customer:1",
  version: 3,
  createdAt: 1000,
  updatedAt: 1000,
  data: { ...held, ...more },
})
const { escalation: _escalation, expiresAt: _expiresAt, ...timeless } = requirement
const { requirement: _requirement, ...unrequired } = held

describe("a held action", () => {
  it("has a job for each of its times, in a lane of its own", () => {
    const { jobs = [] } = deadlineJobs(
      "AgentAction:1",
      { platformId: "Platform:1", customerId: "Customer:1" },
      held,
      contextAt(1000),
    )
    expect(jobs).toMatchObject([
      {
        kind: "approval.escalate",
        customerId: "Customer:1",
        dueAt: 11_000,
        lane: "approval.escalate:AgentAction:1",
        payload: { actionId: "AgentAction:1" },
      },
      {
        kind: "approval.expire",
        customerId: "Customer:1",
        dueAt: 21_000,
        lane: "approval.expire:AgentAction:1",
        payload: { actionId: "AgentAction:1" },
      },
    ])
  })

  it.each([
    ["without times", { ...held, requirement: timeless }],
    ["without a requirement", unrequired],
  ])("%s has no job", (_, data) => {
    const owner = { platformId: "Platform:1", customerId: "Customer:1" }
    expect(deadlineJobs("AgentAction:1", owner, data, contextAt(1000))).toEqual({ jobs: [] })
  })
})

const reject = (action: Stored<"AgentAction"> | undefined, now = 21_000) => expireApproval(action, contextAt(now))
const escalate = (action: Stored<"AgentAction"> | undefined) => escalateApproval(action, contextAt(11_000))

describe("the end of the time to approve", () => {
  it("rejects the action, and the audit says how many votes it had", () => {
    const changes = reject(stored())
    const reason = "The time to approve the action is over."
    expect(changes?.updates).toMatchObject([
      { id: "AgentAction:1", version: 3, data: { status: "REJECTED", rejectionReason: reason } },
    ])
    expect(changes?.inserts).toMatchObject([
      {
        kind: "AuditRecord",
        data: {
          operation: "AGENT_ACTION_REJECT",
          target: "AgentAction:1",
          details: { reason: "APPROVAL_EXPIRED", row: "two of finance", needed: 2, votes: 0 },
        },
      },
    ])
  })

  it.each<readonly [string, Stored<"AgentAction"> | undefined, number]>([
    ["of an action that does not exist", undefined, 21_000],
    ["of an action that is decided", stored({ status: "APPROVED" }), 21_000],
    ["of an action that never expires", { ...stored(), data: { ...held, requirement: timeless } }, 21_000],
    ["of an action that needs no votes", { ...stored(), data: unrequired }, 21_000],
    ["a moment before it", stored(), 20_999],
  ])("changes nothing %s", (_, action, now) => {
    expect(reject(action, now)).toBeUndefined()
  })
})

describe("an escalation", () => {
  it("leaves the action as it is, and the audit names both groups", () => {
    const changes = escalate(stored())
    expect(changes?.updates ?? []).toEqual([])
    expect(changes?.guards).toMatchObject([{ id: "AgentAction:1", version: 3 }])
    expect(changes?.inserts).toMatchObject([
      {
        data: {
          operation: "AGENT_ACTION_ESCALATE",
          details: { row: "two of finance", from: "finance", to: "board", needed: 2, votes: 0 },
        },
      },
    ])
  })

  it.each<readonly [string, Stored<"AgentAction"> | undefined]>([
    ["of an action that does not exist", undefined],
    ["of an action that is decided", stored({ status: "REJECTED" })],
    ["of an action that never escalates", { ...stored(), data: { ...held, requirement: timeless } }],
    ["of an action that needs no votes", { ...stored(), data: unrequired }],
  ])("changes nothing %s", (_, action) => {
    expect(escalate(action)).toBeUndefined()
  })
})
