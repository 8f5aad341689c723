/**
 * The strict checks: off by default. If a deployment enables them, each rejects what its library finds invalid.
 * Source: D-044.
 */

import { type AccountTypeRow, AccountTypes } from "@countersign/core/models"
import { StrictChecks } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { StrictCheckRules } from "@countersign/core/verify"
import { Layer, Result } from "effect"
import { describe, expect, it } from "vitest"
import { validateAccountInfo } from "../../../packages/core/src/model/account/AccountValidationRules.ts"
import { exampleBody } from "../../../packages/test/src/harness/AccountExample.ts"
import { harness } from "../../../packages/test/src/harness/Harness.ts"

type Name = keyof typeof StrictCheckRules.rows

const cases: ReadonlyArray<readonly [Name, string, boolean, Readonly<Record<string, string>>?]> = [
  ["IBAN", "GB82WEST12345698765432", true],
  ["IBAN", "GB82WEST12345698765433", false],
  ["IBAN", "DE89370400440532013105", false],
  ["IBAN", "XX89370400440532013000", false],
  ["BIC", "DEUTDEFF", true],
  ["BIC", "DEUTXXFF", false],
  ["ABA", "021000021", true],
  ["ABA", "021000022", false],
  ["ABA", "000000000", false],
  ["CLABE", "032180000118359719", true],
  ["CLABE", "032180000118359105", false],
  ["CPF_OR_CNPJ", "52998224725", true],
  ["CPF_OR_CNPJ", "52998224726", false],
  ["CPF_OR_CNPJ", "11222333000181", true],
  ["CPF_OR_CNPJ", "11222333000182", false],
  ["CPF_OR_CNPJ", "529982247251", false],
  ["PIX_KEY", "52998224725", true, { pixKeyType: "CPF" }],
  ["PIX_KEY", "52998224725", false, { pixKeyType: "CNPJ" }],
  ["PIX_KEY", "11222333000181", true, { pixKeyType: "CNPJ" }],
  ["PIX_KEY", "ana@example.com", true, { pixKeyType: "EMAIL" }],
  ["PIX_KEY", "ana", false, { pixKeyType: "EMAIL" }],
  ["PIX_KEY", "ana@mail.example.com", true, { pixKeyType: "EMAIL" }],
  ["PIX_KEY", "ana @example.com", false, { pixKeyType: "EMAIL" }],
  ["PIX_KEY", "a b@example.com", false, { pixKeyType: "EMAIL" }],
  ["PIX_KEY", "ana@example.com ", false, { pixKeyType: "EMAIL" }],
  ["PIX_KEY", "ana@example.com.", false, { pixKeyType: "EMAIL" }],
  ["PIX_KEY", "529.982.247-25", false, { pixKeyType: "CPF" }],
  ["PIX_KEY", "11.222.333/0001-81", false, { pixKeyType: "CNPJ" }],
  ["PIX_KEY", "anything", true, {}],
  ["PIX_KEY", "anything", true, { pixKeyType: "NEW" }],
  ["PIX_KEY", "+5511987654321", true, { pixKeyType: "PHONE" }],
  ["PIX_KEY", "11987654321", false, { pixKeyType: "PHONE" }],
  ["PIX_KEY", "+551187654321", true, { pixKeyType: "PHONE" }],
  ["PIX_KEY", "0+5511987654321", false, { pixKeyType: "PHONE" }],
  ["PIX_KEY", "+55119876543210", false, { pixKeyType: "PHONE" }],
  ["PIX_KEY", "123e4567-e89b-12d3-a456-426655440000", true, { pixKeyType: "RANDOM" }],
  ["PIX_KEY", "123", false, { pixKeyType: "RANDOM" }],
  ["PIX_KEY", "0123e4567-e89b-12d3-a456-426655440000", false, { pixKeyType: "RANDOM" }],
  ["PIX_KEY", "123e4567-e89b-12d3-a456-4266554400000", false, { pixKeyType: "RANDOM" }],
  ["BECH32", "A1LQFN3A", true],
  ["BECH32", "a1lqfn3a", true],
  ["BECH32", "a1lqFN3a", false],
  ["BECH32", "a1lqfn3q", false],
  ["BASE58", "11111111111111111111111111111111", true],
  ["BASE58", "1111111111111111111111111111111", false],
  ["BASE58", "1111111111111111111111111111111l", false],
  ["BASE58CHECK", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", true],
  ["BASE58CHECK", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u", false],
  ["EIP55", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", true],
  ["EIP55", "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", true],
  ["EIP55", "0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED", true],
  ["EIP55", "0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed", false],
]

it.each(cases.map(([name, value, isValid, account]) => ({ name, value, isValid, account })))(
  "checks $name of $value: $isValid",
  ({ account = {}, isValid, name, value }) => {
    expect(StrictCheckRules.get(name).isValid(value, account)).toBe(isValid)
  },
)

it("describes what each check expects", () => {
  expect(Object.fromEntries(StrictCheckRules.entries.map(([name, { expected }]) => [name, expected]))).toEqual({
    IBAN: "an IBAN whose country, length and check digits fit",
    BIC: "a BIC of a country that exists",
    ABA: "a routing number whose check digit fits",
    CLABE: "a CLABE whose check digit fits",
    CPF_OR_CNPJ: "a CPF or CNPJ whose check digits fit",
    PIX_KEY: "a key of its pixKeyType, with check digits that fit",
    BECH32: "bech32 whose checksum fits",
    BASE58: "base58 of 32 bytes",
    BASE58CHECK: "base58 whose checksum fits",
    EIP55: "an address in one case, or in the case of its EIP-55 checksum",
  })
})

it("has a valid and an invalid case of each check", () => {
  for (const name of StrictCheckRules.keys) {
    expect(new Set(cases.filter(([of]) => of === name).map(([, , isValid]) => isValid)).size, name).toBe(2)
  }
})

describe("the validation of account details", () => {
  const account = { ...exampleBody("USD_ACCOUNT").accountInfo, accountType: "USD_ACCOUNT", routingNumber: "123456789" }

  it("verifies check digits only if the deployment enables it", () => {
    expect(Result.isSuccess(validateAccountInfo(account, { strictChecks: false }))).toBe(true)
    expect(validateAccountInfo(account, { strictChecks: true })).toEqual(
      Result.fail([
        {
          field: "accountInfo.routingNumber",
          message: "must be a routing number whose check digit fits",
          constraint: { check: "ABA" },
        },
      ]),
    )
  })

  it("lists every failed check", () => {
    const brl = { accountType: "BRL_ACCOUNT", pixKey: "1", pixKeyType: "CPF", taxId: "12345678901" }
    const result = validateAccountInfo(brl, { strictChecks: true })
    expect(Result.isFailure(result) ? result.failure.map(({ field }) => field) : []).toEqual([
      "accountInfo.pixKey",
      "accountInfo.taxId",
    ])
  })

  it.each<readonly [string, AccountTypeRow]>(AccountTypes.entries)(
    "compares the bank name of %s with the directory if its row demands it",
    (accountType, row) => {
      const body = { ...exampleBody(accountType).accountInfo, accountType }
      const answer = validateAccountInfo(body, { strictChecks: true, bankNames: ["Another Bank"] })
      expect(Result.isFailure(answer) ? answer.failure : []).toEqual(
        row.bankNameDiscovered === true
          ? [
              {
                field: "accountInfo.bankName",
                message: "must be exactly a bankName of GET /discoveries",
                constraint: { enum: ["Another Bank"] },
              },
            ]
          : [],
      )
      const names = ["Another Bank", String(exampleBody(accountType).accountInfo["bankName"])]
      expect(Result.isSuccess(validateAccountInfo(body, { strictChecks: false, bankNames: names }))).toBe(true)
    },
  )
})

it("applies the deployment's choice to the endpoint", async () => {
  await using pay = await harness({ ports: Layer.merge(Sandbox.layer, Layer.succeed(StrictChecks, true)) })
  const { accountInfo, currency } = exampleBody("MXN_ACCOUNT")
  const body = { currency, accountInfo: { ...accountInfo, clabeNumber: "032180000118359105" } }
  const { body: answer, status } = await pay.send("POST", "/customers/external-accounts", { body })
  expect([status, answer]).toMatchObject([
    400,
    { code: "INVALID_INPUT", details: { errors: [{ field: "accountInfo.clabeNumber" }] } },
  ])
  const sound = await pay.send("POST", "/customers/external-accounts", { body: { currency, accountInfo } })
  expect(sound.status).toBe(201)
})
