/**
 * What the execution of a quote, the money of its payer and its jobs write, and when they are refused.
 * Source: wire contract 5.5 and 5.7; wire contract areas 1.3.5; D-122, D-129, D-130, D-381.
 */
import { describe, expect, it } from "vitest"
import type { RequiredChallenge } from "../../../packages/core/src/decision/quote/QuoteChallengeDecision.ts"
import {
  beginExecution,
  decisionScope,
  type ExecutionFacts,
  executeQuote,
  executionRefusal,
  guardsFor,
  isShortOfFunds,
  type QuoteRecords,
} from "../../../packages/core/src/decision/quote/QuoteExecutionDecision.ts"
import {
  arrivedOnChain,
  fundQuote,
  type Payment,
} from "../../../packages/core/src/decision/quote/QuoteFundingDecision.ts"
import type { SignatureFacts } from "../../../packages/core/src/decision/wallet/SignedDecision.ts"
import { codeSend, scaOf } from "../sca/StoredSca.ts"
import {
  balance,
  contextOf,
  externalOf,
  internalOf,
  jobOf,
  now,
  outgoingEvents,
  unchanged,
  written,
} from "../transaction/StoredTransactions.ts"
import { sessionOf, signed } from "../wallet/StoredCredentials.ts"
import { challengeOf, expiresAt, paymentOf, quoteOf, recordsOf, updatedQuote } from "./StoredQuotes.ts"

const plain: ExecutionFacts = { requiredChallenge: undefined, requiredSession: undefined, signature: undefined }
const required = (more: Partial<RequiredChallenge> = {}): RequiredChallenge => ({
  sca: scaOf(),
  challengeId: "ScaChallenge:1",
  factor: "SMS_OTP",
  purposes: ["PAYMENT", "PAYOUT"],
  passkeyChallenge: undefined,
  ...more,
})
const executed = (records: Partial<QuoteRecords> = {}, facts: Partial<ExecutionFacts> = {}) =>
  executeQuote({ records: recordsOf(records), ...plain, ...facts }, contextOf())
const refusal = (code: string, reason?: string) => ({
  _tag: "Refuse",
  refusal: { code, ...(reason === undefined ? {} : { details: { reason } }) },
  changes: {},
})
const guards = [
  { kind: "InternalAccount", id: "InternalAccount:1", version: 3 },
  { kind: "ExternalAccount", id: "ExternalAccount:1", version: 3 },
  { kind: "Customer", id: "Customer:1", version: 1 },
]
const profileGuard = { kind: "ScaProfile", id: "Customer:1", version: 7 }
const pushed = jobOf("transfer.push", 0, "ExternalAccount:1")
const pull = { funding: "PULL", source: { sourceType: "ACCOUNT", accountId: "ExternalAccount:2" } } as const

