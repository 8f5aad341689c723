/** The ledger accounts: their names, owners and floors, the roles' table copied by hand. Architecture, "The Store port" (Ledger). */
import { LedgerAccounts as Ledger, roleOf } from "@countersign/core/store"
import { expect, it } from "vitest"

const platformId = "PlatformConfig:1"
const owner = { platformId, customerId: "Customer:1" }
const house = { platformId, customerId: null }

it("what can be spent or is under way never falls below nothing; a counterpart may", () => {
  expect(Object.fromEntries(Ledger.LedgerRoles.entries.map(([role, { floor }]) => [role, floor]))).toEqual({
    available: 0,
    held: 0,
    outside: null,
    transit: 0,
    receivable: null,
    exchange: null,
    "service-fee": null,
    "platform-fee": null,
    unapplied: 0,
    "unapplied-outside": null,
  })
  expect(Ledger.LedgerRoles.entries.filter(([, { meaning }]) => meaning.trim().length === 0)).toEqual([])
})

it.each([
  ["outside", null],
  ["transit", 0],
  ["receivable", null],
  ["exchange", null],
  ["service-fee", null],
  ["platform-fee", null],
] as const)("an owner has one account for %s in each currency", (role, floor) => {
  expect(Ledger.ownedBy(owner, "EUR", role)).toEqual({ id: `${role}:Customer:1:EUR`, ...owner, currency: "EUR", floor })
  expect(Ledger.ownedBy(house, "BTC", role)).toEqual({
    id: `${role}:PlatformConfig:1:BTC`,
    ...house,
    currency: "BTC",
    floor,
  })
})

it("the accounts of a role are found by its name", () => {
  expect(Ledger.transit(owner, "USD")).toEqual(Ledger.ownedBy(owner, "USD", "transit"))
  expect(Ledger.receivable(owner, "USD")).toEqual(Ledger.ownedBy(owner, "USD", "receivable"))
  expect(Ledger.outside(owner, "USD")).toBe("outside:Customer:1:USD")
  expect(["available:InternalAccount:a", "outside:Customer:1:USD", "odd"].map(roleOf)).toEqual([
    "available",
    "outside",
    "odd",
  ])
})

it("what cannot be taken has a pair of accounts for each transaction", () => {
  expect(Ledger.unapplied("Transaction:1", owner, "USD")).toEqual({
    from: { id: "unapplied-outside:Transaction:1", ...owner, currency: "USD", floor: null },
    to: { id: "unapplied:Transaction:1", ...owner, currency: "USD", floor: 0 },
  })
})

it("an internal account is what can be spent and what is held, and its owner's counterpart", () => {
  expect(Ledger.forInternalAccount("InternalAccount:a", owner, "USD")).toEqual([
    { id: "available:InternalAccount:a", ...owner, currency: "USD", floor: 0 },
    { id: "held:InternalAccount:a", ...owner, currency: "USD", floor: 0 },
    { id: "outside:Customer:1:USD", ...owner, currency: "USD", floor: null },
  ])
  expect(Ledger.balancePlaceholders("InternalAccount:a")).toEqual([
    { path: ["balance", "amount"], balances: ["available:InternalAccount:a"] },
    { path: ["totalBalance", "amount"], balances: ["available:InternalAccount:a", "held:InternalAccount:a"] },
  ])
})
