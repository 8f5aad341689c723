/**
 * Which account details identify the same account.
 * Source: wire contract 2.1; D-055.
 */
import type { AccountInfo, ExternalAccount } from "@countersign/core/models"
import { describe, expect, it } from "vitest"
import { accountIdentity } from "../../../packages/core/src/model/account/AccountIdentity.ts"

const account = (accountInfo: AccountInfo, currency: ExternalAccount["currency"] = "USD"): ExternalAccount => ({
  currency,
  status: "ACTIVE",
  defaultUmaDepositAccount: false,
  accountInfo,
  isDeleted: false,
})
const identity = (
  accountInfo: AccountInfo,
  owner: string | null = "Customer:1",
  currency?: ExternalAccount["currency"],
) => accountIdentity(account(accountInfo, currency), owner)

const usd = { accountType: "USD_ACCOUNT", accountNumber: "12345", routingNumber: "021000021" }
const phone = { accountType: "COP_ACCOUNT", phoneNumber: "+573001234567", bankName: "Nequi" }
const wallet = { accountType: "ETHEREUM_WALLET", address: "0x2c7536E3605D9C16a7a3D7b1898e529396a65c23" }
const swift = {
  accountType: "SWIFT_ACCOUNT",
  country: "DE",
  swiftCode: "DEUTDEFF",
  accountNumber: "1",
  bankName: "Deutsche",
}

describe("the identity of an account", () => {
  it.each([
    ["another name of the bank", usd, { ...usd, bankName: "Chase" }],
    ["another beneficiary", usd, { ...usd, beneficiary: { fullName: "Ada" } }],
    ["another bank account type", usd, { ...usd, bankAccountType: "SAVINGS" }],
    ["another case of an address", wallet, { ...wallet, address: wallet.address.toLowerCase() }],
    [
      "another case of bech32",
      { accountType: "SPARK_WALLET", address: "spark1abc" },
      { accountType: "SPARK_WALLET", address: "SPARK1ABC" },
    ],
    [
      "an IBAN with and without a BIC",
      { accountType: "EUR_ACCOUNT", iban: "DE89370400440532013000" },
      { accountType: "EUR_ACCOUNT", iban: "de89370400440532013000", swiftCode: "COBADEFF" },
    ],
    ["a BIC with the branch of the head office", swift, { ...swift, swiftCode: "DEUTDEFFXXX", bankName: "DB" }],
  ])("is the same with %s", (_what, first, second) => {
    expect(identity(second)).toBe(identity(first))
  })

  it.each<readonly [string, AccountInfo, AccountInfo]>([
    ["another number", usd, { ...usd, accountNumber: "12346" }],
    ["another bank", usd, { ...usd, routingNumber: "021000089" }],
    ["another type", usd, { ...usd, accountType: "SLV_ACCOUNT" }],
    ["another wallet of the same phone number", phone, { ...phone, bankName: "Daviplata" }],
    ["another address", wallet, { ...wallet, address: `${wallet.address.slice(0, -1)}4` }],
    [
      "another case of base58",
      { accountType: "SOLANA_WALLET", address: "So11111111111111111111111111111111111111112" },
      { accountType: "SOLANA_WALLET", address: "so11111111111111111111111111111111111111112" },
    ],
    ["another country", swift, { ...swift, country: "AT" }],
    [
      "values whose concatenation is the same text",
      { ...usd, accountNumber: "1", routingNumber: "23" },
      { ...usd, accountNumber: "12", routingNumber: "3" },
    ],
  ])("differs with %s", (_what, first, second) => {
    expect(identity(second)).not.toBe(identity(first))
  })

  it("differs with another owner or currency", () => {
    expect(
      new Set([identity(usd), identity(usd, "Customer:2"), identity(usd, null), identity(usd, null, "BTC")]).size,
    ).toBe(4)
  })

  it("is a hash that reveals nothing of the account", () => {
    expect(identity(usd)).toMatch(/^[0-9a-f]{64}$/u)
  })
})
