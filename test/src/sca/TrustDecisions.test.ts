/**
 * What a request to trust an external account and its confirmation write, and when they are refused.
 * Source: wire contract areas 1.3; D-334, D-381.
 */
import { describe, expect, it } from "vitest"
import {
  answeredRequest,
  confirmTrust,
  factorOf,
  startTrust,
  type TrustLoaded,
  type TrustStartAsked,
  trustRefusal,
} from "../../../packages/core/src/decision/sca/BeneficiaryTrustDecision.ts"
import type { ExternalAccount } from "../../../packages/core/src/model/account/ExternalAccount.ts"
import type { TrustPurpose, TrustRequest } from "../../../packages/core/src/model/sca/BeneficiaryTrust.ts"
import type { BeneficiaryTrustConfirmRequest } from "../../../packages/core/src/model/sca/BeneficiaryTrustResource.ts"
import { contextOf, now } from "../card/StoredCards.ts"
import { partsWritten } from "../operation/WrittenParts.ts"
import { externalOf } from "../quote/CreationFacts.ts"
import {
  codeSend,
  customerGuard,
  iso,
  minute,
  passkey,
  profileOf,
  profileUpdate,
  regions,
  scaOf,
  totp,
  unusedSca,
} from "./StoredSca.ts"

const callOf = (purpose: TrustPurpose = "BENEFICIARY_TRUST") => ({ purpose, regions })
const profileGuard = { kind: "ScaProfile", id: "Customer:1", version: 7 }
const accountGuard = { kind: "ExternalAccount", id: "ExternalAccount:b", version: 1 }
const loadedOf = (account: Partial<ExternalAccount> = {}, sca = scaOf()): TrustLoaded => ({
  account: externalOf("Customer:1", account),
  sca,
})
const accountUpdate = (data: object, stored: Partial<ExternalAccount> = {}) => ({
  ...accountGuard,
  data: { ...externalOf("Customer:1", stored).data, ...data },
})

describe("a change of trust", () => {
  it.each<[string, TrustLoaded, TrustPurpose, object | undefined]>([
    ["of an active account", loadedOf(), "BENEFICIARY_TRUST", undefined],
    [
      "outside of the regions",
      loadedOf({ status: "INACTIVE" }, scaOf({ suspended: true }, { region: "US" })),
      "BENEFICIARY_TRUST",
      { code: "CONFLICT", details: { reason: "SCA_NOT_REQUIRED" } },
    ],
    [
      "of a customer who is locked out",
      loadedOf({ status: "INACTIVE" }, scaOf({ lockedUntil: now + 1, sessionExpiresAt: now })),
      "BENEFICIARY_TRUST",
      { code: "ACCOUNT_LOCKED" },
    ],
    ["at the end of a lock", loadedOf({}, scaOf({ lockedUntil: now })), "BENEFICIARY_TRUST", undefined],
    [
      "at the end of the session",
      loadedOf({ status: "INACTIVE" }, scaOf({ sessionExpiresAt: now })),
      "BENEFICIARY_TRUST",
      { code: "SCA_SESSION_REQUIRED" },
    ],
    [
      "of an account that is not active",
      loadedOf({ status: "INACTIVE" }),
      "BENEFICIARY_TRUST",
      { code: "CONFLICT", details: { reason: "ACCOUNT_NOT_ACTIVE", status: "INACTIVE" } },
    ],
    [
      "that ends it for an account that is not active",
      loadedOf({ status: "INACTIVE" }),
      "BENEFICIARY_UNTRUST",
      undefined,
    ],
  ])("%s", (_, loaded, purpose, refusal) => {
    const call = callOf(purpose)
    const refused = trustRefusal(loaded, call, now)
    if (refusal === undefined) return expect(refused).toBeUndefined()
    expect(refused).toMatchObject(refusal)
    const asked = { requiresChallenge: true, passkeyChallenge: undefined, isRight: true }
    for (const decided of [startTrust("c", call), confirmTrust({ code: "1" }, call)])
      expect(decided({ ...loaded, ...asked }, contextOf())).toEqual({ _tag: "Refuse", refusal: refused, changes: {} })
  })

  it("is answered by text message, unless only a passkey can", () => {
    expect(factorOf(scaOf())).toBe("SMS_OTP")
    expect(factorOf(unusedSca())).toBe("SMS_OTP")
    const { customer, ...rest } = scaOf()
    const { phoneNumber: _phone, ...data } = customer.data
    const silent = { ...rest, customer: { ...customer, data } }
    expect(factorOf(silent)).toBe("PASSKEY")
    expect(factorOf({ ...silent, profile: profileOf({ factors: [totp] }) })).toBe("SMS_OTP")
  })
})

