/** Generated identifiers with a magic suffix: each has the effect of its suffix in the sandbox. */
import { type AccountTypeRow, AccountTypes } from "@countersign/core/models"
import { BeneficiarySuffixes, TransferSuffixes, TrustSuffixes } from "@countersign/core/sandbox"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { exampleBody, rowOf } from "../../../packages/test/src/harness/AccountExample.ts"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { forge } from "../../../packages/test/src/harness/IdentifierForge.ts"

const types: ReadonlyArray<readonly [string, AccountTypeRow]> = AccountTypes.entries
let pay: Harness
beforeAll(async () => {
  pay = await harness()
})
afterAll(() => pay[Symbol.asyncDispose]())

/** The types whose alphabet lacks a digit, and that digit. */
const missingDigit: Readonly<Record<string, string>> = { SPARK_WALLET: "1", SOLANA_WALLET: "0", TRON_WALLET: "0" }

describe.each(types)("%s", (accountType, row) => {
  it("has every suffix that its alphabet allows", () => {
    for (const suffix of [...BeneficiarySuffixes.keys, ...TransferSuffixes.keys, ...TrustSuffixes.keys]) {
      const digit = missingDigit[accountType]
      const forged = forge(accountType, suffix)
      if (digit !== undefined && suffix.includes(digit)) {
        expect(forged).toEqual({ impossible: `${digit === "1" ? "bech32" : "base58"} has no ${digit}` })
      } else expect(forged, suffix).toHaveProperty("value")
    }
  })

  // Proves: SBX-ID-01, SBX-ID-02, SBX-ID-03, SBX-ID-04, SBX-ID-05
  it.each(BeneficiarySuffixes.entries)("%s answers %s", async (suffix, answer) => {
    const forged = forge(accountType, suffix)
    if ("impossible" in forged) return expect(missingDigit[accountType]).toBeDefined()
    const way = row.routes.find(
      ({ requiredFields: [first] }) => first === undefined || forged.accountInfo[first] !== undefined,
    )
    const example = exampleBody(accountType, { ...(way === undefined ? {} : { route: way }) })
    const body = { ...example, accountInfo: { ...example.accountInfo, [forged.field]: forged.value } }
    const { body: record, status } = await pay.send("POST", "/customers/external-accounts", { body })
    if (answer === "INVALID_ACCOUNT") {
      expect([status, record]).toMatchObject([400, { code: "INVALID_BANK_ACCOUNT" }])
    } else {
      expect(status).toBe(201)
      const isWallet = rowOf(AccountTypes.rows, accountType).routes.every(({ kind }) => kind === "wallet")
      expect(Object(record).beneficiaryVerificationStatus).toBe(isWallet ? undefined : answer)
    }
  })
})

it.each(["USD_ACCOUNT", "EUR_ACCOUNT", "MXN_ACCOUNT", "BRL_ACCOUNT", "ETHEREUM_WALLET"])(
  "%s has suffix 105 with valid check digits",
  (accountType) => {
    expect(forge(accountType, "105", { strict: true })).toHaveProperty("value")
  },
)

it.each([
  ["SPARK_WALLET", "002", "it ends in a checksum of what stands before it"],
  ["SPARK_WALLET", "105", "bech32 has no 1"],
])("%s has no suffix %s with a valid checksum", (accountType, suffix, impossible) => {
  expect(forge(accountType, suffix, { strict: true })).toEqual({ impossible })
})
