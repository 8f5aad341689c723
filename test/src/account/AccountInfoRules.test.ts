/**
 * Each cross-field rule of account details, on a table of fictitious types.
 * Source: wire contract 2.3, 2.4; D-040 to D-043.
 */

import { type AccountTypeRow, AccountTypes, type Members } from "@countersign/core/models"
import { expect, it } from "vitest"
import * as AccountInfoRules from "../../../packages/core/src/model/account/AccountInfoRules.ts"

const plain: AccountTypeRow = {
  currencies: ["USD"],
  fields: {},
  routes: [{ kind: "bank", rails: [], requiredFields: [] }],
  beneficiary: "none",
}
const bank = {
  kind: "bank",
  rails: [],
  requiredFields: ["iban", "bic"],
  allowedValues: { provider: ["ONE", "TWO"] },
  beneficiaryType: "BUSINESS",
} as const
const mobile = {
  kind: "mobile",
  rails: [],
  requiredFields: ["phone"],
  allowedValues: { provider: ["X", "Y", "Z"] },
} as const
const wallet = { kind: "wallet", rails: [], requiredFields: ["address", "tag"] } as const
const rows = {
  PLAIN: { ...plain, aliases: ["SIMPLE", "BARE"] },
  TWO: { ...plain, currencies: ["USD", "EUR"] },
  THREE: { ...plain, currencies: ["USD", "EUR", "GBP"] },
  ROUTES: { ...plain, routes: [bank, mobile, wallet] },
  EXCLUSIVE: { ...plain, routes: [bank, mobile, wallet], isExclusive: true },
  DERIVED: {
    ...plain,
    derivedFields: [
      {
        path: ["bank", "name"],
        derive: ({ code }: Members) => (code === "1" ? "First" : undefined),
        mustMatch: "as code",
      },
      { path: ["note"], derive: () => "noted" },
    ],
  },
} as const satisfies { readonly [name: string]: AccountTypeRow }

type Case = readonly [type: string, sent: Members, problems: ReadonlyArray<readonly [path: string, message: string]>]
const problemsOf = (accountType: string, sent: Members, currency: unknown = "USD") =>
  AccountInfoRules.accountRule(rows)({ accountInfo: { accountType, ...sent }, currency })
const messages = (problems: ReturnType<typeof problemsOf>) =>
  problems.map(({ message, path }) => [path.join("."), message])

it("finds an account type by its name and by its aliases", () => {
  for (const name of ["PLAIN", "SIMPLE", "BARE"]) {
    expect(AccountInfoRules.findAccountType(rows, name)).toEqual({ accountType: "PLAIN", row: rows.PLAIN })
  }
  expect(AccountInfoRules.findAccountType(rows, "TWO")).toEqual({ accountType: "TWO", row: rows.TWO })
  expect(AccountInfoRules.findAccountType(rows, "NONE")).toBeUndefined()
  expect(AccountInfoRules.findAccountType(AccountTypes.rows, undefined)).toBeUndefined()
})

it("reports nothing for a missing account and for an unknown type", () => {
  const rule = AccountInfoRules.accountRule(rows)
  expect(rule({})).toEqual([])
  expect(rule({ accountInfo: "PLAIN", currency: "EUR" })).toEqual([])
  expect(rule({ accountInfo: { accountType: "NONE" }, currency: "EUR" })).toEqual([])
})

it("requires a currency of the account type and names the type", () => {
  expect(problemsOf("PLAIN", {})).toEqual([])
  expect(AccountInfoRules.accountRule(rows)({ accountInfo: { accountType: "PLAIN" } })).toEqual([])
  expect(problemsOf("SIMPLE", {}, "GBP")).toEqual([
    { path: ["currency"], message: "must be USD for PLAIN", constraint: { enum: ["USD"] } },
  ])
  expect(messages(problemsOf("TWO", {}, "GBP"))).toEqual([["currency", "must be USD or EUR for TWO"]])
  expect(messages(problemsOf("THREE", {}, "JPY"))).toEqual([["currency", "must be one of USD, EUR, GBP for THREE"]])
  expect(problemsOf("THREE", {}, "GBP")).toEqual([])
})

