/** The main identifier of an account: its first existing field in the order of wire contract 7.2. */
import { type AccountTypeRow, AccountTypes, mainIdentifier } from "@countersign/core/models"
import { expect, it } from "@effect/vitest"
import { identifierFieldsOf } from "../../../packages/core/src/model/account/MainIdentifier.ts"

const order = [
  "accountNumber",
  "iban",
  "clabeNumber",
  "pixKey",
  "vpa",
  "phoneNumber",
  "address",
  "lightningAddress",
  "invoice",
  "bolt12",
]

it.each(order.map((field, at) => [field, order.slice(at)]))(
  "%s takes precedence over the fields after it",
  (field, present) => {
    // In reverse order, so that the order of the members does not decide.
    const members = [...present].reverse().map((name) => [name, `value of ${name}`])
    expect(mainIdentifier({ accountType: "ANY", ...Object.fromEntries(members) })).toBe(`value of ${field}`)
  },
)

it.each([[{}], [{ accountNumber: "" }], [{ accountNumber: 12 }], [{ routingNumber: "021000021" }]])(
  "an account with %j has no main identifier",
  (members) => {
    expect(mainIdentifier({ accountType: "ANY", ...members })).toBeUndefined()
  },
)

it("skips an empty field", () => {
  expect(mainIdentifier({ accountType: "ANY", accountNumber: "", iban: "DE1" })).toBe("DE1")
})

it.each<readonly [string, AccountTypeRow]>(AccountTypes.entries)(
  "%s declares its identifiers in the order of precedence",
  (_, row) => {
    const identifiers = identifierFieldsOf(row)
    expect(identifiers.length).toBeGreaterThan(0)
    expect(identifiers.toSorted((a, b) => order.indexOf(a) - order.indexOf(b))).toEqual(identifiers)
  },
)
