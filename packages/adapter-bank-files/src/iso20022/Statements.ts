/**
 * Reads the statements of our account (camt.053) and the notifications of its entries (camt.054). Sums that a statement names are checked:
 * a file that does not add up is refused as a whole.
 * Source: ISO 20022; D-530.
 */
import type { BankLine } from "../orders/BankFile.ts"
import type { ReadFile } from "../orders/BankFormat.ts"
import { minorOf } from "../text/Decimal.ts"
import { refuse } from "../text/FileProblem.ts"
import { childAt, childrenOf, textAt, type XmlElement } from "../xml/XmlElement.ts"
import { decimalsOf } from "./PaymentMessages.ts"
import { refusalOf } from "./ReasonCodes.ts"

type Line = ReadFile["lines"][number]

interface Amount {
  readonly currency: string
  readonly amount: number
}

const amountOf = (element: XmlElement | undefined, place: string): Amount => {
  const currency = element?.attributes["Ccy"] ?? ""
  const decimals = decimalsOf(currency) ?? refuse(`${place} is in a currency that is not known`)
  const amount = minorOf(element?.text ?? "", decimals) ?? refuse(`${place} is not an exact amount of ${currency}`)
  return { currency, amount }
}

const exact = (sum: number): number => (Number.isSafeInteger(sum) ? sum : refuse("a sum is not exact"))
const isCredit = (element: XmlElement): boolean => textAt(element, "CdtDbtInd") === "CRDT"
const signed = (amount: number, credit: boolean): number => (credit ? amount : -amount)
const dayOf = (entry: XmlElement, name: string) =>
  textAt(entry, name, "Dt") ?? textAt(entry, name, "DtTm")?.slice(0, 10)

/** What a bank writes where a payment has no id. */
const noId = "NOTPROVIDED"
const given = (id: string | undefined) => (id === undefined || id === noId ? undefined : id)

interface StatementContext {
  readonly account: string
  readonly statementId: string
  readonly index: number
  /** Counts lines that are otherwise equal. */
  readonly counted: Map<string, number>
}

/**
 * The same entry has the same key in each file. The bank's reference identifies it; without one the payment's id and day do, and without
 * both the statement's id and the place in it.
 */
const keyOf = (
  { account, counted, index, statementId }: StatementContext,
  reference: string | undefined,
  entryReference: string | undefined,
  line: Omit<Line, "key">,
): string => {
  const [id = ""] = line.orderIds
  const entry =
    reference ?? (id === "" && line.batchId === undefined ? `${statementId}/${entryReference ?? index}` : line.bookedOn)
  const own = [account, entry, id, line.batchId ?? "", signed(line.amount, line.isCredit), line.currency].join("|")
  const count = (counted.get(own) ?? 0) + 1
  counted.set(own, count)
  return count === 1 ? own : `${own}|${count}`
}

const detailAmount = (detail: XmlElement): XmlElement | undefined =>
  childAt(detail, "Amt") ?? childAt(detail, "AmtDtls", "TxAmt", "Amt")

/** The details of an entry if each of them has its own amount, and they add up to it. */
const detailsOf = (entry: XmlElement, whole: Amount, place: string): ReadonlyArray<readonly [XmlElement, Amount]> => {
  const all = childrenOf(entry, "NtryDtls").flatMap((details) => childrenOf(details, "TxDtls"))
  const [only] = all
  if (only !== undefined && all.length === 1) return [[only, whole]]
  if (all.some((detail) => detailAmount(detail) === undefined)) return []
  const parts = all.map((detail) => [detail, amountOf(detailAmount(detail), place)] as const)
  const isSame = parts.every(([, { currency }]) => currency === whole.currency)
  if (parts.length === 0 || !isSame) return []
  const credit = isCredit(entry)
  const sum = parts.reduce((total, [detail, { amount }]) => {
    const own = childAt(detail, "CdtDbtInd") === undefined ? credit : isCredit(detail)
    return exact(total + (own === credit ? amount : -amount))
  }, 0)
  if (sum !== whole.amount) refuse(`${place}: the payments do not add up to the entry`)
  return parts
}

