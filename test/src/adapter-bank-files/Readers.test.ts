/** The readers of bank files refuse everything that is not valid as a whole, and end for all bytes. */

import { nachaSimulator } from "@countersign/adapter-bank-files/simulator"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isoFormat } from "../../../packages/adapter-bank-files/src/iso20022/IsoFormat.ts"
import { isoReasons } from "../../../packages/adapter-bank-files/src/iso20022/ReasonCodes.ts"
import { nachaFormat } from "../../../packages/adapter-bank-files/src/nacha/NachaFormat.ts"
import { returnCodes } from "../../../packages/adapter-bank-files/src/nacha/ReturnCodes.ts"
import { statement } from "../../../packages/adapter-bank-files/src/simulator/IsoAnswers.ts"
import { FileProblem } from "../../../packages/adapter-bank-files/src/text/FileProblem.ts"
import { readXml } from "../../../packages/adapter-bank-files/src/xml/XmlReader.ts"
import { achAccount, achBank, bankWorld, companyId, odfi, ourIban } from "./BankWorld.ts"
import { memoryFolder } from "./MemoryFolder.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const iso = isoFormat({ name: "Engines Ltd", iban: ourIban })
const company = { companyName: "ENGINES LTD", companyId, odfi, bankName: "FIRST BANK", hasDebits: true }
const nacha = nachaFormat(company)

const entries = [
  { reference: "R1", currency: "EUR", amount: 500, isCredit: false, endToEndId: "E1" },
  { reference: "R2", currency: "EUR", amount: 700, isCredit: true, endToEndId: "E2", returnCode: "AC04" },
]
const day = { id: "STM1", date: "2026-03-04", iban: ourIban, currency: "EUR", opening: 1000, closing: 1200, entries }
const whole = statement(day)

/** A file of returns of a simulated bank. */
const returns = async () => {
  const memory = memoryFolder()
  const world = bankWorld([achBank({ folder: memory.folder })], "2026-03-04T15:00:00Z")
  const bank = nachaSimulator({
    folder: memory.folder,
    odfi,
    companyId,
    fate: ({ amount }) =>
      amount === 1 ? { _tag: "Reject", code: "R01" } : { _tag: "Correct", code: "C02", data: "011000015" },
  })
  await world.push("Transaction:1", achAccount(), 1)
  await world.pull("Transaction:2", achAccount(), 2)
  world.at("2026-03-04T22:00:00Z")
  await world.cycle()
  await world.run(bank.endDay("2026-03-05"))
  const [name = ""] = memory.names("in")
  const read = await world.run(memory.folder.read("in", name, 100_000))
  if (typeof read === "string") throw new Error(read)
  return new TextDecoder().decode(read)
}

describe("XML", () => {
  it.each([
    ["a document type", "<!DOCTYPE a><a/>"],
    ["an entity of its own", '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>'],
    ["an unknown entity", "<a>&x;</a>"],
    ["a processing instruction", "<a><?x y?></a>"],
    ["two roots", "<a/><b/>"],
    ["no root", ""],
    ["an open element", "<a><b></b>"],
    ["text beside elements", "<a>x<b/></a>"],
    ["another encoding", '<?xml version="1.0" encoding="ISO-8859-1"?><a/>'],
    ["an unbound prefix", "<x:a/>"],
    ["a doubled attribute", '<a b="1" b="2"/>'],
    ["deep elements", "<a>".repeat(25) + "</a>".repeat(25)],
    ["long text", `<a>${"x".repeat(4097)}</a>`],
    ["many attributes", `<a ${Array.from({ length: 17 }, (_, n) => `b${n}="1"`).join(" ")}/>`],
    ["a control character", "<a>\u0001</a>"],
  ])("with %s is refused", (_, text) => {
    expect(() => readXml(bytes(text))).toThrow(FileProblem)
  })

  it("that is not UTF-8 is refused", () => {
    expect(() => readXml(new Uint8Array([0x3c, 0xff, 0x3e]))).toThrow("the file is not UTF-8")
  })

  it("has texts without the spaces around them, and elements of other namespaces under other names", () => {
    const { namespace, root } = readXml(
      bytes('\ufeff<a xmlns="n" xmlns:o="m">\n <b> x &amp;<![CDATA[<]]> </b>\n <o:b/></a>'),
    )
    expect(namespace).toBe("n")
    expect(root.children.map(({ name, text }) => [name, text])).toEqual([
      ["b", "x &<"],
      ["{m}b", ""],
    ])
  })
})

