/** Small functions of accounts: identifiers, originators of deposits, declared wallets, references, and what an erased account keeps. */
import type { AccountInfo, ExternalAccount } from "@countersign/core/models"
import { describe, expect, it } from "vitest"
import { hasBankRoute, isWallet, paymentRailsOfAccount } from "../../../packages/core/src/model/account/AccountRoute.ts"
import { masked, originatorAccountInfo, originatorOf } from "../../../packages/core/src/model/account/Deposit.ts"
import { erasedExternalAccount } from "../../../packages/core/src/model/account/ExternalAccount.ts"
import { toExternalAccount } from "../../../packages/core/src/model/account/ExternalAccountResource.ts"
import { fundingReference } from "../../../packages/core/src/model/account/FundingReference.ts"
import { toInternalAccount } from "../../../packages/core/src/model/account/InternalAccountResource.ts"
import { mainIdentifier } from "../../../packages/core/src/model/account/MainIdentifier.ts"
import { messageToSign } from "../../../packages/core/src/model/account/OwnershipChallenge.ts"
import {
  instructionTypesFor,
  networkOfWallet,
  networksOf,
} from "../../../packages/core/src/model/account/PaymentInstructionTypes.ts"
import { singaporeBank } from "../../../packages/core/src/model/account/SingaporeBanks.ts"
import { umaAccountInfo, umaAddressOf } from "../../../packages/core/src/model/account/UmaAccount.ts"
import {
  declarationOf,
  declares,
  endsByDeclaration,
  isDeclaration,
} from "../../../packages/core/src/model/account/WalletDeclaration.ts"

const address = "0x2c7536E3605D9C16a7a3D7b1898e529396a65c23"
const wallet = (
  more: Partial<ExternalAccount> = {},
  info: AccountInfo = { accountType: "BASE_WALLET", address },
): ExternalAccount => ({
  currency: "USDC",
  status: "ACTIVE",
  ownershipType: "FIRST_PARTY",
  defaultUmaDepositAccount: false,
  accountInfo: info,
  isDeleted: false,
  ...more,
})

const at = Date.parse("2026-03-02T08:00:00Z")
const record = { platformId: "Platform:1", customerId: "Customer:1", version: 1, createdAt: at, updatedAt: at + 1000 }

describe("the main identifier of an account", () => {
  it.each<[Omit<AccountInfo, "accountType">, string | undefined]>([
    [{ accountNumber: "1", iban: "2" }, "1"],
    [{ iban: "2", phoneNumber: "3" }, "2"],
    [{ bolt12: "b", invoice: "i", lightningAddress: "l", address: "a" }, "a"],
    [{ bolt12: "b", invoice: "i", lightningAddress: "l" }, "l"],
    [{ bolt12: "b", invoice: "i" }, "i"],
    [{ bolt12: "b" }, "b"],
    [{ clabeNumber: "c", pixKey: "p", vpa: "v" }, "c"],
    [{ pixKey: "p", vpa: "v" }, "p"],
    [{ vpa: "v", phoneNumber: "n" }, "v"],
    [{ accountNumber: "", phoneNumber: "n" }, "n"],
    [{ accountNumber: 5, iban: null }, undefined],
    [{}, undefined],
  ])("of %j is %j", (members, expected) => {
    expect(mainIdentifier({ accountType: "X", ...members })).toBe(expected)
  })
})

describe("the originator of a deposit", () => {
  it("is read back from its account details, and from no others", () => {
    const source = { accountIdentifier: "DE89", bankName: "Bank" }
    expect(originatorAccountInfo(source)).toEqual({ accountType: "DEPOSIT_ORIGINATOR", ...source })
    expect(originatorOf(originatorAccountInfo(source))).toBe("DE89")
    expect(originatorOf(originatorAccountInfo({}))).toBe("")
    expect(originatorOf({ accountType: "EUR_ACCOUNT", accountIdentifier: "DE89" })).toBeUndefined()
  })

  it.each([
    ["1234567890", "****7890"],
    ["123", "****123"],
    ["ab\u{1F600}cde", "****\u{1F600}cde"],
    ["", "****"],
  ])("is shown by its last four characters: %s as %s", (identifier, shown) => {
    expect(masked(identifier)).toBe(shown)
  })
})

