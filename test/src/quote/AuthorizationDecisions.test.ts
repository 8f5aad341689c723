/**
 * What an answer to a quote's challenge writes, and a code that is sent again.
 * Source: wire contract 5.5 and 5.12; D-086, D-129, D-334.
 */
import type { Quote } from "@countersign/core/models"
import type { Stored } from "@countersign/core/store"
import { describe, expect, it } from "vitest"
import {
  authorizeQuote,
  openChallenge,
  resendCode,
} from "../../../packages/core/src/decision/quote/QuoteAuthorizationDecision.ts"
import type { QuoteRecords } from "../../../packages/core/src/decision/quote/QuoteExecutionDecision.ts"
import { emptyProfile, type ScaProfile } from "../../../packages/core/src/model/sca/ScaProfile.ts"
import type { OutgoingTransaction } from "../../../packages/core/src/model/transaction/Transaction.ts"
import { shortOfFunds } from "../../../packages/core/src/model/transaction/TransferRules.ts"
import { changesOf, contextOf, now, owner, written } from "../transaction/StoredTransactions.ts"
import { type Challenge, challenge, customer, minute, quoteOf, recordsOf } from "./StoredQuotes.ts"

describe("an answer to a quote's challenge", () => {
  const profile: ScaProfile = {
    ...emptyProfile,
    factors: [{ factor: "PASSKEY", credentialId: "p" }],
    failedAttempts: 3,
  }
  const storedProfile: Stored<"ScaProfile"> = {
    ...owner,
    kind: "ScaProfile",
    id: "Customer:1",
    version: 6,
    createdAt: 1,
    updatedAt: 1,
    data: profile,
  }
  const pending = (more: Partial<Challenge> = {}, quote: Partial<Quote> = {}) =>
    quoteOf("PENDING_AUTHORIZATION", { challenge: { ...challenge, ...more }, ...quote })
  const answered = (
    isRight: boolean,
    {
      isPasskey = false,
      isStored = true,
      quote = pending(),
      records = {},
      sca = profile,
      status = "PENDING_AUTHORIZATION",
    }: {
      readonly isPasskey?: boolean
      readonly isStored?: boolean
      readonly quote?: Stored<"Quote">
      readonly records?: Partial<QuoteRecords>
      readonly sca?: ScaProfile
      readonly status?: OutgoingTransaction["status"]
    } = {},
  ) =>
    authorizeQuote({ challengeId: "ScaChallenge:2", isPasskey })(
      {
        isRight,
        passkeyChallenge: undefined,
        records: recordsOf(quote, { status }, records),
        sca: { customer, profile: sca, stored: isStored ? { ...storedProfile, data: sca } : undefined },
      },
      contextOf(),
    )
  const profilesIn = (decision: ReturnType<typeof answered>) => {
    const { inserts = [], updates = [] } = changesOf(decision)
    return [...inserts.map((each) => ["insert", each] as const), ...updates.map((each) => ["update", each] as const)]
      .filter(([, { kind }]) => kind === "ScaProfile")
      .map(([how, { data }]) => [how, data])
  }

  it("that is wrong counts as a failure, and depends on the quote", () => {
    for (const isStored of [true, false]) {
      const decision = answered(false, { isStored })
      expect(decision).toMatchObject({ refusal: { code: "INVALID_INPUT", details: { errors: [{ field: "code" }] } } })
      expect(profilesIn(decision)).toEqual([[isStored ? "update" : "insert", { ...profile, failedAttempts: 4 }]])
      expect(changesOf(decision).guards?.map(({ id }) => id)).toEqual(["Customer:1", "Quote:1"])
      expect(written(changesOf(decision)).statuses).toEqual([])
    }
    const locking = answered(false, { sca: { ...profile, failedAttempts: 4 } })
    expect(profilesIn(locking)).toEqual([["update", { ...profile, failedAttempts: 5, lockedUntil: now + 15 * minute }]])
  })

  it("that is right starts the execution, within the time of the challenge, and ends the failures", () => {
    const decision = answered(true)
    expect(decision).toMatchObject({ status: 200, body: { id: "Quote:1", status: "PROCESSING" } })
    expect(decision).not.toHaveProperty("body.scaChallenge")
    expect(written(changesOf(decision)).statuses).toEqual(["PROCESSING", "PROCESSING"])
    expect(profilesIn(decision)).toEqual([["update", { ...profile, failedAttempts: 0 }]])
    expect(changesOf(decision).validUntil).toBe(challenge.expiresAt)
    expect(changesOf(decision).guards?.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["InternalAccount", "ExternalAccount", "Customer"]),
    )
  })

  it("ends with its quote, where that ends earlier", () => {
    const decision = answered(true, { quote: pending({}, { expiresAt: now + minute }) })
    expect(changesOf(decision).validUntil).toBe(now + minute)
  })

  it("that is right is followed by the next challenge", () => {
    const decision = answered(true, { quote: pending({ remaining: ["q", "r"] }) })
    expect(decision).toMatchObject({ status: 200, body: { status: "PENDING_AUTHORIZATION" } })
    const [quote] = (changesOf(decision).updates ?? []).filter(({ kind }) => kind === "Quote").map(({ data }) => data)
    expect(quote).toMatchObject({
      challenge: {
        id: "ScaChallenge:2",
        factor: "SMS_OTP",
        purpose: "q",
        remaining: ["r"],
        resends: 0,
        expiresAt: now + 5 * minute,
      },
    })
    expect(changesOf(decision).codeSends).toHaveLength(1)
  })

  it("that is right shows a payer where to send the money", () => {
    const quote = pending({}, { funding: "PUSH" })
    expect(answered(true, { quote, records: { available: 0 } })).toMatchObject({
      status: 200,
      body: { status: "PENDING" },
    })
  })

  it("that is right clears no failure where the money is short, and leaves the challenge", () => {
    const short = answered(true, { records: { available: 399 } })
    expect(short).toMatchObject({ _tag: "Refuse", refusal: shortOfFunds })
    expect(profilesIn(short)).toEqual([["update", profile]])
    expect(written(changesOf(short)).statuses).toEqual([])
  })

  it.each<[what: string, given: Parameters<typeof answered>[1], refusal: object]>([
    [
      "to a challenge of another factor",
      { isPasskey: true },
      { code: "INVALID_INPUT", details: { errors: [{ field: "code" }] } },
    ],
    [
      "by a code to a passkey's challenge",
      { quote: pending({ factor: "PASSKEY" }) },
      { details: { errors: [{ field: "passkeyAssertion" }] } },
    ],
    ["of a customer who is locked out", { sca: { ...profile, lockedUntil: now + 1 } }, { code: "ACCOUNT_LOCKED" }],
    [
      "to a challenge that has ended",
      { quote: pending({ expiresAt: now }) },
      { details: { reason: "NO_CHALLENGE_PENDING" } },
    ],
    [
      "of a quote that is not challenged",
      { quote: quoteOf("PENDING") },
      { details: { reason: "NO_CHALLENGE_PENDING" } },
    ],
  ])("%s says nothing, and counts nothing", (_, given, refusal) => {
    for (const isRight of [true, false])
      expect(answered(isRight, given)).toMatchObject({ _tag: "Refuse", refusal, changes: {} })
  })

  it("is not needed for a platform's own quote", () => {
    const loaded = { isRight: true, passkeyChallenge: undefined, records: recordsOf(pending()), sca: undefined }
    const decision = authorizeQuote({ challengeId: "c", isPasskey: false })(loaded, contextOf())
    expect(decision).toMatchObject({ refusal: { details: { reason: "NOT_REQUIRED" } }, changes: {} })
  })

  it("is awaited until the challenge ends", () => {
    expect(openChallenge(recordsOf(pending()), challenge.expiresAt - 1)).toEqual(challenge)
    expect(openChallenge(recordsOf(pending()), challenge.expiresAt)).toHaveProperty("code", "CONFLICT")
  })

  it.each<[Partial<Challenge>, object]>([
    [{ factor: "PASSKEY" }, { details: { reason: "NO_CODE_PENDING" } }],
    [{ resends: 5 }, { code: "RATE_LIMITED" }],
    [{ expiresAt: now }, { details: { reason: "NO_CHALLENGE_PENDING" } }],
  ])("is sent no code again: %j", (more, refusal) => {
    expect(resendCode({ records: recordsOf(pending(more)) }, contextOf())).toMatchObject({ refusal, changes: {} })
  })

  it("is sent a code five times more, each of which is counted", () => {
    const decision = resendCode({ records: recordsOf(pending({ resends: 4 })) }, contextOf())
    expect(decision).toMatchObject({ status: 204, body: { challenge: { ...challenge, resends: 5 } } })
    const changes = changesOf(decision)
    expect(changes.updates?.map(({ data }) => data)).toMatchObject([{ challenge: { resends: 5 } }])
    expect([changes.codeSends?.length, changes.validUntil]).toEqual([1, challenge.expiresAt])
    const ofPlatform = { records: recordsOf(pending(), {}, { customer: undefined }) }
    expect(resendCode(ofPlatform, contextOf())).toMatchObject({ refusal: { details: { reason: "NOT_REQUIRED" } } })
  })
})
