/**
 * The records of a NACHA file as a table: the fields of each in their order, their lengths and kinds. The writer and the reader share it, and
 * every record has 94 characters.
 * Source: Nacha Operating Rules, appendix "ACH Record Format Specifications"; D-530.
 */
import { refuse } from "../text/FileProblem.ts"

/**
 * `digits`: a number, right-justified and filled with zeros. `text`: left-justified and filled with spaces. A constant is written and
 * required.
 */
type Kind = "digits" | "text" | { readonly constant: string }

export type FieldRow = readonly [name: string, length: number, kind: Kind]

const constant = (value: string): Kind => ({ constant: value })
const blank = (length: number): FieldRow => ["reserved", length, "text"]

const addendaEnd: FieldRow = ["traceNumber", 15, "digits"]

export const records = {
  fileHeader: [
    ["recordType", 1, constant("1")],
    ["priority", 2, "digits"],
    ["destination", 10, "text"],
    ["origin", 10, "text"],
    ["createdDate", 6, "digits"],
    ["createdTime", 4, "text"],
    ["modifier", 1, "text"],
    ["recordSize", 3, constant("094")],
    ["blockingFactor", 2, constant("10")],
    ["formatCode", 1, constant("1")],
    ["destinationName", 23, "text"],
    ["originName", 23, "text"],
    ["referenceCode", 8, "text"],
  ],
  batchHeader: [
    ["recordType", 1, constant("5")],
    ["serviceClass", 3, "digits"],
    ["companyName", 16, "text"],
    ["discretionary", 20, "text"],
    ["companyId", 10, "text"],
    ["entryClass", 3, "text"],
    ["description", 10, "text"],
    ["descriptiveDate", 6, "text"],
    ["effectiveDate", 6, "text"],
    ["settlementDay", 3, "text"],
    ["originatorStatus", 1, "text"],
    ["odfi", 8, "digits"],
    ["batchNumber", 7, "digits"],
  ],
  entry: [
    ["recordType", 1, constant("6")],
    ["transactionCode", 2, "digits"],
    ["rdfi", 8, "digits"],
    ["checkDigit", 1, "digits"],
    ["accountNumber", 17, "text"],
    ["amount", 10, "digits"],
    ["individualId", 15, "text"],
    ["individualName", 22, "text"],
    ["discretionary", 2, "text"],
    ["addendaIndicator", 1, "digits"],
    addendaEnd,
  ],
  paymentAddenda: [
    ["recordType", 1, constant("7")],
    ["addendaType", 2, constant("05")],
    ["paymentInformation", 80, "text"],
    ["sequence", 4, "digits"],
    ["entrySequence", 7, "digits"],
  ],
  returnAddenda: [
    ["recordType", 1, constant("7")],
    ["addendaType", 2, constant("99")],
    ["code", 3, "text"],
    ["originalTrace", 15, "digits"],
    ["dateOfDeath", 6, "text"],
    ["originalRdfi", 8, "digits"],
    ["information", 44, "text"],
    addendaEnd,
  ],
  changeAddenda: [
    ["recordType", 1, constant("7")],
    ["addendaType", 2, constant("98")],
    ["code", 3, "text"],
    ["originalTrace", 15, "digits"],
    blank(6),
    ["originalRdfi", 8, "digits"],
    ["correctedData", 29, "text"],
    blank(15),
    addendaEnd,
  ],
  batchControl: [
    ["recordType", 1, constant("8")],
    ["serviceClass", 3, "digits"],
    ["entryCount", 6, "digits"],
    ["entryHash", 10, "digits"],
    ["debits", 12, "digits"],
    ["credits", 12, "digits"],
    ["companyId", 10, "text"],
    ["authentication", 19, "text"],
    blank(6),
    ["odfi", 8, "digits"],
    ["batchNumber", 7, "digits"],
  ],
  fileControl: [
    ["recordType", 1, constant("9")],
    ["batchCount", 6, "digits"],
    ["blockCount", 6, "digits"],
    ["entryCount", 8, "digits"],
    ["entryHash", 10, "digits"],
    ["debits", 12, "digits"],
    ["credits", 12, "digits"],
    blank(39),
  ],
} as const satisfies Readonly<Record<string, ReadonlyArray<FieldRow>>>

export type RecordName = keyof typeof records

export const recordLength = 94
export const blockingFactor = 10
export const padding = "9".repeat(recordLength)

export type Fields = { readonly [name: string]: string | number }

const written = ([name, length, kind]: FieldRow, fields: Fields): string => {
  if (typeof kind === "object") return kind.constant
  const value = String(fields[name] ?? "")
  const isValid = kind === "digits" ? /^\d+$/u.test(value) : /^[\x20-\x7e]*$/u.test(value)
  if (!isValid || value.length > length) throw new RangeError(`the field ${name} does not hold what is to be written`)
  return kind === "digits" ? value.padStart(length, "0") : value.padEnd(length, " ")
}

/** Writes a record. A value that does not fit is an error: nothing is cut. */
export const writeRecord = (record: RecordName, fields: Fields): string =>
  records[record].map((row) => written(row, fields)).join("")

/** Reads the fields of a record, without the spaces at their ends. */
export const readRecord = (record: RecordName, line: string, place: string): Readonly<Record<string, string>> => {
  const fields: Record<string, string> = {}
  let at = 0
  for (const [name, length, kind] of records[record]) {
    const value = line.slice(at, at + length)
    at += length
    if (typeof kind === "object" && value !== kind.constant) refuse(`${place}: ${name} must be ${kind.constant}`)
    if (kind === "digits" && !/^\d+$/u.test(value)) refuse(`${place}: ${name} must be digits`)
    fields[name] = kind === "digits" ? value : value.trim()
  }
  return fields
}
