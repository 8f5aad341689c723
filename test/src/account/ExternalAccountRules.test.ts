/**
 * The rules of creating and using an external account, each row on both sides.
 * Spec: 4.3; D-019, D-050.
 */

import type { Customer, ExternalAccount } from "@countersign/core/models"
import { describe, expect, it } from "vitest"
import * as Rules from "../../../packages/core/src/model/account/ExternalAccountRules.ts"
import { provePrecedence, proveRow } from "../../../packages/test/src/proof/RulesProof.ts"

const customer: Customer = {
  platformCustomerId: "ann",
  customerType: "INDIVIDUAL",
  checkStatus: "APPROVED",
  currencies: ["USD"],
  umaAddress: "$ann@example.com",
  isDeleted: false,
}

const broken: Rules.CreationFacts = {
  customerId: "Customer:1",
  customer: undefined,
  defaultUmaDepositAccount: true,
}
const sound: Rules.CreationFacts = { ...broken, customer }

provePrecedence(Rules.CreationRules, {
  broken,
  masked: { DEPOSIT_ACCOUNT_HAS_CUSTOMER: "requires an account of the platform, which the earlier row accepts" },
  steps: [
    ["OWNER_EXISTS", { customerId: undefined }, { field: "customerId" }],
    ["DEPOSIT_ACCOUNT_HAS_CUSTOMER", { customerId: "Customer:1", customer }, { field: "defaultUmaDepositAccount" }],
  ],
})

proveRow(Rules.CreationRules, "OWNER_EXISTS", [
  ["a customer", sound, "holds"],
  ["the platform", { ...sound, customerId: undefined, customer: undefined }, "holds"],
  ["an unknown customer", { ...sound, customer: undefined }, { answer: { field: "customerId" } }],
  ["a deleted customer", { ...sound, customer: { ...customer, isDeleted: true } }, "fails"],
])
proveRow(Rules.CreationRules, "DEPOSIT_ACCOUNT_HAS_CUSTOMER", [
  ["an account of a customer", sound, "holds"],
  [
    "an account of the platform",
    { ...sound, customerId: undefined },
    { answer: { field: "defaultUmaDepositAccount" } },
  ],
  [
    "an account of the platform without deposits",
    { ...sound, customerId: undefined, defaultUmaDepositAccount: false },
    "holds",
  ],
])

it("reports all problems of a creation together", () => {
  expect(Rules.creationProblems(broken).map(({ field }) => field)).toEqual(["customerId"])
  expect(Rules.creationProblems(sound)).toEqual([])
})

const address = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"
const wallet = { ownershipType: "FIRST_PARTY", accountInfo: { accountType: "ETHEREUM_WALLET", address } } as const
const unverified: ExternalAccount = {
  currency: "USDC",
  status: "UNVERIFIED",
  defaultUmaDepositAccount: false,
  isDeleted: false,
  ...wallet,
}

describe("the self-custody address", () => {
  it.each([
    ["the customer's own wallet", wallet, address],
    ["a wallet of a third party", { ...wallet, ownershipType: "THIRD_PARTY" }, undefined],
    ["a wallet of unknown ownership", { accountInfo: wallet.accountInfo }, undefined],
    ["a wallet at an exchange", { ...wallet, accountInfo: { ...wallet.accountInfo, vaspName: "Exchange" } }, undefined],
    ["a bank account", { ...wallet, accountInfo: { accountType: "USD_ACCOUNT", address } }, undefined],
    [
      "a wallet whose address is not a string",
      { ...wallet, accountInfo: { ...wallet.accountInfo, address: 5 } },
      undefined,
    ],
    ["a wallet without an address", { ...wallet, accountInfo: { accountType: "LIGHTNING" } }, undefined],
  ] as const)("exists only for the customer's own wallet: %s", (_what, account, own) => {
    expect(Rules.selfCustodyAddress(account)).toBe(own)
  })

  it("requires a proof of ownership in the regions that demand it", () => {
    const european = { ...customer, region: "EU" }
    expect(Rules.requiresOwnershipProof(wallet, european, ["US", "EU"])).toBe(true)
    expect(Rules.requiresOwnershipProof(wallet, european, ["US"])).toBe(false)
    expect(Rules.requiresOwnershipProof(wallet, customer, ["EU"])).toBe(false)
    expect(Rules.requiresOwnershipProof(wallet, undefined, ["EU"])).toBe(true)
    expect(Rules.requiresOwnershipProof(wallet, undefined, [])).toBe(false)
    expect(Rules.requiresOwnershipProof({ ...wallet, ownershipType: "THIRD_PARTY" }, undefined, ["EU"])).toBe(false)
    expect(Rules.requiresOwnershipProof({ ...wallet, ownershipType: "THIRD_PARTY" }, european, ["EU"])).toBe(false)
  })

  it.each([
    ["UNVERIFIED", true],
    ["PENDING_OWNERSHIP_VERIFICATION", true],
    ["ACTIVE", false],
    ["INACTIVE", false],
    ["UNDER_REVIEW", false],
    ["PENDING", false],
  ] as const)("allows a challenge in status %s: %s", (status, can) => {
    expect(Rules.challengeRefusal({ ...unverified, status })).toEqual(
      can
        ? undefined
        : {
            code: "CONFLICT",
            message: "The account's ownership needs no verification.",
            details: { reason: "NOTHING_TO_VERIFY", status },
          },
    )
    expect(Rules.challengeRefusal({ ...unverified, status, ownershipType: "THIRD_PARTY" })).toEqual({
      code: "CONFLICT",
      message: "Only a customer's own self-custody wallet can be verified.",
      details: { reason: "NOT_A_SELF_CUSTODY_WALLET" },
    })
  })
})

it("requires discovered bank names for some types only", () => {
  expect(Rules.requiresDiscoveredBank({ accountType: "PHP_ACCOUNT" })).toBe(true)
  expect(Rules.requiresDiscoveredBank({ accountType: "USD_ACCOUNT" })).toBe(false)
  expect(Rules.requiresDiscoveredBank({ accountType: "UNKNOWN" })).toBe(false)
})

// Proves: RES-EXT-10, ERR-INVALID_BANK_ACCOUNT
describe("an account that is not ACTIVE", () => {
  const account = (status: ExternalAccount["status"]): ExternalAccount => ({
    currency: "USD",
    status,
    defaultUmaDepositAccount: false,
    accountInfo: { accountType: "USD_ACCOUNT" },
    isDeleted: false,
  })
  // Proves: STATE-OTHER-02, STATE-OTHER-03, STATE-OTHER-04, STATE-OTHER-05
  it.each([
    ["ACTIVE", undefined],
    ["PENDING", "INVALID_BANK_ACCOUNT"],
    ["UNDER_REVIEW", "INVALID_BANK_ACCOUNT"],
    ["INACTIVE", "INVALID_BANK_ACCOUNT"],
    ["PENDING_OWNERSHIP_VERIFICATION", "EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED"],
    ["UNVERIFIED", "EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED"],
  ] as const)("can neither pay nor be paid: %s is refused with %s", (status, code) => {
    for (const as of ["SOURCE", "DESTINATION"] as const) {
      const refusal = Rules.inactiveRefusal(account(status), as)
      expect(refusal?.code).toBe(code)
      expect(refusal?.message).toBe(
        code &&
          (code === "INVALID_BANK_ACCOUNT"
            ? "The external account is not active."
            : "The ownership of the external account must be verified first."),
      )
      expect(refusal?.details?.["reason"]).toBe(code && `${as}_NOT_ACTIVE`)
    }
  })
})
