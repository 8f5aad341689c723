/** The information about the receiving side that a quote shows: which member of an account holds each field. Wire contract 5.3. */
import type { ExternalAccount } from "@countersign/core/models"
import { expect, it } from "vitest"
import { counterpartyInformation } from "../../../packages/core/src/model/quote/CounterpartyInformation.ts"
import { platform } from "./QuoteFacts.ts"

type Field = (typeof platform.supportedCurrencies)[number]["requiredCounterpartyFields"][number]

/** What a platform that requires these fields of pounds is shown. */
const shown = (names: ReadonlyArray<Field["name"]>, accountInfo: ExternalAccount["accountInfo"]) => {
  const [row] = platform.supportedCurrencies
  if (row === undefined) throw new Error("the platform has no currency")
  const requiredCounterpartyFields = names.map((name) => ({ name, mandatory: true }))
  const supportedCurrencies = [row, { ...row, currencyCode: "GBP" as const, requiredCounterpartyFields }]
  return counterpartyInformation({ ...platform, supportedCurrencies }, { currency: "GBP", accountInfo })
}

const person = {
  beneficiaryType: "INDIVIDUAL",
  fullName: "Ada Lovelace",
  birthDate: "1815-12-10",
  nationality: "GB",
  phoneNumber: "+14155550123",
  email: "ada@x.example",
  address: { line1: "1 Main St" },
  countryOfResidence: "GB",
} as const
const company = { legalName: "Engines Ltd", taxId: "T1", registrationNumber: "R1" }
const ofPerson = { accountType: "GBP_ACCOUNT", accountNumber: "12345678", beneficiary: person }
const ofCompany = {
  accountType: "GBP_ACCOUNT",
  beneficiary: { beneficiaryType: "BUSINESS", businessInfo: company, email: "ltd@x.example" },
}

it.each<readonly [Field["name"], ExternalAccount["accountInfo"], unknown]>([
  ["FULL_NAME", ofPerson, "Ada Lovelace"],
  ["FULL_NAME", ofCompany, "Engines Ltd"],
  ["COMPANY_LEGAL_NAME", ofCompany, "Engines Ltd"],
  ["BIRTH_DATE", ofPerson, "1815-12-10"],
  ["NATIONALITY", ofPerson, "GB"],
  ["PHONE_NUMBER", ofPerson, "+14155550123"],
  ["EMAIL", ofPerson, "ada@x.example"],
  ["EMAIL", ofCompany, "ltd@x.example"],
  ["POSTAL_ADDRESS", ofPerson, { line1: "1 Main St" }],
  ["TAX_ID", ofCompany, "T1"],
  ["REGISTRATION_NUMBER", ofCompany, "R1"],
  ["USER_TYPE", ofCompany, "BUSINESS"],
  ["COUNTRY_OF_RESIDENCE", ofPerson, "GB"],
  ["ACCOUNT_IDENTIFIER", ofPerson, "12345678"],
])("shows %s from its member of the account", (name, accountInfo, value) => {
  expect(shown([name], accountInfo)).toEqual({ [name]: value })
})

it("shows a company's member in its own object before that beside it", () => {
  const beneficiary = { ...ofCompany.beneficiary, legalName: "Old Ltd", taxId: "T0" }
  expect(shown(["FULL_NAME", "TAX_ID"], { ...ofCompany, beneficiary })).toEqual({
    FULL_NAME: "Engines Ltd",
    TAX_ID: "T1",
  })
  expect(shown(["TAX_ID"], { ...ofCompany, beneficiary: { ...beneficiary, businessInfo: "?" } })).toEqual({
    TAX_ID: "T0",
  })
})

it("leaves out what the account has not, and shows nothing where nothing is left", () => {
  expect(shown(["FULL_NAME", "TAX_ID"], ofPerson)).toEqual({ FULL_NAME: "Ada Lovelace" })
  expect(shown(["TAX_ID"], ofPerson)).toBeUndefined()
  expect(shown(["FULL_NAME"], { accountType: "GBP_ACCOUNT" })).toBeUndefined()
  expect(shown([], ofPerson)).toBeUndefined()
})

it("shows nothing of a currency for which the platform requires nothing", () => {
  expect(counterpartyInformation(platform, { currency: "GBP", accountInfo: ofPerson })).toBeUndefined()
})
