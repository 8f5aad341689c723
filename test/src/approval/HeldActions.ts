/** A held transfer of an agent with its records and its approvers, for tests of what is decided on them. */
import type { ActionFacts, ActionRecords } from "../../../packages/core/src/decision/approval/ActionLoaded.ts"
import { requiringAction } from "../../../packages/core/src/decision/approval/ActionVote.ts"
import type { DecisionContext } from "../../../packages/core/src/decision/Decision.ts"
import type { AgentAction } from "../../../packages/core/src/model/agent/AgentAction.ts"
import type {
  ApprovalRequirement,
  ApprovalVote,
} from "../../../packages/core/src/model/approval/ApprovalRequirement.ts"
import { requirementOf } from "../../../packages/core/src/model/approval/ApprovalRequirement.ts"
import { type CallingApprover, tenant } from "../../../packages/core/src/store/Caller.ts"
import type { Stored } from "../../../packages/core/src/store/ChangeSet.ts"
import { agentWith } from "../agent/SpendingFacts.ts"
import { ada } from "../customer/SampleCustomer.ts"
import { customerOf } from "../quote/CreationFacts.ts"
import { externalOf, internalOf, now, owner } from "../transaction/StoredTransactions.ts"
import { contextAt } from "./DecisionContexts.ts"
import { policyOf, twoOfFinance } from "./Policies.ts"

export { now } from "../transaction/StoredTransactions.ts"

export const requirement: ApprovalRequirement = requirementOf(
  { ...twoOfFinance, expiresAfterSeconds: 20, escalates: { afterSeconds: 10, to: "board" } },
  { tokenIds: ["ApiToken:agent"], approverId: "Approver:alan" },
  now,
)
const order = { sourceAccountId: "InternalAccount:1", destinationAccountId: "ExternalAccount:1", amount: 70 }
/** A transfer that waits for its approval. */
export const heldTransfer = (details: typeof order): AgentAction => ({
  agentId: "Agent:1",
  platformCustomerId: "ada",
  status: "PENDING_APPROVAL",
  type: "TRANSFER_OUT",
  charges: [],
  transferDetails: { ...details, currency: "USD" },
})
const held = heldTransfer(order)
const accountInfo = {
  accountType: "USD_ACCOUNT",
  beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Eve" },
}
const dated = { ...owner, version: 3, createdAt: now - 5000, updatedAt: now - 5000 }
export const actionOf = (more: Partial<AgentAction> = { requirement }): Stored<"AgentAction"> => ({
  ...dated,
  kind: "AgentAction",
  id: "AgentAction:1",
  data: { ...held, ...more },
})
export const execution: ActionRecords = {
  agent: { ...dated, kind: "Agent", id: "Agent:1", data: agentWith() },
  customer: { ...customerOf(), data: ada },
  usage: { dailyCount: 0, dailySpend: 0, monthlySpend: 0 },
  dayEndsAt: Date.parse("2026-03-03T00:00:00Z"),
  requested: {
    type: "TRANSFER_OUT",
    order,
    accounts: {
      source: internalOf(),
      destination: externalOf({ accountInfo }),
      available: { balance: 70, sequence: 4 },
    },
  },
}
export const approvals: ActionFacts["approvals"] = { policy: policyOf(twoOfFinance), at: now }

/** The digest of what is shown of the action. */
export const digest = requiringAction(actionOf(), execution)?.digest ?? ""

export const approverOf = (name: string, more: Partial<CallingApprover> = {}): CallingApprover => ({
  id: `Approver:${name.split(" ")[0]?.toLowerCase()}`,
  name,
  proof: "PASSKEY",
  ...more,
})
export const voteOf = (name: string, more: Partial<ApprovalVote> = {}): ApprovalVote => ({
  approverId: `Approver:${name.split(" ")[0]?.toLowerCase()}`,
  name,
  at: now - 1,
  proof: "PASSKEY",
  isSigned: false,
  digest,
  ...more,
})

/** The context of a person who is signed in on the console; `undefined`: a program calls. */
export const contextOf = (
  approver: CallingApprover | undefined = approverOf("Ada Lovelace"),
  at = now,
): DecisionContext =>
  contextAt(at, {
    caller: {
      ...tenant(owner.platformId),
      tokenId: "ApiToken:console",
      ...(approver === undefined ? {} : { approver }),
    },
    requestId: "Request:1",
  })
export const programContext: DecisionContext = contextAt(now, {
  caller: { ...tenant(owner.platformId), tokenId: "ApiToken:console" },
})