describe("a declared wallet", () => {
  const { ownershipType: _, ...unowned } = wallet()
  const others: ReadonlyArray<[string, ExternalAccount]> = [
    ["a deleted account", wallet({ isDeleted: true })],
    ["an account without an ownership", unowned],
    ["a bank account", wallet({}, { accountType: "USD_ACCOUNT", address })],
    ["an account of an unknown type", wallet({}, { accountType: "OLD_WALLET", address })],
  ]
  it.each(others)("is not declared by %s", (_, account) => {
    expect([isDeclaration(account), declares(account, address)]).toEqual([false, false])
    expect(declarationOf([account], address)).toBeUndefined()
  })

  it("is found by its address in any case that its chain ignores, and not by another address", () => {
    expect(isDeclaration(wallet())).toBe(true)
    expect(declares(wallet(), address.toLowerCase())).toBe(true)
    expect(declares(wallet(), `${address.slice(0, -1)}4`)).toBe(false)
    expect(declares(wallet({}, { accountType: "SOLANA_WALLET", address: "Ab" }), "AB")).toBe(false)
    expect(declares(wallet({}, { accountType: "BASE_WALLET" }), address)).toBe(false)
    expect(declares(wallet({}, { accountType: "LIGHTNING", address }), address)).toBe(false)
  })

  it("counts by an active account before one that waits for a proof", () => {
    const waiting = wallet({ status: "PENDING_OWNERSHIP_VERIFICATION" })
    const exchange = wallet(
      { ownershipType: "THIRD_PARTY" },
      { accountType: "BASE_WALLET", address, vaspName: "Example Exchange" },
    )
    expect(declarationOf([waiting], address)).toEqual({ ownershipType: "FIRST_PARTY", isActive: false })
    expect(declarationOf([waiting, exchange], address)).toEqual({
      ownershipType: "THIRD_PARTY",
      isActive: true,
      vaspName: "Example Exchange",
    })
    expect(declarationOf([wallet({ status: "INACTIVE" }), waiting], address)).toEqual({
      ownershipType: "FIRST_PARTY",
      isActive: false,
    })
    expect(declarationOf([], address)).toBeUndefined()
  })

  it("ends a hold that waits for a declaration or a proof", () => {
    expect(endsByDeclaration("COUNTERPARTY_DECLARATION_REQUIRED")).toBe(true)
    expect(endsByDeclaration("WALLET_VERIFICATION_REQUIRED")).toBe(true)
    expect(endsByDeclaration("COUNTERPARTY_INFORMATION_REQUIRED")).toBe(false)
    expect(endsByDeclaration("COMPLIANCE_REVIEW")).toBe(false)
    expect(endsByDeclaration(undefined)).toBe(false)
  })
})

describe("the route of an account", () => {
  it.each<[string, AccountInfo, boolean, boolean, ReadonlyArray<string>]>([
    ["a wallet", { accountType: "BASE_WALLET", address }, true, false, []],
    ["a bank account", { accountType: "GBP_ACCOUNT" }, false, true, ["FASTER_PAYMENTS"]],
    ["a phone number", { accountType: "COP_ACCOUNT", phoneNumber: "+57" }, false, false, ["MOBILE_MONEY"]],
    ["an account without a route", { accountType: "COP_ACCOUNT" }, false, false, []],
    ["an unknown type", { accountType: "OLD_ACCOUNT" }, false, false, []],
  ])("of %s says whether a wallet or a bank has it, and its rails", (_, info, isOfWallet, isOfBank, rails) => {
    expect([isWallet(info), hasBankRoute(info)]).toEqual([isOfWallet, isOfBank])
    expect(paymentRailsOfAccount(info)).toEqual(rails)
  })
})

