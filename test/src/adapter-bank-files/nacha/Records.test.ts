/** The records of NACHA files as a table, held against the positions that the rules publish. */
import { describe, expect, it } from "vitest"
import {
  type RecordName,
  readRecord,
  records,
  writeRecord,
} from "../../../../packages/adapter-bank-files/src/nacha/Records.ts"
import { FileProblem } from "../../../../packages/adapter-bank-files/src/text/FileProblem.ts"

/** The last position of each field, from 1. */
const ends: Readonly<Record<RecordName, ReadonlyArray<number>>> = {
  fileHeader: [1, 3, 13, 23, 29, 33, 34, 37, 39, 40, 63, 86, 94],
  batchHeader: [1, 4, 20, 40, 50, 53, 63, 69, 75, 78, 79, 87, 94],
  entry: [1, 3, 11, 12, 29, 39, 54, 76, 78, 79, 94],
  paymentAddenda: [1, 3, 83, 87, 94],
  returnAddenda: [1, 3, 6, 21, 27, 35, 79, 94],
  changeAddenda: [1, 3, 6, 21, 27, 35, 64, 79, 94],
  batchControl: [1, 4, 10, 20, 32, 44, 54, 73, 79, 87, 94],
  fileControl: [1, 7, 13, 21, 31, 43, 55, 94],
}

it.each(Object.keys(ends) as ReadonlyArray<RecordName>)("%s has its fields at their positions", (record) => {
  let at = 0
  const found = records[record].map(([, length]) => {
    at += length
    return at
  })
  expect(found).toEqual(ends[record])
})

const addenda = { code: "C01", originalTrace: 21000020000001, originalRdfi: 1100001, traceNumber: 5 }

describe("a record", () => {
  it("has digits to the right and texts to the left", () => {
    const line = writeRecord("changeAddenda", { ...addenda, correctedData: "12345" })
    expect(line).toBe(`798C01021000020000001${" ".repeat(6)}0110000112345${" ".repeat(24 + 15)}000000000000005`)
    expect(readRecord("changeAddenda", line, "record 1")).toEqual({
      recordType: "7",
      addendaType: "98",
      code: "C01",
      originalTrace: "021000020000001",
      reserved: "",
      originalRdfi: "01100001",
      correctedData: "12345",
      traceNumber: "000000000000005",
    })
  })

  it.each([
    ["originalTrace", "1234567890123456"],
    ["originalTrace", ""],
    ["originalTrace", "12a"],
    ["originalTrace", "a12"],
    ["originalTrace", -1],
    ["code", "R001"],
    ["code", "ä"],
    ["code", "\u007f"],
    ["code", "\n"],
    ["code", "aä"],
    ["code", "äa"],
  ])("is not written with the %s %j", (name, value) => {
    expect(() => writeRecord("returnAddenda", { ...addenda, [name]: value })).toThrow(
      new RangeError(`the field ${name} does not hold what is to be written`),
    )
  })

  it("holds texts of all printable characters up to their length", () => {
    expect(writeRecord("returnAddenda", { ...addenda, code: " ~!" })).toContain("799 ~!021000020000001")
  })

  it.each([
    ["799R01021000020000001", "798R01021000020000001", "record 3: addendaType must be 99"],
    ["799R01", "699R01", "record 3: recordType must be 7"],
    ["R01021000020000001", "R01 21000020000001", "record 3: originalTrace must be digits"],
    ["R01021000020000001", "R0102100002000000 ", "record 3: originalTrace must be digits"],
    ["R01021000020000001", "R010210000x0000001", "record 3: originalTrace must be digits"],
  ])("with %s changed to %s is refused", (before, after, message) => {
    const line = writeRecord("returnAddenda", { ...addenda, code: "R01" })
    expect(line).toContain(before)
    expect(() => readRecord("returnAddenda", line.replace(before, after), "record 3")).toThrow(new FileProblem(message))
  })

  it("of a file and of a batch has what never changes", () => {
    const header = writeRecord("fileHeader", { priority: 1, createdDate: 260702 })
    expect([header.slice(0, 3), header.slice(34, 40)]).toEqual(["101", "094101"])
    const starts = Object.keys(ends).map((name) => records[name as RecordName][0])
    expect(starts).toEqual(["1", "5", "6", "7", "7", "7", "8", "9"].map((constant) => ["recordType", 1, { constant }]))
    expect(records.paymentAddenda[1]).toEqual(["addendaType", 2, { constant: "05" }])
  })
})
