/**
 * The account details as stored: derived fields are filled in, and an alias is replaced by the name of its type.
 * Source: wire contract 2.3; D-043.
 */

import type { AccountTypeRow, Members } from "@countersign/core/models"
import { Result } from "effect"
import { expect, it } from "vitest"
import { validateAccountInfo } from "../../../packages/core/src/model/account/AccountValidationRules.ts"

const row: AccountTypeRow = {
  currencies: ["USD"],
  fields: {},
  routes: [{ kind: "bank", rails: [], requiredFields: [] }],
  beneficiary: "none",
  aliases: ["OTHER"],
  bankNameDiscovered: true,
  derivedFields: [
    { path: ["bank", "branch", "name"], derive: ({ code }: Members) => (code === "1" ? "Main" : undefined) },
    { path: ["note"], derive: () => "noted" },
  ],
}
const rows = { DERIVED: row, PLAIN: { ...row, derivedFields: [] } }
const validate = (account: Parameters<typeof validateAccountInfo>[0], bankNames?: ReadonlyArray<string>) =>
  validateAccountInfo(account, { strictChecks: false, ...(bankNames === undefined ? {} : { bankNames }) }, rows)

it("fills in an omitted derived field at any depth and changes nothing else", () => {
  const bank = { branch: { city: "Springfield" }, since: 1 }
  expect(validate({ accountType: "DERIVED", code: "1", bank })).toEqual(
    Result.succeed({
      accountType: "DERIVED",
      code: "1",
      bank: { branch: { city: "Springfield", name: "Main" }, since: 1 },
      note: "noted",
    }),
  )
})

it("keeps a sent value and omits a field that cannot be derived or has no parent object", () => {
  const sent = { accountType: "DERIVED", code: "1", bank: { branch: { name: "Side" } }, note: "mine" }
  expect(validate(sent)).toEqual(Result.succeed(sent))
  expect(validate({ accountType: "DERIVED", bank: { branch: {} } })).toEqual(
    Result.succeed({ accountType: "DERIVED", bank: { branch: {} }, note: "noted" }),
  )
  expect(validate({ accountType: "DERIVED", code: "1", bank: "none" })).toEqual(
    Result.succeed({ accountType: "DERIVED", code: "1", bank: "none", note: "noted" }),
  )
})

it("replaces an alias by the name of the type and passes an unknown type unchanged", () => {
  expect(validate({ accountType: "OTHER" })).toEqual(Result.succeed({ accountType: "DERIVED", note: "noted" }))
  expect(validate({ accountType: "PLAIN" })).toEqual(Result.succeed({ accountType: "PLAIN" }))
  expect(validate({ accountType: "UNKNOWN", note: "mine" }, [])).toEqual(
    Result.succeed({ accountType: "UNKNOWN", note: "mine" }),
  )
})

it("accepts only bank names from the directory, if the directory was read", () => {
  expect(Result.isSuccess(validate({ accountType: "PLAIN", bankName: "First" }))).toBe(true)
  expect(Result.isSuccess(validate({ accountType: "PLAIN", bankName: "First" }, ["Second", "First"]))).toBe(true)
  expect(Result.isFailure(validate({ accountType: "PLAIN", bankName: "First" }, ["Second"]))).toBe(true)
  expect(Result.isFailure(validate({ accountType: "PLAIN" }, []))).toBe(true)
})
