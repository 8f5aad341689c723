/** A NACHA file is valid as a whole: each count, hash, total and place of a record is checked. */
import { describe, expect, it } from "vitest"
import { isCreditCode, readNacha } from "../../../../packages/adapter-bank-files/src/nacha/NachaReader.ts"
import { writeNacha } from "../../../../packages/adapter-bank-files/src/nacha/NachaWriter.ts"
import { padding, writeRecord } from "../../../../packages/adapter-bank-files/src/nacha/Records.ts"
import { FileProblem } from "../../../../packages/adapter-bank-files/src/text/FileProblem.ts"
import { achOrder, batchOf, company } from "./NachaOrders.ts"
import { fileOf, type ReturnParts, returnFile, returnRecords } from "./ReturnFile.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

describe("a file", () => {
  it("that was written is read with all its batches, entries and addenda", () => {
    const orders = [achOrder(1, { remittance: "INVOICE 1" }), achOrder(2), achOrder(3, { direction: "pull" })]
    const { batches, header } = readNacha(bytes(writeNacha(batchOf(orders), company).content))
    expect(header["referenceCode"]).toBe("C0000001")
    expect(
      batches.map(({ entries, header: own }) => [
        own["serviceClass"],
        entries.map(({ addenda, entry }) => [
          entry["transactionCode"],
          entry["amount"],
          addenda.map(({ fields, type }) => [type, fields["paymentInformation"]]),
        ]),
      ]),
    ).toEqual([
      [
        "220",
        [
          ["22", "0000000100", [["05", "INVOICE 1"]]],
          ["22", "0000000200", []],
        ],
      ],
      ["225", [["27", "0000000300", []]]],
    ])
  })

  it.each<readonly [string, ReturnParts, string]>([
    ["number of records of a batch", { batchControl: { entryCount: 3 } }, "record 5: entryCount differs"],
    ["hash of a batch", { batchControl: { entryHash: 1 } }, "record 5: hash differs"],
    ["sum of debits of a batch", { batchControl: { debits: 1 } }, "record 5: debits differs"],
    ["sum of credits of a batch", { batchControl: { credits: 1 } }, "record 5: credits differs"],
    ["number of records", { control: { entryCount: 3 } }, "record 6: entryCount differs"],
    ["hash", { control: { entryHash: 1 } }, "record 6: hash differs"],
    ["sum of debits", { control: { debits: 1 } }, "record 6: debits differs"],
    ["sum of credits", { control: { credits: 1 } }, "record 6: credits differs"],
  ])("with a wrong %s is refused", (_, parts, message) => {
    expect(() => readNacha(returnFile(parts))).toThrow(new FileProblem(`${message} from what the records add up to`))
  })

  it.each<readonly [string, ReturnParts, string]>([
    ["batch number", { batchControl: { batchNumber: 2 } }, "record 5: the batch number differs from its header"],
    ["number of batches", { control: { batchCount: 2 } }, "record 6: batchCount is wrong"],
    ["number of blocks", { control: { blockCount: 2 } }, "record 6: blockCount is wrong"],
    ["addenda indicator", { entry: { addendaIndicator: 0 } }, "record 5: the addenda indicator is wrong"],
  ])("with a wrong %s is refused with the reason", (_, parts, message) => {
    expect(() => readNacha(returnFile(parts))).toThrow(new FileProblem(message))
  })

  it("counts debits by the code of their transaction", () => {
    const debit = { entry: { transactionCode: 26 }, batchControl: { debits: 12_345, credits: 0 } }
    expect(readNacha(returnFile({ ...debit, control: { debits: 12_345, credits: 0 } })).batches).toHaveLength(1)
    expect(() => readNacha(returnFile(debit))).toThrow("record 6: debits differs")
    expect(["20", "22", "24", "25", "27", "32", "37"].map(isCreditCode)).toEqual([
      true,
      true,
      true,
      false,
      false,
      true,
      false,
    ])
  })

  it("may have no batch", () => {
    const [header = ""] = returnRecords()
    const control = writeRecord("fileControl", {
      batchCount: 0,
      blockCount: 1,
      entryCount: 0,
      entryHash: 0,
      debits: 0,
      credits: 0,
    })
    expect(readNacha(fileOf([header, control])).batches).toEqual([])
  })
})

describe("the records of a file", () => {
  const lines = returnRecords()

  it.each([
    ["a short record", lines.with(2, "6".repeat(93)), "record 3 has not 94 characters"],
    ["an empty record", lines.with(1, ""), "record 2 has not 94 characters"],
    [
      "a character beyond ASCII",
      lines.with(1, `${lines[1]?.slice(0, 93)}ä`),
      "the file has characters that a NACHA file has not",
    ],
    [
      "a control character",
      lines.with(1, `${lines[1]?.slice(0, 93)}\t`),
      "the file has characters that a NACHA file has not",
    ],
    [
      "addenda of another type",
      lines.with(3, `7${"10"}${lines[3]?.slice(3)}`),
      "record 4: addenda of type 10 are not read",
    ],
    ["a second header", lines.toSpliced(1, 0, lines[0] ?? ""), "record 2: recordType must be 9"],
    ["an entry outside of a batch", lines.toSpliced(1, 1), "record 2: recordType must be 9"],
    ["no control of a batch", lines.toSpliced(4, 1), "record 5: recordType must be 8"],
    ["something after the end", [...lines, lines[1] ?? ""], "the file goes on after its control record"],
    ["an end that is not of nines", [...lines, padding.replace("9", "8")], "the file goes on after its control record"],
  ])("with %s are refused", (_, records, message) => {
    expect(() => readNacha(bytes(records.join("\n")))).toThrow(new FileProblem(message))
  })

  it("end with the control record", () => {
    for (const count of [1, 2, 4, 5]) {
      expect(() => readNacha(bytes(lines.slice(0, count).join("\n")))).toThrow(
        new FileProblem("the file ends before its control record"),
      )
    }
    expect(() => readNacha(bytes(""))).toThrow(new FileProblem("the file ends before its control record"))
  })

  it("may end with line feeds, carriage returns and empty lines", () => {
    const expected = readNacha(returnFile())
    for (const end of ["", "\n", "\r\n", "\n\n\n"]) {
      const separator = end.startsWith("\r") ? "\r\n" : "\n"
      expect(readNacha(bytes(`${lines.join(separator)}${end}`))).toEqual(expected)
    }
  })
})
