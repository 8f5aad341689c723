/**
 * The rules of minimum fields: both tables copied by hand, and each rule alone.
 * Spec: Beneficiary; wire contract 2.4; D-041.
 */
import {
  type AccountTypeRow,
  BusinessMinimums,
  businessMinimum,
  IndividualMinimums,
  individualMinimum,
  type Members,
} from "@countersign/core/models"
import { expect, it } from "vitest"
import { beneficiaryProblems } from "../../../packages/core/src/model/account/BeneficiaryRules.ts"

const row: AccountTypeRow = {
  currencies: ["USD"],
  country: "US",
  fields: {},
  routes: [{ kind: "bank", rails: [], requiredFields: [] }],
  beneficiary: "required",
}
const japanese = { ...row, country: "JP" }
const wholeAddress = ["line1", "city", "postalCode", "country"]

it("requires an address of individuals in the listed countries and only a name elsewhere", () => {
  const euro = "EU AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK".split(" ")
  expect(IndividualMinimums.rows).toEqual({
    "the United States": { countries: ["US"], needs: [], address: wholeAddress },
    "Mexico, Brazil, Philippines": { countries: ["MX", "BR", "PH"], needs: [], address: [] },
    "the United Kingdom": { countries: ["GB"], needs: ["address"], address: wholeAddress },
    "the euro area": { countries: euro, needs: ["address"], address: wholeAddress },
  })
  expect(individualMinimum(row, {})).toEqual({
    area: "the United States",
    needs: ["fullName"],
    address: wholeAddress,
  })
  expect(individualMinimum(japanese, {})).toEqual({ area: undefined, needs: ["fullName"], address: [] })
  const swift = { ...row, country: { field: "country" }, individualFields: ["birthDate", "fullName"] }
  expect(individualMinimum(swift, { country: "SK" })).toMatchObject({
    area: "the euro area",
    needs: ["fullName", "address", "birthDate"],
  })
  expect(individualMinimum(swift, {})).toMatchObject({ area: undefined, needs: ["fullName", "birthDate"] })
})

it("requires fields of a business by the currency of its payments", () => {
  const address = "USD MXN GBP INR BRL DKK PHP HKD IDR MYR SGD THB VND AED".split(" ")
  const tax = "NGN ZAR KES TZS RWF ZMW UGX BWP MWK XOF XAF".split(" ")
  const registration = ["legalName", "address", "registrationNumber"]
  expect(BusinessMinimums.rows).toEqual({
    address: { currencies: address, needs: ["legalName", "address"] },
    "address and registration": { currencies: ["EUR"], needs: registration },
    "address, registration and tax": { currencies: tax, needs: [...registration, "taxId"] },
  })
  for (const currency of address) expect(businessMinimum(currency)).toEqual(["legalName", "address"])
  expect(businessMinimum("EUR")).toEqual(registration)
  for (const currency of tax) expect(businessMinimum(currency)).toEqual([...registration, "taxId"])
  for (const currency of ["CNY", undefined]) expect(businessMinimum(currency)).toEqual(["legalName"])
})

const problemsOf = (of: AccountTypeRow, beneficiary: unknown, currency: unknown = "USD") =>
  beneficiaryProblems(of, "ANY_ACCOUNT", currency, { beneficiary })
const messages = (problems: ReturnType<typeof problemsOf>) =>
  problems.map(({ message, path }) => [path.join("."), message])
const ada = { beneficiaryType: "INDIVIDUAL", fullName: "Ada" }
const engines = { beneficiaryType: "BUSINESS", address: {} }
const full = { line1: "1 Main St", city: "Springfield", postalCode: "12345", country: "US" }

it.each<readonly [string, AccountTypeRow, unknown, ReadonlyArray<readonly [path: string, message: string]>]>([
  ["no beneficiary", row, undefined, []],
  ["a beneficiary that is not an object", row, "Ada", []],
  ["a type without beneficiary", { ...row, beneficiary: "none" }, { beneficiaryType: "INDIVIDUAL" }, []],
  ["an unknown beneficiaryType", row, { beneficiaryType: "ROBOT" }, []],
  ["a complete individual", row, { ...ada, address: full }, []],
  [
    "an individual without fields",
    row,
    { beneficiaryType: "INDIVIDUAL" },
    [["beneficiary.fullName", "is required of an individual in the United States"]],
  ],
  [
    "an individual with an incomplete address",
    row,
    { ...ada, address: { line1: "1 Main St", postalCode: "12345" } },
    [
      ["beneficiary.address.city", "is required of an individual in the United States"],
      ["beneficiary.address.country", "is required of an individual in the United States"],
    ],
  ],
  ["an individual whose address is not an object", row, { ...ada, address: "Main St" }, []],
  ["an individual of another country", japanese, ada, []],
  [
    "an individual of another country without a name",
    japanese,
    { beneficiaryType: "INDIVIDUAL" },
    [["beneficiary.fullName", "is required of an individual of a ANY_ACCOUNT"]],
  ],
  ["a business with nested fields", row, { ...engines, businessInfo: { legalName: "Engines" } }, []],
  ["a business with flat fields", row, { ...engines, legalName: "Engines" }, []],
  [
    "a business without fields",
    row,
    { beneficiaryType: "BUSINESS" },
    [
      ["beneficiary.businessInfo.legalName", "is required of a business paid in USD"],
      ["beneficiary.address", "is required of a business paid in USD"],
    ],
  ],
  [
    "a business with flat fields, one missing",
    { ...row, currencies: ["EUR"] },
    { ...engines, legalName: "Engines" },
    [["beneficiary.registrationNumber", "is required of a business paid in EUR"]],
  ],
  [
    "a business with nested fields, one missing",
    { ...row, currencies: ["EUR"] },
    { ...engines, businessInfo: { legalName: "Engines" } },
    [["beneficiary.businessInfo.registrationNumber", "is required of a business paid in EUR"]],
  ],
  [
    "a business with nested and flat fields, one missing",
    { ...row, currencies: ["KES"] },
    { ...engines, businessInfo: { legalName: "Engines" }, taxId: "T1" },
    [["beneficiary.businessInfo.registrationNumber", "is required of a business paid in KES"]],
  ],
  [
    "a business with the address inside businessInfo",
    row,
    { beneficiaryType: "BUSINESS", businessInfo: { legalName: "Engines", address: full } },
    [["beneficiary.address", "is required of a business paid in USD"]],
  ],
])("reports the missing fields of %s", (_who, of, beneficiary, problems) => {
  expect(messages(problemsOf(of, beneficiary))).toEqual(problems)
})

it("uses the requested currency of a type with several, and the only currency of a type with one", () => {
  const several: AccountTypeRow = { ...row, currencies: ["USD", "EUR"] }
  const named = { ...engines, legalName: "Engines" }
  expect(problemsOf(several, named, "USD")).toEqual([])
  expect(problemsOf(several, named, "EUR")).toHaveLength(1)
  expect(problemsOf(row, named, "EUR")).toEqual([])
})

it("names no currency that the request lacks, or that the type does not have", () => {
  const several: AccountTypeRow = { ...row, currencies: ["USD", "EUR"] }
  for (const currency of [undefined, "GBP", 978, {}]) {
    const problems = beneficiaryProblems(several, "ANY_ACCOUNT", currency, { beneficiary: engines })
    expect(messages(problems)).toEqual([["beneficiary.businessInfo.legalName", "is required of a business"]])
  }
})

it("marks a missing field by the constraint `required`", () => {
  expect(problemsOf(japanese, { beneficiaryType: "INDIVIDUAL" } satisfies Members)).toMatchObject([
    { constraint: { required: true } },
  ])
})
