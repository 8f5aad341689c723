/** The files of a simulated bank's day, and the faults that a test asks for. */
import {
  type Fate,
  type Fault,
  faults,
  isoSimulator,
  nachaSimulator,
  type SimulatedBank,
  type SimulatedPayment,
} from "@countersign/adapter-bank-files/simulator"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import {
  writeCreditTransfers,
  writeDirectDebits,
} from "../../../../packages/adapter-bank-files/src/iso20022/PaymentMessages.ts"
import { nachaFormat } from "../../../../packages/adapter-bank-files/src/nacha/NachaFormat.ts"
import { writeNacha } from "../../../../packages/adapter-bank-files/src/nacha/NachaWriter.ts"
import { companyId, odfi, ourIban } from "../BankWorld.ts"
import { read } from "../iso20022/IsoMessages.ts"
import { batchOf, isoOrder, ours } from "../iso20022/IsoOrders.ts"
import { memoryFolder } from "../MemoryFolder.ts"
import { batchOf as achBatchOf, achOrder, company } from "../nacha/NachaOrders.ts"

const run = Effect.runPromise
const flat = (content: string) => content.replaceAll(/\n\s*/gu, "")

/** The files of a day, which are taken out of the folder. */
const dayOf = async (
  { content, folder, names }: ReturnType<typeof memoryFolder>,
  bank: SimulatedBank,
  date: string,
  wrong: ReadonlyArray<Fault> = [],
): Promise<Readonly<Record<string, string>>> => {
  await run(bank.endDay(date, wrong))
  const files = Object.fromEntries(names("in").map((name) => [name, content("in", name)]))
  for (const name of names("in")) await run(folder.remove("in", name))
  return files
}

const fate = ({ amount }: SimulatedPayment): Fate =>
  amount === 1
    ? { _tag: "Reject", code: "AC04" }
    : amount === 2
      ? { _tag: "Return", code: "AC06", days: 1 }
      : { _tag: "Book" }

