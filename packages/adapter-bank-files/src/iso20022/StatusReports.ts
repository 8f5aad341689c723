/**
 * Reads what a bank reports about the payments of a file (pain.002). Acceptance is not execution: only a completed settlement is.
 * Source: ISO 20022, external payment status codes; D-530.
 */
import type { Notice, ReadFile } from "../orders/BankFormat.ts"
import type { OrderEvent } from "../orders/OrderEvent.ts"
import { refuse } from "../text/FileProblem.ts"
import { childAt, childrenOf, textAt, type XmlElement } from "../xml/XmlElement.ts"
import { refusalOf } from "./ReasonCodes.ts"

/** The first reason of an element, as the bank's code. */
const codeOf = (element: XmlElement | undefined): string | undefined => {
  for (const reason of childrenOf(element, "StsRsnInf")) {
    const code = textAt(reason, "Rsn", "Cd") ?? textAt(reason, "Rsn", "Prtry")
    if (code !== undefined) return code
  }
  return undefined
}

const settled: ReadonlyArray<string> = ["ACSC", "ACCC"]

const eventOf = (status: string | undefined, code: string): OrderEvent | undefined => {
  if (status === "RJCT") return { _tag: "Rejected", code, refusal: refusalOf(code) }
  return status !== undefined && settled.includes(status) ? { _tag: "Confirmed" } : undefined
}

export const readStatusReport = (root: XmlElement): ReadFile => {
  const report = childAt(root, "CstmrPmtStsRpt")
  const messageId = textAt(report, "GrpHdr", "MsgId") ?? refuse("the report has no id")
  const original = childAt(report, "OrgnlGrpInfAndSts")
  const groupCode = codeOf(original)
  const notices: Array<Notice> = []
  for (const payments of childrenOf(report, "OrgnlPmtInfAndSts")) {
    const paymentsCode = codeOf(payments) ?? groupCode
    for (const payment of childrenOf(payments, "TxInfAndSts")) {
      const event = eventOf(textAt(payment, "TxSts"), codeOf(payment) ?? paymentsCode ?? "NARR")
      const id = textAt(payment, "OrgnlEndToEndId")
      if (event === undefined) continue
      notices.push({ orderIds: [id ?? refuse("a payment of the report has a status and no OrgnlEndToEndId")], event })
    }
    const event = eventOf(textAt(payments, "PmtInfSts"), paymentsCode ?? "NARR")
    const batchId = textAt(payments, "OrgnlPmtInfId")
    // After its payments, so that their own statuses count.
    if (event !== undefined && batchId !== undefined) notices.push({ batchId, event })
  }
  const event = eventOf(textAt(original, "GrpSts"), groupCode ?? "NARR")
  const batchId = textAt(original, "OrgnlMsgId")
  if (event !== undefined && batchId !== undefined) notices.push({ batchId, event })
  return { kind: "pain.002", messageId, notices, lines: [] }
}
