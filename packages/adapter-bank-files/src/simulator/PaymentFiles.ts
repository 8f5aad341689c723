/** Reads the payments of our files as the bank would: against the rules of the messages. Source: D-530. */

import { decimalsOf } from "../iso20022/PaymentMessages.ts"
import { namespaceOf, pain001Shape, pain008Shape } from "../iso20022/WrittenShapes.ts"
import { isCreditCode, type NachaBatch, type NachaEntry, readNacha } from "../nacha/NachaReader.ts"
import { minorOf } from "../text/Decimal.ts"
import { refuse } from "../text/FileProblem.ts"
import { problemOf } from "../xml/Shape.ts"
import { childAt, childrenOf, textAt, type XmlElement } from "../xml/XmlElement.ts"
import { readXml } from "../xml/XmlReader.ts"
import type { SimulatedPayment } from "./SimulatedBank.ts"

const messages = [
  {
    message: "pain.001.001.09",
    shape: pain001Shape,
    root: "CstmrCdtTrfInitn",
    direction: "push",
    payment: "CdtTrfTxInf",
    amount: ["Amt", "InstdAmt"],
    party: "Cdtr",
  },
  {
    message: "pain.008.001.08",
    shape: pain008Shape,
    root: "CstmrDrctDbtInitn",
    direction: "pull",
    payment: "DrctDbtTxInf",
    amount: ["InstdAmt"],
    party: "Dbtr",
  },
] as const

const checkTotals = (header: XmlElement | undefined, payments: ReadonlyArray<SimulatedPayment>): void => {
  const [first] = payments
  const sum = payments.reduce((total, { amount }) => total + amount, 0)
  const named = minorOf(textAt(header, "CtrlSum") ?? "", decimalsOf(first?.currency ?? "") ?? 2)
  if (named !== sum || Number(textAt(header, "NbOfTxs")) !== payments.length) refuse("AM10: the totals are wrong")
}

/** Throws a `FileProblem` if the bank would refuse the file. */
export const readPayments = (fileName: string, bytes: Uint8Array): ReadonlyArray<SimulatedPayment> => {
  const { namespace, root } = readXml(bytes)
  const kind =
    messages.find(({ message }) => namespaceOf(message) === namespace) ?? refuse("FF01: not a payment message")
  const problem = problemOf(root, kind.shape)
  if (problem !== undefined) refuse(`FF01: ${problem}`)
  const content = childAt(root, kind.root)
  const group = childAt(content, "PmtInf")
  const batchId = textAt(group, "PmtInfId") ?? ""
  const payments = childrenOf(group, kind.payment).map((payment): SimulatedPayment => {
    const amount = childAt(payment, ...kind.amount)
    const currency = amount?.attributes["Ccy"] ?? ""
    return {
      id: textAt(payment, "PmtId", "EndToEndId") ?? "",
      fileName,
      batchId,
      direction: kind.direction,
      currency,
      amount: minorOf(amount?.text ?? "", decimalsOf(currency) ?? 2) ?? 0,
      name: textAt(payment, kind.party, "Nm") ?? "",
    }
  })
  checkTotals(childAt(content, "GrpHdr"), payments)
  checkTotals(group, payments)
  return payments
}

/** A payment of a NACHA file, with what its return repeats of it. */
export interface AchPayment extends SimulatedPayment {
  readonly batch: NachaBatch
  readonly entry: NachaEntry["entry"]
}

/** Throws a `FileProblem` if the bank would refuse the file. */
export const readAchPayments = (fileName: string, bytes: Uint8Array): ReadonlyArray<AchPayment> => {
  const { batches, header } = readNacha(bytes)
  return batches.flatMap((batch) =>
    batch.entries.map(({ entry }) => ({
      id: entry["individualId"] ?? "",
      fileName,
      batchId: header["referenceCode"] ?? "",
      direction: isCreditCode(entry["transactionCode"] ?? "") ? ("push" as const) : ("pull" as const),
      currency: "USD",
      amount: Number(entry["amount"]),
      name: entry["individualName"] ?? "",
      batch,
      entry,
    })),
  )
}