describe("a simulated bank of ISO 20022 files", () => {
  const open = async (more: object = {}) => {
    const memory = memoryFolder()
    const bank = isoSimulator({ folder: memory.folder, iban: ourIban, fate, ...more })
    const orders = [1, 2, 3].map((amount) => isoOrder({ amount, endToEndId: `E${amount}` }))
    await run(memory.folder.write("out", "CS1.xml", writeCreditTransfers(batchOf(...orders), ours)))
    return { bank, day: (date: string, wrong?: ReadonlyArray<Fault>) => dayOf(memory, bank, date, wrong), memory }
  }

  it("takes what is in the folder, once", async () => {
    const { bank, memory } = await open()
    const ids = async () => (await run(bank.collect)).map(({ id }) => id)
    expect([await ids(), await ids(), memory.names("out")]).toEqual([["E1", "E2", "E3"], [], []])
    expect(bank.payments().map(({ amount }) => amount)).toEqual([1, 2, 3])
    expect(bank.balance()).toBe(100_000_000)
  })

  it("answers with a status report, a notification and a statement", async () => {
    const { bank, day } = await open({ openingBalance: 100 })
    const files = await day("2026-03-04")
    expect(Object.keys(files)).toEqual([
      "b-status-STS00000001.xml",
      "c-notice-NTF00000004.xml",
      "d-statement-STM00000005.xml",
    ])
    const [status = "", notice = "", statement = ""] = Object.values(files)
    expect(flat(status)).toContain(
      [
        "<GrpHdr><MsgId>STS00000001</MsgId><CreDtTm>2026-03-04T20:00:00</CreDtTm></GrpHdr>",
        "<OrgnlGrpInfAndSts><OrgnlMsgId>CS1</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>",
        "<GrpSts>PART</GrpSts></OrgnlGrpInfAndSts>",
        "<OrgnlPmtInfAndSts><OrgnlPmtInfId>CS1</OrgnlPmtInfId><PmtInfSts>PART</PmtInfSts>",
        "<TxInfAndSts><OrgnlEndToEndId>E1</OrgnlEndToEndId><TxSts>RJCT</TxSts>",
        "<StsRsnInf><Rsn><Cd>AC04</Cd></Rsn></StsRsnInf></TxInfAndSts></OrgnlPmtInfAndSts>",
      ].join(""),
    )
    const entry = (n: number, amount: string) =>
      [
        `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>`,
        `<BookgDt><Dt>2026-03-04</Dt></BookgDt><AcctSvcrRef>REF0000000${n}</AcctSvcrRef>`,
        "<BkTxCd><Prtry><Cd>PMNT</Cd></Prtry></BkTxCd>",
        `<NtryDtls><TxDtls><Refs><EndToEndId>E${n}</EndToEndId></Refs>`,
        `<Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd></TxDtls></NtryDtls></Ntry>`,
      ].join("")
    const account = `<Acct><Id><IBAN>${ourIban}</IBAN></Id></Acct>`
    const entries = `${entry(2, "0.02")}${entry(3, "0.03")}`
    expect(flat(notice)).toContain(`<Ntfctn><Id>NTF00000004</Id>${account}${entries}</Ntfctn>`)
    const balance = (code: string, amount: string) =>
      `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-03-04</Dt></Dt></Bal>`
    const summary = "<TxsSummry><TtlNtries><NbOfNtries>2</NbOfNtries></TtlNtries></TxsSummry>"
    expect(flat(statement)).toContain(
      `<Stmt><Id>STM00000005</Id>${account}${balance("OPBD", "1.00")}${balance("CLBD", "0.95")}${summary}${entries}</Stmt>`,
    )
    expect(bank.balance()).toBe(95)
    const keys = [notice, statement].map((content) => read(content).lines.map(({ key }) => key))
    expect(keys[0]).toEqual(keys[1])
  })

  it.each([
    ["JPY", "2", "3", "95"],
    ["EUR", "0.02", "0.03", "0.95"],
  ])("writes amounts in %s with its decimals", async (currency, two, three, closing) => {
    const memory = memoryFolder()
    const bank = isoSimulator({ folder: memory.folder, iban: ourIban, currency, openingBalance: 100 })
    const orders = [2, 3].map((amount) => isoOrder({ currency, amount, endToEndId: `E${amount}` }))
    await run(memory.folder.write("out", "CS1.xml", writeCreditTransfers(batchOf(...orders), ours)))
    const amounts = Object.values(await dayOf(memory, bank, "2026-03-04")).map((content) =>
      [...content.matchAll(/<Amt Ccy="([A-Z]+)">([^<]*)</gu)].map(([, code, amount]) => `${code} ${amount}`),
    )
    const entries = [two, two, three, three].map((amount) => `${currency} ${amount}`)
    const [opening, closed] = [currency === "JPY" ? "100" : "1.00", closing].map((amount) => `${currency} ${amount}`)
    expect(amounts).toEqual([[], entries, [opening, closed, ...entries]])
  })

  it("brings money back after days with files, and has a statement for each day", async () => {
    const { bank, day } = await open({ openingBalance: 2 })
    await day("2026-03-04")
    expect(bank.balance()).toBe(-3)
    expect(Object.keys(await day("2026-03-05")).map((name) => name.slice(0, 11))).toEqual(["d-statement"])
    const files = await day("2026-03-06")
    const [notice = "", statement = ""] = Object.values(files)
    expect(read(notice).lines).toMatchObject([
      { amount: 2, isCredit: true, isReturn: true, orderIds: ["E2"], code: "AC06", bookedOn: "2026-03-06" },
    ])
    expect(flat(statement)).toContain('<Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">0.03</Amt><CdtDbtInd>DBIT<')
    expect(bank.balance()).toBe(-1)
    expect(Object.keys(await day("2026-03-09"))).toHaveLength(1)
  })

  it("accepts a file of direct debits as a whole, and moves its money in", async () => {
    const memory = memoryFolder()
    const bank = isoSimulator({ folder: memory.folder, iban: ourIban, openingBalance: 0 })
    const mandate = { id: "M1", signedOn: "2026-01-02" }
    const debit = isoOrder({ direction: "pull", mandate, amount: 7 })
    await run(memory.folder.write("out", "CS1.xml", writeDirectDebits(batchOf(debit), ours)))
    const [status = "", notice = ""] = Object.values(await dayOf(memory, bank, "2026-03-04"))
    expect(flat(status)).toContain("<OrgnlMsgNmId>pain.008.001.08</OrgnlMsgNmId><GrpSts>ACCP</GrpSts>")
    expect(read(status).notices).toEqual([])
    expect(read(notice).lines).toMatchObject([{ amount: 7, isCredit: true, isReturn: false }])
    expect(bank.balance()).toBe(7)
  })

  it("writes each fault of a day", async () => {
    expect(faults).toEqual(["duplicate", "half", "reordered", "wrongTotals", "foreign"])
    const namesWith = async (...wrong: ReadonlyArray<Fault>) => {
      const { day } = await open()
      return Object.keys(await day("2026-03-04", wrong)).map((name) => name.replace(/-[A-Z]+\d+\.xml$/u, ""))
    }
    expect(await namesWith("reordered")).toEqual(["a-statement", "b-status", "c-notice"])
    expect(await namesWith("duplicate")).toEqual([
      "again-b-status",
      "again-c-notice",
      "again-d-statement",
      "b-status",
      "c-notice",
      "d-statement",
    ])
    expect(await namesWith("wrongTotals")).toEqual(["b-status", "c-notice", "d-statement", "e-statement"])
  })

  it("writes a statement that does not add up beside the right one", async () => {
    const { day } = await open()
    const files = Object.entries(await day("2026-03-04", ["wrongTotals"]))
    const problems = files.map(([name, content]) => {
      try {
        return [name.slice(0, 1), read(content).kind]
      } catch (problem) {
        return [name.slice(0, 1), problem instanceof Error ? problem.message : ""]
      }
    })
    expect(problems).toEqual([
      ["b", "pain.002"],
      ["c", "camt.054"],
      ["d", "camt.053"],
      ["e", "the entries of STM00000006 do not lead from its opening to its closing balance"],
    ])
  })

  it("writes half of a statement, and the whole of it on the next day", async () => {
    const { day } = await open()
    const first = await day("2026-03-04", ["half", "wrongTotals"])
    const name = "d-statement-STM00000005.xml"
    expect(Object.keys(first).filter((each) => each.includes("statement"))).toEqual([
      name,
      "e-statement-STM00000006.xml",
    ])
    expect(() => read(first[name] ?? "")).toThrow("the document is not well-formed")
    const second = await day("2026-03-05")
    expect(read(second[name] ?? "").lines).toHaveLength(2)
    expect(second[name]?.startsWith(first[name] ?? "-")).toBe(true)
    expect(Math.abs((second[name] ?? "").length - 2 * (first[name] ?? "").length)).toBeLessThan(2)
    expect(Object.keys(await day("2026-03-06"))).not.toContain(name)
  })

  it("has entries of others, one with an id that is not ours", async () => {
    const { bank, day } = await open({ openingBalance: 0, currency: "USD" })
    await run(bank.collect)
    const memory = memoryFolder()
    const other = isoSimulator({ folder: memory.folder, iban: ourIban, openingBalance: 0, currency: "USD" })
    const files = await dayOf(memory, other, "2026-03-04", ["foreign"])
    const lines = Object.values(files).map((content) => read(content).lines)
    expect(lines[1]).toMatchObject([
      { amount: 1234, isCredit: true, currency: "USD", orderIds: ["INVOICE-1"] },
      { amount: 250, isCredit: false, currency: "USD", orderIds: [] },
    ])
    expect(other.balance()).toBe(984)
    expect(await day("2026-03-04")).not.toEqual({})
  })
})

