/**
 * What logins by strong authentication, factors and resets write, and when they are refused.
 * Source: wire contract 5.12 and B; D-086, D-334, D-380.
 */
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { decideEnrollment, decideRemoval } from "../../../packages/core/src/decision/sca/ScaFactorDecision.ts"
import {
  decideLoginCompletion,
  decideLoginStart,
  decideSecurityEvent,
  openChallengeId,
} from "../../../packages/core/src/decision/sca/ScaLoginDecision.ts"
import {
  decideResetCompletion,
  decideResetStart,
  resetOf,
  toResetStatus,
} from "../../../packages/core/src/decision/sca/ScaResetDecision.ts"
import type { Refusal } from "../../../packages/core/src/foundation/errors/ServiceError.ts"
import type { ScaReset, TwoFactorResetState } from "../../../packages/core/src/model/sca/ScaProfile.ts"
import type { ScaLoginCompleteRequest } from "../../../packages/core/src/model/sca/ScaResource.ts"
import { contextOf, now } from "../card/StoredCards.ts"
import { partsWritten } from "../operation/WrittenParts.ts"
import {
  codeSend,
  customerGuard,
  iso,
  minute,
  notRequired,
  passkey,
  phoneNumber,
  profileOf,
  profileUpdate,
  regions,
  scaOf,
  totp,
  unusedSca,
} from "./StoredSca.ts"

const abroad = scaOf({}, { region: "US" })
const locked = scaOf({ lockedUntil: now + 1 })
const context = contextOf()
const refused = (refusal: object) => ({ _tag: "Refuse", refusal, changes: {} })
const invalid = (field: string, message: string) => ({
  code: "INVALID_INPUT",
  details: { errors: [{ field, message }] },
})

describe("a factor", () => {
  const enrolled = { _tag: "Enrolled", credentialId: "new", recoveryCodes: ["r"] } as const

  it("is stored behind the others, with its name", () => {
    const enrollment = { ...enrolled, name: "Phone" }
    const decision = decideEnrollment("PASSKEY", regions)({ ...scaOf(), enrollment })
    const factor = { factor: "PASSKEY", credentialId: "new", name: "Phone" } as const
    expect(decision).toMatchObject({ status: 200, body: { type: "PASSKEY", factor } })
    expect(partsWritten(decision)).toEqual({
      updates: [profileUpdate(profileOf({ factors: [passkey, factor] }))],
      guards: [customerGuard],
    })
  })

  it("of an app shows its recovery codes, and begins the profile of a customer", () => {
    const decision = decideEnrollment("TOTP", regions)({ ...unusedSca(), enrollment: enrolled })
    expect(decision).toHaveProperty("body", { type: "TOTP", recoveryCodes: ["r"] })
    const factor = { factor: "TOTP", credentialId: "new" }
    expect(partsWritten(decision)).toEqual({
      inserts: [
        {
          platformId: "PlatformConfig:1",
          customerId: "Customer:1",
          kind: "ScaProfile",
          id: "Customer:1",
          data: { factors: [factor], failedAttempts: 0, suspended: false, resets: [] },
        },
      ],
      guards: [customerGuard],
    })
  })

  it("is refused outside of the regions, for a wrong answer, and if it is enrolled already", () => {
    const wrong = { _tag: "Refused", field: "code" } as const
    const again = { ...enrolled, credentialId: "passkey-1" }
    expect(decideEnrollment("TOTP", regions)({ ...abroad, enrollment: undefined })).toMatchObject(refused(notRequired))
    expect(decideEnrollment("TOTP", regions)({ ...scaOf(), enrollment: wrong })).toMatchObject(
      refused(invalid("code", "must be what was asked for")),
    )
    expect(decideEnrollment("PASSKEY", regions)({ ...scaOf(), enrollment: again })).toMatchObject(
      refused({ code: "PASSKEY_ALREADY_ENROLLED" }),
    )
    expect(decideEnrollment("TOTP", regions)({ ...scaOf(), enrollment: again })).toMatchObject(
      refused({ code: "CONFLICT" }),
    )
    expect(() => decideEnrollment("TOTP", regions)({ ...scaOf(), enrollment: undefined })).toThrow("was not asked")
  })

  it("is removed by its id, and an unknown one is not found", () => {
    const decision = decideRemoval("totp-1", regions)(scaOf({ factors: [totp, passkey] }))
    expect(decision).toMatchObject({ status: 204, body: null })
    expect(partsWritten(decision)).toEqual({ updates: [profileUpdate(profileOf())], guards: [customerGuard] })
    expect(decideRemoval("other", regions)(scaOf())).toMatchObject(refused({ code: "REFERENCE_NOT_FOUND" }))
    expect(decideRemoval("passkey-1", regions)(abroad)).toMatchObject(refused(notRequired))
  })
})