describe("the types of payment instructions", () => {
  it("are found by currency, network and region, SWIFT only without another", () => {
    expect(instructionTypesFor("USD", undefined, undefined)).toEqual(["USD_ACCOUNT"])
    expect(instructionTypesFor("USD", undefined, "SV")).toEqual(["USD_ACCOUNT", "SLV_ACCOUNT"])
    expect(instructionTypesFor("USD", undefined, "US")).toEqual(["USD_ACCOUNT"])
    expect(instructionTypesFor("JPY", undefined, undefined)).toEqual(["SWIFT_ACCOUNT"])
    expect(instructionTypesFor("USDC", "BASE", undefined)).toEqual(["BASE_WALLET"])
    expect(instructionTypesFor("USDC", "TRON", undefined)).toEqual([])
    expect(networksOf("BTC")).toEqual(["SPARK", "LIGHTNING", "BITCOIN"])
    expect(networksOf("USDT")).toEqual(["SOLANA", "TRON", "PLASMA", "ETHEREUM"])
    expect(networksOf("EUR")).toEqual([])
    expect(networkOfWallet({ accountType: "TRON_WALLET" })).toBe("TRON")
    expect(networkOfWallet({ accountType: "EUR_ACCOUNT" })).toBeUndefined()
    expect(networkOfWallet({ accountType: "OLD_WALLET" })).toBeUndefined()
  })
})

describe("a UMA address", () => {
  it("is read back from its account details, and from no others", () => {
    expect(umaAccountInfo("$ada@uma.example")).toEqual({ accountType: "UMA_ADDRESS", umaAddress: "$ada@uma.example" })
    expect(umaAddressOf(umaAccountInfo("$ada@uma.example"))).toBe("$ada@uma.example")
    expect(umaAddressOf({ accountType: "UMA_ADDRESS" })).toBeUndefined()
    expect(umaAddressOf({ accountType: "USD_ACCOUNT", umaAddress: "$ada@uma.example" })).toBeUndefined()
  })
})

it("the name of a bank of Singapore follows from the first six characters of its BIC", () => {
  const codes = ["ANZB", "BKCH", "CIBB", "CITI", "DBSS", "HSBC", "ICBK", "MBBE", "OCBC", "RHBB", "SBIN", "SCBL"]
  for (const code of [...codes, "TRBU", "UOVB"]) expect(singaporeBank(`${code}SGSGXXX`)).toMatch(/^[A-Z].*[a-z)]/u)
  expect(singaporeBank("DBSSSGSG")).toBe("DBS Bank")
  expect(singaporeBank("DBSSHKHH")).toBeUndefined()
  expect(singaporeBank(7)).toBeUndefined()
})

it("the reference of an account has eight unmistakable characters, always the same ones", () => {
  expect(fundingReference("InternalAccount:1")).toBe(fundingReference("InternalAccount:1"))
  expect(fundingReference("InternalAccount:1")).not.toBe(fundingReference("InternalAccount:2"))
  for (let index = 0; index < 100; index++) expect(fundingReference(`${index}`)).toMatch(/^FUND-[2-9A-HJKMNP-Z]{8}$/u)
})

it("the message of a challenge names the wallet, the account, the nonce and the end, on lines of their own", () => {
  expect(messageToSign({ id: "ExternalAccount:1", address, nonce: "00ff", expiresAt: at })).toBe(
    `Sign this message to prove that this wallet is yours. It moves no funds.\n\nWallet: ${address}\nAccount: ExternalAccount:1\nNonce: 00ff\nExpires: 2026-03-02T08:00:00Z`,
  )
})

describe("a deleted account", () => {
  it("keeps its currency, type, last status and owner alone", () => {
    const full = wallet({ platformAccountId: "mine", isTrusted: true, beneficiaryVerificationStatus: "MATCHED" })
    const kept = {
      currency: "USDC",
      status: "ACTIVE",
      defaultUmaDepositAccount: false,
      accountInfo: { accountType: "BASE_WALLET" },
      isDeleted: true,
    }
    expect(erasedExternalAccount({ ...full, defaultUmaDepositAccount: true })).toEqual(kept)
    expect(erasedExternalAccount({ ...full, isOfPlatform: true })).toEqual({ ...kept, isOfPlatform: true })
  })
})

