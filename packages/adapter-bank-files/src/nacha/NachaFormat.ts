/**
 * The files of a bank that takes NACHA files: credits and debits out, returns and notifications of change in.
 * Source: D-530.
 */
import type { BankFormat, Notice, PartyAnswer, ReadFile } from "../orders/BankFormat.ts"
import { holderOf } from "../orders/Holder.ts"
import { nachaText } from "../text/Characters.ts"
import { refuse } from "../text/FileProblem.ts"
import type { NachaCompany } from "./NachaOptions.ts"
import { isCreditCode, type NachaBatch, type NachaEntry, readNacha } from "./NachaReader.ts"
import { writeNacha } from "./NachaWriter.ts"
import { returnCodes } from "./ReturnCodes.ts"
import { isRoutingNumber } from "./RoutingNumbers.ts"

/** Ten digits. */
const amountMax = 9_999_999_999

const invalid = (code: string): PartyAnswer => ({ _tag: "Refused", refusal: "ACCOUNT_INVALID", code })

/** Returns what is wrong with our company. */
export const problemOfNacha = (company: NachaCompany): string | undefined => {
  const { bankName, companyId, companyName, description = "PAYMENT", odfi, origin = companyId } = company
  if (!isRoutingNumber(odfi)) return "`odfi` must be a routing number of nine digits."
  if (!/^[\x21-\x7e]{10}$/u.test(companyId)) return "`companyId` must have 10 characters."
  if (!/^[\x20-\x7e]{9,10}$/u.test(origin)) return "`origin` must have 9 or 10 characters."
  const texts = { companyName: [companyName, 16], bankName: [bankName, 23], description: [description, 10] } as const
  const wrong = Object.entries(texts).find(([, [text, length]]) => nachaText(text, length) !== text.toUpperCase())
  return wrong === undefined ? undefined : `\`${wrong[0]}\` must have at most ${wrong[1][1]} printable characters.`
}

const partyOf: BankFormat["partyOf"] = ({ account, amount }) => {
  const { accountNumber, bankAccountType, routingNumber } = account.accountInfo
  if (typeof routingNumber !== "string" || !isRoutingNumber(routingNumber)) return invalid("R13")
  if (typeof accountNumber !== "string" || !/^[A-Za-z0-9-]{1,17}$/u.test(accountNumber)) return invalid("R04")
  const holder = holderOf(account)
  const name = nachaText(holder.name, 22)
  if (name === undefined) return invalid("R45")
  if (amount < 1) return { _tag: "Refused", refusal: "EXECUTION_FAILED", code: "R19" }
  if (amount > amountMax) return { _tag: "Refused", refusal: "BANK_REJECTED", code: "R19" }
  const isSavings = bankAccountType === "SAVINGS"
  const routing = { _tag: "Routing" as const, routingNumber, accountNumber, isSavings }
  return { _tag: "Party", party: { name, isBusiness: holder.isBusiness, account: routing } }
}

/** `260131` of this century as `2026-01-31`. */
const longDate = (text: string): string | undefined =>
  /^\d{6}$/u.test(text) ? `20${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4)}` : undefined

interface Read {
  readonly notices: Array<Notice>
  readonly lines: Array<ReadFile["lines"][number]>
}

const readEntry = ({ addenda, entry }: NachaEntry, batch: NachaBatch, fileId: string, day: string, to: Read): void => {
  const [only] = addenda
  const isAnswer = addenda.length === 1 && only?.type !== "05"
  const fields = isAnswer ? only?.fields : undefined
  const known = fields ?? refuse("an entry of the bank must have one addenda record of a return or of a change")
  const { code = "", correctedData = "", originalTrace = "" } = known
  const individualId = entry["individualId"] ?? ""
  const orderIds = [originalTrace, individualId]
  if (only?.type === "98") {
    to.notices.push({ orderIds, event: { _tag: "Corrected", code, data: correctedData } })
    return
  }
  const returned = Object.hasOwn(returnCodes, code) ? returnCodes[code] : undefined
  const { refusal } = returned ?? refuse(`the return code ${code} does not exist`)
  const amount = Number(entry["amount"])
  to.lines.push({
    key: ["NACHA", originalTrace, individualId, code, entry["traceNumber"], amount].join("|"),
    isMovement: false,
    statementId: fileId,
    bookedOn: longDate(batch.header["effectiveDate"] ?? "") ?? day,
    currency: "USD",
    amount,
    // The return of a credit has a credit code and brings its money back; that of a debit takes it.
    isCredit: isCreditCode(entry["transactionCode"] ?? ""),
    isReturn: true,
    orderIds,
    code,
    ...(refusal === undefined ? {} : { refusal }),
  })
}

export const nachaFormat = (company: NachaCompany): BankFormat => ({
  extension: "ach",
  confirms: false,
  settlementDays: company.settlementDays ?? { push: 1, pull: 3 },
  carries: ({ accountInfo, currency }, direction, rail) =>
    currency === "USD" &&
    "routingNumber" in accountInfo &&
    (rail === undefined || rail === "ACH") &&
    (direction === "push" || company.hasDebits === true),
  partyOf,
  remittanceOf: (text) => nachaText(text, 80),
  kindOf: () => "ach",
  // Twelve digits.
  sumMax: 999_999_999_999,
  // Eight characters are a reference code.
  batchIdOf: (number) => `C${String(number % 10_000_000).padStart(7, "0")}`,
  write: (input) => writeNacha(input, company),
  read: (bytes) => {
    const { batches, header } = readNacha(bytes)
    const messageId = [header["createdDate"], header["createdTime"], header["modifier"]].join("")
    const day = longDate(header["createdDate"] ?? "") ?? refuse("the date of the file is not a date")
    if (![company.companyId, company.origin].includes(header["destination"]) && header["origin"] !== company.odfi) {
      refuse("the file is neither for our company nor from our bank")
    }
    const read: Read = { notices: [], lines: [] }
    for (const batch of batches) for (const each of batch.entries) readEntry(each, batch, messageId, day, read)
    return { kind: "ach.returns", messageId, ...read }
  },
})
