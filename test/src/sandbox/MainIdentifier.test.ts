/** The main identifier of an account: the first field that it has, in the order of wire contract 7.2. */
import { AccountTypes, mainIdentifier, PaymentRail } from "@countersign/core/models"
import { expect, it } from "@effect/vitest"

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

it.each(order.map((field, at) => [field, order.slice(at)]))("%s comes before what follows it", (field, present) => {
  // written backwards, so that the order of the members does not decide
  const members = [...present].reverse().map((name) => [name, `value of ${name}`])
  expect(mainIdentifier({ accountType: "ANY", ...Object.fromEntries(members) })).toBe(`value of ${field}`)
})

it.each([[{}], [{ accountNumber: "" }], [{ accountNumber: 12 }], [{ routingNumber: "021000021" }]])(
  "an account with %j has none",
  (members) => {
    expect(mainIdentifier({ accountType: "ANY", ...members })).toBeUndefined()
  },
)

it("passes over an empty field", () => {
  expect(mainIdentifier({ accountType: "ANY", accountNumber: "", iban: "DE1" })).toBe("DE1")
})

it.each(AccountTypes.entries)("%s has known rails and its identifiers in order", (_, row) => {
  expect(row.rails.every((rail) => PaymentRail.literals.includes(rail))).toBe(true)
  expect(row.rails.length > 0).toBe(row.railKind !== "wallet")
  expect(row.identifiers.length).toBeGreaterThan(0)
  expect([...row.identifiers].sort((a, b) => order.indexOf(a) - order.indexOf(b))).toEqual(row.identifiers)
})

it("has the rails of a dollar account", () => {
  expect(AccountTypes.get("USD_ACCOUNT")).toEqual({
    currencies: ["USD"],
    railKind: "bank",
    rails: ["ACH", "WIRE", "RTP", "FEDNOW"],
    identifiers: ["accountNumber"],
  })
})
