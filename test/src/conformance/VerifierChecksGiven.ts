/** Accounts, customers, owners and verifications with all results of the sandbox and of a provider with a memory. */
import type { Customer } from "@countersign/core/models"
import fc from "fast-check"
import { arbitraryOf } from "../../../packages/test/src/arbitraries/Entities.ts"

const [owner] = fc.sample(arbitraryOf("BeneficialOwner"), { numRuns: 1, seed: 1 })
if (owner === undefined) throw new Error("no owner was generated")

const customerOf = (changes: Partial<Customer>): Customer => ({
  platformCustomerId: "customer-1",
  customerType: "INDIVIDUAL",
  checkStatus: "PENDING",
  currencies: ["USD"],
  umaAddress: "$ada@example.com",
  isDeleted: false,
  ...changes,
})
const businessOf = (registrationNumber: string) =>
  customerOf({ customerType: "BUSINESS", businessInfo: { legalName: "Ada Ltd", registrationNumber } })

const suffixes = ["000", "101", "102", "103", "104", "105", "106", "107", "001", "002", "003"]
const owned = (lastName: string) => ({ ...owner, personalInfo: { ...owner.personalInfo, lastName } })

export const verifierChecksGiven = {
  beneficiaries: suffixes.map((suffix) => {
    const accountInfo = { accountType: "USD_ACCOUNT" as const, accountNumber: `1234567${suffix}` }
    return { currency: "USD" as const, accountInfo }
  }),
  customers: suffixes.map((suffix) => ({ customerType: "INDIVIDUAL" as const, fullName: `Ada ${suffix}` })),
  owners: suffixes.map((suffix) => ({
    ownerId: `BeneficialOwner:${suffix}`,
    customerId: "Customer:1",
    owner: owned(`Lovelace ${suffix}`),
  })),
  verifications: suffixes.flatMap((suffix) => [
    {
      customerId: `Customer:${suffix}`,
      customer: customerOf({ fullName: `Ada ${suffix}` }),
      owners: [],
      documents: [],
    },
    {
      customerId: `Customer:business ${suffix}`,
      customer: businessOf(`R${suffix}`),
      owners: [{ ownerId: "BeneficialOwner:1", owner: owned(`Lovelace ${suffix}`) }],
      documents: [],
    },
  ]),
}