describe("a statement", () => {
  it("has its lines, with keys that another file with the same entries has, too", () => {
    const { kind, lines, messageId } = iso.read(bytes(whole))
    expect([kind, messageId, lines]).toMatchObject([
      "camt.053",
      "STM1",
      [
        { amount: 500, isCredit: false, isReturn: false, orderIds: ["E1"], bookedOn: "2026-03-04" },
        { amount: 700, isCredit: true, isReturn: true, orderIds: ["E2"], code: "AC04", refusal: "ACCOUNT_INVALID" },
      ],
    ])
    const other = iso.read(bytes(statement({ ...day, id: "STM2" })))
    expect(other.lines.map(({ key }) => key)).toEqual(lines.map(({ key }) => key))
  })

  it.each([
    ["its balances do not agree", whole.replace('<Amt Ccy="EUR">12.00', '<Amt Ccy="EUR">12.01'), /closing balance/u],
    ["it has another number of entries", whole.replace("<NbOfNtries>2", "<NbOfNtries>3"), /number of entries/u],
    ["it is about another account", whole.replace(ourIban, "FR1420041010050500013M02606"), /not about our account/u],
    ["an amount is not exact", whole.replaceAll(">5.00<", ">5.001<"), /not an exact amount/u],
    ["a currency is not known", whole.replaceAll('Ccy="EUR">5.00', 'Ccy="XXX">5.00'), /currency that is not known/u],
    [
      "its elements are in another order",
      whole.replace(/(<Amt Ccy="EUR">5.00<\/Amt>)\s*(<CdtDbtInd>DBIT<\/CdtDbtInd>)/u, "$2$1"),
      /must be before/u,
    ],
    ["an element is missing", whole.replace("<MsgId>STM1</MsgId>", ""), /MsgId/u],
    ["it is another message", whole.replaceAll("camt.053.001.08", "camt.052.001.08"), /not one that is read/u],
    [
      "payments do not add up to their entry",
      whole.replace(/<TxDtls>/u, '<TxDtls><Amt Ccy="EUR">1.00</Amt></TxDtls><TxDtls>'),
      /do not add up/u,
    ],
  ])("is refused if %s", (_, text, message) => {
    expect(text).not.toBe(whole)
    expect(() => iso.read(bytes(text))).toThrow(message)
  })

  it("ignores elements that the schema has and nothing reads", () => {
    const more = whole
      .replace("<Sts>", "<AvlbtyOfFunds><X/></AvlbtyOfFunds><Sts>")
      .replace("</Stmt>", "<AddtlStmtInf>x</AddtlStmtInf></Stmt>")
    expect(iso.read(bytes(more))).toEqual(iso.read(bytes(whole)))
  })

  it("has entries that are booked, and not those that are pending", () => {
    const pending = whole.replace("<Cd>BOOK", "<Cd>PDNG").replace(">12.00", ">17.00")
    expect(iso.read(bytes(pending)).lines).toHaveLength(1)
  })
})

describe("a file of returns", () => {
  it("has the returns, and the notifications of change", async () => {
    const { lines, notices } = nacha.read(bytes(await returns()))
    expect(lines).toMatchObject([
      { amount: 1, code: "R01", refusal: "INSUFFICIENT_FUNDS", isReturn: true, isCredit: true },
    ])
    expect(notices).toMatchObject([{ event: { _tag: "Corrected", code: "C02", data: "011000015" } }])
  })

  it("is refused after any change of a digit, a line or its end", async () => {
    const file = await returns()
    const lines = file.replace(/\n$/u, "").split("\n")
    const last = lines.findIndex((each) => each.startsWith("9"))
    const broken = [
      ...lines.slice(0, last + 1).map((_, at) => lines.toSpliced(at, 1)),
      ...lines.slice(0, last).map((each, at) => lines.toSpliced(at, 0, each)),
      lines.toSpliced(2, 1, (lines[2] ?? "").replace("0000000001", "0000000002")),
      lines.toSpliced(1, 1, `${lines[1]} `),
      [...lines, "x".repeat(94)],
      lines.map((each) => each.replace("799R01", "799R99")),
      lines.map((each) => each.replace(companyId, "9999999999").replace(odfi, "011000015")),
    ]
    for (const each of broken) expect(() => nacha.read(bytes(each.join("\n")))).toThrow(FileProblem)
    expect(nacha.read(bytes(lines.join("\r\n")))).toEqual(nacha.read(bytes(file)))
  })
})

it("every code of a return is a refusal, but for those between banks", () => {
  const between = Object.keys(returnCodes).filter((code) => returnCodes[code]?.refusal === undefined)
  expect(between).toEqual(["R61", "R62", "R67", "R68", "R69", "R70", "R71", "R72", "R73", "R74", "R75", "R76", "R77"])
  expect(Object.keys(returnCodes).filter((code) => !/^R\d\d$/u.test(code))).toEqual([])
  expect(Object.keys(isoReasons).filter((code) => !/^[A-Z0-9]{4}$/u.test(code))).toEqual([])
})

/** Reads, and returns whether the file was valid. Every other error is a bug. */
const isRead = (read: () => unknown): boolean => {
  try {
    read()
    return true
  } catch (problem) {
    if (problem instanceof FileProblem) return false
    throw problem
  }
}

describe("arbitrary bytes", () => {
  it("are refused with a reason", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (content) => {
        expect([isRead(() => iso.read(content)), isRead(() => nacha.read(content))]).toEqual([false, false])
      }),
      { numRuns: 500 },
    )
  })

  it("in the place of some of a valid file are read or refused, and never an error", async () => {
    const files = [
      [iso, bytes(whole)],
      [nacha, bytes(await returns())],
    ] as const
    const names = ["__proto__", "constructor", "hasOwnProperty", "</", "<a>", "&lt;", "0", "9", " ", "\n", "-", "EUR"]
    const patch = fc.tuple(fc.nat(), fc.nat(12), fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom(...names)))
    fc.assert(
      fc.property(
        fc.constantFrom(...files),
        fc.array(patch, { minLength: 1, maxLength: 4 }),
        ([format, content], patches) => {
          let text = new TextDecoder().decode(content)
          for (const [at, length, put] of patches) {
            const from = at % text.length
            text = text.slice(0, from) + put + text.slice(from + length)
          }
          isRead(() => format.read(bytes(text)))
        },
      ),
      { numRuns: 3000 },
    )
    expect(files.map(([format, content]) => isRead(() => format.read(content)))).toEqual([true, true])
  })

  it("missing at the end of a file make it invalid, wherever it is cut", async () => {
    const file = (await returns()).replace(/\n$/u, "")
    const end = file.indexOf("\n9") + 1
    for (let length = 0; length < end + 94; length += 7)
      expect(isRead(() => nacha.read(bytes(file.slice(0, length))))).toBe(false)
    const text = whole.trimEnd()
    for (let length = 0; length < text.length; length += 7)
      expect(isRead(() => iso.read(bytes(text.slice(0, length))))).toBe(false)
  })
})