const withoutTelephone = (): TrustLoaded["sca"] => {
  const { customer, ...rest } = scaOf({ factors: [totp, passkey] })
  const { phoneNumber: _phone, ...data } = customer.data
  return { ...rest, customer: { ...customer, data } }
}

describe("a request to trust an account", () => {
  const started = (
    loaded: TrustLoaded,
    asked: Partial<TrustStartAsked> = {},
    purpose: TrustPurpose = "BENEFICIARY_TRUST",
  ) =>
    startTrust("ScaChallenge:1", callOf(purpose))(
      { ...loaded, requiresChallenge: true, passkeyChallenge: undefined, ...asked },
      contextOf(),
    )
  const expiresAt = now + 5 * minute
  const shown = { id: "ScaChallenge:1", expiresAt: iso(expiresAt) }

  it("stores the challenge for five minutes and sends its code", () => {
    const decision = started(loadedOf())
    expect(decision).toMatchObject({ _tag: "Answer", status: 200 })
    expect(decision).toHaveProperty("body", {
      scaChallenge: {
        ...shown,
        factor: "SMS_OTP",
        availableFactors: ["SMS_OTP", "PASSKEY"],
        purpose: "BENEFICIARY_TRUST",
      },
    })
    const challenge = { id: "ScaChallenge:1", factor: "SMS_OTP" }
    expect(partsWritten(decision)).toEqual({
      updates: [accountUpdate({ trustRequest: { purpose: "BENEFICIARY_TRUST", expiresAt, challenge } })],
      guards: [customerGuard, profileGuard],
      codeSends: [codeSend],
    })
  })

  it("shows what a passkey needs, and sends no code", () => {
    const loaded = loadedOf({ isTrusted: true }, withoutTelephone())
    const passkeyChallenge = { passkeyOptions: { challenge: "x" }, allowedOrigins: ["https://a.example"] }
    const decision = started(loaded, { passkeyChallenge }, "BENEFICIARY_UNTRUST")
    expect(decision).toHaveProperty("body", {
      scaChallenge: {
        ...shown,
        factor: "PASSKEY",
        availableFactors: ["PASSKEY"],
        purpose: "BENEFICIARY_UNTRUST",
        passkeyAssertionOptions: { challenge: "x" },
        passkeyAllowedOrigins: ["https://a.example"],
      },
    })
    const trustRequest = {
      purpose: "BENEFICIARY_UNTRUST",
      expiresAt,
      challenge: { id: "ScaChallenge:1", factor: "PASSKEY" },
    }
    expect(partsWritten(decision)).toEqual({
      updates: [accountUpdate({ isTrusted: true, trustRequest })],
      guards: [customerGuard, profileGuard],
    })
  })

  it("stores a request without a challenge where the provider requires none, whatever factors the customer has", () => {
    const sca = { ...unusedSca(), profile: profileOf({ factors: [] }) }
    const decision = started(loadedOf({}, sca), { requiresChallenge: false })
    expect(decision).toMatchObject({ status: 200, body: {} })
    expect(decision).toHaveProperty("body", {})
    expect(partsWritten(decision)).toEqual({
      updates: [accountUpdate({ trustRequest: { purpose: "BENEFICIARY_TRUST", expiresAt } })],
      guards: [customerGuard],
    })
  })

  it("is refused to a customer who has no factor", () => {
    const sca = withoutTelephone()
    const loaded = loadedOf({}, { ...sca, profile: profileOf({ factors: [totp] }) })
    expect(started(loaded)).toMatchObject({ refusal: { details: { reason: "FACTOR_NOT_ENROLLED" } }, changes: {} })
    expect(started(loaded, { requiresChallenge: false })).toMatchObject({ status: 200 })
  })

  it("writes nothing where the account already is what is asked for", () => {
    for (const [account, purpose] of [
      [{ isTrusted: true }, "BENEFICIARY_TRUST"],
      [{}, "BENEFICIARY_UNTRUST"],
    ] as const) {
      const decision = started(loadedOf(account), {}, purpose)
      expect(decision).toMatchObject({ status: 200, body: {} })
      expect(partsWritten(decision)).toEqual({})
    }
  })
})

