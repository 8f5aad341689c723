/**
 * The specification's table of account types, copied by hand and tested over HTTP: valid and invalid values of each field.
 * Spec: ExternalAccount, "accountInfo by accountType".
 */
import type { Members } from "@countersign/core/models"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { ada, cop, creating, eur, inr, person, swift } from "./AccountInfoSamples.ts"
import { at } from "./ExternalAccountRequests.ts"

let pay: Harness
beforeAll(async () => {
  pay = await harness()
})
afterAll(() => pay[Symbol.asyncDispose]())
const { create, problems } = creating(() => pay)

type Values = ReadonlyArray<unknown>
const digits = (...lengths: ReadonlyArray<number>) => lengths.map((length) => "123456789012345678901".slice(0, length))
const usd = { accountType: "USD_ACCOUNT", routingNumber: "021000021", accountNumber: "4444", beneficiary: person }
const taxed = { pixKey: "52998224725", pixKeyType: "CPF", taxId: "52998224725" }
const brl = { accountType: "BRL_ACCOUNT", ...taxed, beneficiary: ada }
const slv = { accountType: "SLV_ACCOUNT", beneficiary: ada }
const atBank = { bankName: "Bank", accountNumber: "1", bankAccountType: "CHECKING" }
const php = { accountType: "PHP_ACCOUNT", bankName: "BPI", accountNumber: "12345678", beneficiary: ada }
const gbp = { accountType: "GBP_ACCOUNT", sortCode: "200000", accountNumber: "55779911", beneficiary: person }
const ngn = { accountType: "NGN_ACCOUNT", bankName: "Access Bank", accountNumber: "0123456789", beneficiary: ada }
const zar = {
  accountType: "ZAR_ACCOUNT",
  bankName: "First National Bank",
  accountNumber: "123456789",
  beneficiary: ada,
}
const cad = { accountType: "CAD_ACCOUNT", bankCode: "001", branchCode: "00001", accountNumber: "1234567" }
const byMobile = (currency: string) => ({ accountType: `${currency}_ACCOUNT`, beneficiary: ada })
const wire = { ...swift, beneficiary: ada }

/** Expects that each good value is accepted, and that the problem of each bad value names only its field. */
const proveField = (
  currency: string,
  account: Members & { accountType: string },
  name: string,
  good: Values,
  bad: Values,
) =>
  it(`accepts and rejects values of ${account.accountType} ${name}`, async () => {
    for (const value of good)
      expect([value, await problems(currency, { ...account, [name]: value })]).toEqual([value, []])
    for (const value of bad) {
      const found = await problems(currency, { ...account, [name]: value })
      const fields = new Set(found.map((problem) => problem.split(":")[0]))
      expect([value, [...fields]]).toEqual([value, [`accountInfo.${name}`]])
    }
  })

/** Expects that accounts of the type are accepted in this currency and in no other. */
const proveCurrency = (currency: string, account: Members & { accountType: string }) =>
  it(`accepts ${account.accountType} only in ${currency}`, async () => {
    expect(await problems(currency, account)).toEqual([])
    for (const other of ["USD", "EUR", "COP"].filter((code) => code !== currency)) {
      expect((await problems(other, account))[0]?.split(":")[0]).toBe("currency")
    }
  })

// Proves: RES-EXT-21
proveCurrency("USD", usd)
// Proves: RES-EXT-22
proveField("USD", usd, "accountNumber", digits(4, 17), [...digits(3, 18), "12a4", undefined])
// Proves: RES-EXT-23
proveField("USD", usd, "routingNumber", ["021000021"], [...digits(8, 10), undefined])
// Proves: RES-EXT-24
proveField("USD", usd, "bankAccountType", ["CHECKING", "SAVINGS"], ["checking", "CURRENT"])
// Proves: RES-EXT-25
proveField("USD", usd, "bankName", ["Example Bank"], [7])

const mxn = { accountType: "MXN_ACCOUNT", clabeNumber: "032180000118359719", beneficiary: ada }
// Proves: RES-EXT-26
proveCurrency("MXN", mxn)
// Proves: RES-EXT-27
proveField("MXN", mxn, "clabeNumber", digits(18), [...digits(17, 19), undefined])
// Proves: RES-EXT-28
proveField("MXN", mxn, "bankName", ["BBVA"], [7])

// Proves: RES-EXT-29
proveCurrency("BRL", brl)
// Proves: RES-EXT-30
proveField("BRL", brl, "pixKey", ["52998224725", "ana@example.com"], ["", undefined])
// Proves: RES-EXT-31
proveField("BRL", brl, "pixKeyType", ["CPF", "CNPJ", "EMAIL", "PHONE", "RANDOM"], ["cpf", "OTHER", undefined])
// Proves: RES-EXT-32
proveField("BRL", brl, "bankName", ["Banco do Brasil"], [7])
// Proves: RES-EXT-32
proveField("BRL", brl, "taxId", ["52998224725"], [undefined, 7])

