/**
 * Which deposits over chains the rules of a customer's region hold, and for what.
 * Source: wire contract areas 2.8 (pendingReason); D-426.
 */
import { type AccountType, AccountTypes } from "@countersign/core/models"
import { describe, expect, it } from "vitest"
import { networkOfWallet } from "../../../packages/core/src/model/account/PaymentInstructionTypes.ts"
import { regionalHold } from "../../../packages/core/src/model/account/WalletDeclaration.ts"

const source = { accountIdentifier: "0xab", cryptoNetwork: "ETHEREUM" } as const
const facts = { region: "EU", source, declaration: undefined }
const own = { ownershipType: "FIRST_PARTY", isActive: false } as const

describe("the rules of a region", () => {
  it.each([
    ["of no region", undefined, ["EU"]],
    ["of another region", "US", ["EU"]],
    ["of a region, where the deployment names none", "EU", []],
    ["of a region whose name contains another", "EU-WEST", ["EU"]],
  ])("hold nothing for a customer %s", (_whose, region, regions) => {
    expect(regionalHold({ ...facts, region }, regions)).toBeUndefined()
  })

  it("hold what comes from an unknown wallet, also when one of several regions applies", () => {
    expect(regionalHold(facts, ["EU"])).toBe("COUNTERPARTY_DECLARATION_REQUIRED")
    expect(regionalHold(facts, ["UK", "EU"])).toBe("COUNTERPARTY_DECLARATION_REQUIRED")
  })

  it.each([
    ["the customer's own wallet", own, "WALLET_VERIFICATION_REQUIRED"],
    ["the customer's own wallet once it is proven", { ...own, isActive: true }, undefined],
    ["the customer's wallet at an exchange", { ...own, vaspName: "Example", isActive: true }, undefined],
    ["the customer's disabled wallet at an exchange", { ...own, vaspName: "Example" }, "COMPLIANCE_REVIEW"],
    ["another person's wallet", { ownershipType: "THIRD_PARTY", isActive: true }, undefined],
    ["another person's disabled wallet", { ownershipType: "THIRD_PARTY", isActive: false }, "COMPLIANCE_REVIEW"],
  ] as const)("after the declaration of %s hold for %s", (_whose, declaration, reason) => {
    expect(regionalHold({ ...facts, declaration }, ["EU"])).toBe(reason)
  })

  it.each([
    ["a wallet on a network that is not named", { accountIdentifier: "0xab" }, "COUNTERPARTY_DECLARATION_REQUIRED"],
    ["a wallet that is not named", { cryptoNetwork: "BASE" }, "COMPLIANCE_REVIEW"],
    ["Bitcoin", { ...source, cryptoNetwork: "BITCOIN" }, "COMPLIANCE_REVIEW"],
    ["Lightning", { ...source, cryptoNetwork: "LIGHTNING" }, "COMPLIANCE_REVIEW"],
  ] as const)("hold a deposit from %s for %s", (_where, from, reason) => {
    expect(regionalHold({ ...facts, source: from }, ["EU"])).toBe(reason)
  })

  it.each(
    AccountTypes.keys.flatMap((accountType: AccountType) => {
      const cryptoNetwork = networkOfWallet({ accountType })
      return cryptoNetwork === undefined || cryptoNetwork === "LIGHTNING" ? [] : [cryptoNetwork]
    }),
  )("ask for the declaration of a wallet on %s, which an account can name", (cryptoNetwork) => {
    const reason = regionalHold({ ...facts, source: { ...source, cryptoNetwork } }, ["EU"])
    expect(reason).toBe("COUNTERPARTY_DECLARATION_REQUIRED")
  })
})
