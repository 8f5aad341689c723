/**
 * What the creation of a quote writes, for a platform and for an agent, and which refusal comes first.
 * Source: wire contract 1.4, 1.6, 5.2, 5.5 and 5.12; D-120 to D-125, D-243, D-244.
 */
import { describe, expect, it } from "vitest"
import {
  type AgentQuoteLoaded,
  createAgentQuote,
} from "../../../packages/core/src/decision/approval/AgentQuoteDecision.ts"
import { createQuote } from "../../../packages/core/src/decision/quote/QuoteCreationDecision.ts"
import type { QuoteCreationLoaded } from "../../../packages/core/src/decision/quote/QuoteCreationLoaded.ts"
import { lookupIdOf } from "../../../packages/core/src/decision/receiver/ReceiverDecision.ts"
import { identity } from "../../../packages/core/src/foundation/money/Rate.ts"
import type { Agent } from "../../../packages/core/src/model/agent/Agent.ts"
import type { AgentPolicy } from "../../../packages/core/src/model/agent/Policy.ts"
import type { QuoteRequest } from "../../../packages/core/src/model/quote/QuoteResource.ts"
import { agentWith } from "../agent/SpendingFacts.ts"
import { policyOf, twoOfFinance } from "../approval/Policies.ts"
import { codeSend, scaOf } from "../sca/StoredSca.ts"
import { contextOf, now, owner, written } from "../transaction/StoredTransactions.ts"
import { creation, internalOf } from "./CreationFacts.ts"
import { override, request } from "./QuoteFacts.ts"

/** The first moment of the next day: its charges are those of the day before. */
const dayEndsAt = Date.parse("2026-03-03T00:00:00Z")
const lifetimes = { standardMillis: 60_000, instantMillis: 5000 }
const executing: QuoteRequest = { ...request, immediatelyExecute: true }
const funding: QuoteRequest = { ...request, source: { sourceType: "REALTIME_FUNDING", currency: "USD" } }
const pushed: Partial<QuoteCreationLoaded> = {
  sourceAccount: undefined,
  instructions: [{ accountOrWalletInfo: { accountType: "INR_ACCOUNT", paymentRails: ["UPI"] } }],
}
const required = {
  sca: scaOf(),
  challengeId: "ScaChallenge:1",
  factor: "SMS_OTP",
  purposes: ["PAYMENT"],
  passkeyChallenge: undefined,
} as const
const withoutMinimum = {
  ...creation.platform,
  data: { ...creation.platform.data, supportedCurrencies: [] },
}
const guards = [
  { kind: "Customer", id: "Customer:1", version: 1 },
  { kind: "InternalAccount", id: "InternalAccount:a", version: 1 },
  { kind: "ExternalAccount", id: "ExternalAccount:b", version: 1 },
]
const created = (asked: QuoteRequest = request, more: Partial<QuoteCreationLoaded> = {}) =>
  createQuote(asked, lifetimes)({ ...creation, ...more }, contextOf())
type Created = ReturnType<typeof created>
const quoteOf = ({ changes }: Created) =>
  (changes?.inserts ?? []).flatMap((record) => (record.kind === "Quote" ? [record] : []))[0]
const jobsOf = ({ changes }: Created) => written(changes).jobs.map(([kind, millis]) => [kind, millis])
const refused = (refusal: object) => ({ _tag: "Refuse", refusal, changes: {} })

