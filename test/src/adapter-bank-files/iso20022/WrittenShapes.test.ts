/** What a message that is written cannot hold: each element has the pattern of its schema. */
import { describe, expect, it } from "vitest"
import {
  writeCreditTransfers,
  writeDirectDebits,
} from "../../../../packages/adapter-bank-files/src/iso20022/PaymentMessages.ts"
import { pain001Shape, pain008Shape } from "../../../../packages/adapter-bank-files/src/iso20022/WrittenShapes.ts"
import { problemOf } from "../../../../packages/adapter-bank-files/src/xml/Shape.ts"
import { readXml } from "../../../../packages/adapter-bank-files/src/xml/XmlReader.ts"
import { batchOf, isoOrder, ours, theirIban } from "./IsoOrders.ts"

const party = {
  name: "Ada",
  isBusiness: false,
  account: { _tag: "Iban", iban: theirIban, bic: "BNPAFRPP" },
} as const
const order = isoOrder({ party, remittance: "Invoice 1", mandate: { id: "M1", signedOn: "2026-01-02" } })
const transfers = writeCreditTransfers(batchOf(order), ours)
const debits = writeDirectDebits(batchOf({ ...order, direction: "pull" }), ours)

const shapes = { "pain.001": [transfers, pain001Shape], "pain.008": [debits, pain008Shape] } as const
type Message = keyof typeof shapes

/** The problem of a message after its first element of a name has another text. */
const problemWith = (message: Message, name: string, text: string): string | undefined => {
  const [content, shape] = shapes[message]
  const changed = content.replace(new RegExp(`(<${name}(?: [^>]*)?>)[^<]*`, "u"), (_, head: string) => `${head}${text}`)
  expect(changed === content && !content.includes(`>${text}<`), `${name} is not in ${message}`).toBe(false)
  return problemOf(readXml(new TextEncoder().encode(changed)).root, shape)
}

const x = (length: number) => "x".repeat(length)
const both: ReadonlyArray<readonly [string, ReadonlyArray<string>, ReadonlyArray<string>]> = [
  ["MsgId", [x(35), "A/b-1?:().,'+ c"], ["", x(36), "/a", "a/", "a//b", "a_b", "ä"]],
  ["PmtInfId", [x(35)], ["", x(36), "/a", "a/", "a//b"]],
  ["EndToEndId", [x(35)], ["", x(36), "/a", "a/", "a//b"]],
  ["CreDtTm", ["2026-12-24T15:00:00"], ["2026-12-24", "2026-12-24T15:00:00Z", "x2026-12-24T15:00:00"]],
  ["NbOfTxs", ["1", "9".repeat(15)], ["0", "01", "", "1".repeat(16), "1x", "x1"]],
  ["CtrlSum", ["0", "1.5", "1.55", "9".repeat(16)], ["", ".5", "1.", "1.555", "1".repeat(17), "-1", "1x"]],
  ["Nm", [x(70), "A-z 0/?:().,'+"], ["", x(71), "Zoë", "a&amp;b"]],
  ["BtchBookg", ["true", "false"], ["", "TRUE", "xtrue", "truex", "1"]],
  ["IBAN", ["DE89370400440532013000"], ["DE8937 0400", "de89370400440532013000", "DE8", `DE89${x(31)}`, "xDE89x-"]],
  [
    "BICFI",
    ["COBADEFF", "COBADEFFXXX"],
    ["COBADEF", "COBADEFFX", "COBADEFFXX", "COBA12FF", "cobadeff", "COBADEFFXXXX"],
  ],
  ["InstdAmt", ["0.01", "9999999999999999.99"], ["1.001", "-1", "1,00", "", "12345678901234567", "1."]],
  ["Ustrd", [x(140)], ["", x(141), "ß"]],
]
const cases: ReadonlyArray<readonly [Message, string, ReadonlyArray<string>, ReadonlyArray<string>]> = [
  ...both.flatMap(([name, valid, wrong]) =>
    (["pain.001", "pain.008"] as const).map((message) => [message, name, valid, wrong] as const),
  ),
  ["pain.001", "PmtMtd", ["TRF"], ["DD", "CHK", "TRFX", "XTRF"]],
  ["pain.008", "PmtMtd", ["DD"], ["TRF", "DDX", "XDD"]],
  ["pain.001", "Cd", ["SEPA", "URGP"], ["SEP", "SEPAX", "sepa"]],
  ["pain.008", "Cd", ["SEPA"], ["URGP", "SEPAX", "XSEPA"]],
  ["pain.008", "SeqTp", ["FRST", "RCUR", "OOFF", "FNAL"], ["XXXX", "RCURX", "XFRST"]],
  ["pain.001", "Dt", ["2026-12-24"], ["24.12.2026", "2026-12-24T00", "x2026-12-24"]],
  ["pain.008", "ReqdColltnDt", ["2026-12-24"], ["24.12.2026", "2026-12-24T00", "x2026-12-24"]],
  ["pain.008", "DtOfSgntr", ["2026-12-24"], ["24.12.2026", "2026-12-24T00"]],
  ["pain.008", "MndtId", [x(35)], [x(36), "", "a//b"]],
  ["pain.001", "ChrgBr", ["SLEV", "SHAR"], ["DEBT", "SLEVX", "XSHAR"]],
  ["pain.008", "ChrgBr", ["SLEV"], ["SHAR"]],
  ["pain.008", "Prtry", ["SEPA"], ["OTHER"]],
]

