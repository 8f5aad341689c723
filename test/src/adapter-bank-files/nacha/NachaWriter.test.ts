/** The records of a NACHA file, each as a whole line. */
import { describe, expect, it } from "vitest"
import { toBlocks, writeNacha } from "../../../../packages/adapter-bank-files/src/nacha/NachaWriter.ts"
import { achOrder, batchOf, company } from "./NachaOrders.ts"

const linesOf = (...input: Parameters<typeof writeNacha>) => writeNacha(...input).content.split("\n")
const nines = "9".repeat(94)
const spaces = (count: number) => " ".repeat(count)

describe("a file of credits and debits", () => {
  const orders = [
    achOrder(1, { remittance: "INVOICE 1" }),
    achOrder(2, {}, { isBusiness: true, isSavings: true, name: "ENGINES INC" }),
    achOrder(3, { direction: "pull" }, { isSavings: true }),
    achOrder(4),
    achOrder(5, { direction: "pull" }, { isBusiness: true }),
  ]

  it("has a batch for each entry class and direction, with its totals", () => {
    expect(linesOf(batchOf(orders), company)).toEqual([
      "101 02100002112345678902607021605B094101FIRST BANK             ENGINES LTD            C0000001",
      "5220ENGINES LTD                         1234567890PPDPAYMENT         260703   1021000020000001",
      `62201100001512345678         0000000100INDIVIDUAL1    ADA LOVELACE            1021000020000001`,
      `705INVOICE 1${spaces(71)}00010000001`,
      `62201100001512345678         0000000400INDIVIDUAL4    ADA LOVELACE            0021000020000004`,
      `822000000300022000020000000000000000000005001234567890${spaces(25)}021000020000001`,
      "5220ENGINES LTD                         1234567890CCDPAYMENT         260703   1021000020000002",
      `63201100001512345678         0000000200INDIVIDUAL2    ENGINES INC             0021000020000002`,
      `822000000100011000010000000000000000000002001234567890${spaces(25)}021000020000002`,
      "5225ENGINES LTD                         1234567890PPDPAYMENT         260703   1021000020000003",
      `63701100001512345678         0000000300INDIVIDUAL3    ADA LOVELACE            0021000020000003`,
      `822500000100011000010000000003000000000000001234567890${spaces(25)}021000020000003`,
      "5225ENGINES LTD                         1234567890CCDPAYMENT         260703   1021000020000004",
      `62701100001512345678         0000000500INDIVIDUAL5    ADA LOVELACE            0021000020000005`,
      `822500000100011000010000000005000000000000001234567890${spaces(25)}021000020000004`,
      `9000004000002000000060005500005000000000800000000000700${spaces(39)}`,
      nines,
      nines,
      nines,
      nines,
      "",
    ])
  })

  it("names the trace numbers of the orders, in their order", () => {
    expect(writeNacha(batchOf(orders), company).traceNumbers).toEqual([1, 2, 3, 4, 5].map((n) => `02100002000000${n}`))
  })
})

describe("an entry", () => {
  const traces = (numbers: ReadonlyArray<number>) =>
    linesOf(batchOf([achOrder(1), achOrder(2)], { numbers }), company)
      .filter((line) => line.startsWith("6"))
      .map((line) => [line.slice(79), line.slice(39, 50)])

  it("is in the order of its trace number, of which seven digits are ours", () => {
    expect(traces([12, 7])).toEqual([
      ["021000020000007", "INDIVIDUAL2"],
      ["021000020000012", "INDIVIDUAL1"],
    ])
    expect(traces([10_000_001, 10_000_000])).toEqual([
      ["021000020000000", "INDIVIDUAL2"],
      ["021000020000001", "INDIVIDUAL1"],
    ])
  })

  it("is not written for an order without a routing number", () => {
    const { party: _, ...order } = achOrder(1)
    const message = "the order Transaction:1 has no routing number"
    expect(() => writeNacha(batchOf([order]), company)).toThrow(message)
    const iban = {
      name: "Ada",
      isBusiness: false,
      account: { _tag: "Iban", iban: "FR1420041010050500013M02606" },
    } as const
    expect(() => writeNacha(batchOf([achOrder(1, { party: iban })]), company)).toThrow(message)
  })

  it("is not written with a value that its field does not hold", () => {
    const long = achOrder(1, {}, { name: "x".repeat(23) })
    expect(() => writeNacha(batchOf([long]), company)).toThrow(
      new RangeError("the field individualName does not hold what is to be written"),
    )
    expect(() => writeNacha(batchOf([achOrder(1, { amount: 10_000_000_000 })]), company)).toThrow("the field amount")
    expect(() => writeNacha(batchOf([achOrder(1, { amount: -1 })]), company)).toThrow("the field amount")
  })
})

describe("the headers of a file", () => {
  it("have the origin and the description of the company", () => {
    const own = { ...company, origin: "021000021", description: "Payroll" }
    const [file, batch] = linesOf(batchOf([achOrder(1)]), own)
    expect([file?.slice(3, 13), file?.slice(13, 23), batch?.slice(40, 50), batch?.slice(53, 63)]).toEqual([
      " 021000021",
      " 021000021",
      "1234567890",
      "Payroll   ",
    ])
  })

  it.each([
    ["C0000000", "A"],
    ["C0000025", "Z"],
    ["C0000026", "0"],
    ["C0000035", "9"],
    ["C0000036", "A"],
    ["C1234567", "T"],
  ])("of the batch %s have the modifier %s", (batchId, modifier) => {
    const [file] = linesOf(batchOf([achOrder(1)], { batchId }), company)
    expect([file?.slice(23, 34), file?.slice(86)]).toEqual([`2607021605${modifier}`, batchId])
  })
})

describe("the control records", () => {
  it("have the last ten digits of the sum of routing numbers", () => {
    const high = { _tag: "Routing", routingNumber: "999999992", accountNumber: "1", isSavings: false } as const
    const orders = Array.from({ length: 101 }, (_, n) =>
      achOrder(n + 1, { amount: 1, party: { name: "A", isBusiness: false, account: high } }),
    )
    const lines = linesOf(batchOf(orders), company)
    const control = lines.find((line) => line.startsWith("82"))
    expect(control?.slice(4, 20)).toBe("0001010099999899")
    expect(lines.find((line) => line.startsWith("9") && line !== nines)?.slice(1, 31)).toBe(
      "000001000011000001010099999899",
    )
  })
})

describe("blocks", () => {
  const record = "1".repeat(94)
  it.each([1, 9, 10, 11, 20])("of %i records are filled up to ten", (count) => {
    const lines = toBlocks(Array.from({ length: count }, () => record)).split("\n")
    expect(lines.pop()).toBe("")
    expect(lines).toHaveLength(10 * Math.ceil(count / 10))
    expect(lines.slice(0, count)).toEqual(Array.from({ length: count }, () => record))
    expect(lines.slice(count).every((line) => line === nines)).toBe(true)
  })

  it("have records of 94 characters alone", () => {
    for (const wrong of ["", "1".repeat(93), "1".repeat(95)]) {
      expect(() => toBlocks([record, wrong])).toThrow("a record has not 94 characters")
    }
  })
})