describe("a new quote of a platform", () => {
  it("waits until its lifetime ends, and guards its accounts and its customer", () => {
    const decision = created()
    expect(decision).toMatchObject({ status: 201, body: { id: "Quote:1", status: "PENDING" } })
    expect(quoteOf(decision)).toMatchObject({
      ...owner,
      data: { status: "PENDING", expiresAt: now + 60_000, totalSendingAmount: 100, funding: "ACCOUNT" },
    })
    expect(quoteOf(decision)?.data).not.toHaveProperty("challenge")
    expect(decision.changes?.guards).toEqual(guards)
    expect(jobsOf(decision)).toEqual([["quote.end", 60_000]])
    expect(written(decision.changes).postings).toEqual([])
    expect(decision.changes).not.toHaveProperty("validUntil")
  })

  it("is executed at once on request, if the account holds enough", () => {
    const decision = created(executing, { available: 100 })
    expect(decision).toMatchObject({ status: 201, body: { status: "PROCESSING" } })
    expect(written(decision.changes).postings[0]).toMatch(/^100 available:InternalAccount:a /u)
    expect(created(executing, { available: 99 })).toMatchObject(refused({ details: { reason: "INSUFFICIENT_FUNDS" } }))
    expect(created(request, { available: 99 })).toMatchObject({ status: 201 })
  })

  it("is challenged before an execution, and sends the code", () => {
    const decision = created(executing, { requiredChallenge: required })
    expect(decision).toMatchObject({ status: 202, body: { status: "PENDING_AUTHORIZATION" } })
    expect(quoteOf(decision)?.data.challenge).toMatchObject({ id: "ScaChallenge:1", expiresAt: now + 60_000 })
    expect(decision.changes?.codeSends).toEqual([codeSend])
    expect(written(decision.changes).postings).toEqual([])
    const waiting = created(request, { requiredChallenge: required })
    expect(waiting).toMatchObject({ status: 201, body: { status: "PENDING" } })
    expect(quoteOf(waiting)?.data).not.toHaveProperty("challenge")
    expect(waiting.changes?.codeSends).toEqual([])
  })

  it("is challenged before a payer sees where to send the money", () => {
    expect(created(funding, { ...pushed, requiredChallenge: required })).toMatchObject({ status: 202 })
    expect(created(funding, pushed)).toMatchObject({ status: 201, body: { status: "PENDING" } })
  })

  it("is refused to a customer who cannot be authenticated, where it pays or shows instructions", () => {
    const locked = { requiredChallenge: { ...required, sca: scaOf({ lockedUntil: now + 1 }) } }
    expect(created(executing, locked)).toMatchObject(refused({ code: "ACCOUNT_LOCKED" }))
    expect(created(funding, { ...pushed, ...locked })).toMatchObject(refused({ code: "ACCOUNT_LOCKED" }))
    expect(created(request, locked)).toMatchObject({ status: 201 })
    const signedOut = { requiredSession: { sca: scaOf({ sessionExpiresAt: now }) } }
    expect(created(executing, signedOut)).toMatchObject(refused({ code: "SCA_SESSION_REQUIRED" }))
    expect(created(request, signedOut)).toMatchObject({ status: 201 })
  })

  it("to a trusted account is valid until the session ends, where it is executed", () => {
    const requiredSession = { sca: scaOf({ sessionExpiresAt: now + 1 }) }
    expect(created(executing, { requiredSession }).changes?.validUntil).toBe(now + 1)
    expect(created(request, { requiredSession }).changes).not.toHaveProperty("validUntil")
  })

  it("is not decided without a rate, or for an amount that no request can have", () => {
    const of = (lockedCurrencyAmount: number) => created({ ...request, lockedCurrencyAmount })
    expect(of(0)).toMatchObject(refused({ code: "INVALID_AMOUNT" }))
    expect(() => of(1.5)).toThrow("a quote that the rules allow has no price")
    expect(created(request, { rate: undefined })).toMatchObject({ _tag: "Refuse", changes: {} })
    expect(created({ ...request, lockedCurrencyAmount: 1 }, { platform: withoutMinimum })).toMatchObject({
      status: 201,
    })
  })

  it("is refused for a lookup of another receiver", () => {
    const lookupId = lookupIdOf("PlatformConfig:1", "ExternalAccount:b")
    expect(created({ ...request, lookupId })).toMatchObject({ status: 201 })
    for (const of of [
      lookupIdOf("PlatformConfig:2", "ExternalAccount:b"),
      lookupIdOf("PlatformConfig:1", "ExternalAccount:c"),
    ])
      expect(created({ ...request, lookupId: of })).toMatchObject({ _tag: "Refuse", changes: {} })
  })

  it("to the account that pays is refused", () => {
    const account = internalOf()
    expect(
      created(request, { sourceAccount: account, namedDestination: account, destinationAccount: account }),
    ).toMatchObject({ _tag: "Refuse", changes: {} })
  })
})