it.each(cases)("%s holds in %s the texts %j, and none of %j", (message, name, valid, wrong) => {
  expect(valid.map((text) => problemWith(message, name, text))).toEqual(valid.map(() => undefined))
  const problems = wrong.map((text) => problemWith(message, name, text))
  for (const problem of problems) expect(problem).toMatch(new RegExp(`/${name} must match `, "u"))
})

describe.each(Object.keys(shapes) as ReadonlyArray<Message>)("%s", (message) => {
  const [content, shape] = shapes[message]
  const problem = (text: string) => problemOf(readXml(new TextEncoder().encode(text)).root, shape)
  const names = [...new Set([...content.matchAll(/<(\w+)[ >]/gu)].map(([, name = ""]) => name))].slice(1)

  it("has an amount with a currency of three letters", () => {
    for (const Ccy of ["", "EU", "EURO", "eur", "1EUR"]) {
      expect(problem(content.replace('Ccy="EUR"', `Ccy="${Ccy}"`))).toMatch(/InstdAmt must have the attribute Ccy /u)
    }
  })

  it.each(names)("holds no element that the message has not, and no %s twice in a row but payments", (name) => {
    expect(problem(content)).toBeUndefined()
    const [whole = ""] = new RegExp(`<${name}[ >].*?</${name}>`, "su").exec(content) ?? []
    const isPayment = name === "CdtTrfTxInf" || name === "DrctDbtTxInf"
    expect(problem(content.replace(whole, `${whole}${whole}`)) === undefined).toBe(isPayment)
    expect(problem(content.replace(whole, `<Xtra/>${whole}`))).toMatch(/ must not have the element Xtra$/u)
    // Without it the message lacks something, unless the element may be absent.
    const mayBeAbsent = message === "pain.001" ? ["PmtTpInf", "RmtInf", "CdtrAgt"] : ["RmtInf"]
    expect(problem(content.replace(whole, "")) === undefined).toBe(mayBeAbsent.includes(name))
  })

  it("has a bank by its BIC, or as not provided", () => {
    const other = (id: string) => problem(content.replace(/<BICFI>\w+<\/BICFI>/u, `<Othr><Id>${id}</Id></Othr>`))
    expect(other("NOTPROVIDED")).toBeUndefined()
    expect(other("0123")).toMatch(/Othr\/Id must match \^NOTPROVIDED\$$/u)
  })
})