describe("a login", () => {
  const challenge = { id: "c", factor: "SMS_OTP", expiresAt: now + 1 } as const
  const open = scaOf({ challenge, failedAttempts: 4, lockedUntil: now })
  const request: ScaLoginCompleteRequest = {
    factor: "SMS_OTP",
    challengeId: "c",
    code: "1",
    endUserIpAddress: "192.0.2.1",
  }
  const openMessage = invalid("challengeId", "must be the open challenge of this factor")

  it("stores its challenge for five minutes, and sends its code", () => {
    const decision = decideLoginStart(
      "c",
      "SMS_OTP",
      regions,
    )(scaOf({ challenge: { ...challenge, id: "old" } }), context)
    expect(decision).toMatchObject({ status: 200, body: { expiresAt: now + 5 * minute, phoneNumber } })
    expect(partsWritten(decision)).toEqual({
      updates: [profileUpdate(profileOf({ challenge: { ...challenge, expiresAt: now + 5 * minute } }))],
      guards: [customerGuard],
      codeSends: [codeSend],
    })
    expect(partsWritten(decideLoginStart("c", "PASSKEY", regions)(scaOf(), context))).not.toHaveProperty("codeSends")
  })

  it("is refused outside of the regions, during a lockout, and by a factor that the customer lacks", () => {
    const started = (sca: typeof open) => decideLoginStart("c", "TOTP", regions)(sca, context)
    expect(started(scaOf({ lockedUntil: now + 1 }, { region: "US" }))).toMatchObject(refused(notRequired))
    expect(started(locked)).toMatchObject(refused({ code: "ACCOUNT_LOCKED" }))
    expect(started(scaOf())).toMatchObject(refused({ details: { reason: "FACTOR_NOT_ENROLLED" } }))
  })

  it.each<[string, typeof open, Partial<ScaLoginCompleteRequest>, object | undefined]>([
    ["the open challenge", open, {}, undefined],
    ["the open challenge without its id", open, { challengeId: null }, undefined],
    ["another challenge", open, { challengeId: "other" }, openMessage],
    ["another factor", open, { factor: "TOTP" }, openMessage],
    ["a challenge that ends now", scaOf({ challenge: { ...challenge, expiresAt: now } }), {}, openMessage],
    ["no challenge", scaOf(), {}, openMessage],
    ["one of a customer who is locked out", scaOf({ challenge, suspended: true }), {}, { code: "ACCOUNT_LOCKED" }],
    ["one outside of the regions", scaOf({ challenge, suspended: true }, { region: "US" }), {}, notRequired],
  ])("answers %s", (_, sca, more, refusal) => {
    const answering = { ...request, ...more } as ScaLoginCompleteRequest
    const found = openChallengeId(sca, answering, regions, now)
    const decision = decideLoginCompletion(answering, regions)({ ...sca, isCorrect: Result.succeed(true) }, context)
    if (refusal === undefined) {
      expect(found).toEqual(Result.succeed("c"))
      return expect(decision).toMatchObject({ status: 200 })
    }
    expect(found).toMatchObject({ failure: refusal })
    expect(decision).toMatchObject(refused(refusal))
  })

  it("by a right answer clears the failures and the challenge, and begins a session of 15 minutes", () => {
    const decision = decideLoginCompletion(request, regions)({ ...open, isCorrect: Result.succeed(true) }, context)
    const sessionExpiresAt = now + 15 * minute
    expect(decision).toMatchObject({
      status: 200,
      body: { status: "AUTHENTICATED", sessionExpiresAt: iso(sessionExpiresAt) },
    })
    expect(partsWritten(decision)).toEqual({
      updates: [profileUpdate(profileOf({ sessionExpiresAt }))],
      guards: [customerGuard],
    })
  })

  it.each(["SMS_OTP", "PASSKEY"] as const)("by a wrong answer is counted: %s", (factor) => {
    const sca = scaOf({ challenge: { ...challenge, factor }, failedAttempts: 4 })
    const wrong = { ...sca, isCorrect: Result.succeed(false) }
    const decision = decideLoginCompletion({ ...request, factor } as ScaLoginCompleteRequest, regions)(wrong, context)
    const field = factor === "PASSKEY" ? "passkeyAssertion" : "code"
    expect(decision).toMatchObject({ _tag: "Refuse", refusal: invalid(field, "must answer the challenge") })
    const failed = { challenge: { ...challenge, factor }, failedAttempts: 5, lockedUntil: now + 15 * minute }
    expect(partsWritten(decision)).toEqual({ updates: [profileUpdate(profileOf(failed))], guards: [customerGuard] })
  })

  it("is refused for what made asking the provider pointless, and counts nothing", () => {
    const refusal: Refusal = { code: "INVALID_INPUT", message: "No." }
    const decision = decideLoginCompletion(request, regions)({ ...open, isCorrect: Result.fail(refusal) }, context)
    expect(decision).toEqual({ _tag: "Refuse", refusal, changes: {} })
  })
})