const bankFields = { iban: "1", bic: "2" }
const business = { beneficiary: { beneficiaryType: "BUSINESS" } }
const person = { beneficiary: { beneficiaryType: "INDIVIDUAL" } }
const at = (path: string) => `accountInfo.${path}`
it.each<Case>([
  ["ROUTES", bankFields, []],
  ["ROUTES", { iban: "1" }, [[at("bic"), "is required with iban"]]],
  ["ROUTES", { bic: "2", phone: "3" }, []],
  ["ROUTES", { ...bankFields, provider: "TWO" }, []],
  ["ROUTES", { ...bankFields, provider: "X" }, [[at("provider"), "must be ONE or TWO with iban"]]],
  ["ROUTES", { phone: "3", provider: "X" }, []],
  ["ROUTES", { phone: "3", provider: "ONE" }, [[at("provider"), "must be one of X, Y, Z with phone"]]],
  ["ROUTES", { ...bankFields, ...business }, []],
  ["ROUTES", { ...bankFields, ...person }, [[at("beneficiary.beneficiaryType"), "must be BUSINESS with iban"]]],
  ["ROUTES", { ...bankFields, beneficiary: {} }, []],
  ["ROUTES", { ...bankFields, beneficiary: "Ada" }, []],
  ["ROUTES", { phone: "3", ...person }, []],
  ["ROUTES", { ...bankFields, phone: "3" }, []],
  ["EXCLUSIVE", bankFields, []],
  ["EXCLUSIVE", { ...bankFields, phone: "3" }, [[at("phone"), "must not be given together with iban"]]],
  [
    "EXCLUSIVE",
    { phone: "3", tag: "4", address: "5", bic: "2" },
    [
      [at("bic"), "must not be given together with phone"],
      [at("address"), "must not be given together with phone"],
      [at("tag"), "must not be given together with phone"],
    ],
  ],
  [
    "ROUTES",
    {},
    [
      [at("iban"), "is required, or phone or address and tag instead"],
      [at("bic"), "is required, or phone or address and tag instead"],
      [at("phone"), "is required, or iban and bic or address and tag instead"],
      [at("address"), "is required, or iban and bic or phone instead"],
      [at("tag"), "is required, or iban and bic or phone instead"],
    ],
  ],
  ["DERIVED", {}, []],
  ["DERIVED", { code: "1" }, []],
  ["DERIVED", { code: "1", bank: { name: "First" } }, []],
  ["DERIVED", { code: "1", bank: { name: "Second" } }, [[at("bank.name"), "must be First, as code"]]],
  ["DERIVED", { code: "1", bank: "Second" }, []],
  ["DERIVED", { code: "2", bank: { name: "Second" } }, []],
  ["DERIVED", { note: "another" }, []],
])("checks the fields of %s with %o", (type, sent, problems) => {
  expect(messages(problemsOf(type, sent))).toEqual(problems)
})

it("adds a machine-readable constraint to a problem", () => {
  expect(problemsOf("ROUTES", { iban: "1", provider: "X", ...person }).map(({ constraint }) => constraint)).toEqual([
    { required: true },
    { enum: ["ONE", "TWO"] },
    { enum: ["BUSINESS"] },
  ])
  expect(problemsOf("DERIVED", { code: "1", bank: { name: "Second" } })[0]?.constraint).toEqual({ enum: ["First"] })
  expect(problemsOf("EXCLUSIVE", { ...bankFields, phone: "3" })[0]).not.toHaveProperty("constraint")
})

it("reads a member at a path of nested objects", () => {
  const account = { bank: { branch: { name: "Main" } }, list: ["a"] }
  expect(AccountInfoRules.memberAt(account, ["bank", "branch", "name"])).toBe("Main")
  expect(AccountInfoRules.memberAt(account, ["bank", "name", "branch"])).toBeUndefined()
  expect(AccountInfoRules.memberAt(account, ["list", "0"])).toBeUndefined()
  expect(AccountInfoRules.memberAt(account, [])).toBe(account)
})
