/** Rule lists of wallets: precedence, boundaries and the counting of wrong codes. Wire contract 4.7, 4.12 and 11 (3). */

import { describe, expect, it } from "vitest"
import { RevocationRules } from "../../../packages/core/src/model/wallet/CredentialRules.ts"
import * as OtpRules from "../../../packages/core/src/model/wallet/OtpRules.ts"
import { SignedRequestRules } from "../../../packages/core/src/model/wallet/SignedRequestRules.ts"
import { provePrecedence, proveRow } from "../../../packages/test/src/proof/RulesProof.ts"

const nothing = {
  hasRequestId: false,
  hasSignature: false,
  isReadable: false,
  isPending: false,
  isBound: false,
  isSigned: false,
  isActive: false,
  isAdmitted: false,
}
const invalid = (reason: string) => ({ code: "WALLET_SIGNATURE_INVALID", details: { reason } })

provePrecedence(SignedRequestRules, {
  broken: nothing,
  steps: [
    ["REQUEST_ID_GIVEN", { hasRequestId: true }, { code: "REQUEST_ID_MISSING" }],
    ["SIGNATURE_GIVEN", { hasSignature: true }, { code: "WALLET_SIGNATURE_MISSING" }],
    ["SIGNATURE_READABLE", { isReadable: true }, { code: "WALLET_SIGNATURE_MALFORMED" }],
    [
      "REQUEST_PENDING",
      { isPending: true },
      { code: "UNAUTHORIZED", details: { reason: "Request id unknown, expired or already used" } },
    ],
    ["REQUEST_SAME", { isBound: true }, { code: "WALLET_SIGNATURE_BODY_MISMATCH" }],
    ["SIGNATURE_VALID", { isSigned: true }, invalid("Invalid wallet signature")],
    ["SESSION_ACTIVE", { isActive: true }, invalid("Session not active")],
    ["SESSION_ADMITTED", { isAdmitted: true }, invalid("Session not admitted")],
  ],
})

const minute = 60_000
const now = 100 * minute
const challenge = {
  challengeId: "c",
  contact: "ada@example.com",
  codeMark: "m",
  expiresAt: now,
  isAnswered: true,
  wrongCodes: 5,
  wrongAt: Array.from({ length: 10 }, (_, index) => now - 14 * minute + index),
}
const facts = { challenge, contact: challenge.contact, now, isCorrect: false }
const reason = (text: string) => ({ code: "UNAUTHORIZED", details: { reason: text } })

provePrecedence(OtpRules.OtpRules, {
  broken: facts,
  steps: [
    [
      "FEW_WRONG_CODES",
      (before) => ({ ...before, challenge: { ...challenge, wrongAt: [] } }),
      { code: "RATE_LIMITED", details: { retryAfterSeconds: 60 } },
    ],
    [
      "CODE_PENDING",
      (before) => ({ ...before, challenge: { ...challenge, wrongAt: [], isAnswered: false, wrongCodes: 4 } }),
      reason("No pending OTP for this credential"),
    ],
    ["CODE_NOT_EXPIRED", { now: now - 1 }, reason("OTP expired")],
    ["CODE_RIGHT", { isCorrect: true }, reason("Invalid OTP code")],
  ],
})

const open = { ...challenge, isAnswered: false, wrongCodes: 0, wrongAt: [], expiresAt: now + 1 }
const at = (ages: ReadonlyArray<number>) => ({
  ...facts,
  challenge: { ...open, wrongAt: ages.map((age) => now - age) },
})

proveRow(OtpRules.OtpRules, "FEW_WRONG_CODES", [
  ["nine", at(Array.from({ length: 9 }, () => 0)), "holds"],
  ["ten", at(Array.from({ length: 10 }, () => 0)), { answer: { details: { retryAfterSeconds: 900 } } }],
  ["ten, the first just out of the window", at([15 * minute, ...Array.from({ length: 9 }, () => 0)]), "holds"],
  ["ten, the first just in it", at([15 * minute - 1, ...Array.from({ length: 9 }, () => 0)]), "fails"],
])

proveRow(OtpRules.OtpRules, "CODE_PENDING", [
  ["open", { ...facts, challenge: open }, "holds"],
  ["none", { ...facts, challenge: undefined }, "fails"],
  ["answered", { ...facts, challenge: { ...open, isAnswered: true } }, "fails"],
  ["four wrong codes", { ...facts, challenge: { ...open, wrongCodes: 4 } }, "holds"],
  ["five wrong codes", { ...facts, challenge: { ...open, wrongCodes: 5 } }, "fails"],
  ["for an earlier address", { ...facts, challenge: { ...open, contact: "old@example.com" } }, "fails"],
])

proveRow(OtpRules.OtpRules, "FEW_WRONG_CODES", [
  ["no code was sent", { ...facts, challenge: undefined }, "holds"],
  ["ten", at(Array.from({ length: 10 }, () => 0)), "fails"],
])

proveRow(OtpRules.OtpRules, "CODE_NOT_EXPIRED", [
  ["a millisecond before its end", { ...facts, challenge: open }, "holds"],
  ["at its end", { ...facts, challenge: { ...open, expiresAt: now } }, "fails"],
  ["no code was sent", { ...facts, challenge: undefined }, "fails"],
])

it("gives a refusal of a signed request details only with a reason", () => {
  const whole = { ...nothing, hasRequestId: true, hasSignature: true, isReadable: true, isPending: true }
  expect(SignedRequestRules.first(nothing)?.refusal).not.toHaveProperty("details")
  expect(SignedRequestRules.first(whole)?.refusal).not.toHaveProperty("details")
  expect(SignedRequestRules.first({ ...whole, isBound: true })?.refusal).toHaveProperty("details")
})

proveRow(RevocationRules, "ANOTHER_STAYS", [
  ["one", { credentials: 1 }, { answer: { code: "INVALID_INPUT", details: { reason: "LAST_CREDENTIAL" } } }],
  ["two", { credentials: 2 }, "holds"],
])

describe("wrong codes", () => {
  it("counts wrong codes per challenge and per window, and a new code keeps those of the window", () => {
    const once = OtpRules.withWrongCode(open, now)
    expect(once).toMatchObject({ wrongCodes: 1, wrongAt: [now] })
    const later = now + 15 * minute
    expect(OtpRules.withWrongCode(once, later)).toMatchObject({ wrongCodes: 2, wrongAt: [later] })
    const issued = { challengeId: "d", contact: "b", codeMark: "n", expiresAt: later }
    expect(OtpRules.newChallenge(once, issued, later - 1)).toEqual({
      ...issued,
      isAnswered: false,
      wrongCodes: 0,
      wrongAt: [now],
    })
    expect(OtpRules.newChallenge(once, issued, later).wrongAt).toEqual([])
    expect(OtpRules.newChallenge(undefined, issued, later).wrongAt).toEqual([])
  })
})
