/**
 * What an action that an agent submits writes: refused by its policy, held, executed at once, or failed.
 * Spec: 4.1, 4.2, States: AgentAction; wire contract 1.4 and 1.6; D-210, D-241, D-242, D-532.
 */
import { describe, expect, it } from "vitest"
import type {
  ActionFacts,
  ActionLoaded,
  RequestedRecords,
} from "../../../packages/core/src/decision/approval/ActionLoaded.ts"
import {
  expiresAtOf,
  isPlan,
  planOf,
  quoteOf as quoteOfPlan,
} from "../../../packages/core/src/decision/approval/ActionPlan.ts"
import {
  submitAction,
  submitQuoteAction,
} from "../../../packages/core/src/decision/approval/ActionSubmissionDecision.ts"
import type { DecisionContext } from "../../../packages/core/src/decision/Decision.ts"
import { identity } from "../../../packages/core/src/foundation/money/Rate.ts"
import type { Agent } from "../../../packages/core/src/model/agent/Agent.ts"
import type { AgentAction } from "../../../packages/core/src/model/agent/AgentAction.ts"
import type { AgentPolicy } from "../../../packages/core/src/model/agent/Policy.ts"
import type { Caller } from "../../../packages/core/src/store/Caller.ts"
import { execution } from "../approval/HeldActions.ts"
import { policyOf, twoOfFinance } from "../approval/Policies.ts"
import { expiresAt, paymentOf, quoteOf, recordsOf } from "../quote/StoredQuotes.ts"
import { scaOf } from "../sca/StoredSca.ts"
import { contextOf, externalOf, internalOf, now, owner, written } from "../transaction/StoredTransactions.ts"
import { sessionOf, signed } from "../wallet/StoredCredentials.ts"
import { agentWith } from "./SpendingFacts.ts"

const order = { sourceAccountId: "InternalAccount:1", destinationAccountId: "ExternalAccount:1", amount: 70 }
const accounts = { source: internalOf(), destination: externalOf(), available: { balance: 70, sequence: 4 } }
const out: RequestedRecords = { type: "TRANSFER_OUT", order, accounts }
const pulled: RequestedRecords = {
  type: "TRANSFER_IN",
  order: { sourceAccountId: "ExternalAccount:1", destinationAccountId: "InternalAccount:1", amount: 70 },
  accounts: { source: externalOf(), destination: internalOf(), destinationBalance: 0 },
}
const quoted = (more: Parameters<typeof recordsOf>[0] = {}): RequestedRecords => ({
  type: "EXECUTE_QUOTE",
  records: recordsOf({ transaction: paymentOf({ amount: 400 }), ...more }),
  sca: undefined,
})
const caller: Caller = { _tag: "Agent", ...owner, agentId: "Agent:1", budget: "USD" }
const context = (more: Partial<DecisionContext> = {}) => contextOf({ caller, ...more })
const permissions: AgentPolicy["permissions"] = ["CREATE_TRANSFERS", "EXECUTE_QUOTES"]
const loadedOf = (
  requested: RequestedRecords = out,
  policy: Partial<AgentPolicy> = {},
  more: Partial<ActionFacts> = {},
  agent: Partial<Agent> = {},
): ActionLoaded => ({
  ...execution,
  agent: { ...execution.agent, data: { ...agentWith({ permissions, ...policy }), ...agent } },
  requested,
  inspection: { pullable: true, funds: "unknown" },
  rates: new Map([["USD", identity("USD")]]),
  approvals: { policy: undefined, at: now },
  requiredChallenge: undefined,
  requiredSession: undefined,
  signature: undefined,
  ...more,
})
const submitted = (loaded: ActionLoaded = loadedOf(), more: Partial<DecisionContext> = {}) =>
  submitAction(201)(loaded, context(more))
type Submitted = ReturnType<typeof submitted>
const actionOf = ({ changes }: Submitted): AgentAction | undefined =>
  (changes?.inserts ?? []).flatMap((record) => (record.kind === "AgentAction" ? [record.data] : []))[0]
const auditsOf = ({ changes }: Submitted) =>
  (changes?.inserts ?? []).flatMap((record) => (record.kind === "AuditRecord" ? [record.data] : []))
