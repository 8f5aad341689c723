/**
 * What an answer to the challenge of a quote and a code that is sent again write.
 * Source: wire contract 5.5 and 5.12 (lockout); D-086, D-129.
 */
import { describe, expect, it } from "vitest"
import {
  type AuthorizationFacts,
  type AuthorizationRecords,
  authorizeQuote,
  openChallenge,
  resendCode,
} from "../../../packages/core/src/decision/quote/QuoteAuthorizationDecision.ts"
import type { QuoteRecords } from "../../../packages/core/src/decision/quote/QuoteExecutionDecision.ts"
import type { Quote, QuoteChallenge } from "../../../packages/core/src/model/quote/Quote.ts"
import { partsWritten } from "../operation/WrittenParts.ts"
import { codeSend, customerGuard, minute, profileOf, profileUpdate, scaOf, unusedSca } from "../sca/StoredSca.ts"
import { balance, contextOf, jobOf, now, outgoingEvents, owner, written } from "../transaction/StoredTransactions.ts"
import { challengeOf, expiresAt, paymentOf, quoteOf, recordsOf, updatedQuote } from "./StoredQuotes.ts"

const failures = { failedAttempts: 4, lockedUntil: now }
const challenged = (challenge: Partial<QuoteChallenge> = {}, quote: Partial<Quote> = {}): Partial<QuoteRecords> => ({
  quote: quoteOf({ status: "PENDING_AUTHORIZATION", challenge: challengeOf(challenge), ...quote }),
  transaction: paymentOf({ status: "PENDING_AUTHORIZATION" }, { funding: quote.funding ?? "ACCOUNT" }),
})
const refusal = (code: string, reason?: string) => ({
  _tag: "Refuse",
  refusal: { code, ...(reason === undefined ? {} : { details: { reason } }) },
})
const pushed = jobOf("transfer.push", 0, "ExternalAccount:1")
const quoteGuard = { kind: "Quote", id: "Quote:1", version: 2 }
const accountGuards = [
  { kind: "InternalAccount", id: "InternalAccount:1", version: 3 },
  { kind: "ExternalAccount", id: "ExternalAccount:1", version: 3 },
  customerGuard,
]