const requestOf = (more: Partial<TrustRequest> = {}): TrustRequest => ({
  purpose: "BENEFICIARY_TRUST",
  expiresAt: now + 1,
  challenge: { id: "ScaChallenge:1", factor: "SMS_OTP" },
  ...more,
})
const unproven: TrustRequest = { purpose: "BENEFICIARY_TRUST", expiresAt: now + 1 }
const byPasskey = requestOf({ challenge: { id: "ScaChallenge:1", factor: "PASSKEY" } })
const right = { challengeId: "ScaChallenge:1", code: "123456" }
const assertion = { challengeId: "ScaChallenge:1", passkeyAssertion: { id: "x" }, origin: "https://a.example" }
const invalid = (field: string, message: string, reason?: string) => ({
  code: "INVALID_INPUT",
  details: { errors: [{ field, message }], ...(reason === undefined ? {} : { reason }) },
})
const nothingOpen = { code: "CONFLICT", details: { reason: "NO_CHALLENGE_PENDING" } }

describe("the request that a confirmation answers", () => {
  it.each<[string, TrustRequest | undefined, BeneficiaryTrustConfirmRequest, object]>([
    ["an open one", requestOf(), right, { open: requestOf() }],
    ["one by passkey", byPasskey, assertion, { open: byPasskey }],
    ["one without a challenge, by any proof", unproven, { code: "0" }, { open: unproven }],
    [
      "no proof at all",
      undefined,
      { challengeId: "ScaChallenge:1", code: null, passkeyAssertion: null },
      invalid("code", "exactly one of code and passkeyAssertion is required"),
    ],
    ["nothing", undefined, right, nothingOpen],
    ["one of the other purpose", requestOf({ purpose: "BENEFICIARY_UNTRUST" }), right, nothingOpen],
    [
      "one that has ended",
      requestOf({ expiresAt: now }),
      { ...right, challengeId: "other" },
      invalid("challengeId", "has expired: start again for a new challenge", "CHALLENGE_EXPIRED"),
    ],
    [
      "an ended one without a challenge",
      { ...unproven, expiresAt: now },
      right,
      invalid("challengeId", "has expired: start again for a new challenge", "CHALLENGE_EXPIRED"),
    ],
    [
      "another challenge",
      requestOf(),
      { ...right, challengeId: "other" },
      invalid("challengeId", "must be the id of the open challenge", "CHALLENGE_MISMATCH"),
    ],
    [
      "a challenge that is not named",
      requestOf(),
      { code: "123456" },
      invalid("challengeId", "must be the id of the open challenge", "CHALLENGE_MISMATCH"),
    ],
    ["a code by a passkey", requestOf(), assertion, invalid("code", "is what answers a challenge by SMS_OTP")],
    ["a passkey by a code", byPasskey, right, invalid("passkeyAssertion", "is what answers a challenge by PASSKEY")],
  ])("%s", (_, trustRequest, request, expected) => {
    const loaded = loadedOf(trustRequest === undefined ? {} : { trustRequest })
    const answered = answeredRequest(loaded, callOf(), request, now)
    expect(answered).toMatchObject(expected)
    if ("open" in answered) return expect(answered).toEqual(expected)
    expect(Object.hasOwn(answered.details ?? {}, "reason")).toBe(Object.hasOwn(Object(expected).details, "reason"))
    expect(confirmTrust(request, callOf())({ ...loaded, isRight: true }, contextOf())).toEqual({
      _tag: "Refuse",
      refusal: answered,
      changes: {},
    })
  })

  it("does not exist where the account already is what is asked for", () => {
    const loaded = loadedOf({ isTrusted: true, trustRequest: requestOf() })
    expect(answeredRequest(loaded, callOf(), {}, now)).toEqual({ open: undefined })
    const decision = confirmTrust({}, callOf())({ ...loaded, isRight: false }, contextOf())
    expect(decision).toMatchObject({ status: 200, body: { trusted: true } })
    expect(partsWritten(decision)).toEqual({})
    expect(
      confirmTrust({}, callOf("BENEFICIARY_UNTRUST"))({ ...loadedOf(), isRight: false }, contextOf()),
    ).toMatchObject({ status: 200, body: { trusted: false }, changes: {} })
  })
})

