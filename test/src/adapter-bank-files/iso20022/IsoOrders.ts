/** Orders and a batch of them, as a format of ISO 20022 files writes them. */
import type { BankOrder } from "@countersign/adapter-bank-files"
import type { IsoAccount } from "../../../../packages/adapter-bank-files/src/iso20022/IsoOptions.ts"
import type { BatchInput } from "../../../../packages/adapter-bank-files/src/orders/BankFormat.ts"
import { ourIban } from "../BankWorld.ts"

export const ours: IsoAccount = {
  name: "Engines Ltd",
  iban: ourIban,
  bic: "COBADEFFXXX",
  creditorId: "DE98ZZZ09999999999",
  mandateOf: () => ({ id: "MANDATE-1", signedOn: "2026-01-02" }),
}

export const theirIban = "FR1420041010050500013M02606"

export const isoOrder = (more: Partial<BankOrder> = {}): BankOrder => ({
  reference: "Transaction:1",
  platformId: "Platform:1",
  bank: "euro",
  direction: "push",
  currency: "EUR",
  amount: 12_345,
  party: { name: "Ada Lovelace", isBusiness: false, account: { _tag: "Iban", iban: theirIban } },
  endToEndId: "E1",
  individualId: "I1",
  state: "ACCEPTED",
  acceptedAt: 1,
  changedAt: 1,
  isReported: true,
  ...more,
})

export const batchOf = (...orders: ReadonlyArray<BankOrder>): BatchInput => ({
  batchId: "CS1",
  createdAt: Date.parse("2026-12-24T14:00:00Z"),
  createdLocal: "2026-12-24T15:00:00",
  date: "2026-12-24",
  nextDate: "2026-12-28",
  orders,
  numbers: orders.map((_, at) => at + 1),
})
