/** What names a record of each type, and where the record itself is read. Source: D-467. */
import type { RecordTypeName } from "@countersign/core/models"
import type { AnyStored } from "@countersign/core/store"
import { describe, expect, it } from "vitest"
import { RecordTypes } from "../../../packages/core/src/decision/record/RecordTypes.ts"

const shown = (type: RecordTypeName, data: object) => {
  const { kind, shown: of } = RecordTypes.get(type)
  return of({ kind, id: "id", platformId: "p", customerId: "c", data } as AnyStored)
}

const usd = { currency: "USD" }
const rows: ReadonlyArray<readonly [RecordTypeName, data: object, shows: object]> = [
  [
    "Customer",
    { customerType: "INDIVIDUAL", fullName: "Ada", platformCustomerId: "a", isDeleted: false },
    { name: "Ada", isDeleted: false, machines: ["Kyc"], path: "/customers/id" },
  ],
  [
    "Customer",
    { customerType: "BUSINESS", businessInfo: { legalName: "Engines" }, platformCustomerId: "a", isDeleted: true },
    { name: "Engines", isDeleted: true, machines: ["Kyb"], path: "/customers/id" },
  ],
  ["Customer", { customerType: "INDIVIDUAL", platformCustomerId: "a" }, { name: "a" }],
  ["InternalAccount", { ...usd, type: "INTERNAL_FIAT" }, { name: "USD INTERNAL_FIAT", path: "/internal-accounts/id" }],
  [
    "ExternalAccount",
    { accountInfo: { accountType: "USD_ACCOUNT" }, isDeleted: true },
    { name: "USD_ACCOUNT", isDeleted: true, path: "/customers/external-accounts/id" },
  ],
  [
    "ExternalAccount",
    { accountInfo: { accountType: "USD_ACCOUNT" }, isOfPlatform: true, isDeleted: false },
    { isDeleted: false, path: "/platform/external-accounts/id" },
  ],
  ["Agent", { name: "Payroll", isDeleted: true }, { name: "Payroll", isDeleted: true, path: "/agents/id" }],
  [
    "AgentAction",
    { type: "TRANSFER_OUT", transferDetails: { ...usd, amount: 5 } },
    { name: "TRANSFER_OUT", amount: { ...usd, amount: 5 } },
  ],
  ["AgentAction", { type: "EXECUTE_QUOTE" }, { name: "EXECUTE_QUOTE", amount: undefined }],
  ["AgentAction", { type: "TRANSFER_OUT", transferDetails: { amount: 5 } }, { amount: undefined }],
  [
    "Quote",
    { totalSendingAmount: 7, sendingCurrency: "EUR" },
    { amount: { amount: 7, currency: "EUR" }, path: "/quotes/id" },
  ],
  [
    "Transaction",
    { ...usd, type: "INCOMING", amount: 9 },
    {
      name: "INCOMING",
      amount: { ...usd, amount: 9 },
      machines: ["IncomingTransaction", "IncomingRefund"],
      path: "/transactions/id",
    },
  ],
  ["Transaction", { ...usd, type: "OUTGOING", amount: 9 }, { machines: ["OutgoingTransaction", "Refund"] }],
  ["Card", { platformCardId: "card-1" }, { name: "card-1", path: "/cards/id" }],
  ["Card", { platformCardId: "card-1", last4: "4242" }, { name: "Card 4242" }],
  ["Card", { platformCardId: "card-1", last4: "4242", brand: "VISA" }, { name: "VISA 4242" }],
  [
    "CardTransaction",
    { ...usd, merchant: { descriptor: "Shop" }, authorized: 300 },
    { name: "Shop", amount: { ...usd, amount: 300 }, path: "/transactions/id" },
  ],
  [
    "AuthMethod",
    { nickname: "Phone", isRevoked: true, accountId: "a" },
    { name: "Phone", isDeleted: true, path: "/auth/credentials?accountId=a" },
  ],
  ["Session", { nickname: "Phone", accountId: "a" }, { name: "Phone", path: "/auth/sessions?accountId=a" }],
  ["DelegatedKey", { nickname: "Card" }, { name: "Card", path: "/auth/delegated-keys/id" }],
  ["Verification", {}, { path: "/verifications/id" }],
  [
    "BeneficialOwner",
    { personalInfo: { firstName: "Ana", lastName: "Ruiz" } },
    { name: "Ana Ruiz", path: "/beneficial-owners/id" },
  ],
  [
    "Document",
    { documentType: "PASSPORT", status: "DELETED" },
    { name: "PASSPORT", isDeleted: true, path: "/documents/id" },
  ],
  ["Document", { documentType: "PASSPORT", status: "STORED" }, { isDeleted: false }],
  ["Invitation", { amountToSend: { ...usd, amount: 1 } }, { amount: { ...usd, amount: 1 } }],
  ["StablecoinProviderAccount", { provider: "MINT" }, { name: "MINT", path: "/stablecoin-provider-accounts/id" }],
  ["Stablecoin", { symbol: "ABC" }, { name: "ABC", path: "/stablecoins/id" }],
  ["StablecoinOperation", { operationType: "MINT" }, { name: "MINT", path: "/stablecoin-operations/id" }],
]

describe("a record for the operator", () => {
  it.each(rows)("%s %j is shown with what names it", (type, data, shows) => {
    expect(shown(type, data)).toMatchObject(shows)
  })

  it("has a case of every type", () => {
    expect(new Set(rows.map(([type]) => type))).toEqual(new Set(RecordTypes.keys))
  })
})
