/** Cards and collections with all outcomes of an issuer with a memory. */
import type { Customer } from "@countersign/core/models"
import type { CollectRequest, ProvisionRequest } from "@countersign/core/ports"

const cardholder: Customer = {
  platformCustomerId: "customer-1",
  customerType: "INDIVIDUAL",
  checkStatus: "APPROVED",
  fullName: "Ada Lovelace",
  currencies: ["USD"],
  umaAddress: "$ada@example.com",
  isDeleted: false,
}
const cardOf = (platformCardId: string): ProvisionRequest["card"] => ({
  platformCardId,
  form: "VIRTUAL",
  state: "PROCESSING",
  fundingSources: [{ id: "FundingSource:1", accountId: "InternalAccount:1" }],
  maxSpendPerTransaction: null,
  currency: "USD",
})
export const requestOf = (platformCardId: string): ProvisionRequest => ({
  reference: "Card:1",
  card: cardOf(platformCardId),
  cardholderId: "Customer:1",
  cardholder,
  issuedAt: 0,
})
export const collectionOf = (descriptor: string, amount: number): CollectRequest => ({
  reference: "CardTransaction:1:1",
  cardId: "Card:1",
  accountId: "InternalAccount:1",
  merchant: { descriptor },
  amount,
  currency: "USD",
  requestedAt: 0,
})

export const issuerGiven = {
  cards: ["0", "1", "2"].map(requestOf),
  collections: [500, 501, 502].map((amount) => collectionOf("shop", amount)),
}
