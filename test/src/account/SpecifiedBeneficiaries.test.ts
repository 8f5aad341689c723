/**
 * The specification's two tables of minimum fields of beneficiaries, copied by hand and tested over HTTP: the minimum is accepted,
 * and each missing field is reported.
 * Spec: Beneficiary.
 */
import type { Members } from "@countersign/core/models"
import { afterAll, beforeAll, expect, it } from "vitest"
import { replaced } from "../../../packages/test/src/harness/AccountBreakages.ts"
import { exampleBody } from "../../../packages/test/src/harness/AccountExample.ts"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { ada, address, cop, creating, usd } from "./AccountInfoSamples.ts"

let pay: Harness
beforeAll(async () => {
  pay = await harness()
})
afterAll(() => pay[Symbol.asyncDispose]())
const { infoOf, problems } = creating(() => pay)

/** The example account of the currency, with this beneficiary. */
const accountWith = (currency: string, beneficiary: unknown): Members => ({
  ...exampleBody(`${currency}_ACCOUNT`).accountInfo,
  beneficiary,
})

/** Expects that the minimum is accepted, and that a missing part of it is reported. */
const proveMinimum = (
  title: string,
  currencies: ReadonlyArray<string>,
  minimum: Members,
  parts: ReadonlyArray<string>,
) =>
  it.each(currencies.map((currency) => [currency]))(`requires the minimum fields of ${title}: %s`, async (currency) => {
    expect(await problems(currency, accountWith(currency, minimum))).toEqual([])
    for (const part of parts) {
      const found = await problems(currency, accountWith(currency, replaced(minimum, part.split("."), undefined)))
      const fields = found.map((problem) => problem.split(":")[0])
      expect([part, fields]).toEqual([part, [`accountInfo.beneficiary.${part}`]])
    }
  })

const least = { beneficiaryType: "INDIVIDUAL", fullName: "Ada Lovelace" }
const whole = { ...least, address }
const names = ["beneficiaryType", "fullName"]
const lines = ["address.line1", "address.city", "address.postalCode", "address.country"]

// Proves: RES-BENE-10
proveMinimum("an individual in the United States", ["USD"], least, names)
// Proves: RES-BENE-11
proveMinimum("an individual with an address in the United States", ["USD"], whole, lines)
// Proves: RES-BENE-12, RES-BENE-02, RES-BENE-20
proveMinimum("an individual in Mexico, Brazil and the Philippines", ["MXN", "BRL", "PHP"], least, names)
// Proves: RES-BENE-13, RES-BENE-14, RES-EXT-49
proveMinimum("an individual in the United Kingdom and Europe", ["GBP", "EUR"], whole, [...names, "address", ...lines])

const business = (businessInfo: Members) => ({ beneficiaryType: "BUSINESS", businessInfo, address })
const named = business({ legalName: "Engines Ltd" })
const registered = business({ legalName: "Engines Ltd", registrationNumber: "R1" })
const taxed = business({ legalName: "Engines Ltd", registrationNumber: "R1", taxId: "T1" })
const addressed = ["GBP", "INR", "BRL", "DKK", "PHP", "HKD", "IDR", "MYR", "SGD", "THB", "VND", "AED"]
const african = ["NGN", "ZAR", "KES", "TZS", "RWF", "ZMW", "UGX", "BWP", "MWK", "XOF", "XAF"]
const company = ["address", "businessInfo.legalName"]

// Proves: RES-BENE-15
proveMinimum("a business", ["USD", "MXN"], named, company)
// Proves: RES-BENE-16
proveMinimum("a business", ["EUR"], registered, [...company, "businessInfo.registrationNumber"])
// Proves: RES-BENE-17
proveMinimum("a business", addressed, named, company)
// Proves: RES-BENE-18
proveMinimum("a business", african, taxed, [...company, "businessInfo.registrationNumber", "businessInfo.taxId"])

// Proves: RES-BENE-01, RES-BENE-03, RES-BENE-04, RES-BENE-09, RES-BENE-20
it("accepts optional fields of an individual in their formats", async () => {
  const optionalFields = { birthDate: "1815-12-10", nationality: "GB", address: { ...address, state: "IL" } }
  const { beneficiary } = await infoOf("USD", {
    ...usd,
    accountNumber: "5555",
    beneficiary: { ...ada, ...optionalFields },
  })
  expect(beneficiary).toEqual({ ...ada, ...optionalFields })
  for (const [name, wrong] of [
    ["beneficiaryType", "PERSON"],
    ["birthDate", "10.12.1815"],
    ["birthDate", "1815-02-30"],
    ["nationality", "GBR"],
    ["nationality", "gb"],
  ] as const) {
    const [problem, ...others] = await problems("USD", {
      ...usd,
      beneficiary: { ...ada, ...optionalFields, [name]: wrong },
    })
    expect([wrong, problem?.split(":")[0], others]).toEqual([wrong, `accountInfo.beneficiary.${name}`, []])
  }
})

// Proves: RES-BENE-06, RES-BENE-07, RES-BENE-08
it("stores the name of a business in businessInfo and its address beside it", async () => {
  const { beneficiary } = await infoOf("USD", { ...usd, accountNumber: "5556", beneficiary: taxed })
  expect(beneficiary).toMatchObject(taxed)
})

// Proves: RES-BENE-05, RES-EXT-36
it("accepts five document types of a beneficiary in Colombia", async () => {
  const mobile = { ...cop, phoneNumber: "+573009876543" }
  const documented = (documentType: string) => ({ ...ada, documentType, documentNumber: "1020304050" })
  for (const type of ["CC", "CE", "TI", "NIT", "PP"]) {
    expect(await problems("COP", { ...mobile, beneficiary: documented(type) })).toEqual([])
  }
  for (const type of ["cc", "SSN"]) {
    const [problem] = await problems("COP", { ...mobile, beneficiary: documented(type) })
    expect(problem).toMatch(/^accountInfo\.beneficiary\.documentType:/u)
  }
})
