/**
 * Writes credit transfers (pain.001.001.09) and direct debits (pain.008.001.08). Each file has one group of payments, in one currency.
 * Source: ISO 20022; D-530.
 */
import { Currencies } from "@countersign/core/models"
import type { BatchInput } from "../orders/BankFormat.ts"
import type { BankOrder } from "../orders/BankOrder.ts"
import { decimalOf } from "../text/Decimal.ts"
import { problemOf, type Shape } from "../xml/Shape.ts"
import type { XmlElement } from "../xml/XmlElement.ts"
import { element, writeXml } from "../xml/XmlWriter.ts"
import type { IsoAccount } from "./IsoOptions.ts"
import { namespaceOf, pain001Shape, pain008Shape } from "./WrittenShapes.ts"

export const decimalsOf = (currency: string): number | undefined => Currencies.find(currency)?.decimals

const amountText = (amount: number, currency: string): string => decimalOf(amount, decimalsOf(currency) ?? 2)

const named = (name: string, party: string) => element(name, [element("Nm", party)])
const account = (name: string, iban: string) => element(name, [element("Id", [element("IBAN", iban)])])
const agent = (name: string, bic: string | undefined) =>
  element(name, [
    element("FinInstnId", [
      bic === undefined ? element("Othr", [element("Id", "NOTPROVIDED")]) : element("BICFI", bic),
    ]),
  ])
const code = (name: string, value: string) => element(name, [element("Cd", value)])

/** The party of an order that this format accepted. */
const partyOf = ({ party, reference }: BankOrder) => {
  if (party?.account._tag !== "Iban") throw new Error(`the order ${reference} has no IBAN`)
  return { name: party.name, ...party.account }
}

const totals = ({ orders }: BatchInput) => {
  const [first] = orders
  const sum = orders.reduce((total, { amount }) => total + amount, 0)
  if (first === undefined || !Number.isSafeInteger(sum)) throw new RangeError("a batch has orders with an exact sum")
  return [element("NbOfTxs", String(orders.length)), element("CtrlSum", amountText(sum, first.currency))]
}

const header = (input: BatchInput, ours: IsoAccount) =>
  element("GrpHdr", [
    element("MsgId", input.batchId),
    element("CreDtTm", input.createdLocal),
    ...totals(input),
    named("InitgPty", ours.name),
  ])

const shared = ({ currency, endToEndId, remittance, amount }: BankOrder) => ({
  id: element("PmtId", [element("EndToEndId", endToEndId)]),
  amount: element("InstdAmt", amountText(amount, currency), { Ccy: currency }),
  remittance: remittance === undefined ? undefined : element("RmtInf", [element("Ustrd", remittance)]),
})

const transfer = (order: BankOrder): XmlElement => {
  const { amount, id, remittance } = shared(order)
  const { bic, iban, name } = partyOf(order)
  return element("CdtTrfTxInf", [
    id,
    element("Amt", [amount]),
    bic === undefined ? undefined : agent("CdtrAgt", bic),
    named("Cdtr", name),
    account("CdtrAcct", iban),
    remittance,
  ])
}

const debit = (order: BankOrder): XmlElement => {
  const { amount, id, remittance } = shared(order)
  const { bic, iban, name } = partyOf(order)
  const { mandate } = order
  if (mandate === undefined) throw new Error(`the order ${order.reference} has no mandate`)
  const mandated = [element("MndtId", mandate.id), element("DtOfSgntr", mandate.signedOn)]
  return element("DrctDbtTxInf", [
    id,
    amount,
    element("DrctDbtTx", [element("MndtRltdInf", mandated)]),
    agent("DbtrAgt", bic),
    named("Dbtr", name),
    account("DbtrAcct", iban),
    remittance,
  ])
}

const document = (message: string, content: XmlElement, shape: Shape): string => {
  const root = element("Document", [content])
  const problem = problemOf(root, shape)
  if (problem !== undefined) throw new Error(`a file of ${message} would not be valid: ${problem}`)
  return writeXml(namespaceOf(message), root)
}

export const writeCreditTransfers = (input: BatchInput, ours: IsoAccount): string => {
  const isSepa = input.orders[0]?.currency === "EUR"
  const payments = element("PmtInf", [
    element("PmtInfId", input.batchId),
    element("PmtMtd", "TRF"),
    element("BtchBookg", String(ours.booksBatches ?? false)),
    ...totals(input),
    isSepa ? element("PmtTpInf", [code("SvcLvl", "SEPA")]) : undefined,
    element("ReqdExctnDt", [element("Dt", input.date)]),
    named("Dbtr", ours.name),
    account("DbtrAcct", ours.iban),
    agent("DbtrAgt", ours.bic),
    element("ChrgBr", isSepa ? "SLEV" : "SHAR"),
    ...input.orders.map(transfer),
  ])
  return document("pain.001.001.09", element("CstmrCdtTrfInitn", [header(input, ours), payments]), pain001Shape)
}

export const writeDirectDebits = (input: BatchInput, ours: IsoAccount): string => {
  const { creditorId } = ours
  if (creditorId === undefined) throw new Error("direct debits need `creditorId`")
  const scheme = element("SchmeNm", [element("Prtry", "SEPA")])
  const payments = element("PmtInf", [
    element("PmtInfId", input.batchId),
    element("PmtMtd", "DD"),
    element("BtchBookg", String(ours.booksBatches ?? false)),
    ...totals(input),
    element("PmtTpInf", [code("SvcLvl", "SEPA"), code("LclInstrm", "CORE"), element("SeqTp", "RCUR")]),
    element("ReqdColltnDt", input.nextDate),
    named("Cdtr", ours.name),
    account("CdtrAcct", ours.iban),
    agent("CdtrAgt", ours.bic),
    element("ChrgBr", "SLEV"),
    element("CdtrSchmeId", [
      element("Id", [element("PrvtId", [element("Othr", [element("Id", creditorId), scheme])])]),
    ]),
    ...input.orders.map(debit),
  ])
  return document("pain.008.001.08", element("CstmrDrctDbtInitn", [header(input, ours), payments]), pain008Shape)
}
