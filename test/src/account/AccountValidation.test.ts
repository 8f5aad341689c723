/** The account as it is kept: what is left out and follows is filled in, by its type's name in the table. Wire contract 2.3; D-043. */

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
const rows = { FILLED: row, PLAIN: { ...row, derivedFields: [] } }
const kept = (account: Parameters<typeof validateAccountInfo>[0], bankNames?: ReadonlyArray<string>) =>
  validateAccountInfo(account, { strictChecks: false, ...(bankNames === undefined ? {} : { bankNames }) }, rows)

it("fills in what is left out, wherever it stands, and nothing else", () => {
  const bank = { branch: { city: "Springfield" }, since: 1 }
  expect(kept({ accountType: "FILLED", code: "1", bank })).toEqual(
    Result.succeed({
      accountType: "FILLED",
      code: "1",
      bank: { branch: { city: "Springfield", name: "Main" }, since: 1 },
      note: "noted",
    }),
  )
})

it("keeps what is given, and leaves out what does not follow or has no place", () => {
  const given = { accountType: "FILLED", code: "1", bank: { branch: { name: "Side" } }, note: "mine" }
  expect(kept(given)).toEqual(Result.succeed(given))
  expect(kept({ accountType: "FILLED", bank: { branch: {} } })).toEqual(
    Result.succeed({ accountType: "FILLED", bank: { branch: {} }, note: "noted" }),
  )
  expect(kept({ accountType: "FILLED", code: "1", bank: "none" })).toEqual(
    Result.succeed({ accountType: "FILLED", code: "1", bank: "none", note: "noted" }),
  )
})

it("calls the type by its name, and leaves a type alone that it does not know", () => {
  expect(kept({ accountType: "OTHER" })).toEqual(Result.succeed({ accountType: "FILLED", note: "noted" }))
  expect(kept({ accountType: "PLAIN" })).toEqual(Result.succeed({ accountType: "PLAIN" }))
  expect(kept({ accountType: "UNKNOWN", note: "mine" }, [])).toEqual(
    Result.succeed({ accountType: "UNKNOWN", note: "mine" }),
  )
})

it("takes a bank's name from the directory only, where one was asked", () => {
  expect(Result.isSuccess(kept({ accountType: "PLAIN", bankName: "First" }))).toBe(true)
  expect(Result.isSuccess(kept({ accountType: "PLAIN", bankName: "First" }, ["Second", "First"]))).toBe(true)
  expect(Result.isFailure(kept({ accountType: "PLAIN", bankName: "First" }, ["Second"]))).toBe(true)
  expect(Result.isFailure(kept({ accountType: "PLAIN" }, []))).toBe(true)
})
