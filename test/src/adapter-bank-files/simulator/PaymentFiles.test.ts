/** A simulated bank refuses what a real one would, and has the payments of a file as they were written. */
import { describe, expect, it } from "vitest"
import {
  writeCreditTransfers,
  writeDirectDebits,
} from "../../../../packages/adapter-bank-files/src/iso20022/PaymentMessages.ts"
import { writeNacha } from "../../../../packages/adapter-bank-files/src/nacha/NachaWriter.ts"
import { readAchPayments, readPayments } from "../../../../packages/adapter-bank-files/src/simulator/PaymentFiles.ts"
import { FileProblem } from "../../../../packages/adapter-bank-files/src/text/FileProblem.ts"
import { batchOf, isoOrder, ours } from "../iso20022/IsoOrders.ts"
import { batchOf as achBatchOf, achOrder, company } from "../nacha/NachaOrders.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const second = isoOrder({ endToEndId: "E2", amount: 5 })
const transfers = writeCreditTransfers(batchOf(isoOrder(), second), ours)
const payment = { fileName: "a.xml", batchId: "CS1", currency: "EUR", amount: 12_345, name: "Ada Lovelace" }

describe("a file of payments", () => {
  it("has its payments", () => {
    expect(readPayments("a.xml", bytes(transfers))).toEqual([
      { ...payment, id: "E1", direction: "push" },
      { ...payment, id: "E2", direction: "push", amount: 5 },
    ])
    const debit = isoOrder({ direction: "pull", mandate: { id: "M1", signedOn: "2026-01-02" } })
    expect(readPayments("a.xml", bytes(writeDirectDebits(batchOf(debit), ours)))).toEqual([
      { ...payment, id: "E1", direction: "pull" },
    ])
    const yen = isoOrder({ currency: "JPY", amount: 7 })
    expect(readPayments("a.xml", bytes(writeCreditTransfers(batchOf(yen), ours)))).toEqual([
      { ...payment, id: "E1", direction: "push", currency: "JPY", amount: 7 },
    ])
  })

  it("is refused if the totals of its header or of its payments are wrong", () => {
    const totals = new FileProblem("AM10: the totals are wrong")
    const [header = "", rest = ""] = transfers.split("<PmtInf>")
    for (const [from, to] of [
      ["<CtrlSum>123.50<", "<CtrlSum>123.51<"],
      ["<NbOfTxs>2<", "<NbOfTxs>3<"],
    ] as const) {
      expect(() => readPayments("a", bytes(`${header.replace(from, to)}<PmtInf>${rest}`))).toThrow(totals)
      expect(() => readPayments("a", bytes(`${header}<PmtInf>${rest.replace(from, to)}`))).toThrow(totals)
    }
  })

  it("is refused if it is not a message of payments, or has not its shape", () => {
    expect(() => readPayments("a", bytes(transfers.replace("pain.001.001.09", "pain.001.001.03")))).toThrow(
      new FileProblem("FF01: not a payment message"),
    )
    expect(() => readPayments("a", bytes(transfers.replace("<PmtMtd>TRF", "<PmtMtd>CHK")))).toThrow(
      new FileProblem("FF01: Document/CstmrCdtTrfInitn/PmtInf/PmtMtd must match ^TRF$"),
    )
  })
})

it("a NACHA file has its payments, with what a return repeats of them", () => {
  const orders = [achOrder(1), achOrder(2, { direction: "pull" })]
  const found = readAchPayments("a.ach", bytes(writeNacha(achBatchOf(orders), company).content))
  expect(found.map(({ batch: _, entry: __, ...more }) => more)).toEqual(
    orders.map(({ amount, direction, individualId }) => ({
      id: individualId,
      fileName: "a.ach",
      batchId: "C0000001",
      direction,
      currency: "USD",
      amount,
      name: "ADA LOVELACE",
    })),
  )
  expect(found.map(({ batch, entry }) => [batch.header["serviceClass"], entry["traceNumber"]])).toEqual([
    ["220", "021000020000001"],
    ["225", "021000020000002"],
  ])
})