describe("a new quote of an agent", () => {
  const permissions: AgentPolicy["permissions"] = ["CREATE_QUOTES", "EXECUTE_QUOTES"]
  const loadedOf = (
    policy: Partial<AgentPolicy> = {},
    more: Partial<QuoteCreationLoaded> = {},
    facts: Partial<AgentQuoteLoaded> = {},
    agent: Partial<Agent> = {},
  ): AgentQuoteLoaded => {
    const quote = { ...creation, ...more }
    const { customer } = creation
    if (customer === undefined) throw new Error("the sample has a customer")
    return {
      agent: {
        ...owner,
        kind: "Agent",
        id: "Agent:1",
        version: 3,
        createdAt: 1,
        updatedAt: 1,
        data: { ...agentWith({ permissions, ...policy }), ...agent },
      },
      customer,
      usage: { dailyCount: 0, dailySpend: 0, monthlySpend: 0 },
      dayEndsAt,
      quoteRecords: quote,
      quoteFacts: quote,
      rates: new Map([["USD", identity("USD")]]),
      approvals: { policy: undefined, at: now },
      ...facts,
    }
  }
  const asked = (of: QuoteRequest = request, loaded = loadedOf()) =>
    createAgentQuote(of, lifetimes)(loaded, contextOf())
  const agentGuard = { kind: "Agent", id: "Agent:1", version: 3 }
  const insertsOf = ({ changes }: Created, kind: string) =>
    (changes?.inserts ?? []).filter((record) => record.kind === kind)

  it("names the agent, guards it and charges nothing", () => {
    const decision = asked()
    expect(decision).toMatchObject({ status: 201, body: { id: "Quote:1" } })
    expect(quoteOf(decision)?.data).toMatchObject({ agentId: "Agent:1" })
    expect(decision.changes?.guards).toEqual([...guards, agentGuard])
    expect(insertsOf(decision, "AgentAction")).toEqual([])
    expect((decision.changes?.counters ?? []).filter(({ key }) => key.includes("Agent:1"))).toEqual([])
  })

  it("that is executed at once is an action, which is charged to the budget", () => {
    const decision = asked(executing)
    expect(decision).toMatchObject({ status: 201, body: { status: "PROCESSING" } })
    const [action] = insertsOf(decision, "AgentAction")
    expect(action).toMatchObject({
      id: "AgentAction:1",
      customerId: "Customer:1",
      data: {
        status: "APPROVED",
        type: "EXECUTE_QUOTE",
        quoteId: quoteOf(decision)?.id,
        transactionId: quoteOf(decision)?.data.transactionId,
        charges: [
          { period: "2026-03-02", amount: 100 },
          { period: "2026-03", amount: 100 },
        ],
      },
    })
    expect(insertsOf(decision, "Transaction")).toMatchObject([
      { data: { agentId: "Agent:1", actionId: "AgentAction:1" } },
    ])
    const counters = (decision.changes?.counters ?? []).filter(({ key }) => key.includes("Agent:1"))
    expect(counters.map(({ delta }) => delta)).toEqual([1, 100, 100])
    expect(decision.changes?.validUntil).toBe(dayEndsAt)
    expect(decision.changes?.guards).toEqual(expect.arrayContaining([...guards, agentGuard]))
  })

  const row = { policy: policyOf(twoOfFinance), at: now }
  it.each<[string, AgentQuoteLoaded, object]>([
    [
      "a limit",
      loadedOf({ spendingLimits: { currency: "USD", perTransactionLimit: 99 } }),
      { rule: "PER_TRANSACTION_LIMIT", reason: "LIMIT_EXCEEDED" },
    ],
    [
      "an approval of the policy",
      loadedOf({ defaultExecutionMode: "APPROVAL_REQUIRED" }),
      { reason: "APPROVAL_REQUIRED" },
    ],
    ["an approval of the deployment", loadedOf({}, {}, { approvals: row }), { reason: "APPROVAL_REQUIRED" }],
  ])("is refused and audited for %s", (_, loaded, details) => {
    const decision = asked(executing, loaded)
    expect(decision).toMatchObject({ _tag: "Refuse", refusal: { code: "FORBIDDEN", details } })
    expect(insertsOf(decision, "AuditRecord")).toMatchObject([
      {
        data: {
          operation: "AGENT_ACTION_SUBMIT",
          target: "Agent:1",
          outcome: "REFUSED",
          details: { type: "EXECUTE_QUOTE", amount: 100, currency: "USD", ...details },
        },
      },
    ])
    expect(decision.changes?.inserts).toHaveLength(1)
    expect(decision.changes?.guards).toEqual([agentGuard, ...guards])
    expect(asked(request, loaded)).toMatchObject({ status: 201 })
  })

  const outside = { accountRestrictions: { allowedAccountIds: ["InternalAccount:z"] } }
  const closed = { sourceAccount: internalOf("Customer:1", { status: "CLOSED" }) }
  it.each<[string, QuoteRequest, AgentQuoteLoaded, object]>([
    ["of a paused agent", request, loadedOf({}, {}, {}, { isPaused: true }), { details: { rule: "NOT_PAUSED" } }],
    ["without the permission to create", request, loadedOf({ permissions: ["EXECUTE_QUOTES"] }), { code: "FORBIDDEN" }],
    [
      "without the permission to execute",
      executing,
      loadedOf({ permissions: ["CREATE_QUOTES"] }),
      { code: "FORBIDDEN" },
    ],
    [
      "for another customer",
      { ...request, source: { sourceType: "ACCOUNT", accountId: "InternalAccount:a", customerId: "Customer:2" } },
      loadedOf(),
      { details: { reason: "CUSTOMER_NOT_ALLOWED" } },
    ],
    [
      "with a fee of its own",
      { ...request, platformFeeOverride: override },
      loadedOf(),
      { details: { reason: "FEE_NOT_ALLOWED" } },
    ],
    [
      "from a closed account outside of its scope",
      request,
      loadedOf(outside, closed),
      { details: { rule: "ACCOUNTS_IN_SCOPE" } },
    ],
    ["from a closed account", request, loadedOf({}, closed), { details: { reason: "SOURCE_NOT_ACTIVE" } }],
  ])("writes nothing where it is refused: %s", (_, of, loaded, refusal) => {
    const decision = asked(of, loaded)
    expect(decision).toMatchObject({ _tag: "Refuse", refusal })
    expect(decision.changes).toEqual({})
  })

  it("says first that an account does not exist, whatever the policy allows", () => {
    const missing = { namedDestination: undefined, destinationAccount: undefined }
    const decision = asked(request, loadedOf(outside, missing))
    expect(decision).toMatchObject({ _tag: "Refuse", refusal: { code: expect.stringContaining("NOT_FOUND") } })
  })

  it("needs no permission to execute where it waits", () => {
    expect(asked(request, loadedOf({ permissions: ["CREATE_QUOTES"] }))).toMatchObject({ status: 201 })
  })
})