describe("the execution of a quote", () => {
  it("takes the money of its account at once, and asks the rail", () => {
    const decision = executed()
    expect(decision).toMatchObject({ _tag: "Answer", status: 200, body: { id: "Quote:1", status: "PROCESSING" } })
    expect(written(decision.changes)).toMatchObject({
      statuses: ["PROCESSING", "PROCESSING"],
      events: [...outgoingEvents("PROCESSING"), balance],
      jobs: [pushed],
      counters: [],
    })
    expect(written(decision.changes).postings[0]).toMatch(/^400 available:InternalAccount:1 /u)
    expect(updatedQuote(decision.changes)).toEqual([quoteOf({ status: "PROCESSING" }).data])
    expect(decision.changes?.guards).toEqual(guards)
    expect(decision.changes?.validUntil).toBe(expiresAt)
    expect(decision.changes?.codeSends).toEqual([])
  })

  it("guards the pulled account and the receiving account too", () => {
    const records = recordsOf({
      pulled: externalOf(),
      receiver: internalOf({}, "InternalAccount:2"),
      account: undefined,
    })
    expect(guardsFor(records)).toEqual({
      guards: [
        { kind: "ExternalAccount", id: "ExternalAccount:1", version: 3 },
        { kind: "InternalAccount", id: "InternalAccount:2", version: 3 },
        { kind: "ExternalAccount", id: "ExternalAccount:1", version: 3 },
        { kind: "Customer", id: "Customer:1", version: 1 },
      ],
      validUntil: expiresAt,
    })
    const { ids } = contextOf()
    const volumeLimits = { perCustomer: { USD: 1 } }
    expect(decisionScope(records, { ids, now, volumeLimits })).toEqual({
      ids,
      now,
      volumeLimits,
      source: undefined,
      sourceReceivable: records.owed,
      destination: records.receiver,
      quote: records.quote,
    })
  })

  it("of a pull asks the rail of its source, and takes no money", () => {
    const transaction = paymentOf({ sourceAccountId: "ExternalAccount:2" }, { funding: "PULL" })
    const decision = executed({ quote: quoteOf(pull), transaction, pulled: externalOf(), available: 0 })
    expect(decision).toMatchObject({ status: 200 })
    expect(written(decision.changes)).toMatchObject({
      postings: [],
      jobs: [jobOf("quote.pull", 0, "ExternalAccount:2")],
    })
  })

  it.each<[string, Partial<QuoteRecords>, Partial<ExecutionFacts>, object | undefined]>([
    ["short of one cent", { available: 399 }, {}, refusal("INVALID_INPUT", "INSUFFICIENT_FUNDS")],
    ["at its end", { quote: quoteOf({ expiresAt: now }), available: 0 }, {}, refusal("CONFLICT", "QUOTE_EXPIRED")],
    ["before its end", { quote: quoteOf({ expiresAt: now + 1 }) }, {}, undefined],
    ["out of a closed account", { account: internalOf({ status: "CLOSED" }) }, {}, refusal("INVALID_INPUT")],
    [
      "to an inactive account",
      { destination: externalOf({ status: "INACTIVE" }) },
      {},
      refusal("INVALID_BANK_ACCOUNT"),
    ],
    [
      "to an active receiver, whatever else is named",
      { receiver: internalOf({}, "InternalAccount:2"), destination: externalOf({ status: "INACTIVE" }) },
      {},
      undefined,
    ],
    [
      "to a receiver that is closed",
      { receiver: internalOf({ status: "CLOSED" }, "InternalAccount:2") },
      {},
      refusal("INVALID_INPUT", "DESTINATION_NOT_ACTIVE"),
    ],
    [
      "by pull from an inactive account",
      { quote: quoteOf(pull), pulled: externalOf({ status: "INACTIVE" }) },
      {},
      refusal("INVALID_BANK_ACCOUNT", "SOURCE_NOT_ACTIVE"),
    ],
    [
      "by pull, whatever the account that takes refunds is",
      { quote: quoteOf(pull), pulled: externalOf(), account: internalOf({ status: "CLOSED" }) },
      {},
      undefined,
    ],
    [
      "short of money, by a customer who is locked out",
      { available: 399 },
      { requiredChallenge: required({ sca: scaOf({ lockedUntil: now + 1 }) }) },
      refusal("ACCOUNT_LOCKED"),
    ],
    [
      "of an expired quote, by a customer who is locked out",
      { quote: quoteOf({ expiresAt: now }) },
      { requiredChallenge: required({ sca: scaOf({ suspended: true }) }) },
      refusal("CONFLICT", "QUOTE_EXPIRED"),
    ],
    ["by an app", {}, { requiredChallenge: required({ factor: "TOTP" }) }, refusal("INVALID_INPUT")],
    [
      "by an app of a customer who is locked out",
      {},
      { requiredChallenge: required({ factor: "TOTP", sca: scaOf({ suspended: true }) }) },
      refusal("INVALID_INPUT"),
    ],
    [
      "by a passkey that the customer lacks",
      {},
      { requiredChallenge: required({ factor: "PASSKEY", sca: scaOf({ factors: [] }) }) },
      refusal("CONFLICT", "FACTOR_NOT_ENROLLED"),
    ],
    [
      "of a trusted account after the session",
      {},
      { requiredSession: { sca: scaOf({ sessionExpiresAt: now }) } },
      refusal("SCA_SESSION_REQUIRED"),
    ],
    [
      "of a trusted account during a lockout",
      {},
      { requiredSession: { sca: scaOf({ sessionExpiresAt: now, lockedUntil: now + 1 }) } },
      refusal("ACCOUNT_LOCKED"),
    ],
  ])("%s", (_, records, facts, expected) => {
    const decision = executed(records, facts)
    expect(decision).toMatchObject(expected ?? { _tag: "Answer", status: 200 })
    if (expected === undefined) expect(executionRefusal(recordsOf(records), now)).toBeUndefined()
    else expect(decision.changes).toEqual({})
  })

  it("is short of funds only where an account pays", () => {
    expect([400, 399].map((available) => isShortOfFunds(recordsOf({ available })))).toEqual([false, true])
    expect(isShortOfFunds(recordsOf({ available: 0, quote: quoteOf({ funding: "PUSH" }) }))).toBe(false)
  })

  it("of a trusted account guards the session, and is valid until it ends", () => {
    const ofSession = (sessionExpiresAt: number) =>
      executed({}, { requiredSession: { sca: scaOf({ sessionExpiresAt }) } })
    expect(ofSession(now + 1).changes).toMatchObject({ guards: [...guards, profileGuard], validUntil: now + 1 })
    expect(ofSession(expiresAt + 1).changes?.validUntil).toBe(expiresAt)
  })

  it("stores the challenge that it requires, sends its code and moves nothing", () => {
    const decision = executed({}, { requiredChallenge: required() })
    expect(decision).toMatchObject({ status: 200, body: { status: "PENDING_AUTHORIZATION" } })
    expect(written(decision.changes)).toEqual({
      ...unchanged,
      statuses: ["PENDING_AUTHORIZATION", "PENDING_AUTHORIZATION"],
      events: expect.anything(),
      jobs: [["quote.end", 60_000, "quote.end:Quote:1", { quoteId: "Quote:1" }]],
    })
    const challenge = challengeOf({ expiresAt, remaining: ["PAYOUT"] })
    expect(updatedQuote(decision.changes)).toEqual([quoteOf({ status: "PENDING_AUTHORIZATION", challenge }).data])
    expect(decision.changes?.codeSends).toEqual([codeSend])
    expect(decision.changes?.guards).toEqual(guards)
  })

  it("has a challenge of five minutes where the quote lasts longer, with what a passkey needs", () => {
    const passkeyChallenge = { passkeyOptions: { challenge: "x" }, allowedOrigins: ["https://a.example"] }
    const requiredChallenge = required({ factor: "PASSKEY", purposes: ["PAYMENT"], passkeyChallenge })
    const decision = executed({ quote: quoteOf({ expiresAt: now + 300_001 }) }, { requiredChallenge })
    const challenge = challengeOf({
      factor: "PASSKEY",
      expiresAt: now + 300_000,
      passkeyAssertionOptions: { challenge: "x" },
      passkeyAllowedOrigins: ["https://a.example"],
    })
    expect(updatedQuote(decision.changes)).toMatchObject([{ challenge }])
    expect(decision.changes?.codeSends).toEqual([])
  })

  it("out of a wallet stores the session that signed, and is refused without a signature", () => {
    const session = sessionOf({ accountId: "InternalAccount:1" })
    const decision = executed({}, { signature: { ...signed, sessions: [session] } })
    expect(decision).toMatchObject({ status: 200 })
    const signedBy = { sessionId: session.id, at: now }
    expect(updatedQuote(decision.changes)).toEqual([quoteOf({ status: "PROCESSING", signed: signedBy }).data])
    expect(decision.changes?.guards).toContainEqual({ kind: "Session", id: session.id, version: session.version })
    expect(decision.changes?.validUntil).toBe(session.data.expiresAt)
    expect(decision.changes?.inserts).toMatchObject([
      {
        kind: "AuditRecord",
        data: {
          operation: "SIGNED_ACTION",
          target: "Quote:1",
          details: { action: "POST /quotes/{quoteId}/execute", sessionId: session.id },
        },
      },
    ])
    const unsigned: SignatureFacts = { ...signed, isSigned: false }
    expect(executed({}, { signature: unsigned })).toMatchObject({ refusal: { code: "WALLET_SIGNATURE_INVALID" } })
    expect(executed({}, { signature: unsigned }).changes).toEqual({})
  })

  it("by an agent names the agent and its action in the transaction", () => {
    const by = { agentId: "Agent:1", agentActionId: "AgentAction:1" }
    const { changes, transaction } = beginExecution({ records: recordsOf(), ...plain }, contextOf(), { by })
    expect(transaction.data).toMatchObject(by)
    expect(updatedQuote(changes)).toEqual([quoteOf({ status: "PROCESSING" }).data])
  })
})

