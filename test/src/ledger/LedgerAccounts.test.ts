/** The ledger accounts: names, owners and floors; the table of roles is copied by hand. architecture, "The Store port" (Ledger). */
import { LedgerAccounts as Ledger, roleOf } from "@countersign/core/store"
import { expect, it } from "vitest"

const platformId = "PlatformConfig:1"
const owner = { platformId, customerId: "Customer:1" }
const platformOwner = { platformId, customerId: null }

it("available, held, transit and unapplied accounts have a floor of 0, and all others have none", () => {
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
] as const)("an owner has one account with the role %s in each currency", (role, floor) => {
  expect(Ledger.ownedBy(owner, "EUR", role)).toEqual({ id: `${role}:Customer:1:EUR`, ...owner, currency: "EUR", floor })
  expect(Ledger.ownedBy(platformOwner, "BTC", role)).toEqual({
    id: `${role}:PlatformConfig:1:BTC`,
    ...platformOwner,
    currency: "BTC",
    floor,
  })
})

it("the id of an account begins with its role", () => {
  expect(Ledger.transit(owner, "USD")).toEqual(Ledger.ownedBy(owner, "USD", "transit"))
  expect(Ledger.receivable(owner, "USD")).toEqual(Ledger.ownedBy(owner, "USD", "receivable"))
  expect(Ledger.outside(owner, "USD")).toBe("outside:Customer:1:USD")
  expect(["available:InternalAccount:a", "outside:Customer:1:USD", "odd"].map(roleOf)).toEqual([
    "available",
    "outside",
    "odd",
  ])
})

it("unapplied money has a pair of accounts for each transaction", () => {
  expect(Ledger.unapplied("Transaction:1", owner, "USD")).toEqual({
    from: { id: "unapplied-outside:Transaction:1", ...owner, currency: "USD", floor: null },
    to: { id: "unapplied:Transaction:1", ...owner, currency: "USD", floor: 0 },
  })
})

it("an internal account has an available, a held and an outside account", () => {
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