// Proves: RES-EXT-33
proveCurrency("COP", { ...cop, accountNumber: "1", bankAccountType: "SAVINGS" })
// Proves: RES-EXT-34
proveField("COP", { ...cop, accountNumber: "1" }, "bankAccountType", ["CHECKING", "SAVINGS"], ["CURRENT", undefined])
// Proves: RES-EXT-34, RES-EXT-35
proveField("COP", { ...cop, phoneNumber: "+573001234567" }, "bankName", ["Bank", "Wallet"], [undefined])
// Proves: RES-EXT-35
proveField("COP", cop, "phoneNumber", ["+573001234567"], ["573001234567", "3001234567"])

// Proves: RES-EXT-37
proveCurrency("USD", { ...slv, ...atBank })
// Proves: RES-EXT-38
proveField("USD", { ...slv, ...atBank }, "bankAccountType", ["CHECKING", "SAVINGS"], ["CURRENT", undefined])
// Proves: RES-EXT-38
proveField("USD", { ...slv, ...atBank }, "bankName", ["Bank"], [undefined])
// Proves: RES-EXT-39
proveField("USD", slv, "phoneNumber", ["+50370123456"], ["50370123456", "70123456"])

// Proves: RES-EXT-40
proveCurrency("EUR", eur)
// Proves: RES-EXT-41
proveField("EUR", eur, "iban", ["DE89370400440532013000"], ["370400440532013000", undefined])
// Proves: RES-EXT-42
proveField("EUR", eur, "swiftCode", ["COBADEFFXXX", "COBADEFF"], ["COBADE"])
// Proves: RES-EXT-42
proveField("EUR", eur, "bankName", ["Commerzbank"], [7])

// Proves: RES-EXT-43
proveCurrency("PHP", php)
// Proves: RES-EXT-44
proveField("PHP", php, "bankName", ["BPI"], ["bpi", "Unknown Bank", undefined])
// Proves: RES-EXT-45
proveField("PHP", php, "accountNumber", digits(8, 16), [...digits(7, 17), undefined])

// Proves: RES-EXT-46
proveCurrency("GBP", gbp)
// Proves: RES-EXT-47
proveField("GBP", gbp, "sortCode", digits(6), [...digits(5, 7), undefined])
// Proves: RES-EXT-48
proveField("GBP", gbp, "accountNumber", digits(8), [...digits(7, 9), undefined])

// Proves: RES-EXT-50
proveCurrency("INR", { ...inr, vpa: "ravi@upi" })
// Proves: RES-EXT-51
proveField("INR", inr, "vpa", ["ravi@upi"], ["ravi"])

// Proves: RES-EXT-52
proveCurrency("NGN", ngn)
// Proves: RES-EXT-53
proveField("NGN", ngn, "accountNumber", digits(10), [...digits(9, 11), undefined])
// Proves: RES-EXT-54
proveField("NGN", ngn, "bankName", ["Access Bank"], [undefined])

// Proves: RES-EXT-55
proveCurrency("ZAR", zar)
// Proves: RES-EXT-56
proveField("ZAR", zar, "accountNumber", digits(9, 13), [...digits(8, 14), undefined])
// Proves: RES-EXT-57
proveField("ZAR", zar, "bankName", ["First National Bank"], [undefined])

// Proves: RES-EXT-58
proveCurrency("CAD", { ...cad, beneficiary: ada })
// Proves: RES-EXT-59
proveField("CAD", { ...cad, beneficiary: ada }, "bankCode", digits(3), [...digits(2, 4), undefined])
// Proves: RES-EXT-60
proveField("CAD", { ...cad, beneficiary: ada }, "branchCode", digits(5), [...digits(4, 6), undefined])
// Proves: RES-EXT-61
proveField("CAD", { ...cad, beneficiary: ada }, "accountNumber", digits(7, 12), [...digits(6, 13), undefined])

/** Returns the operators that a type lists in the problem of an unknown one. */
const operatorsOf = async (currency: string): Promise<ReadonlyArray<string>> => {
  const { body } = await create(currency, { ...byMobile(currency), provider: "NOBODY" })
  const errors = at(body, "details", "errors")
  const named = (Array.isArray(errors) ? errors : []).find((error) => at(error, "field") === "accountInfo.provider")
  return (at(named, "constraint", "enum") ?? []) as ReadonlyArray<string>
}

