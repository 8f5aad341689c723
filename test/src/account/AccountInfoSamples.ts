/** Sample account details, complete or without one required field, and their creation over HTTP. */
import type { Members } from "@countersign/core/models"
import type { Harness } from "../../../packages/test/src/harness/Harness.ts"

export const address = { line1: "1 Main St", city: "Springfield", postalCode: "12345", country: "US" }
export const ada = { beneficiaryType: "INDIVIDUAL", fullName: "Ada Lovelace" }
export const person = { ...ada, address }
export const engines = { beneficiaryType: "BUSINESS", businessInfo: { legalName: "Engines Ltd" }, address }
export const registered = { ...engines, businessInfo: { legalName: "Engines Ltd", registrationNumber: "R1" } }
export const taxed = { ...engines, businessInfo: { legalName: "Engines Ltd", registrationNumber: "R1", taxId: "T1" } }

export const usd = {
  accountType: "USD_ACCOUNT",
  accountNumber: "1234",
  routingNumber: "021000021",
  beneficiary: person,
}
export const kes = { accountType: "KES_ACCOUNT", phoneNumber: "+254712345678", provider: "M-PESA", beneficiary: ada }
export const xof = { accountType: "XOF_ACCOUNT", phoneNumber: "+221771234567", provider: "ORANGE", beneficiary: ada }
export const inr = { accountType: "INR_ACCOUNT", beneficiary: ada }
export const cny = { accountType: "CNY_ACCOUNT", bankName: "Bank of China", beneficiary: taxed }
export const swift = {
  accountType: "SWIFT_ACCOUNT",
  country: "BR",
  swiftCode: "BRASBRRJ",
  bankName: "Banco do Brasil",
  accountNumber: "1",
}
export const lightning = { accountType: "LIGHTNING" }
export const eur = { accountType: "EUR_ACCOUNT", iban: "DE89370400440532013000", beneficiary: person }
export const cop = { accountType: "COP_ACCOUNT", bankName: "Bancolombia", beneficiary: ada }

/** Returns functions that create accounts over HTTP and report the problems of the response. */
export const creating = (pay: () => Harness) => {
  const create = (currency: string, accountInfo: Members) =>
    pay().send("POST", "/customers/external-accounts", { body: { currency, accountInfo } })

  /** Returns the problems as `field: message`. Empty if the account was created or exists. */
  const problems = async (currency: string, accountInfo: Members): Promise<ReadonlyArray<string>> => {
    const { body, status } = await create(currency, accountInfo)
    if (status === 201 || status === 409) return []
    const { errors } = Object(Object(body).details)
    return Array.isArray(errors) ? errors.map(({ field, message }) => `${field}: ${message}`) : [JSON.stringify(body)]
  }
  const infoOf = async (currency: string, accountInfo: Members) =>
    Object((await create(currency, accountInfo)).body).accountInfo
  return { create, problems, infoOf }
}
