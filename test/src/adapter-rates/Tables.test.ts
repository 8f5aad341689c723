/**
 * The readers of tables: the published XML, CSV and JSON. What is not exactly a table is refused as a whole.
 * Source: D-529.
 */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fractionOf } from "../../../packages/adapter-rates/src/Fractions.ts"
import { type RateTable, TableRefused } from "../../../packages/adapter-rates/src/RateTable.ts"
import { readTable, type TableFormat } from "../../../packages/adapter-rates/src/TableFormat.ts"
import { csvOf, jsonOf, xmlOf } from "./Tables.ts"

const mapping = { json: { rates: "/data/rates", date: "/data/date", base: "/data/base" } }
const rates = { USD: "1.0942", JPY: "158.79", IDR: "17000.55" }
const day = Date.parse("2024-01-12T00:00:00Z")

const read = (format: TableFormat, text: string): RateTable => {
  const table = readTable(format, text)
  if (table instanceof TableRefused) throw table
  return table
}
const problemOf = (format: TableFormat, text: string): string => {
  const table = readTable(format, text)
  return table instanceof TableRefused ? table.message : "a table"
}

describe("a table", () => {
  it.each([
    ["xml", xmlOf("2024-01-12", rates)],
    ["csv", csvOf("2024-01-12", rates)],
    [mapping, jsonOf("2024-01-12", rates)],
  ] as const)("as %j has the exact rates, the base and the day", (format, text) => {
    const { base, day: ofDay, prices } = read(format, text)
    expect([base, ofDay]).toEqual(["EUR", day])
    expect(Object.fromEntries(prices)).toEqual({
      EUR: { numerator: 1n, denominator: 1n },
      USD: { numerator: 5471n, denominator: 5000n },
      JPY: { numerator: 15_879n, denominator: 100n },
      IDR: { numerator: 340_011n, denominator: 20n },
    })
  })

  it("of XML may have single or double quotes, an order of attributes and white space of its own", () => {
    const text = xmlOf("2024-01-12", rates).replaceAll("'", '"').replaceAll("/>", " />").replaceAll("\n", "\r\n")
    expect(read("xml", `\uFEFF${text}`)).toEqual(read("xml", xmlOf("2024-01-12", rates)))
    const swapped = text.replaceAll(/currency="(\w+)" rate="([\d.]+)"/gu, 'rate="$2"\n\tcurrency="$1"')
    expect(read("xml", swapped)).toEqual(read("xml", xmlOf("2024-01-12", rates)))
  })

  it("of JSON keeps more digits than a floating-point number, and knows times and the other quotation", () => {
    const text = '{"d":1705017600,"r":{"USD":1.094200000000001,"BTC":2.5e-5},"b":"EUR"}'
    const { day: ofDay, prices } = read({ json: { rates: "/r", date: "/d", base: "/b" } }, text)
    expect(ofDay).toBe(day)
    expect(prices.get("USD")).toEqual({ numerator: 1_094_200_000_000_001n, denominator: 1_000_000_000_000_000n })
    expect(prices.get("BTC")).toEqual({ numerator: 1n, denominator: 40_000n })
    const perUnit = { json: { rates: "/r", date: "/d", base: "EUR", quotation: "perUnit" as const } }
    expect(read(perUnit, '{"d":"2024-01-12T16:00:00Z","r":{"USD":"0.8"}}').prices.get("USD")).toEqual({
      numerator: 5n,
      denominator: 4n,
    })
  })
})