describe("the confirmation of a request", () => {
  const auditOf = (operation: TrustPurpose, outcome: string, details: object) => ({
    platformId: "PlatformConfig:1",
    customerId: "Customer:1",
    kind: "AuditRecord",
    id: expect.stringContaining("AuditRecord:"),
    data: {
      actor: { type: "SERVICE" },
      operation,
      target: "ExternalAccount:b",
      outcome,
      requestId: "Request:1",
      details,
    },
  })
  const profile = { failedAttempts: 4, lockedUntil: now - 1 }
  const login = { id: "login", factor: "TOTP", expiresAt: now + 1 } as const

  it("trusts the account, clears the failures and leaves a login in progress", () => {
    const loaded = loadedOf({ trustRequest: requestOf() }, scaOf({ ...profile, challenge: login }))
    const decision = confirmTrust(right, callOf())({ ...loaded, isRight: true }, contextOf())
    expect(decision).toMatchObject({ _tag: "Answer", status: 200, body: { trusted: true } })
    expect(partsWritten(decision)).toEqual({
      updates: [profileUpdate(profileOf({ challenge: login })), accountUpdate({ isTrusted: true })],
      guards: [customerGuard, customerGuard, profileGuard],
      inserts: [auditOf("BENEFICIARY_TRUST", "DONE", { factor: "SMS_OTP" })],
      validUntil: now + 1,
    })
  })

  it("ends the trust, also by a passkey and for a customer without a profile", () => {
    const trustRequest = { ...byPasskey, purpose: "BENEFICIARY_UNTRUST" } as const
    const stored = { isTrusted: true, trustRequest } as const
    const sca = { ...unusedSca(), profile: profileOf() }
    const decision = confirmTrust(assertion, callOf("BENEFICIARY_UNTRUST"))(
      { ...loadedOf(stored, sca), isRight: true },
      contextOf(),
    )
    expect(decision).toMatchObject({ status: 200, body: { trusted: false } })
    const { inserts, updates, validUntil, guards } = partsWritten(decision)
    expect(updates).toEqual([accountUpdate({})])
    expect(inserts?.map(({ kind }) => kind)).toEqual(["ScaProfile", "AuditRecord"])
    expect(inserts?.[1]).toEqual(auditOf("BENEFICIARY_UNTRUST", "DONE", { factor: "PASSKEY" }))
    expect([guards, validUntil]).toEqual([[customerGuard, customerGuard], now + 1])
  })

  it("needs no right proof where no challenge was issued, and counts none", () => {
    const loaded = loadedOf({ trustRequest: unproven }, scaOf(profile))
    const decision = confirmTrust({ code: "0" }, callOf())({ ...loaded, isRight: false }, contextOf())
    expect(decision).toMatchObject({ status: 200, body: { trusted: true } })
    expect(partsWritten(decision)).toEqual({
      updates: [accountUpdate({ isTrusted: true })],
      guards: [customerGuard, profileGuard],
      inserts: [auditOf("BENEFICIARY_TRUST", "DONE", { factor: null })],
      validUntil: now + 1,
    })
  })

  it.each([
    [requestOf(), right, "code", "SMS_OTP"],
    [byPasskey, assertion, "passkeyAssertion", "PASSKEY"],
  ] as const)("by a wrong proof is counted towards the lockout: %j", (trustRequest, request, field, factor) => {
    const loaded = loadedOf({ trustRequest }, scaOf(profile))
    const decision = confirmTrust(request, callOf())({ ...loaded, isRight: false }, contextOf())
    expect(decision).toMatchObject({ refusal: invalid(field, "must answer the challenge", "WRONG_CODE") })
    expect(partsWritten(decision)).toEqual({
      updates: [profileUpdate(profileOf({ failedAttempts: 5, lockedUntil: now + 15 * minute }))],
      guards: [customerGuard, accountGuard],
      inserts: [auditOf("BENEFICIARY_TRUST", "REFUSED", { factor, reason: "WRONG_CODE" })],
    })
  })
})