describe("a security event", () => {
  const challenge = { id: "c", factor: "TOTP", expiresAt: 1 } as const

  it("of a failure is counted, and says until when the customer is locked out", () => {
    const failed = (failedAttempts: number, lockedUntil?: number) => {
      const sca = scaOf({ failedAttempts, ...(lockedUntil === undefined ? {} : { lockedUntil }) })
      return decideSecurityEvent("FAILED_LOGIN_ATTEMPT", regions)(sca, context)
    }
    const body = { eventType: "FAILED_LOGIN_ATTEMPT", suspended: false, lockedUntil: null, failedAttempts: 4 }
    expect(failed(3, now)).toHaveProperty("body", body)
    expect(failed(4)).toHaveProperty("body", { ...body, failedAttempts: 5, lockedUntil: iso(now + 15 * minute) })
    expect(failed(8)).toHaveProperty("body", { ...body, failedAttempts: 9, suspended: true })
    expect(partsWritten(failed(4))).toEqual({
      updates: [profileUpdate(profileOf({ failedAttempts: 5, lockedUntil: now + 15 * minute }))],
      guards: [customerGuard],
    })
  })

  it("of a new password ends a lock, but no suspension", () => {
    const sca = scaOf({ failedAttempts: 5, lockedUntil: now + 1, challenge })
    const changed = decideSecurityEvent("RESET_PASSWORD_COMPLETED", regions)(sca, context)
    expect(changed).toHaveProperty("body", {
      eventType: "RESET_PASSWORD_COMPLETED",
      suspended: false,
      lockedUntil: null,
      failedAttempts: 0,
    })
    expect(partsWritten(changed)).toEqual({ updates: [profileUpdate(profileOf())], guards: [customerGuard] })
    const suspended = scaOf({ failedAttempts: 9, suspended: true })
    const locks = { code: "ACCOUNT_LOCKED" }
    expect(decideSecurityEvent("RESET_PASSWORD_COMPLETED", regions)(suspended, context)).toMatchObject(refused(locks))
    expect(decideSecurityEvent("FAILED_LOGIN_ATTEMPT", regions)(locked, context)).toMatchObject(refused(locks))
    expect(decideSecurityEvent("RESET_PASSWORD_COMPLETED", regions)(abroad, context)).toMatchObject(
      refused(notRequired),
    )
  })
})

