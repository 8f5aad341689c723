/** Lockout after failed attempts, and the factors of a customer. Wire contract 5.12; D-086. */

import type { Customer, ScaProfile } from "@countersign/core/models"
import type { Stored } from "@countersign/core/store"
import { expect, it } from "vitest"
import * as LockoutRules from "../../../packages/core/src/model/sca/LockoutRules.ts"
import * as ScaFactorRules from "../../../packages/core/src/model/sca/ScaFactorRules.ts"
import { ada as customer } from "../customer/SampleCustomer.ts"

const { Lockouts, withoutFailures, withFailedAttempt, lockoutRefusal } = LockoutRules
const profile: ScaProfile = { factors: [], failedAttempts: 0, suspended: false, resets: [] }
const now = Date.UTC(2026, 10, 21)
const minute = 60_000

it("locks for 15 minutes after five failures, longer after each further one, and suspends after nine", () => {
  expect(Lockouts.rows).toEqual({
    "5": 900_000,
    "6": 1_800_000,
    "7": 3_600_000,
    "8": 86_400_000,
    "9": null,
  })
})

it.each([
  [0, { failedAttempts: 1 }],
  [3, { failedAttempts: 4 }],
  [4, { failedAttempts: 5, lockedUntil: now + 15 * minute }],
  [7, { failedAttempts: 8, lockedUntil: now + 24 * 60 * minute }],
  [8, { failedAttempts: 9, suspended: true }],
  [9, { failedAttempts: 10 }],
] as const)("counts one more failure after %i", (failedAttempts, changed) => {
  expect(withFailedAttempt({ ...profile, failedAttempts }, now)).toEqual({ ...profile, ...changed })
})

it("clears the failures, the lock and the challenge after a success", () => {
  const locked: ScaProfile = {
    ...profile,
    failedAttempts: 5,
    lockedUntil: now,
    challenge: { id: "c", factor: "SMS_OTP", expiresAt: now },
  }
  expect(withoutFailures(locked)).toEqual(profile)
})

it.each([
  ["no customer without failures", profile, undefined],
  ["no customer whose lock has ended", { ...profile, failedAttempts: 5, lockedUntil: now }, undefined],
  [
    "a locked customer",
    { ...profile, failedAttempts: 5, lockedUntil: now + 1 },
    {
      code: "ACCOUNT_LOCKED",
      message: "The customer is locked out for a while.",
      details: { lockedUntil: "2026-11-21T00:00:00.001Z", failedAttempts: 5, suspended: false },
    },
  ],
  [
    "a suspended customer, without an end",
    { ...profile, failedAttempts: 9, suspended: true },
    {
      code: "ACCOUNT_LOCKED",
      message: "The customer is suspended after too many failures.",
      details: { lockedUntil: null, failedAttempts: 9, suspended: true },
    },
  ],
] as const)("locks out %s", (_who, of, refusal) => {
  expect(lockoutRefusal(of, now)).toEqual(refusal)
})

const stored = (data: Customer): Stored<"Customer"> => ({
  kind: "Customer",
  id: "Customer:1",
  platformId: "PlatformConfig:1",
  customerId: "Customer:1",
  version: 1,
  createdAt: 0,
  updatedAt: 0,
  data,
})

it("offers SMS_OTP to a customer with a telephone number, and other factors once they are enrolled", () => {
  const of = (data: Customer, factors: ScaProfile["factors"] = []) => ({
    customer: stored(data),
    stored: undefined,
    profile: { ...profile, factors },
  })
  const totp: ScaProfile["factors"] = [{ factor: "TOTP", credentialId: "c" }]
  expect(ScaFactorRules.hasFactor(of(customer), "SMS_OTP")).toBe(false)
  expect(ScaFactorRules.hasFactor(of({ ...customer, phoneNumber: "+14155550123" }), "SMS_OTP")).toBe(true)
  expect(ScaFactorRules.hasFactor(of(customer), "TOTP")).toBe(false)
  expect(ScaFactorRules.hasFactor(of(customer, totp), "TOTP")).toBe(true)
  expect(ScaFactorRules.hasFactor(of(customer, totp), "PASSKEY")).toBe(false)
})

it("names the missing factor in a conflict", () => {
  expect(ScaFactorRules.notEnrolled("TOTP")).toEqual({
    code: "CONFLICT",
    message: "The customer has no factor TOTP.",
    details: { reason: "FACTOR_NOT_ENROLLED" },
  })
})

it("refuses a customer of a region without strong authentication", () => {
  const of = (data: Customer) => ({ customer: stored(data) })
  const refusal = {
    code: "CONFLICT",
    message: "The customer's region does not require strong authentication.",
    details: { reason: "NOT_REQUIRED" },
  }
  expect(ScaFactorRules.regionRefusal(of({ ...customer, region: "EU" }), ["UK", "EU"])).toBeUndefined()
  expect(ScaFactorRules.regionRefusal(of({ ...customer, region: "US" }), ["UK", "EU"])).toEqual(refusal)
  expect(ScaFactorRules.regionRefusal(of(customer), ["UK", "EU"])).toEqual(refusal)
  expect(ScaFactorRules.regionRefusal(of({ ...customer, region: "EU" }), [])).toEqual(refusal)
})
