/** What a beneficiary must at least say: both tables copied by hand, and each rule alone. Spec: Beneficiary; wire contract 2.4; D-041. */
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
const nowhere = { ...row, country: "JP" }
const wholeAddress = ["line1", "city", "postalCode", "country"]

it("a person in these countries has an address, everywhere else a name is enough", () => {
  const euro = "EU AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK".split(" ")
  expect(IndividualMinimums.rows).toEqual({
    "the United States": { countries: ["US"], needs: ["address"], address: wholeAddress },
    "Mexico, Brazil, Philippines": { countries: ["MX", "BR", "PH"], needs: [], address: [] },
    "the United Kingdom": { countries: ["GB"], needs: ["address"], address: wholeAddress },
    "the euro area": { countries: euro, needs: ["address"], address: wholeAddress },
  })
  expect(individualMinimum(row, {})).toEqual({
    area: "the United States",
    needs: ["fullName", "address"],
    address: wholeAddress,
  })
  expect(individualMinimum(nowhere, {})).toEqual({ area: undefined, needs: ["fullName"], address: [] })
  const swift = { ...row, country: { field: "country" }, individualFields: ["birthDate", "fullName"] }
  expect(individualMinimum(swift, { country: "SK" })).toMatchObject({
    area: "the euro area",
    needs: ["fullName", "address", "birthDate"],
  })
  expect(individualMinimum(swift, {})).toMatchObject({ area: undefined, needs: ["fullName", "birthDate"] })
})

it("a business says more or less by the currency in which it is paid", () => {
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

const lacks = (of: AccountTypeRow, beneficiary: unknown, currency: unknown = "USD") =>
  beneficiaryProblems(of, "ANY_ACCOUNT", currency, { beneficiary })
const said = (problems: ReturnType<typeof lacks>) => problems.map(({ message, path }) => [path.join("."), message])
const ada = { beneficiaryType: "INDIVIDUAL", fullName: "Ada" }
const engines = { beneficiaryType: "BUSINESS", address: {} }
const full = { line1: "1 Main St", city: "Springfield", postalCode: "12345", country: "US" }

it.each<readonly [string, AccountTypeRow, unknown, ReadonlyArray<readonly [path: string, message: string]>]>([
  ["nobody", row, undefined, []],
  ["no object", row, "Ada", []],
  ["of a type that takes none", { ...row, beneficiary: "none" }, { beneficiaryType: "INDIVIDUAL" }, []],
  ["of no known kind", row, { beneficiaryType: "ROBOT" }, []],
  ["a person with everything", row, { ...ada, address: full }, []],
  [
    "a person with nothing",
    row,
    { beneficiaryType: "INDIVIDUAL" },
    [
      ["beneficiary.fullName", "is required of an individual in the United States"],
      ["beneficiary.address", "is required of an individual in the United States"],
    ],
  ],
  [
    "a person with half an address",
    row,
    { ...ada, address: { line1: "1 Main St", postalCode: "12345" } },
    [
      ["beneficiary.address.city", "is required of an individual in the United States"],
      ["beneficiary.address.country", "is required of an individual in the United States"],
    ],
  ],
  ["a person whose address is no object", row, { ...ada, address: "Main St" }, []],
  ["a person elsewhere", nowhere, ada, []],
  [
    "a person elsewhere without a name",
    nowhere,
    { beneficiaryType: "INDIVIDUAL" },
    [["beneficiary.fullName", "is required of an individual of a ANY_ACCOUNT"]],
  ],
  ["a business, nested", row, { ...engines, businessInfo: { legalName: "Engines" } }, []],
  ["a business, flat", row, { ...engines, legalName: "Engines" }, []],
  [
    "a business with nothing",
    row,
    { beneficiaryType: "BUSINESS" },
    [
      ["beneficiary.businessInfo.legalName", "is required of a business paid in USD"],
      ["beneficiary.address", "is required of a business paid in USD"],
    ],
  ],
  [
    "a business that is flat, and lacks one thing",
    { ...row, currencies: ["EUR"] },
    { ...engines, legalName: "Engines" },
    [["beneficiary.registrationNumber", "is required of a business paid in EUR"]],
  ],
  [
    "a business that is nested, and lacks one thing",
    { ...row, currencies: ["EUR"] },
    { ...engines, businessInfo: { legalName: "Engines" } },
    [["beneficiary.businessInfo.registrationNumber", "is required of a business paid in EUR"]],
  ],
  [
    "a business that is nested and flat, and lacks one thing",
    { ...row, currencies: ["KES"] },
    { ...engines, businessInfo: { legalName: "Engines" }, taxId: "T1" },
    [["beneficiary.businessInfo.registrationNumber", "is required of a business paid in KES"]],
  ],
  [
    "a business whose address stands in the wrong place",
    row,
    { beneficiaryType: "BUSINESS", businessInfo: { legalName: "Engines", address: full } },
    [["beneficiary.address", "is required of a business paid in USD"]],
  ],
])("%s", (_who, of, beneficiary, problems) => {
  expect(said(lacks(of, beneficiary))).toEqual(problems)
})

it("of several currencies the one that is asked for counts, of one that one", () => {
  const several: AccountTypeRow = { ...row, currencies: ["USD", "EUR"] }
  const named = { ...engines, legalName: "Engines" }
  expect(lacks(several, named, "USD")).toEqual([])
  expect(lacks(several, named, "EUR")).toHaveLength(1)
  expect(lacks(row, named, "EUR")).toEqual([])
})

it("what is missing is told to programs as required", () => {
  expect(lacks(nowhere, { beneficiaryType: "INDIVIDUAL" } satisfies Members)).toMatchObject([
    { constraint: { required: true } },
  ])
})
