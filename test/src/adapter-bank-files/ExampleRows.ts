/** Orders, batches and lines of one bank, as the tests of single steps need them. */
import type { BankBatch, BankLine, BankOrder } from "@countersign/adapter-bank-files"

/** A payment out that the bank has not yet received. */
export const exampleOrder = (n: number, more: Partial<BankOrder> = {}): BankOrder => ({
  reference: `Transaction:${n}`,
  platformId: "Platform:1",
  bank: "euro",
  direction: "push",
  currency: "EUR",
  amount: 100 + n,
  endToEndId: `E${n}`,
  individualId: `I${n}`,
  state: "ACCEPTED",
  acceptedAt: 1,
  changedAt: 1,
  isReported: true,
  ...more,
})

/** A file of payments out that is not yet written. */
export const exampleBatch = (id: string, more: Partial<BankBatch> = {}): BankBatch => ({
  id,
  bank: "euro",
  cutOff: 5,
  kind: "push.EUR",
  part: 1,
  fileName: `${id}.xml`,
  content: `<${id}/>`,
  state: "BUILT",
  ...more,
})

/** The movement of the first order on a statement. */
export const exampleLine = (key: string, more: Partial<BankLine> = {}): BankLine => ({
  key,
  bank: "euro",
  digest: "d",
  isMovement: true,
  statementId: "S1",
  bookedOn: "2026-03-12",
  currency: "EUR",
  amount: 101,
  isCredit: false,
  isReturn: false,
  orderIds: ["E1"],
  ...more,
})
