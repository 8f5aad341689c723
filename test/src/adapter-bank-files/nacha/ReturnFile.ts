/** A file of returns and changes as a bank writes it, of which a test may change single fields. */
import { padding, writeRecord } from "../../../../packages/adapter-bank-files/src/nacha/Records.ts"
import { companyId, odfi } from "../BankWorld.ts"

type Fields = Readonly<Record<string, string | number>>

export interface ReturnParts {
  readonly header?: Fields
  readonly batchHeader?: Fields
  readonly entry?: Fields
  readonly addenda?: Fields
  readonly batchControl?: Fields
  readonly control?: Fields
  /** Whether the entry is a notification of change. */
  readonly isChange?: boolean
}

/** The records of a file with one entry, without those that fill its block. */
export const returnRecords = (parts: ReturnParts = {}): ReadonlyArray<string> => {
  const { isChange = false } = parts
  const amount = isChange ? 0 : 12_345
  const own = { companyId, odfi: "01100001", batchNumber: 1, serviceClass: 200 }
  const totals = { entryCount: 2, entryHash: 2100002, debits: 0, credits: amount }
  const trace = { originalTrace: "021000020000007", originalRdfi: "01100001", traceNumber: "011000010000001" }
  return [
    writeRecord("fileHeader", {
      priority: 1,
      destination: companyId,
      origin: ` ${odfi}`,
      createdDate: "260705",
      createdTime: "0930",
      modifier: "A",
      ...parts.header,
    }),
    writeRecord("batchHeader", {
      ...own,
      companyName: "ENGINES LTD",
      entryClass: isChange ? "COR" : "PPD",
      effectiveDate: "260706",
      originatorStatus: 1,
      ...parts.batchHeader,
    }),
    writeRecord("entry", {
      transactionCode: 21,
      rdfi: odfi.slice(0, 8),
      checkDigit: odfi.slice(8),
      accountNumber: "12345678",
      amount,
      individualId: "INDIVIDUAL7",
      individualName: "ADA LOVELACE",
      addendaIndicator: 1,
      traceNumber: "011000010000001",
      ...parts.entry,
    }),
    isChange
      ? writeRecord("changeAddenda", { ...trace, code: "C02", correctedData: "011000015", ...parts.addenda })
      : writeRecord("returnAddenda", { ...trace, code: "R03", ...parts.addenda }),
    writeRecord("batchControl", { ...own, ...totals, ...parts.batchControl }),
    writeRecord("fileControl", { ...totals, batchCount: 1, blockCount: 1, ...parts.control }),
  ]
}

export const fileOf = (records: ReadonlyArray<string>): Uint8Array =>
  new TextEncoder().encode(
    `${[...records, ...Array.from({ length: 10 - records.length }, () => padding)].join("\n")}\n`,
  )

export const returnFile = (parts: ReturnParts = {}): Uint8Array => fileOf(returnRecords(parts))
