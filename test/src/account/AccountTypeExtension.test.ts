/** A new account type is one row: schemas, rules, arbitraries, OpenAPI and the documentation page are derived from it. */
import { OpenApiDocument } from "@countersign/adapter-http"
import { type AccountTypeRows, AccountTypes, CrossField, CurrencyCode } from "@countersign/core/models"
import { Result, Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as AccountField from "../../../packages/core/src/model/account/AccountField.ts"
import {
  accountInfoResourceSchema,
  createAccountInfoSchema,
} from "../../../packages/core/src/model/account/AccountInfo.ts"
import * as AccountInfoRules from "../../../packages/core/src/model/account/AccountInfoRules.ts"
import * as AccountTypeRowBuilders from "../../../packages/core/src/model/account/AccountTypeRowBuilders.ts"
import { validBodies } from "../../../packages/test/src/harness/AccountArbitraries.ts"
import { breakages } from "../../../packages/test/src/harness/AccountBreakages.ts"
import { forge } from "../../../packages/test/src/harness/IdentifierForge.ts"
import { accountTypesPage } from "../../scripts/AccountTypesPage.ts"

const { digits, optional, required, text } = AccountField
const rows: AccountTypeRows = {
  ...AccountTypes.rows,
  JPY_ACCOUNT: AccountTypeRowBuilders.bankAccount("JPY", "JP", ["BANK_TRANSFER"], {
    bankCode: required(digits(4, 4, "0001")),
    accountNumber: required(digits(7, 7, "1234567")),
    branchName: optional(text(40, "Ginza")),
  }),
}

const Request = Schema.Struct({ currency: CurrencyCode, accountInfo: createAccountInfoSchema(rows) }).check(
  CrossField.check(AccountInfoRules.accountRule(rows)),
)
const decode = Schema.decodeUnknownResult(Request, { errors: "all" })

describe("an added row for JPY_ACCOUNT", () => {
  it("accepts valid bodies unchanged and rejects broken ones", () => {
    fc.assert(
      fc.property(validBodies("JPY_ACCOUNT", rows), (body) => {
        expect(Result.getOrUndefined(decode(body))).toEqual(body)
        for (const { body: broken, change, field } of breakages(body, rows)) {
          expect(Result.isFailure(decode(broken)), `${field} ${change}`).toBe(true)
        }
      }),
      { numRuns: 20 },
    )
  })

  it("is required: a table without the row rejects its bodies", () => {
    const [body] = fc.sample(validBodies("JPY_ACCOUNT", rows), 1)
    const without = Schema.decodeUnknownResult(createAccountInfoSchema(AccountTypes.rows))
    expect(Result.isFailure(without(body?.accountInfo))).toBe(true)
  })

  it("adds a component to OpenAPI and to the mapping of the union", () => {
    const Group = HttpApiGroup.make("accounts").add(
      HttpApiEndpoint.post("create", "/accounts", { payload: Request, success: accountInfoResourceSchema(rows) }),
    )
    const document = OpenApiDocument.make(HttpApi.make("added").add(Group), "")
    const schema = (name: string) => OpenApiDocument.at(document, "components", "schemas", name)
    expect(schema("JpyAccountCreateInfo")).toMatchObject({
      required: ["accountType", "bankCode", "accountNumber", "beneficiary"],
      properties: { accountNumber: { pattern: "^[0-9]{7}$" } },
    })
    expect(schema("ExternalAccountCreateInfo")).toMatchObject({
      discriminator: { mapping: { JPY_ACCOUNT: "#/components/schemas/JpyAccountCreateInfo" } },
    })
    expect(schema("ExternalAccountInfo")).toMatchObject({
      discriminator: { mapping: { JPY_ACCOUNT: "#/components/schemas/JpyAccountInfo" } },
    })
  })

  it("adds a section to the documentation and magic identifiers", () => {
    expect(accountTypesPage(rows)).toContain("## JPY_ACCOUNT")
    expect(forge("JPY_ACCOUNT", "105", { rows })).toMatchObject({ field: "accountNumber", value: "1234105" })
  })
})
