/** The suite of verifiers: the sandbox and a provider with a memory pass it, and one with any one fault does not. Source: D-444. */
import type { Customer } from "@countersign/core/models"
import { SandboxVerifier } from "@countersign/core/sandbox"
import { verifierConformance } from "@countersign/test/conformance"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { arbitraryOf } from "../../../packages/test/src/arbitraries/Entities.ts"
import { verifierChecks } from "../../../packages/test/src/conformance/verifierChecks.ts"
import { failedChecks } from "./FailedChecks.ts"
import { faultyVerifier, verifierFaults } from "./FaultyVerifier.ts"

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

const options = {
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

verifierConformance("sandbox", SandboxVerifier.layer, options)

const provider = faultyVerifier()
verifierConformance("a provider with a memory", provider.layer, { ...options, begun: provider.begun })

describe("a provider that", () => {
  const later =
    "a result about an account that is not known yet names the business time at which to ask, and a final one stays"
  const once = "a check of an account that is asked for again, or twice at the same time, is begun once"
  const person = "a person has a status of the table, and a decided one stays"
  const log = "an identification number reaches no log"
  const coherent = "a verification asks for corrections exactly if it names some, about whom it has looked at"
  const decided = "a decided verification stays, if the same is submitted again"
  const link = "a link is an address of its own for each request, and ends"
  /** A check that fails for each fault; others may fail, too. */
  const noticedBy: { readonly [fault in (typeof verifierFaults)[number]]: string } = {
    "begins a check for each question": once,
    "names times by the system's clock": later,
    "changes a match after a day": later,
    "changes a decision about a person": person,
    "invents a status": person,
    "logs identification numbers": log,
    "asks for corrections without a reason": coherent,
    "names errors of an approved customer": coherent,
    "names errors of strangers": coherent,
    "decides about strangers": coherent,
    "changes a decided verification": decided,
    "repeats a link": link,
    "gives links by the system's clock": link,
    "gives links without an address": link,
    throws: person,
  }

  it.each(verifierFaults)("%s does not pass", async (fault) => {
    const { begun, layer } = faultyVerifier(fault)
    expect(await failedChecks(verifierChecks(layer, { ...options, begun }))).toEqual(
      [noticedBy[fault]].concat(fault === "throws" ? log : []),
    )
  })
})