describe("the money of a quote's payer", () => {
  const push = { funding: "PUSH", source: { sourceType: "REALTIME_FUNDING", currency: "USD" } } as const
  const waiting = { quote: quoteOf(push), transaction: paymentOf({}, { funding: "PUSH" }), account: undefined }
  const paid = (payment: Partial<Payment> = {}, more: Partial<QuoteRecords> = {}, arrivedHash?: string) =>
    fundQuote({ currency: "USD", amount: undefined, ...payment })(
      { ...recordsOf({ ...waiting, ...more }), arrivedHash },
      contextOf(),
    )
  const audit = (amount: number) => [
    {
      kind: "AuditRecord",
      data: { operation: "SANDBOX_SEND", target: "Quote:1", outcome: "DONE", details: { amount, currency: "USD" } },
    },
  ]
  const exchangeWritten = (decision: ReturnType<typeof paid>) =>
    (decision.changes?.updates ?? []).flatMap(({ data }) => ("exchange" in data ? [data.exchange] : []))

  it("starts the payment where it is the quote's amount", () => {
    for (const amount of [undefined, 400]) {
      const decision = paid({ amount })
      expect(decision).toMatchObject({ status: 200, body: { status: "PROCESSING" } })
      expect(written(decision.changes)).toMatchObject({
        statuses: ["PROCESSING", "PROCESSING"],
        events: outgoingEvents("PROCESSING"),
        jobs: [pushed],
      })
      expect(decision.changes?.inserts).toMatchObject(audit(400))
      expect(decision.changes?.validUntil).toBe(expiresAt)
      expect(exchangeWritten(decision)).toEqual([{ ...waiting.transaction.data.exchange, fundedAt: now }])
    }
  })

  it("stores the hash of the payer's transaction: the one of the payment, otherwise the one that arrived", () => {
    expect(exchangeWritten(paid({ transactionHash: "0xa" }, {}, "0xb"))).toMatchObject([{ transactionHash: "0xa" }])
    expect(exchangeWritten(paid({}, {}, "0xb"))).toMatchObject([{ transactionHash: "0xb" }])
  })

  it.each([399, 401, 0])("of another amount fails the payment and is returned: %s", (amount) => {
    const decision = paid({ amount })
    expect(decision).toMatchObject({ status: 200, body: { status: "FAILED" } })
    expect(written(decision.changes).jobs).toEqual([])
    expect(written(decision.changes).events).toContain("OUTGOING_PAYMENT.FAILED")
    expect(exchangeWritten(decision)).toMatchObject([{ fundedAt: now, mismatch: amount }])
    expect(decision.changes?.inserts).toMatchObject(audit(amount))
    expect(decision.changes?.validUntil).toBe(expiresAt)
  })

  it.each<[string, ReturnType<typeof paid>, object]>([
    ["no payer", paid({ currency: "EUR" }, { quote: quoteOf() }), refusal("INVALID_INPUT", "NOT_SENT_BY_PAYER")],
    [
      "a payer of another currency, expired or not",
      paid({ currency: "EUR" }, { quote: quoteOf({ ...push, expiresAt: now }) }),
      { refusal: { code: "INVALID_CURRENCY", details: { sendingCurrency: "USD" } }, changes: {} },
    ],
    [
      "an end now",
      paid({}, { quote: quoteOf({ ...push, expiresAt: now }) }),
      refusal("INVALID_INPUT", "QUOTE_EXPIRED"),
    ],
    [
      "a challenge that is open",
      paid({}, { quote: quoteOf({ ...push, status: "PENDING_AUTHORIZATION", challenge: challengeOf() }) }),
      refusal("INVALID_INPUT", "AUTHORIZATION_PENDING"),
    ],
    [
      "its money already",
      paid({}, { quote: quoteOf({ ...push, status: "PROCESSING" }) }),
      refusal("INVALID_INPUT", "QUOTE_ALREADY_EXECUTED"),
    ],
  ])("is refused for a quote with %s", (_, decision, expected) => {
    expect(decision).toMatchObject(expected)
    expect(decision.changes).toEqual({})
  })

  it("is screened only where it arrives on a chain", () => {
    expect(arrivedOnChain(recordsOf(waiting))).toBeUndefined()
    const onChain = recordsOf({ transaction: paymentOf({}, { funding: "PUSH", network: "BASE" }) })
    const arrived = { transactionId: onChain.transaction.id, currency: "USD", source: { cryptoNetwork: "BASE" } }
    expect(arrivedOnChain(onChain)).toEqual({ ...arrived, amount: 400 })
    expect(arrivedOnChain(onChain, 7)).toEqual({ ...arrived, amount: 7 })
  })
})
