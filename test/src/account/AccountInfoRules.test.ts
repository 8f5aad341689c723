/** The rules over several fields of an account, on a table of invented types: each rule alone, in words. Wire contract 2.3, 2.4; D-040 to D-043. */

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
  WAYS: { ...plain, routes: [bank, mobile, wallet] },
  EXCLUSIVE: { ...plain, routes: [bank, mobile, wallet], isExclusive: true },
  FILLED: {
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

type Case = readonly [type: string, given: Members, problems: ReadonlyArray<readonly [path: string, message: string]>]
const ask = (accountType: string, given: Members, currency: unknown = "USD") =>
  AccountInfoRules.accountRule(rows)({ accountInfo: { accountType, ...given }, currency })
const said = (problems: ReturnType<typeof ask>) => problems.map(({ message, path }) => [path.join("."), message])

it("a type goes by its name and its other names", () => {
  for (const name of ["PLAIN", "SIMPLE", "BARE"]) {
    expect(AccountInfoRules.findAccountType(rows, name)).toEqual({ accountType: "PLAIN", row: rows.PLAIN })
  }
  expect(AccountInfoRules.findAccountType(rows, "TWO")).toEqual({ accountType: "TWO", row: rows.TWO })
  expect(AccountInfoRules.findAccountType(rows, "NONE")).toBeUndefined()
  expect(AccountInfoRules.findAccountType(AccountTypes.rows, undefined)).toBeUndefined()
})

it("an account that is none, or of no type, has no such problems", () => {
  const rule = AccountInfoRules.accountRule(rows)
  expect(rule({})).toEqual([])
  expect(rule({ accountInfo: "PLAIN", currency: "EUR" })).toEqual([])
  expect(rule({ accountInfo: { accountType: "NONE" }, currency: "EUR" })).toEqual([])
})

it("the currency is one of the type's, and the type is called by its name", () => {
  expect(ask("PLAIN", {})).toEqual([])
  expect(AccountInfoRules.accountRule(rows)({ accountInfo: { accountType: "PLAIN" } })).toEqual([])
  expect(ask("SIMPLE", {}, "GBP")).toEqual([
    { path: ["currency"], message: "must be USD for PLAIN", constraint: { enum: ["USD"] } },
  ])
  expect(said(ask("TWO", {}, "GBP"))).toEqual([["currency", "must be USD or EUR for TWO"]])
  expect(said(ask("THREE", {}, "JPY"))).toEqual([["currency", "must be one of USD, EUR, GBP for THREE"]])
  expect(ask("THREE", {}, "GBP")).toEqual([])
})

const whole = { iban: "1", bic: "2" }
const business = { beneficiary: { beneficiaryType: "BUSINESS" } }
const person = { beneficiary: { beneficiaryType: "INDIVIDUAL" } }
const at = (path: string) => `accountInfo.${path}`
it.each<Case>([
  ["WAYS", whole, []],
  ["WAYS", { iban: "1" }, [[at("bic"), "is required with iban"]]],
  ["WAYS", { bic: "2", phone: "3" }, []],
  ["WAYS", { ...whole, provider: "TWO" }, []],
  ["WAYS", { ...whole, provider: "X" }, [[at("provider"), "must be ONE or TWO with iban"]]],
  ["WAYS", { phone: "3", provider: "X" }, []],
  ["WAYS", { phone: "3", provider: "ONE" }, [[at("provider"), "must be one of X, Y, Z with phone"]]],
  ["WAYS", { ...whole, ...business }, []],
  ["WAYS", { ...whole, ...person }, [[at("beneficiary.beneficiaryType"), "must be BUSINESS with iban"]]],
  ["WAYS", { ...whole, beneficiary: {} }, []],
  ["WAYS", { ...whole, beneficiary: "somebody" }, []],
  ["WAYS", { phone: "3", ...person }, []],
  ["WAYS", { ...whole, phone: "3" }, []],
  ["EXCLUSIVE", whole, []],
  ["EXCLUSIVE", { ...whole, phone: "3" }, [[at("phone"), "must not be given together with iban"]]],
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
    "WAYS",
    {},
    [
      [at("iban"), "is required, or phone or address and tag instead"],
      [at("bic"), "is required, or phone or address and tag instead"],
      [at("phone"), "is required, or iban and bic or address and tag instead"],
      [at("address"), "is required, or iban and bic or phone instead"],
      [at("tag"), "is required, or iban and bic or phone instead"],
    ],
  ],
  ["FILLED", {}, []],
  ["FILLED", { code: "1" }, []],
  ["FILLED", { code: "1", bank: { name: "First" } }, []],
  ["FILLED", { code: "1", bank: { name: "Second" } }, [[at("bank.name"), "must be First, as code"]]],
  ["FILLED", { code: "1", bank: "Second" }, []],
  ["FILLED", { code: "2", bank: { name: "Second" } }, []],
  ["FILLED", { note: "another" }, []],
])("%s with %o", (type, given, problems) => {
  expect(said(ask(type, given))).toEqual(problems)
})

it("a problem carries what would be right, for a program to read", () => {
  expect(ask("WAYS", { iban: "1", provider: "X", ...person }).map(({ constraint }) => constraint)).toEqual([
    { required: true },
    { enum: ["ONE", "TWO"] },
    { enum: ["BUSINESS"] },
  ])
  expect(ask("FILLED", { code: "1", bank: { name: "Second" } })[0]?.constraint).toEqual({ enum: ["First"] })
  expect(ask("EXCLUSIVE", { ...whole, phone: "3" })[0]).not.toHaveProperty("constraint")
})

it("a member is found by its path, where there are objects on the way", () => {
  const account = { bank: { branch: { name: "Main" } }, list: ["a"] }
  expect(AccountInfoRules.memberAt(account, ["bank", "branch", "name"])).toBe("Main")
  expect(AccountInfoRules.memberAt(account, ["bank", "name", "branch"])).toBeUndefined()
  expect(AccountInfoRules.memberAt(account, ["list", "0"])).toBeUndefined()
  expect(AccountInfoRules.memberAt(account, [])).toBe(account)
})