describe("an external account on the wire", () => {
  const shown = (data: ExternalAccount, customerId: string | null = "Customer:1") =>
    toExternalAccount({ ...record, kind: "ExternalAccount", id: "ExternalAccount:1", customerId, data })

  it("shows what it has, and nothing that it lacks", () => {
    const { ownershipType: _, ...without } = wallet()
    const least = {
      id: "ExternalAccount:1",
      status: "ACTIVE",
      currency: "USDC",
      defaultUmaDepositAccount: false,
      accountInfo: { accountType: "BASE_WALLET", address },
      createdAt: "2026-03-02T08:00:00Z",
    }
    expect(shown(without, null)).toEqual(least)
    const more = {
      ownershipType: "THIRD_PARTY",
      platformAccountId: "mine",
      beneficiaryVerificationStatus: "MATCHED",
      beneficiaryVerifiedData: { fullName: "Ada" },
    } as const
    expect(shown({ ...without, ...more })).toEqual({ ...least, ...more, customerId: "Customer:1" })
  })

  it("shows the rails of its route", () => {
    expect(shown(wallet({}, { accountType: "GBP_ACCOUNT" })).accountInfo).toEqual({
      accountType: "GBP_ACCOUNT",
      paymentRails: ["FASTER_PAYMENTS"],
    })
  })

  it("shows the fields of a company nested and beside, what is nested first", () => {
    const info = (beneficiary: AccountInfo[string]) =>
      shown(wallet({}, { accountType: "BASE_WALLET", beneficiary: beneficiary ?? null })).accountInfo["beneficiary"]
    const beneficiaryType = "BUSINESS"
    const nested = { legalName: "Nested", taxId: 7 }
    const flat = { legalName: "Flat", registrationNumber: "R1" }
    const both = { legalName: "Nested", registrationNumber: "R1" }
    expect(info({ beneficiaryType, ...flat, businessInfo: nested })).toEqual({
      beneficiaryType,
      ...both,
      businessInfo: both,
    })
    expect(info({ beneficiaryType, ...flat })).toEqual({ beneficiaryType, ...flat, businessInfo: flat })
    expect(info({ beneficiaryType, businessInfo: "x" })).toEqual({ beneficiaryType, businessInfo: {} })
    const person = { beneficiaryType: "INDIVIDUAL", legalName: "x" }
    expect(info(person)).toEqual(person)
    expect(info("x")).toBe("x")
  })
})

describe("an internal account on the wire", () => {
  const shown = (data: Parameters<typeof toInternalAccount>[0]["data"], customerId: string | null = "Customer:1") =>
    toInternalAccount({ ...record, kind: "InternalAccount", id: "InternalAccount:1", customerId, data }, balances)
  const balances = { available: 5, held: 2 }
  const currency = expect.objectContaining({ code: "USDB" })

  it("shows both balances, and the privacy of a wallet alone", () => {
    const account = { type: "INTERNAL_CRYPTO", status: "ACTIVE", currency: "USDB" } as const
    const least = {
      id: "InternalAccount:1",
      type: "INTERNAL_CRYPTO",
      status: "ACTIVE",
      balance: { amount: 5, currency },
      totalBalance: { amount: 7, currency },
      fundingPaymentInstructions: [],
      createdAt: "2026-03-02T08:00:00Z",
      updatedAt: "2026-03-02T08:00:01Z",
    }
    expect(shown({ ...account, privateEnabled: true }, null)).toEqual(least)
    const type = "EMBEDDED_WALLET"
    const ofWallet = { ...least, type, customerId: "Customer:1" }
    expect(shown({ ...account, type })).toEqual({ ...ofWallet, privateEnabled: false })
    expect(shown({ ...account, type, privateEnabled: true })).toEqual({ ...ofWallet, privateEnabled: true })
  })
})