const own = ({ changes }: Submitted) => (changes?.counters ?? []).filter(({ key }) => key.includes("Agent:1"))
const guards = [
  { kind: "Agent", id: "Agent:1", version: 3 },
  { kind: "Customer", id: "Customer:1", version: 1 },
  { kind: "InternalAccount", id: "InternalAccount:1", version: 3 },
  { kind: "ExternalAccount", id: "ExternalAccount:1", version: 3 },
]
const transferDetails = { ...order, currency: "USD" }
const manual = { defaultExecutionMode: "APPROVAL_REQUIRED" } as const
const inserted = {
  agentId: "Agent:1",
  platformCustomerId: "ada",
  type: "TRANSFER_OUT",
  charges: [],
  usageBefore: { currency: "USD", dailyCount: 0, dailySpend: 0, monthlySpend: 0 },
  transferDetails,
}

describe("an action within the policy", () => {
  it("begins its transfer and charges the agent's budget", () => {
    const decision = submitted()
    expect(decision).toMatchObject({ status: 201, body: { id: "AgentAction:1", status: "APPROVED" } })
    expect(actionOf(decision)).toEqual({
      ...inserted,
      status: "APPROVED",
      transactionId: "Transaction:2",
      charges: [
        { period: "2026-03-02", budget: expect.any(String), amount: 70 },
        { period: "2026-03", budget: expect.any(String), amount: 70 },
      ],
    })
    expect(own(decision).map(({ customerId, delta }) => [customerId, delta])).toEqual([
      ["Customer:1", 1],
      ["Customer:1", 70],
      ["Customer:1", 70],
    ])
    expect(written(decision.changes).postings).toEqual(["70 available:InternalAccount:1 held:InternalAccount:1"])
    expect(decision.changes?.guards).toEqual(expect.arrayContaining(guards))
    expect(decision.changes?.validUntil).toBe(execution.dayEndsAt)
    expect(auditsOf(decision)).toEqual([])
    expect(decision.changes?.inserts?.find(({ kind }) => kind === "Transaction")?.data).toMatchObject({
      agentId: "Agent:1",
      actionId: "AgentAction:1",
    })
  })

  it("stores the instructions of a transfer, which an approval executes too", () => {
    const instructions = { paymentRail: "ACH", purposeOfPayment: "GIFT", remittanceInformation: "May" } as const
    const decision = submitted(loadedOf({ ...out, order: { ...order, ...instructions } }))
    expect(actionOf(decision)?.instructions).toEqual(instructions)
    expect(
      actionOf(submitted(loadedOf({ ...out, order: { ...order, remittanceInformation: "May" } })))?.instructions,
    ).toEqual({ remittanceInformation: "May" })
    expect(actionOf(submitted())).not.toHaveProperty("instructions")
  })

  it("of a pull asks for the money, and moves none", () => {
    const decision = submitted(loadedOf(pulled))
    expect(actionOf(decision)).toMatchObject({
      status: "APPROVED",
      type: "TRANSFER_IN",
      transferDetails: { sourceAccountId: "ExternalAccount:1", destinationAccountId: "InternalAccount:1", amount: 70 },
    })
    expect(written(decision.changes)).toMatchObject({
      postings: [],
      jobs: [["transfer.pull", 0, "pull:Transaction:2", { transactionId: "Transaction:2" }]],
    })
  })

  it("of a quote executes it, until the quote expires", () => {
    const decision = submitQuoteAction(undefined)(loadedOf(quoted()), context())
    expect(decision).toMatchObject({ status: 200, body: { status: "APPROVED" } })
    expect(actionOf(decision)).toMatchObject({
      quoteId: "Quote:1",
      type: "EXECUTE_QUOTE",
      charges: [{ amount: 400 }, {}],
    })
    expect(actionOf(decision)).not.toHaveProperty("transferDetails")
    expect(decision.changes?.validUntil).toBe(expiresAt)
    const plan = planOf(loadedOf(quoted()))
    expect(isPlan(plan) && [quoteOfPlan(plan)?.id, expiresAtOf(plan), plan.amount, plan.currency]).toEqual([
      "Quote:1",
      expiresAt,
      400,
      "USD",
    ])
    const transfer = planOf(loadedOf())
    expect(isPlan(transfer) && [quoteOfPlan(transfer), expiresAtOf(transfer)]).toEqual([undefined, undefined])
  })
})