const linesOfEntry = (entry: XmlElement, context: StatementContext): ReadonlyArray<Line> => {
  const place = `entry ${context.index + 1} of ${context.statementId}`
  const whole = amountOf(childAt(entry, "Amt"), place)
  const status = textAt(entry, "Sts", "Cd") ?? textAt(entry, "Sts")
  if (status !== "BOOK") return []
  const reference = given(textAt(entry, "AcctSvcrRef"))
  const entryReference = given(textAt(entry, "NtryRef"))
  const isReversal = ["true", "1"].includes(textAt(entry, "RvslInd") ?? "")
  const bookedOn = dayOf(entry, "BookgDt") ?? dayOf(entry, "ValDt") ?? refuse(`${place} has neither BookgDt nor ValDt`)
  const base = { isMovement: true, statementId: context.statementId, bookedOn }
  const finished = (line: Omit<Line, "key">): Line => ({
    ...line,
    key: keyOf(context, reference, entryReference, line),
  })
  const details = detailsOf(entry, whole, place)
  if (details.length === 0) {
    const batch = childAt(entry, "NtryDtls", "Btch")
    const batchId = given(textAt(batch, "PmtInfId")) ?? given(textAt(batch, "MsgId"))
    const total = { ...base, ...whole, isCredit: isCredit(entry), isReturn: isReversal, orderIds: [] }
    return [finished(batchId === undefined ? total : { ...total, batchId })]
  }
  return details.map(([detail, amount]) => {
    const id = given(textAt(detail, "Refs", "EndToEndId"))
    const returned = childAt(detail, "RtrInf")
    const code = textAt(returned, "Rsn", "Cd") ?? textAt(returned, "Rsn", "Prtry")
    const text = textAt(detail, "RmtInf", "Ustrd")
    return finished({
      ...base,
      ...amount,
      isCredit: childAt(detail, "CdtDbtInd") === undefined ? isCredit(entry) : isCredit(detail),
      isReturn: isReversal || returned !== undefined,
      orderIds: id === undefined ? [] : [id],
      refusal: refusalOf(code ?? "NARR"),
      ...(code === undefined ? {} : { code }),
      ...(text === undefined ? {} : { text }),
    })
  })
}

const checkSummary = (statement: XmlElement, entries: ReadonlyArray<XmlElement>, id: string): void => {
  const total = childAt(statement, "TxsSummry", "TtlNtries")
  const count = textAt(total, "NbOfNtries")
  if (count !== undefined && Number(count) !== entries.length)
    refuse(`${id} has not the number of entries that it names`)
  const sum = textAt(total, "Sum")
  const [first] = entries
  if (sum === undefined || first === undefined) return
  const { currency } = amountOf(childAt(first, "Amt"), id)
  const all = entries.map((entry) => amountOf(childAt(entry, "Amt"), id))
  if (all.some((each) => each.currency !== currency)) return
  const expected = minorOf(sum, decimalsOf(currency) ?? 0)
  if (all.reduce((added, { amount }) => exact(added + amount), 0) !== expected) {
    refuse(`the entries of ${id} do not add up to the sum that it names`)
  }
}

const checkBalances = (statement: XmlElement, entries: ReadonlyArray<XmlElement>, id: string): void => {
  const balances = childrenOf(statement, "Bal")
  const balanceOf = (...codes: ReadonlyArray<string>) =>
    balances.find((balance) => codes.includes(textAt(balance, "Tp", "CdOrPrtry", "Cd") ?? ""))
  const opening = balanceOf("OPBD", "PRCD")
  const closing = balanceOf("CLBD")
  if (opening === undefined || closing === undefined) return
  const value = (balance: XmlElement) => signed(amountOf(childAt(balance, "Amt"), id).amount, isCredit(balance))
  const booked = entries.filter((entry) => (textAt(entry, "Sts", "Cd") ?? textAt(entry, "Sts")) === "BOOK")
  const sum = booked.reduce(
    (total, entry) => exact(total + signed(amountOf(childAt(entry, "Amt"), id).amount, isCredit(entry))),
    value(opening),
  )
  if (sum !== value(closing)) refuse(`the entries of ${id} do not lead from its opening to its closing balance`)
}

const messages = {
  "camt.053": ["BkToCstmrStmt", "Stmt"],
  "camt.054": ["BkToCstmrDbtCdtNtfctn", "Ntfctn"],
} as const

/** `iban`: of our account; a statement of another one is refused. */
export const readStatements = (root: XmlElement, kind: keyof typeof messages, iban: string): ReadFile => {
  const [content, part] = messages[kind]
  const message = childAt(root, content)
  const messageId = textAt(message, "GrpHdr", "MsgId") ?? refuse("the message has no id")
  const counted = new Map<string, number>()
  const lines: Array<Omit<BankLine, "bank" | "digest">> = []
  for (const statement of childrenOf(message, part)) {
    const statementId = textAt(statement, "Id") ?? refuse("a statement has no id")
    if (textAt(statement, "Acct", "Id", "IBAN") !== iban) refuse(`${statementId} is not about our account`)
    const entries = childrenOf(statement, "Ntry")
    checkSummary(statement, entries, statementId)
    checkBalances(statement, entries, statementId)
    for (const [index, entry] of entries.entries()) {
      lines.push(...linesOfEntry(entry, { account: iban, statementId, index, counted }))
    }
  }
  return { kind, messageId, notices: [], lines }
}
