/** The name and customer checks of the sandbox: each magic suffix and its field. */

import type { AccountInfo } from "@countersign/core/models"
import { type CustomerCheck, Verifier } from "@countersign/core/ports"
import { BeneficiarySuffixes, CustomerSuffixes, Sandbox, SandboxVerifier } from "@countersign/core/sandbox"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"

const verify = (accountInfo: AccountInfo) =>
  Verifier.use((verifier) => verifier.verifyBeneficiary({ currency: "USD", accountInfo })).pipe(
    Effect.provide(SandboxVerifier.layer),
  )

const check = (customer: CustomerCheck) =>
  Verifier.use((verifier) => verifier.checkCustomer(customer)).pipe(Effect.provide(Sandbox.layer))

describe("a beneficiary", () => {
  // Proves: SBX-NAME-102, SBX-NAME-103, SBX-NAME-104, SBX-NAME-105, SBX-NAME-106, SBX-NAME-107, SBX-NAME-OTHER
  it.effect.each([
    ["1234567102", { _tag: "Result", status: "NOT_MATCHED" }],
    ["1234567103", { _tag: "Result", status: "PARTIAL_MATCH" }],
    ["1234567104", { _tag: "Result", status: "PENDING" }],
    ["1234567105", { _tag: "Invalid" }],
    ["1234567106", { _tag: "Result", status: "UNSUPPORTED" }],
    ["1234567107", { _tag: "Result", status: "CHECKED_BY_RECEIVING_FI" }],
    ["1234567101", { _tag: "Result", status: "MATCHED" }],
    ["1234567108", { _tag: "Result", status: "MATCHED" }],
    ["1234567890", { _tag: "Result", status: "MATCHED" }],
  ] as const)("of account %s", ([accountNumber, result]) =>
    Effect.gen(function* () {
      expect(yield* verify({ accountType: "USD_ACCOUNT", accountNumber })).toEqual(result)
    }),
  )

  it.effect("is matched by the main identifier of the account, not by its name", () =>
    Effect.gen(function* () {
      const beneficiary = { beneficiaryType: "INDIVIDUAL", fullName: "Ana Lopez 105" }
      const accountInfo = { accountType: "USD_ACCOUNT", accountNumber: "1234", beneficiary }
      expect(yield* verify(accountInfo)).toEqual({ _tag: "Result", status: "MATCHED" })
    }),
  )

  it("has a case for every suffix of the table", () => {
    expect([...BeneficiarySuffixes.keys].sort()).toEqual(["102", "103", "104", "105", "106", "107"])
  })
})

describe("a customer", () => {
  it.effect.each([
    [{ customerType: "INDIVIDUAL", fullName: "Ana Lopez 001" }, "PENDING"],
    [{ customerType: "INDIVIDUAL", fullName: "Ana Lopez 002" }, "REJECTED"],
    [{ customerType: "INDIVIDUAL", fullName: "Ana Lopez 003" }, "UNVERIFIED"],
    [{ customerType: "INDIVIDUAL", fullName: "Ana Lopez 004" }, "APPROVED"],
    [{ customerType: "INDIVIDUAL", fullName: "Ana Lopez" }, "APPROVED"],
    [{ customerType: "INDIVIDUAL" }, "APPROVED"],
    [{ customerType: "INDIVIDUAL", registrationNumber: "X002" }, "APPROVED"],
    // A business is decided by its own verification.
    [{ customerType: "BUSINESS" }, "UNVERIFIED"],
    [{ customerType: "BUSINESS", registrationNumber: "X001" }, "UNVERIFIED"],
    [{ customerType: "BUSINESS", fullName: "Ana Lopez 002" }, "UNVERIFIED"],
  ] as const)("%j", ([customer, status]) =>
    Effect.gen(function* () {
      expect(yield* check(customer)).toBe(status)
    }),
  )

  it("has a case for every suffix of the table", () => {
    expect([...CustomerSuffixes.keys].sort()).toEqual(["001", "002", "003"])
  })
})