describe("an action that lacks something", () => {
  it.each<[string, ActionLoaded, object]>([
    [
      "the money of a transfer",
      loadedOf({ ...out, accounts: { ...accounts, available: { balance: 69, sequence: 4 } } }),
      { rule: "FUNDS", currency: "USD", amount: 70, available: 69 },
    ],
    ["the money of a quote", loadedOf(quoted({ available: 399 })), { rule: "FUNDS", amount: 400, available: 399 }],
    [
      "the money of a pull",
      loadedOf(pulled, {}, { inspection: { pullable: true, funds: "insufficient" } }),
      { rule: "FUNDS", amount: 70 },
    ],
    [
      "the strong authentication of a quote, before its money",
      loadedOf(quoted({ available: 0 }), {}, { requiredSession: { sca: scaOf({ sessionExpiresAt: now }) } }),
      { rule: "STRONG_AUTHENTICATION" },
    ],
  ])("fails at once, is charged nothing and moves nothing: %s", (_, loaded, explanation) => {
    const decision = submitted(loaded)
    expect(decision).toMatchObject({ status: 201, body: { status: "FAILED" } })
    expect(actionOf(decision)).toMatchObject({ status: "FAILED", explanation, charges: [] })
    expect(actionOf(decision)).not.toHaveProperty("transactionId")
    expect(own(decision)).toEqual([])
    expect(written(decision.changes)).toMatchObject({ postings: [], jobs: [] })
    expect(decision.changes?.guards).toEqual(expect.arrayContaining(guards.slice(0, 3)))
  })
})

describe("an action that the policy holds", () => {
  it("is stored with the reason, emits its event and is audited as held", () => {
    const decision = submitted(loadedOf(out, manual))
    expect(decision).toMatchObject({ status: 201, body: { status: "PENDING_APPROVAL" } })
    const action = actionOf(decision)
    expect(action).toEqual({ ...inserted, status: "PENDING_APPROVAL", explanation: action?.explanation })
    expect(decision.changes?.events).toMatchObject([
      {
        type: "AGENT_ACTION.PENDING_APPROVAL",
        customerId: "Customer:1",
        subject: "AgentAction:1",
        data: { placeholders: [] },
      },
    ])
    expect(auditsOf(decision)).toMatchObject([
      { operation: "AGENT_ACTION_SUBMIT", target: "AgentAction:1", outcome: "HELD", details: action?.explanation },
    ])
    expect(own(decision)).toEqual([])
    expect(written(decision.changes)).toMatchObject({ postings: [], jobs: [] })
    expect(decision.changes?.guards).toEqual(guards)
    expect(decision.changes?.validUntil).toBe(execution.dayEndsAt)
  })

  it("of a quote is held until the quote expires, and once", () => {
    const loaded = loadedOf(quoted({ pulled: { ...externalOf(), id: "ExternalAccount:2" } }), manual)
    const { changes } = submitted(loaded)
    const pulls = { kind: "ExternalAccount", id: "ExternalAccount:2", version: 3 }
    expect([changes?.validUntil, changes?.guards]).toEqual([expiresAt, expect.arrayContaining([...guards, pulls])])
    const taken = { _tag: "Taken", claim: { scope: "platform", key: "held-quote:Quote:1" } } as const
    expect(submitted(loaded, { rejections: [taken] })).toMatchObject({
      refusal: { code: "CONFLICT", details: { reason: "ACTION_PENDING" } },
      changes: {},
    })
  })

  it("keeps what its row needs, who has asked for it, and the jobs of its times", () => {
    const row = { ...twoOfFinance, expiresAfterSeconds: 20 }
    const approvals = { policy: policyOf(row), at: now }
    const resender = { id: "Token:2", approver: { id: "Approver:ada", name: "Ada", proof: "PASSKEY" } } as const
    const requirementOf = (of: Caller, givenTo?: ReadonlyArray<string>) => {
      const loaded = loadedOf(out, {}, { approvals }, givenTo === undefined ? {} : { givenTo })
      return actionOf(submitted(loaded, { caller: of }))?.requirement
    }
    expect(requirementOf(caller)).toEqual({
      row: "two of finance",
      approvers: "finance",
      needed: 2,
      needsStepUp: false,
      expiresAt: now + 20_000,
      askedBy: { tokenIds: [] },
      votes: [],
    })
    expect(requirementOf({ ...caller, resender }, ["Token:1"])?.askedBy).toEqual({
      tokenIds: ["Token:1", "Token:2"],
      approverId: "Approver:ada",
    })
    expect(requirementOf({ ...caller, resender: { id: "Token:2" } })?.askedBy).toEqual({ tokenIds: ["Token:2"] })
    expect(written(submitted(loadedOf(out, {}, { approvals })).changes).jobs).toMatchObject([
      ["approval.expire", 20_000, "approval.expire:AgentAction:1", { actionId: "AgentAction:1" }],
    ])
  })

  it("keeps the signature of a payment out of a wallet", () => {
    const walletSignature = { sessionId: "Session:1", stamp: "stamp" }
    const decision = submitAction(200, walletSignature)(loadedOf(out, manual), context())
    expect(decision).toMatchObject({ status: 200 })
    expect(actionOf(decision)?.walletSignature).toEqual(walletSignature)
  })
})

