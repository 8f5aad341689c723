/**
 * The rules of creating external accounts over HTTP, case by case.
 * Spec: 4.3; wire contract 2.1 and 2.3.
 */
import type { Members } from "@countersign/core/models"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { replaced } from "../../../packages/test/src/harness/AccountBreakages.ts"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { ada, cny, cop, creating, eur, inr, kes, lightning, person, swift, usd, xof } from "./AccountInfoSamples.ts"

let pay: Harness
beforeAll(async () => {
  pay = await harness()
})
afterAll(() => pay[Symbol.asyncDispose]())
const { create, infoOf, problems } = creating(() => pay)

// Proves: LIM-09
// Proves: EP-EXT-17
describe("the format of a field", () => {
  it.each<[string, string, Members, string, ReadonlyArray<unknown>, ReadonlyArray<unknown>]>([
    [
      "account number",
      "USD",
      usd,
      "accountNumber",
      ["1234", "12345678901234567"],
      ["123", "123456789012345678", "12 34"],
    ],
    [
      "CLABE",
      "MXN",
      { accountType: "MXN_ACCOUNT", beneficiary: ada },
      "clabeNumber",
      ["032180000118359719"],
      ["03218000011835971", "0321800001183597190"],
    ],
    [
      "sort code",
      "GBP",
      { accountType: "GBP_ACCOUNT", accountNumber: "55779911", beneficiary: person },
      "sortCode",
      ["200000"],
      ["20000", "20-00-00"],
    ],
    [
      "account number of NGN",
      "NGN",
      { accountType: "NGN_ACCOUNT", bankName: "Access Bank", beneficiary: ada },
      "accountNumber",
      ["0123456789"],
      ["012345678", "01234567890"],
    ],
    ["operator", "KES", kes, "provider", ["M-PESA"], ["MPESA", "m-pesa", "AIRTEL"]],
    ["phone", "KES", kes, "phoneNumber", ["+254712345678"], ["+25471234567", "254712345678", "+2547123456789"]],
    [
      "phone of UGX",
      "UGX",
      { accountType: "UGX_ACCOUNT", provider: "MTN", beneficiary: ada },
      "phoneNumber",
      ["+256771234567"],
      ["+25677123456", "+254771234567"],
    ],
    [
      "phone of XOF",
      "XOF",
      xof,
      "phoneNumber",
      ["+221771234567", "+2250712345678", "+22997123456", "+229971234567", "+22890123456"],
      ["+22177123456", "+225071234567", "+2299712345", "+2289012345", "+228901234567"],
    ],
    ["operator of XOF", "XOF", xof, "provider", ["ORANGE", "anything"], [""]],
    ["vpa", "INR", inr, "vpa", ["ravi@upi", "a.b-c_d@ok1"], ["ravi", "ravi@ok.upi", "@upi"]],
    [
      "Spark address",
      "BTC",
      { accountType: "SPARK_WALLET" },
      "address",
      [`spark1${"q".repeat(54)}`, `SPARK1${"Q".repeat(81)}`, `spark1${"q".repeat(94)}`],
      [`spark1${"q".repeat(53)}`, `spark1${"q".repeat(95)}`, `spark1${"b".repeat(60)}`, `sp1${"q".repeat(60)}`],
    ],
  ])("is checked: %s", async (_, currency, account, name, good, bad) => {
    for (const value of good) expect(await problems(currency, { ...account, [name]: value })).toEqual([])
    for (const value of bad) {
      const [problem, ...others] = await problems(currency, { ...account, [name]: value })
      expect([problem?.split(":")[0], others]).toEqual([`accountInfo.${name}`, []])
    }
  })

  it("is reported as a message and a constraint, without the sent value", async () => {
    const secret = "98765432109876543210"
    const { body } = await create("USD", { ...usd, accountNumber: secret })
    expect(body).toMatchObject({
      status: 400,
      code: "INVALID_INPUT",
      message: "accountInfo.accountNumber: must be 4 to 17 digits",
      details: {
        errors: [
          {
            field: "accountInfo.accountNumber",
            message: "must be 4 to 17 digits",
            constraint: { pattern: "^[0-9]{4,17}$" },
          },
        ],
      },
    })
    expect(JSON.stringify(body)).not.toContain(secret)
  })
})