describe("a simulated bank of NACHA files", () => {
  const achFate = ({ amount }: SimulatedPayment): Fate =>
    amount === 100
      ? { _tag: "Reject", code: "R02" }
      : amount === 200
        ? { _tag: "Return", code: "R10", days: 1 }
        : amount === 300
          ? { _tag: "Correct", code: "C01", data: "87654321" }
          : { _tag: "Book" }
  const open = async () => {
    const memory = memoryFolder()
    const bank = nachaSimulator({ folder: memory.folder, odfi, companyId, fate: achFate })
    const orders = [
      achOrder(1),
      achOrder(2, { direction: "pull" }, { isSavings: true }),
      achOrder(3, {}, { isSavings: true }),
      achOrder(4),
    ]
    await run(memory.folder.write("out", "C1.ach", writeNacha(achBatchOf(orders), company).content))
    return { bank, day: (date: string, wrong?: ReadonlyArray<Fault>) => dayOf(memory, bank, date, wrong), memory }
  }
  const spaces = (count: number) => " ".repeat(count)
  const nines = "9".repeat(94)

  it("answers with returns and changes, each in a batch of its own", async () => {
    const { bank, day } = await open()
    const files = await day("2026-03-05")
    expect(Object.keys(files)).toEqual(["returns-2026-03-05-3.ach"])
    const company1 = `ENGINES LTD${spaces(5 + 20)}1234567890`
    expect((files["returns-2026-03-05-3.ach"] ?? "").split("\n")).toEqual([
      `1011234567890 0210000212603052000D094101${spaces(54)}`,
      `5200${company1}PPDPAYMENT         260305   1011000010000001`,
      `62102100002112345678         0000000100INDIVIDUAL1    ADA LOVELACE            1011000010000002`,
      `799R02021000020000001${spaces(6)}01100001${spaces(44)}011000010000002`,
      `820000000200021000020000000000000000000001001234567890${spaces(25)}011000010000001`,
      `5200${company1}CORPAYMENT         260305   1011000010000002`,
      `63102100002112345678         0000000000INDIVIDUAL3    ADA LOVELACE            1011000010000003`,
      `798C01021000020000003${spaces(6)}0110000187654321${spaces(21 + 15)}011000010000003`,
      `820000000200021000020000000000000000000000001234567890${spaces(25)}011000010000002`,
      `9000002000001000000040004200004000000000000000000000100${spaces(39)}`,
      "",
    ])
    expect(bank.payments().map(({ amount }) => amount)).toEqual([100, 300, 400, 200])
  })

  it("brings money back after days with files, and writes nothing on others", async () => {
    const { day } = await open()
    await day("2026-03-05")
    const [content = ""] = Object.values(await day("2026-03-06"))
    const lines = content.split("\n")
    expect([lines[2]?.slice(0, 3), lines[5]]).toEqual([
      "636",
      `9000001000001000000020002100002000000000200000000000000${spaces(39)}`,
    ])
    expect(lines.slice(6)).toEqual([nines, nines, nines, nines, ""])
    expect(nachaFormat(company).read(new TextEncoder().encode(content)).lines).toMatchObject([
      { amount: 200, isCredit: false, code: "R10", orderIds: ["021000020000002", "INDIVIDUAL2"] },
    ])
    expect(await day("2026-03-09")).toEqual({})
    expect(await day("2026-03-10", ["wrongTotals", "duplicate", "half"])).toEqual({})
  })

  it("writes each fault of a day", async () => {
    const first = await (await open()).day("2026-03-05", ["duplicate", "wrongTotals"])
    expect(Object.keys(first)).toEqual([
      "again-returns-2026-03-05-3.ach",
      "returns-2026-03-05-3.ach",
      "wrong-2026-03-05-6.ach",
    ])
    expect(first["again-returns-2026-03-05-3.ach"]).toBe(first["returns-2026-03-05-3.ach"])
    const reading = () => nachaFormat(company).read(new TextEncoder().encode(first["wrong-2026-03-05-6.ach"]))
    expect(reading).toThrow("debits differs from what the records add up to")
    const half = await open()
    const name = "returns-2026-03-05-3.ach"
    const before = await half.day("2026-03-05", ["half"])
    const after = await half.day("2026-03-06")
    expect([before[name]?.length, after[name]?.length]).toEqual([475, 950])
    expect(after[name]?.startsWith(before[name] ?? "-")).toBe(true)
    expect(Object.keys(await half.day("2026-03-09"))).toEqual([])
  })
})