// Proves: RES-EXT-62, RES-EXT-63, RES-EXT-64, RES-EXT-65, RES-EXT-66, RES-EXT-67, RES-EXT-68, RES-EXT-69, RES-EXT-70
// Proves: RES-EXT-71, RES-EXT-72, RES-EXT-73, RES-EXT-88
it.each([
  ["KES", "+254", 1],
  ["TZS", "+255", 2],
  ["ZMW", "+260", 4],
  ["RWF", "+250", 2],
  ["MWK", "+265", 2],
  ["UGX", "+256", 2],
] as const)(
  "accepts %s_ACCOUNT with a phone number of %s and nine digits at one of %i operators",
  async (currency, prefix, count) => {
    const operators = await operatorsOf(currency)
    expect(operators).toHaveLength(count)
    for (const operator of operators) expect(operator).toMatch(/^[A-Z][A-Z-]*$/u)
    const account = { ...byMobile(currency), phoneNumber: `${prefix}123456789` }
    for (const provider of operators) expect(await problems(currency, { ...account, provider })).toEqual([])
    const [provider] = operators
    for (const phoneNumber of [`${prefix}12345678`, `${prefix}1234567890`, "+999123456789", undefined]) {
      const [problem, ...others] = await problems(currency, { ...account, provider, phoneNumber })
      expect([phoneNumber, problem?.split(":")[0], others]).toEqual([phoneNumber, "accountInfo.phoneNumber", []])
    }
    for (const wrong of ["NOBODY", undefined]) {
      expect((await problems(currency, { ...account, provider: wrong }))[0]).toMatch(/^accountInfo\.provider:/u)
    }
    expect((await problems("USD", { ...account, provider }))[0]).toMatch(/^currency:/u)
  },
)

const xof = { ...byMobile("XOF"), provider: "ORANGE" }
const phones = ["+221123456789", "+2251234567890", "+22912345678", "+229123456789"]
const others = ["+22112345678", "+2211234567890", "+225123456789", "+2291234567", "+2291234567890", "+228123456789"]
// Proves: RES-EXT-74
proveCurrency("XOF", { ...xof, phoneNumber: "+221123456789" })
// Proves: RES-EXT-75, RES-EXT-76, RES-EXT-77
proveField("XOF", xof, "phoneNumber", phones, [...others, undefined])
// Proves: RES-EXT-78
proveField("XOF", { ...xof, phoneNumber: "+221123456789" }, "provider", ["ORANGE"], ["", undefined])

// Proves: RES-EXT-79
it("accepts SWIFT_ACCOUNT in any currency, whatever its country", async () => {
  for (const [currency, country] of [
    ["USD", "BR"],
    ["EUR", "CN"],
    ["JPY", "JP"],
  ] as const) {
    expect(await problems(currency, { ...wire, country })).toEqual([])
  }
})
// Proves: RES-EXT-80
proveField("USD", wire, "country", ["BR", "JP"], ["br", "BRA", undefined])
// Proves: RES-EXT-81
proveField("USD", wire, "swiftCode", ["BRASBRRJ", "BRASBRRJXXX"], ["BRAS", undefined])
// Proves: RES-EXT-82
proveField("USD", wire, "bankName", ["Banco do Brasil"], [undefined])
// Proves: RES-EXT-83
it("requires an account number or an IBAN of SWIFT_ACCOUNT", async () => {
  const { accountNumber, ...neither } = wire
  expect(await problems("USD", { ...neither, accountNumber })).toEqual([])
  expect(await problems("EUR", { ...neither, iban: "GB29NWBK60161331926819" })).toEqual([])
  expect(await problems("USD", neither)).toHaveLength(2)
})

// Proves: RES-EXT-07, RES-EXT-84, RES-EXT-85, RES-EXT-86, RES-EXT-87
it("accepts SPARK_WALLET with an address of 87 characters in either case as ACTIVE, without a beneficiary", async () => {
  const address = `spark1${"q".repeat(81)}`
  expect(address).toHaveLength(87)
  expect(await create("BTC", { accountType: "SPARK_WALLET", address })).toMatchObject({
    status: 201,
    body: {
      status: "ACTIVE",
      currency: "BTC",
      accountInfo: { accountType: "SPARK_WALLET", address },
      createdAt: "2026-11-21T12:00:00Z",
    },
  })
  expect((await create("BTC", { accountType: "SPARK_WALLET", address: address.toUpperCase() })).status).toBe(409)
  for (const wrong of [`spork1${"q".repeat(81)}`, `spark1${"b".repeat(81)}`, undefined]) {
    const [problem] = await problems("BTC", { accountType: "SPARK_WALLET", address: wrong })
    expect(problem).toMatch(/^accountInfo\.address:/u)
  }
  expect((await problems("EUR", { accountType: "SPARK_WALLET", address }))[0]).toMatch(/^currency:/u)
})