const xml = xmlOf("2024-01-12", rates)
describe("XML is refused", () => {
  it.each([
    ["a document type", xml.replace("?>", '?><!DOCTYPE a [<!ENTITY x "1">]>')],
    ["an entity", xml.replace("1.0942", "&x;")],
    ["a comment", xml.replace("<Cube>", "<!-- x --><Cube>")],
    ["CDATA", xml.replace("Reference rates", "<![CDATA[x]]>")],
    ["an end that is missing", xml.slice(0, xml.lastIndexOf("</"))],
    ["half of it", xml.slice(0, xml.length / 2)],
    ["an end of another element", xml.replace("</gesmes:Sender>", "</gesmes:sender>")],
    ["a repeated attribute", xml.replace("currency='USD'", "currency='USD' currency='JPY'")],
    ["a second root", `${xml}<a/>`],
    ["text after the root", `${xml}x`],
    ["two days", xml.replace(/(<Cube time.*<\/Cube>\s*)<\/Cube>/su, "$1$1</Cube>")],
    ["no day", xml.replace(" time='2024-01-12'", "")],
    ["a day that does not exist", xml.replace("2024-01-12", "2024-02-30")],
    ["a row without a rate", xml.replace(" rate='1.0942'", "")],
    ["a repeated currency", xml.replace("currency='JPY'", "currency='USD'")],
    ["a base that is not one", xml.replace("currency='JPY'", "currency='EUR'")],
    ["deep nesting", `${"<a>".repeat(50)}${"</a>".repeat(50)}`],
    ["nothing", ""],
    ["HTML", "<html><body>Not found</body></html>"],
  ])("with %s", (_, text) => {
    expect(text).not.toBe(xml)
    expect(readTable("xml", text)).toBeInstanceOf(TableRefused)
  })

  it.each([`<a${" ".repeat(200_000)}`, `<a ${"b='c' ".repeat(40_000)}`, "<".repeat(200_000), "x".repeat(200_000)])(
    "without a search that grows faster than its length",
    (text) => {
      expect(readTable("xml", text)).toBeInstanceOf(TableRefused)
    },
  )
})

it.each([
  "0",
  "0.000",
  "-1",
  "+1",
  "1.",
  ".5",
  "NaN",
  "Infinity",
  "1e999",
  "1e16",
  "0x1",
  " 1",
  "1 ",
  "",
  "1".repeat(16),
  `1.${"1".repeat(16)}`,
  "١",
])("the rate %j is refused with its table", (rate) => {
  for (const [format, text] of [
    ["xml", xmlOf("2024-01-12", { ...rates, USD: rate })],
    ["csv", csvOf("2024-01-12", { ...rates, USD: rate })],
    [mapping, jsonOf("2024-01-12", { ...rates, USD: rate })],
  ] as const) {
    expect(problemOf(format, text)).toContain("USD")
  }
})

describe("CSV is refused", () => {
  const csv = csvOf("2024-01-12", rates)
  it.each([
    ["another header", csv.replace("date,base", "base,date")],
    ["quotes", csv.replace("USD", '"USD"')],
    ["a line with fewer values", csv.replace(",158.79", "")],
    ["two days", csv.replace("2024-01-12,EUR,JPY", "2024-01-13,EUR,JPY")],
    ["two bases", csv.replace("2024-01-12,EUR,JPY", "2024-01-12,USD,JPY")],
    ["an empty line", csv.replace("\n", "\n\n")],
    ["no rows", "date,base,currency,rate\n"],
    ["nothing", ""],
  ])("with %s", (_, text) => {
    expect(readTable("csv", text)).toBeInstanceOf(TableRefused)
  })
})

describe("JSON is refused", () => {
  it.each([
    ["half of it", jsonOf("2024-01-12", rates).slice(0, -5)],
    ["no rates", '{"data":{"date":"2024-01-12","base":"EUR"}}'],
    ["rates that are no object", '{"data":{"date":"2024-01-12","base":"EUR","rates":5}}'],
    ["a day of another form", jsonOf("12.01.2024", rates)],
    ["a rate that is no number", '{"data":{"date":"2024-01-12","base":"EUR","rates":{"USD":null}}}'],
    ["a base that is no code", '{"data":{"date":"2024-01-12","base":{},"rates":{"USD":1}}}'],
  ])("with %s", (_, text) => {
    expect(readTable(mapping, text)).toBeInstanceOf(TableRefused)
  })
})

it("no text makes a reader throw", () => {
  const mutated = fc
    .tuple(
      fc.constantFrom(xml, csvOf("2024-01-12", rates), jsonOf("2024-01-12", rates)),
      fc.nat(),
      fc.nat(20),
      fc.string(),
    )
    .map(([text, at, count, more]) => text.slice(0, at % text.length) + more + text.slice((at % text.length) + count))
  fc.assert(
    fc.property(fc.oneof(mutated, fc.string({ unit: "binary" }), fc.json()), (text) => {
      for (const format of ["xml", "csv", mapping] as const) expect(typeof readTable(format, text)).toBe("object")
    }),
  )
})

it("a decimal notation is read exactly", () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 15n - 1n), fc.nat(15), (digits, decimals) => {
      const text = String(digits).padStart(decimals + 1, "0")
      const written = decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`
      const found = fractionOf(written)
      expect(found && found.numerator * 10n ** BigInt(decimals)).toBe(found && digits * found.denominator)
      expect(found).toBeDefined()
    }),
  )
})
