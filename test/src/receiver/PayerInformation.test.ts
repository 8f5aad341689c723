/** What a receiver is given about the payer. Source: wire contract 5.2 (senderCustomerInfo) and 5.10; D-251. */
import { expect, it } from "vitest"
import type { Customer } from "../../../packages/core/src/model/customer/Customer.ts"
import { payerInformation } from "../../../packages/core/src/model/receiver/PayerInformation.ts"
import type { RequestedField } from "../../../packages/core/src/model/transaction/Transaction.ts"

const address = { line1: "1 Main St", city: "Springfield", postalCode: "12345", country: "US" }
const ada = {
  customerType: "INDIVIDUAL",
  fullName: "Ada Lovelace",
  birthDate: "1990-12-10",
  nationality: "GB",
  phoneNumber: "+15550100",
  email: "ada@example.com",
  address,
  umaAddress: "$ada@pay.example",
} as Customer
const engines = {
  customerType: "BUSINESS",
  umaAddress: "$engines@pay.example",
  businessInfo: { legalName: "Engines Ltd", registrationNumber: "42" },
} as Customer

const names = (
  "FULL_NAME BIRTH_DATE NATIONALITY PHONE_NUMBER EMAIL POSTAL_ADDRESS REGISTRATION_NUMBER USER_TYPE " +
  "COUNTRY_OF_RESIDENCE ACCOUNT_IDENTIFIER COMPANY_LEGAL_NAME"
).split(" ") as ReadonlyArray<RequestedField["name"]>
const asked = (mandatory: boolean, of = names): ReadonlyArray<RequestedField> => of.map((name) => ({ name, mandatory }))

it("is a person's record, field by field, and what it lacks is missing if it is mandatory", () => {
  expect(payerInformation(asked(true), {}, ada)).toEqual({
    provided: {
      FULL_NAME: "Ada Lovelace",
      BIRTH_DATE: "1990-12-10",
      NATIONALITY: "GB",
      PHONE_NUMBER: "+15550100",
      EMAIL: "ada@example.com",
      POSTAL_ADDRESS: address,
      USER_TYPE: "INDIVIDUAL",
      COUNTRY_OF_RESIDENCE: "US",
      ACCOUNT_IDENTIFIER: "$ada@pay.example",
    },
    missing: ["REGISTRATION_NUMBER", "COMPANY_LEGAL_NAME"],
  })
  expect(payerInformation(asked(false), {}, ada).missing).toEqual([])
})

it("is a business's record, whose full name is its legal name", () => {
  expect(payerInformation(asked(false), {}, engines)).toEqual({
    provided: {
      FULL_NAME: "Engines Ltd",
      REGISTRATION_NUMBER: "42",
      USER_TYPE: "BUSINESS",
      ACCOUNT_IDENTIFIER: "$engines@pay.example",
      COMPANY_LEGAL_NAME: "Engines Ltd",
    },
    missing: [],
  })
})

it("is what was given rather than the record, and nothing that was not requested", () => {
  const given = { FULL_NAME: "A. Lovelace", EMAIL: "", PHONE_NUMBER: null, NATIONALITY: "FR" }
  const { missing, provided } = payerInformation(asked(true, ["FULL_NAME", "EMAIL", "PHONE_NUMBER"]), given, ada)
  expect(provided).toEqual({ FULL_NAME: "A. Lovelace", EMAIL: "ada@example.com", PHONE_NUMBER: "+15550100" })
  expect(missing).toEqual([])
})

it("is only what was given if no customer pays, and nothing of a name that no record has", () => {
  expect(payerInformation(asked(true, ["FULL_NAME", "EMAIL"]), { EMAIL: "x@example.com" }, undefined)).toEqual({
    provided: { EMAIL: "x@example.com" },
    missing: ["FULL_NAME"],
  })
  const unknown = "NAME_OF_A_DOG" as RequestedField["name"]
  expect(payerInformation(asked(true, [unknown]), {}, ada)).toEqual({ provided: {}, missing: ["NAME_OF_A_DOG"] })
})
