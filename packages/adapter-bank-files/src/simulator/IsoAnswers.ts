/** Writes the messages of a simulated bank: status reports, notifications and statements. Source: ISO 20022; D-530. */
import { decimalsOf } from "../iso20022/PaymentMessages.ts"
import { readShapes } from "../iso20022/ReadShapes.ts"
import { namespaceOf } from "../iso20022/WrittenShapes.ts"
import { decimalOf } from "../text/Decimal.ts"
import { problemOf } from "../xml/Shape.ts"
import type { XmlElement } from "../xml/XmlElement.ts"
import { element, writeXml } from "../xml/XmlWriter.ts"
import type { SimulatedPayment } from "./SimulatedBank.ts"

/** An entry of the simulated account. */
export interface SimulatedEntry {
  readonly reference: string
  readonly currency: string
  readonly amount: number
  readonly isCredit: boolean
  readonly endToEndId?: string
  readonly returnCode?: string
}

const document = (message: string, content: XmlElement): string => {
  const root = element("Document", [content])
  const shape = readShapes[message]
  const problem = shape === undefined ? "it is not known" : problemOf(root, shape)
  if (problem !== undefined) throw new Error(`the simulated ${message} is not valid: ${problem}`)
  return writeXml(namespaceOf(message), root)
}

const header = (id: string, date: string) =>
  element("GrpHdr", [element("MsgId", id), element("CreDtTm", `${date}T20:00:00`)])

const reason = (code: string) => element("StsRsnInf", [element("Rsn", [element("Cd", code)])])

/** Accepts a file, but for some of its payments. */
export const statusReport = (
  id: string,
  date: string,
  batchId: string,
  message: string,
  rejected: ReadonlyArray<readonly [SimulatedPayment, string]>,
): string => {
  const payments = rejected.map(([payment, code]) =>
    element("TxInfAndSts", [element("OrgnlEndToEndId", payment.id), element("TxSts", "RJCT"), reason(code)]),
  )
  const status = rejected.length === 0 ? "ACCP" : "PART"
  return document(
    "pain.002.001.10",
    element("CstmrPmtStsRpt", [
      header(id, date),
      element("OrgnlGrpInfAndSts", [
        element("OrgnlMsgId", batchId),
        element("OrgnlMsgNmId", message),
        element("GrpSts", status),
      ]),
      element("OrgnlPmtInfAndSts", [element("OrgnlPmtInfId", batchId), element("PmtInfSts", status), ...payments]),
    ]),
  )
}

const amountOf = (amount: number, currency: string) =>
  element("Amt", decimalOf(amount, decimalsOf(currency) ?? 2), { Ccy: currency })
const indicator = (isCredit: boolean) => element("CdtDbtInd", isCredit ? "CRDT" : "DBIT")

const entryOf = (date: string, { amount, currency, endToEndId, isCredit, reference, returnCode }: SimulatedEntry) =>
  element("Ntry", [
    amountOf(amount, currency),
    indicator(isCredit),
    element("Sts", [element("Cd", "BOOK")]),
    element("BookgDt", [element("Dt", date)]),
    element("AcctSvcrRef", reference),
    element("BkTxCd", [element("Prtry", [element("Cd", "PMNT")])]),
    element("NtryDtls", [
      element("TxDtls", [
        element("Refs", [element("EndToEndId", endToEndId ?? "NOTPROVIDED")]),
        amountOf(amount, currency),
        indicator(isCredit),
        returnCode === undefined ? undefined : element("RtrInf", [element("Rsn", [element("Cd", returnCode)])]),
      ]),
    ]),
  ])

const accountOf = (iban: string) => element("Acct", [element("Id", [element("IBAN", iban)])])

export const notification = (id: string, date: string, iban: string, entries: ReadonlyArray<SimulatedEntry>): string =>
  document(
    "camt.054.001.08",
    element("BkToCstmrDbtCdtNtfctn", [
      header(id, date),
      element("Ntfctn", [element("Id", id), accountOf(iban), ...entries.map((entry) => entryOf(date, entry))]),
    ]),
  )

const balance = (code: string, value: number, currency: string, date: string) =>
  element("Bal", [
    element("Tp", [element("CdOrPrtry", [element("Cd", code)])]),
    amountOf(Math.abs(value), currency),
    indicator(value >= 0),
    element("Dt", [element("Dt", date)]),
  ])

export interface StatementInput {
  readonly id: string
  readonly date: string
  readonly iban: string
  readonly currency: string
  readonly opening: number
  readonly closing: number
  readonly entries: ReadonlyArray<SimulatedEntry>
}

export const statement = ({ closing, currency, date, entries, iban, id, opening }: StatementInput): string =>
  document(
    "camt.053.001.08",
    element("BkToCstmrStmt", [
      header(id, date),
      element("Stmt", [
        element("Id", id),
        accountOf(iban),
        balance("OPBD", opening, currency, date),
        balance("CLBD", closing, currency, date),
        element("TxsSummry", [element("TtlNtries", [element("NbOfNtries", String(entries.length))])]),
        ...entries.map((entry) => entryOf(date, entry)),
      ]),
    ]),
  )