// Proves: EP-EXT-17
describe("the payment route", () => {
  it.each<[string, string, Members, ReadonlyArray<string>]>([
    [
      "no route",
      "COP",
      cop,
      [
        "accountInfo.accountNumber: is required, or phoneNumber instead",
        "accountInfo.bankAccountType: is required, or phoneNumber instead",
        "accountInfo.phoneNumber: is required, or accountNumber and bankAccountType instead",
      ],
    ],
    [
      "an incomplete bank account",
      "COP",
      { ...cop, accountNumber: "1" },
      ["accountInfo.bankAccountType: is required with accountNumber"],
    ],
    ["mobile money", "COP", { ...cop, phoneNumber: "+573001234567" }, []],
    [
      "SLV mobile money without a bank",
      "USD",
      { accountType: "SLV_ACCOUNT", phoneNumber: "+50370123456", beneficiary: ada },
      [],
    ],
    [
      "SLV in another currency",
      "COP",
      { accountType: "SLV_ACCOUNT", phoneNumber: "+50370123456", beneficiary: ada },
      ["currency: must be USD for SLV_ACCOUNT"],
    ],
    [
      "NEFT without IFSC",
      "INR",
      { ...inr, accountNumber: "123456789", rail: "NEFT" },
      ["accountInfo.ifsc: is required with accountNumber"],
    ],
    [
      "UPI as the rail of an account number",
      "INR",
      { ...inr, accountNumber: "123456789", ifsc: "HDFC0001234", rail: "UPI" },
      ["accountInfo.rail: must be NEFT or RTGS with accountNumber"],
    ],
    [
      "a bank account of an individual in China",
      "CNY",
      { ...cny, accountNumber: "1", beneficiary: ada },
      ["accountInfo.beneficiary.beneficiaryType: must be BUSINESS with accountNumber"],
    ],
    ["a bank account of a business in China", "CNY", { ...cny, accountNumber: "2" }, []],
    [
      "a mobile wallet at a bank",
      "CNY",
      { ...cny, phoneNumber: "+8613812345678" },
      ["accountInfo.bankName: must be AliPay or WechatPay with phoneNumber"],
    ],
    ["a mobile wallet", "CNY", { ...cny, bankName: "AliPay", phoneNumber: "+8613812345678", beneficiary: ada }, []],
    [
      "SWIFT with neither number",
      "EUR",
      { ...replaced(swift, ["accountNumber"], undefined), beneficiary: ada },
      [
        "accountInfo.accountNumber: is required, or iban instead",
        "accountInfo.iban: is required, or accountNumber instead",
      ],
    ],
    [
      "two Lightning identifiers",
      "BTC",
      { ...lightning, bolt12: `lno1${"q".repeat(40)}`, lightningAddress: "ada@wallet.example" },
      ["accountInfo.lightningAddress: must not be given together with bolt12"],
    ],
    [
      "a region that differs from the phone number",
      "XOF",
      { ...xof, region: "CI" },
      ["accountInfo.region: must be SN, the country of phoneNumber"],
    ],
    [
      "a region that differs from the phone number, in XAF",
      "XAF",
      { ...xof, accountType: "XAF_ACCOUNT", phoneNumber: "+237671234567", region: "CG" },
      ["accountInfo.region: must be CM, the country of phoneNumber"],
    ],
    [
      "a region that cannot be derived",
      "XAF",
      { ...xof, accountType: "XAF_ACCOUNT", phoneNumber: "+241671234567" },
      ["accountInfo.region: is required, because it cannot be derived"],
    ],
    [
      "a region that a phone number of the other franc zone does not give",
      "XAF",
      { ...xof, accountType: "XAF_ACCOUNT", phoneNumber: "+22891234567" },
      ["accountInfo.region: is required, because it cannot be derived"],
    ],
    [
      "a region beside a phone number of the other franc zone",
      "XAF",
      { ...xof, accountType: "XAF_ACCOUNT", phoneNumber: "+22891234560", region: "CG" },
      [],
    ],
    [
      "a region of the other franc zone",
      "XOF",
      { ...xof, region: "CM" },
      ["accountInfo.region: must be one of BJ, CI, SN, TG"],
    ],
  ])("is checked: %s", async (_, currency, account, expected) => {
    expect(await problems(currency, account)).toEqual(expected)
  })
})