describe("an action that is refused", () => {
  const beyond = { spendingLimits: { currency: "USD", perTransactionLimit: 69 } } as const
  const expired = quoted({ quote: quoteOf({ expiresAt: now }) })
  const ended = { code: "CONFLICT", details: { reason: "QUOTE_EXPIRED" } }
  const quotesOnly = { permissions: ["EXECUTE_QUOTES"] } as const
  const transfersOnly = { permissions: ["CREATE_TRANSFERS"] } as const
  const closed = { ...out, accounts: { ...accounts, source: internalOf({ status: "CLOSED" }) } }

  it.each<[string, ActionLoaded, object]>([
    [
      "of a paused agent, before its records",
      loadedOf(closed, {}, {}, { isPaused: true }),
      { details: { rule: "NOT_PAUSED" } },
    ],
    ["of a transfer without its permission", loadedOf(out, quotesOnly), { details: { rule: "PERMISSION_GRANTED" } }],
    ["of a quote without its permission", loadedOf(quoted(), transfersOnly), { code: "FORBIDDEN" }],
    ["of a closed account, before its limits", loadedOf(closed, beyond), { code: "INVALID_INPUT" }],
    [
      "of an unknown quote",
      loadedOf({ type: "EXECUTE_QUOTE", records: undefined, sca: undefined }),
      { code: "QUOTE_NOT_FOUND" },
    ],
    ["of an expired quote", loadedOf(expired), ended],
    ["of an expired quote that the policy would hold", loadedOf(expired, manual), ended],
    [
      "of the whole balance of an empty account",
      loadedOf({
        type: "TRANSFER_OUT",
        order: { sourceAccountId: "InternalAccount:1", destinationAccountId: "ExternalAccount:1" },
        accounts: { ...accounts, available: { balance: 0, sequence: 4 } },
      }),
      { details: { reason: "INSUFFICIENT_FUNDS" } },
    ],
  ])("writes nothing: %s", (_, loaded, refusal) => {
    const decision = submitted(loaded)
    expect(decision).toMatchObject({ _tag: "Refuse", refusal })
    expect(decision.changes).toEqual({})
  })

  it("by a limit of the policy is audited, and guards what it was decided on", () => {
    const decision = submitted(loadedOf(out, beyond))
    expect(decision).toMatchObject({
      refusal: { code: "FORBIDDEN", details: { rule: "PER_TRANSACTION_LIMIT", reason: "LIMIT_EXCEEDED" } },
    })
    expect(auditsOf(decision)).toMatchObject([
      {
        operation: "AGENT_ACTION_SUBMIT",
        target: "Agent:1",
        outcome: "REFUSED",
        details: { type: "TRANSFER_OUT", ...transferDetails, rule: "PER_TRANSACTION_LIMIT" },
      },
    ])
    expect(auditsOf(decision)[0]?.details).not.toHaveProperty("quoteId")
    expect(decision.changes?.guards).toEqual(guards)
    const ofQuote = submitted(loadedOf(expired, beyond))
    expect(auditsOf(ofQuote)).toMatchObject([{ details: { type: "EXECUTE_QUOTE", quoteId: "Quote:1" } }])
  })
})

describe("the execution of a quote out of a wallet", () => {
  const session = sessionOf({ accountId: "InternalAccount:1" })
  const signature = { ...signed, sessions: [session] }
  const signedBy = (more: Partial<typeof signature> = {}, requested = quoted(), policy = {}) =>
    submitQuoteAction("stamp")(loadedOf(requested, policy, { signature: { ...signature, ...more } }), context())

  it("stores who signed, and is audited with the quote as its target", () => {
    const decision = signedBy()
    expect(actionOf(decision)?.walletSignature).toEqual({ sessionId: session.id, stamp: "stamp" })
    expect(auditsOf(decision)).toMatchObject([
      {
        operation: "SIGNED_ACTION",
        target: "Quote:1",
        details: { action: "POST /agents/me/quotes/{quoteId}/execute", sessionId: session.id },
      },
    ])
    expect(decision.changes?.updates?.find(({ kind }) => kind === "Quote")?.data).toMatchObject({
      signed: { sessionId: session.id, at: now },
    })
    const without = submitQuoteAction(undefined)(loadedOf(quoted(), {}, { signature }), context())
    expect(actionOf(without)).not.toHaveProperty("walletSignature")
  })

  it("is refused with a wrong signature", () => {
    expect(signedBy({ isSigned: false })).toMatchObject({ refusal: { code: "WALLET_SIGNATURE_INVALID" } })
  })
})
