/** The table of account types, compared with the lists of the specification and the wire contract, and its consistency. */

import {
  type AccountTypeRow,
  AccountTypes,
  BusinessMinimums,
  CreateAccountInfo,
  Currencies,
  IndividualMinimums,
  PaymentRail,
} from "@countersign/core/models"
import { StrictCheckRules } from "@countersign/core/verify"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { identifyingValues } from "../../../packages/core/src/model/account/AccountIdentity.ts"
import { paymentRailsOf } from "../../../packages/core/src/model/account/AccountRoute.ts"
import { identifierFieldsOf } from "../../../packages/core/src/model/account/MainIdentifier.ts"
import { exampleBody } from "../../../packages/test/src/harness/AccountExample.ts"

const types: ReadonlyArray<readonly [string, AccountTypeRow]> = AccountTypes.entries
/** Wire contract A, ExternalAccountType. */
const listedTypes =
  "AED BDT BRL BWP CAD COP DKK EGP EUR GBP GHS GTQ HKD HTG IDR INR JMD KES MWK MXN MYR NGN PHP PKR RWF SGD SLV THB TZS UGX USD VND XAF XOF ZAR ZMW SWIFT CNY"
    .split(" ")
    .map((code) => `${code}_ACCOUNT`)
const walletTypes = ["BASE", "ETHEREUM", "PLASMA", "POLYGON", "SOLANA", "SPARK", "TRON"].map(
  (chain) => `${chain}_WALLET`,
)

describe("the table of account types", () => {
  // Proves: RES-EXT-20
  it("has exactly the listed types", () => {
    expect([...AccountTypes.keys].toSorted()).toEqual([...listedTypes, ...walletTypes, "LIGHTNING"].toSorted())
  })

  it.each(types)("has examples of %s that match their formats and pass the strict checks", (accountType, row) => {
    for (const route of row.routes) {
      const { accountInfo } = exampleBody(accountType, { route: route })
      expect(Schema.is(CreateAccountInfo)(accountInfo), JSON.stringify(accountInfo)).toBe(true)
    }
    const all = Object.fromEntries(Object.entries(row.fields).map(([name, { format }]) => [name, format.example]))
    for (const [name, { format }] of Object.entries(row.fields)) {
      if (format.strict === undefined) continue
      expect(StrictCheckRules.get(format.strict).isValid(format.example, all), `${name} ${format.example}`).toBe(true)
    }
  })

  it.each(types)("has consistent routes, currencies and identifiers of %s", (_, row) => {
    expect(row.currencies.length).toBeGreaterThan(0)
    expect(row.currencies.every((code) => Currencies.has(code))).toBe(true)
    const isWallet = row.routes.every(({ kind }) => kind === "wallet")
    for (const route of row.routes) {
      expect(route.rails.every((rail) => PaymentRail.literals.includes(rail))).toBe(true)
      expect(route.rails.length > 0).toBe(!isWallet)
      expect(route.requiredFields.every((name) => row.fields[name]?.isRequired === false)).toBe(true)
      expect(route.requiredFields.length > 0).toBe(row.routes.length > 1)
    }
    expect(identifierFieldsOf(row).length).toBeGreaterThan(0)
    expect(row.beneficiary === "required").toBe(!isWallet)
  })

  // Proves: EP-EXT-13, EP-EXT-14, EP-EXT-15
  it("requires the bank directory for three account types", () => {
    const discovered = types.filter(([, row]) => row.bankNameDiscovered).map(([name]) => name)
    expect(discovered).toEqual(["PHP_ACCOUNT", "NGN_ACCOUNT", "ZAR_ACCOUNT"])
  })
})

describe("the tables of minimum fields", () => {
  it("name each currency of a business once", () => {
    const all = BusinessMinimums.entries.flatMap(([, { currencies }]) => [...currencies])
    expect(new Set(all).size).toBe(all.length)
    expect(all.length).toBe(14 + 1 + 11)
  })

  it("name each country of an individual once", () => {
    const all = IndividualMinimums.entries.flatMap(([, { countries }]) => [...countries])
    expect(new Set(all).size).toBe(all.length)
  })
})

describe("an account", () => {
  const rails = (accountType: string, members: Readonly<Record<string, string>>) => {
    const row = AccountTypes.find(accountType)
    return row === undefined ? [] : paymentRailsOf(row, members)
  }

  it.each<[string, Readonly<Record<string, string>>, ReadonlyArray<string>]>([
    ["USD_ACCOUNT", {}, ["ACH", "WIRE", "RTP", "FEDNOW"]],
    ["COP_ACCOUNT", { accountNumber: "1" }, ["BANK_TRANSFER"]],
    ["COP_ACCOUNT", { phoneNumber: "+57300" }, ["MOBILE_MONEY"]],
    ["COP_ACCOUNT", { accountNumber: "1", phoneNumber: "+57300" }, ["BANK_TRANSFER"]],
    ["INR_ACCOUNT", { vpa: "a@b" }, ["UPI"]],
    ["INR_ACCOUNT", { accountNumber: "1", rail: "RTGS" }, ["RTGS"]],
    ["EUR_ACCOUNT", {}, ["SEPA", "SEPA_INSTANT"]],
    ["SWIFT_ACCOUNT", { iban: "DE" }, ["SWIFT"]],
    ["HTG_ACCOUNT", {}, ["MOBILE_MONEY"]],
    ["SPARK_WALLET", {}, []],
  ])("of type %s with %j has the payment rails %j", (accountType, members, expected) => {
    expect(rails(accountType, members)).toEqual(expected)
  })

  it("is identified by its identifying fields, whatever their case and the descriptive fields", () => {
    const identity = (accountType: string, members: Readonly<Record<string, string>>) =>
      identifyingValues({ accountType, ...members })
    const usd = { accountNumber: "1234", routingNumber: "021000021" }
    expect(identity("USD_ACCOUNT", { ...usd, bankName: "A" })).toEqual(
      identity("USD_ACCOUNT", { ...usd, bankName: "B" }),
    )
    expect(identity("USD_ACCOUNT", { ...usd, routingNumber: "021000089" })).not.toEqual(identity("USD_ACCOUNT", usd))
    expect(identity("EUR_ACCOUNT", { iban: "DE89abc", swiftCode: "X" })).toEqual(
      identity("EUR_ACCOUNT", { iban: "DE89ABC" }),
    )
    expect(identity("PHP_ACCOUNT", { accountNumber: "1", bankName: "A" })).not.toEqual(
      identity("PHP_ACCOUNT", { accountNumber: "1", bankName: "B" }),
    )
    expect(identity("KES_ACCOUNT", { phoneNumber: "+2541" })).not.toEqual(
      identity("KES_ACCOUNT", { phoneNumber: "+2542" }),
    )
    expect(identity("OLD_ACCOUNT", { iban: "X" })).toEqual(["X"])
  })
})
