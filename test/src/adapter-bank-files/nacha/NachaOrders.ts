/** Orders and a batch of them, as a bank of NACHA files has them. */
import type { BankOrder } from "@countersign/adapter-bank-files"
import type { NachaCompany } from "../../../../packages/adapter-bank-files/src/nacha/NachaOptions.ts"
import type { BatchInput } from "../../../../packages/adapter-bank-files/src/orders/BankFormat.ts"
import { companyId, odfi } from "../BankWorld.ts"

export const company: NachaCompany = { companyName: "ENGINES LTD", companyId, odfi, bankName: "FIRST BANK" }

type Account = { readonly isBusiness?: boolean; readonly isSavings?: boolean; readonly name?: string }

export const achOrder = (
  n: number,
  more: Partial<BankOrder> = {},
  { isBusiness = false, isSavings = false, name = "ADA LOVELACE" }: Account = {},
): BankOrder => ({
  reference: `Transaction:${n}`,
  platformId: "Platform:1",
  bank: "ach",
  direction: "push",
  currency: "USD",
  amount: 100 * n,
  party: {
    name,
    isBusiness,
    account: { _tag: "Routing", routingNumber: "011000015", accountNumber: "12345678", isSavings },
  },
  endToEndId: `E${n}`,
  individualId: `INDIVIDUAL${n}`,
  state: "ACCEPTED",
  acceptedAt: 1,
  changedAt: 1,
  isReported: true,
  ...more,
})

export const batchOf = (orders: ReadonlyArray<BankOrder>, more: Partial<BatchInput> = {}): BatchInput => ({
  batchId: "C0000001",
  createdAt: Date.parse("2026-07-02T20:05:00Z"),
  createdLocal: "2026-07-02T16:05:00",
  date: "2026-07-02",
  nextDate: "2026-07-03",
  orders,
  numbers: orders.map((_, at) => at + 1),
  ...more,
})
