/**
 * The minimum fields of beneficiaries by country, currency and account type, over HTTP.
 * Spec: Beneficiary.
 */
import type { Members } from "@countersign/core/models"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { replaced } from "../../../packages/test/src/harness/AccountBreakages.ts"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import {
  ada,
  address,
  cop,
  creating,
  engines,
  eur,
  kes,
  person,
  registered,
  swift,
  taxed,
  usd,
} from "./AccountInfoSamples.ts"

let pay: Harness
beforeAll(async () => {
  pay = await harness()
})
afterAll(() => pay[Symbol.asyncDispose]())
const { infoOf, problems } = creating(() => pay)

// Proves: EP-EXT-16
describe("a beneficiary", () => {
  const at = "accountInfo.beneficiary"
  it.each<[string, string, Members, Members, ReadonlyArray<string>]>([
    ["US person without address", "USD", usd, ada, []],
    [
      "US person without city",
      "USD",
      usd,
      replaced(person, ["address", "city"], undefined),
      [`${at}.address.city: is required of an individual in the United States`],
    ],
    ["EUR person without address", "EUR", eur, ada, [`${at}.address: is required of an individual in the euro area`]],
    ["Mexican person", "MXN", { accountType: "MXN_ACCOUNT", clabeNumber: "032180000118359720" }, ada, []],
    [
      "British person",
      "GBP",
      { accountType: "GBP_ACCOUNT", sortCode: "200000", accountNumber: "55779911" },
      ada,
      [`${at}.address: is required of an individual in the United Kingdom`],
    ],
    ["person in Brazil by SWIFT", "USD", swift, ada, []],
    [
      "person in Germany by SWIFT",
      "USD",
      { ...swift, country: "DE" },
      ada,
      [`${at}.address: is required of an individual in the euro area`],
    ],
    [
      "person in Britain by SWIFT",
      "USD",
      { ...swift, country: "GB" },
      ada,
      [`${at}.address: is required of an individual in the United Kingdom`],
    ],
    [
      "person of GTQ",
      "GTQ",
      { accountType: "GTQ_ACCOUNT", accountNumber: "1", bankAccountType: "SAVINGS", bankName: "B" },
      ada,
      [
        `${at}.phoneNumber: is required of an individual of a GTQ_ACCOUNT`,
        `${at}.countryOfResidence: is required of an individual of a GTQ_ACCOUNT`,
      ],
    ],
    ["USD business", "USD", usd, engines, []],
    [
      "USD business without name",
      "USD",
      usd,
      { ...engines, businessInfo: {} },
      [`${at}.businessInfo.legalName: is required of a business paid in USD`],
    ],
    [
      "EUR business",
      "EUR",
      eur,
      engines,
      [`${at}.businessInfo.registrationNumber: is required of a business paid in EUR`],
    ],
    [
      "EUR business, flat",
      "EUR",
      eur,
      { beneficiaryType: "BUSINESS", legalName: "E", address },
      [`${at}.registrationNumber: is required of a business paid in EUR`],
    ],
    ["EUR business, registered", "EUR", eur, registered, []],
    ["KES business", "KES", kes, registered, [`${at}.businessInfo.taxId: is required of a business paid in KES`]],
    ["KES business, taxed", "KES", kes, taxed, []],
    [
      "business paid in NGN by SWIFT",
      "NGN",
      swift,
      engines,
      [
        `${at}.businessInfo.registrationNumber: is required of a business paid in NGN`,
        `${at}.businessInfo.taxId: is required of a business paid in NGN`,
      ],
    ],
    [
      "CAD business",
      "CAD",
      { accountType: "CAD_ACCOUNT", bankCode: "001", branchCode: "00001", accountNumber: "1234567" },
      { beneficiaryType: "BUSINESS", legalName: "E" },
      [],
    ],
    [
      "wallet's person",
      "USDC",
      { accountType: "BASE_WALLET", address: `0x${"a".repeat(40)}` },
      ada,
      [`${at}.countryOfResidence: is required of an individual of a BASE_WALLET`],
    ],
  ])("is checked for its minimum fields: %s", async (_, currency, account, beneficiary, expected) => {
    expect(await problems(currency, { ...account, beneficiary })).toEqual(expected)
  })

  it("shows company fields nested and flat, and prefers the nested ones", async () => {
    const { beneficiary } = await infoOf("USD", {
      ...usd,
      accountNumber: "9001",
      beneficiary: { ...engines, legalName: "Other", taxId: "T9" },
    })
    const data = { legalName: "Engines Ltd", taxId: "T9" }
    expect(beneficiary).toEqual({ beneficiaryType: "BUSINESS", ...data, businessInfo: data, address })
  })

  it("stores identity documents for COP and drops them for another type", async () => {
    const documents = { documentType: "CC", documentNumber: "1020" }
    const ofCop = await infoOf("COP", { ...cop, phoneNumber: "+573000000001", beneficiary: { ...ada, ...documents } })
    expect(ofCop.beneficiary).toEqual({ ...ada, ...documents })
    const ofKes = await infoOf("KES", { ...kes, phoneNumber: "+254700000001", beneficiary: { ...ada, ...documents } })
    expect(ofKes.beneficiary).toEqual(ada)
  })
})