describe("the answer to the challenge of a quote", () => {
  const answered = (
    records: Partial<QuoteRecords> = challenged(),
    more: Partial<AuthorizationFacts & Pick<AuthorizationRecords, "sca">> = {},
    isPasskey = false,
  ) =>
    authorizeQuote({ challengeId: "ScaChallenge:2", isPasskey })(
      { records: recordsOf(records), sca: scaOf(failures), isRight: true, passkeyChallenge: undefined, ...more },
      contextOf(),
    )
  const cleared = profileUpdate(profileOf())

  it("executes the quote once it is right, and clears the failures", () => {
    const decision = answered()
    expect(decision).toMatchObject({ _tag: "Answer", status: 200, body: { id: "Quote:1", status: "PROCESSING" } })
    expect(written(decision.changes)).toMatchObject({
      statuses: ["PROCESSING", "PROCESSING"],
      events: [...outgoingEvents("PROCESSING"), balance],
      jobs: [pushed],
    })
    expect(decision.changes?.updates?.[0]).toEqual(cleared)
    expect(updatedQuote(decision.changes)).toEqual([quoteOf({ status: "PROCESSING" }).data])
    expect(decision.changes?.guards).toEqual(accountGuards)
    expect(decision.changes?.validUntil).toBe(now + 9000)
    expect(decision.changes?.codeSends).toEqual([])
    const early = answered(challenged({ expiresAt: expiresAt + 1 }))
    expect(early.changes?.validUntil).toBe(expiresAt)
  })

  it("begins the profile of a customer who has none", () => {
    const decision = answered(challenged(), { sca: unusedSca() })
    expect(decision.changes?.inserts).toEqual([
      { ...owner, kind: "ScaProfile", id: "Customer:1", data: unusedSca().profile },
    ])
  })

  it("starts the next challenge, and sends its code", () => {
    const decision = answered(challenged({ remaining: ["PAYOUT", "OTHER"] }), {
      passkeyChallenge: { allowedOrigins: ["https://a.example"] },
    })
    expect(decision).toMatchObject({ status: 200, body: { status: "PENDING_AUTHORIZATION" } })
    const next = challengeOf({
      id: "ScaChallenge:2",
      expiresAt,
      purpose: "PAYOUT",
      remaining: ["OTHER"],
      passkeyAllowedOrigins: ["https://a.example"],
    })
    expect(updatedQuote(decision.changes)).toMatchObject([{ challenge: next }])
    expect(written(decision.changes)).toMatchObject({
      statuses: expect.arrayContaining(["PENDING_AUTHORIZATION"]),
      postings: [],
      jobs: [["quote.end", 60_000, "quote.end:Quote:1", { quoteId: "Quote:1" }]],
    })
    expect(decision.changes?.codeSends).toEqual([codeSend])
    expect(decision.changes?.updates?.[0]).toEqual(cleared)
    const byPasskey = answered(challenged({ factor: "PASSKEY", remaining: ["PAYOUT"] }), {}, true)
    expect(byPasskey.changes?.codeSends).toEqual([])
    expect(updatedQuote(byPasskey.changes)).toMatchObject([{ challenge: { factor: "PASSKEY", remaining: [] } }])
  })

  it("shows a payer what to send, and moves nothing", () => {
    const decision = answered(challenged({}, { funding: "PUSH" }))
    expect(decision).toMatchObject({ status: 200, body: { status: "PENDING" } })
    expect(written(decision.changes)).toMatchObject({ postings: [], jobs: [] })
    expect(updatedQuote(decision.changes)).toEqual([quoteOf({ funding: "PUSH" }).data])
  })

  it("is refused where the account is short of money, and leaves the failures counted", () => {
    const decision = answered({ ...challenged(), available: 399 })
    expect(decision).toMatchObject(refusal("INVALID_INPUT", "INSUFFICIENT_FUNDS"))
    expect(partsWritten(decision)).toEqual({ updates: [profileUpdate(profileOf(failures))] })
    expect(answered({ ...challenged(), available: 400 })).toMatchObject({ status: 200 })
  })

  it.each([
    ["SMS_OTP", "code"],
    ["PASSKEY", "passkeyAssertion"],
  ] as const)("that is wrong is counted towards the lockout: %s", (factor, field) => {
    const decision = answered(challenged({ factor }), { isRight: false }, factor === "PASSKEY")
    expect(decision).toMatchObject({
      refusal: { code: "INVALID_INPUT", details: { errors: [{ field, message: "must answer the challenge" }] } },
    })
    expect(partsWritten(decision)).toEqual({
      updates: [profileUpdate(profileOf({ failedAttempts: 5, lockedUntil: now + 15 * minute }))],
      guards: [customerGuard, quoteGuard],
    })
  })

  it.each<[string, ReturnType<typeof answered>, object]>([
    ["a platform", answered(challenged(), { sca: undefined }), refusal("CONFLICT", "NOT_REQUIRED")],
    [
      "a customer who is locked out, whatever is open",
      answered({}, { sca: scaOf({ lockedUntil: now + 1 }) }),
      refusal("ACCOUNT_LOCKED"),
    ],
    ["nothing", answered({}), refusal("CONFLICT", "NO_CHALLENGE_PENDING")],
    ["an ended challenge", answered(challenged({ expiresAt: now })), refusal("CONFLICT", "NO_CHALLENGE_PENDING")],
    [
      "a code by a passkey",
      answered(challenged(), {}, true),
      { refusal: { details: { errors: [{ field: "code", message: "is what answers a challenge by SMS_OTP" }] } } },
    ],
    [
      "a passkey by a code",
      answered(challenged({ factor: "PASSKEY" }), { isRight: false }),
      { refusal: { details: { errors: [{ field: "passkeyAssertion" }] } } },
    ],
  ])("is refused: that of %s", (_, decision, expected) => {
    expect(decision).toMatchObject(expected)
    expect(decision.changes).toEqual({})
  })

  it("finds the open challenge only while the quote waits for it", () => {
    expect(openChallenge(recordsOf(challenged()), now)).toEqual(challengeOf())
    const notOpen = refusal("CONFLICT", "NO_CHALLENGE_PENDING").refusal
    for (const quote of [quoteOf({ challenge: challengeOf() }), quoteOf({ status: "PENDING_AUTHORIZATION" })])
      expect(openChallenge(recordsOf({ quote }), now)).toMatchObject(notOpen)
  })
})

describe("the code of a quote", () => {
  const resent = (records: Partial<QuoteRecords>) => resendCode({ records: recordsOf(records) }, contextOf())

  it("is sent again five times at most, and counted", () => {
    const challenge = challengeOf({ resends: 5 })
    const decision = resent(challenged({ resends: 4 }))
    expect(decision).toMatchObject({ status: 204, body: { customer: recordsOf().customer, challenge } })
    expect(partsWritten(decision)).toEqual({
      updates: [{ ...quoteGuard, data: quoteOf({ status: "PENDING_AUTHORIZATION", challenge }).data }],
      codeSends: [codeSend],
      validUntil: now + 9000,
    })
    expect(resent(challenged({ resends: 5 }))).toMatchObject({ ...refusal("RATE_LIMITED"), changes: {} })
  })

  it.each<[Partial<QuoteRecords>, string]>([
    [{ ...challenged(), customer: undefined }, "NOT_REQUIRED"],
    [{}, "NO_CHALLENGE_PENDING"],
    [challenged({ expiresAt: now }), "NO_CHALLENGE_PENDING"],
    [challenged({ factor: "PASSKEY", resends: 5 }), "NO_CODE_PENDING"],
  ])("is not sent again: case %#", (records, reason) => {
    expect(resent(records)).toMatchObject({ ...refusal("CONFLICT", reason), changes: {} })
  })
})