describe("an omitted field", () => {
  it.each([
    ["XOF", "+22891234567", "TG"],
    ["XAF", "+237671234567", "CM"],
    ["XAF", "+242061234567", "CG"],
  ])("is derived: the region of %s from %s", async (currency, phoneNumber, region) => {
    expect((await infoOf(currency, { ...xof, accountType: `${currency}_ACCOUNT`, phoneNumber })).region).toBe(region)
  })

  it("is derived: the region from the phone number", async () => {
    expect((await infoOf("XOF", { ...xof, phoneNumber: "+2290191234567".slice(0, 13) })).region).toBe("BJ")
    expect((await infoOf("XOF", { ...xof, phoneNumber: "+2250700000009", region: "CI" })).region).toBe("CI")
  })

  it("is derived: the residence of an individual with a EUR account from the address", async () => {
    const { beneficiary } = await infoOf("EUR", { ...eur, iban: "FR7630006000011234567890189" })
    expect(beneficiary).toEqual({ ...person, countryOfResidence: "US" })
    const withResidence = await infoOf("EUR", {
      ...eur,
      iban: "FR7630006000011234567890180",
      beneficiary: { ...person, countryOfResidence: "FR" },
    })
    expect(withResidence.beneficiary.countryOfResidence).toBe("FR")
  })

  it("is derived: the name of a Singapore bank from a known BIC", async () => {
    const sgd = { accountType: "SGD_ACCOUNT", accountNumber: "1", beneficiary: ada }
    expect((await infoOf("SGD", { ...sgd, swiftCode: "DBSSSGSG" })).bankName).toBe("DBS Bank")
    expect((await infoOf("SGD", { ...sgd, swiftCode: "OCBCSGSGXXX", bankName: "Mine" })).bankName).toBe("Mine")
    expect(await infoOf("SGD", { ...sgd, swiftCode: "ZZZZSGSG" })).not.toHaveProperty("bankName")
  })

  it("stores LIGHTNING_ACCOUNT as LIGHTNING", async () => {
    const alias = { accountType: "LIGHTNING_ACCOUNT", lightningAddress: "ada@wallet.example" }
    expect(await infoOf("BTC", alias)).toEqual({ ...alias, accountType: "LIGHTNING" })
    expect(
      (await create("BTC", { ...alias, accountType: "LIGHTNING", lightningAddress: "ADA@wallet.example" })).status,
    ).toBe(409)
  })
})

describe("a duplicate account", () => {
  it("is rejected by its identifying fields, whatever the other fields", async () => {
    const account = { ...usd, accountNumber: "777001" }
    expect((await create("USD", account)).status).toBe(201)
    expect((await create("USD", { ...account, bankName: "Another" })).status).toBe(409)
    expect((await create("USD", { ...account, routingNumber: "021000089" })).status).toBe(201)
  })

  it("is rejected if its identifier is longer than a key of the store", async () => {
    const long = { ...lightning, invoice: `lnbc1${"q".repeat(4000)}` }
    expect((await create("BTC", long)).status).toBe(201)
    expect((await create("BTC", { ...long, invoice: long.invoice.toUpperCase() })).status).toBe(409)
  })
})