describe("a reset", () => {
  const hour = 60 * minute
  const day = 24 * hour
  const resetAt = (startedAt: number, more: Partial<ScaReset> = {}): ScaReset => ({
    resetId: `r${startedAt}`,
    factor: "PASSKEY",
    startedAt,
    expiresAt: startedAt + hour,
    ...more,
  })
  const started = (resets: ReadonlyArray<ScaReset>, sca = scaOf({ resets })) =>
    decideResetStart("new", "PASSKEY", regions)(sca, context)

  it("can be completed for an hour, and drops resets of more than a day", () => {
    const recent = resetAt(now - day + 1)
    const decision = started([resetAt(now - day), recent])
    const reset = { resetId: "new", factor: "PASSKEY", startedAt: now, expiresAt: now + hour } as const
    expect(decision).toMatchObject({ status: 201, body: reset })
    expect(partsWritten(decision)).toEqual({
      updates: [profileUpdate(profileOf({ resets: [recent, reset] }))],
      guards: [customerGuard],
    })
  })

  it("is the fifth of a day at most", () => {
    const [oldest, ...others] = [5, 4, 3, 2, 1].map((ago) => resetAt(now - day + 6000 - ago * 1000))
    expect(started(others)).toMatchObject({ status: 201 })
    expect(started([...(oldest === undefined ? [] : [oldest]), ...others])).toMatchObject(
      refused({
        code: "RATE_LIMITED",
        details: { reason: "FACTOR_RESETS", limit: 5, windowSeconds: 86_400, retryAfterSeconds: 1 },
      }),
    )
    expect(started([resetAt(now - day), ...others])).toMatchObject({ status: 201 })
  })

  it("is refused outside of the regions, and of a factor that the customer lacks", () => {
    expect(started([], abroad)).toMatchObject(refused(notRequired))
    expect(started([], scaOf({ factors: [totp] }))).toMatchObject(
      refused({ details: { reason: "FACTOR_NOT_ENROLLED" } }),
    )
  })

  it.each<[Partial<ScaReset>, TwoFactorResetState | undefined, object]>([
    [{}, undefined, { status: "INITIATED" }],
    [{}, "PENDING_REVIEW", { status: "PENDING_REVIEW" }],
    [{ expiresAt: now }, "LIVENESS_PASSED", { status: "EXPIRED", expiresAt: iso(now) }],
    [
      { expiresAt: now, completedAt: now - 1000 },
      "REJECTED",
      { status: "COMPLETED", enrollmentStatus: "COMPLETED", expiresAt: iso(now), completedAt: iso(now - 1000) },
    ],
    [
      { factor: "TOTP", completedAt: now },
      undefined,
      { status: "COMPLETED", factor: "TOTP", enrollmentStatus: "PENDING", completedAt: iso(now) },
    ],
  ])("%j in the provider's state %s is shown", (more, providerState, shown) => {
    const reset = resetAt(now, more)
    expect(toResetStatus(scaOf(), reset, { providerState }, now)).toEqual({
      factor: "PASSKEY",
      expiresAt: iso(now + hour),
      ...shown,
    })
  })

  const open = [resetAt(1), resetAt(2, { factor: "SMS_OTP", expiresAt: now + 1 }), resetAt(3, { expiresAt: now + 1 })]
  const sca = scaOf({ factors: [totp, passkey], resets: open }, { contactVerification: { phone: "VERIFIED" } })
  const completed = (
    resetId: string,
    mobile: { countryCode: string; number: string } | undefined = undefined,
    providerState: TwoFactorResetState | undefined = "LIVENESS_PASSED",
  ) => decideResetCompletion(resetId, mobile, regions)({ ...sca, providerState }, context)
  const withCompleted = (index: number) =>
    open.map((reset, at) => (at === index ? { ...reset, completedAt: now } : reset))

  it("removes its factor at its completion, and keeps the telephone number", () => {
    expect(resetOf(sca, "r3")).toEqual(open[2])
    const decision = completed("r3", { countryCode: "+49", number: "1" })
    expect(decision).toMatchObject({ status: 204, body: null })
    expect(partsWritten(decision)).toEqual({
      updates: [profileUpdate(profileOf({ factors: [totp], resets: withCompleted(2) }))],
      guards: [customerGuard],
    })
  })

  it("of the telephone replaces the number, which the customer confirms again", () => {
    const decision = completed("r2", { countryCode: "+44", number: "7700900000" })
    const { data } = sca.customer
    const { guards, updates } = partsWritten(decision)
    expect(updates).toEqual([
      profileUpdate(profileOf({ factors: [totp, passkey], resets: withCompleted(1) })),
      {
        ...customerGuard,
        data: { ...data, phoneNumber: "+447700900000", contactVerification: { phone: "PENDING" } },
      },
    ])
    expect(guards).toEqual([customerGuard])
  })

  it.each<[string, ReturnType<typeof completed>, object]>([
    ["an unknown one", completed("r9"), { code: "REFERENCE_NOT_FOUND" }],
    ["an expired one", completed("r1"), { code: "CONFLICT", message: "The reset is EXPIRED, not LIVENESS_PASSED." }],
    ["one in review", completed("r3", undefined, "PENDING_REVIEW"), { details: { reason: "RESET_NOT_PASSED" } }],
    ["that of a telephone without a number", completed("r2"), invalid("mobile", "is required when SMS_OTP is reset")],
    [
      "one outside of the regions",
      decideResetCompletion("r3", undefined, regions)({ ...abroad, providerState: "LIVENESS_PASSED" }, context),
      notRequired,
    ],
  ])("is not completed: %s", (_, decision, refusal) => {
    expect(decision).toMatchObject(refused(refusal))
  })
})
