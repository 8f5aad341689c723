/** The lines of statements and notifications, and the sums that hold them together. */
import { describe, expect, it } from "vitest"
import { ourIban } from "../BankWorld.ts"
import { acct, balance, detail, type EntryParts, entry, notification, read, statement } from "./IsoMessages.ts"

const lines = (...entries: ReadonlyArray<EntryParts>) => read(statement(entries.map(entry).join(""))).lines
const base = {
  isMovement: true,
  statementId: "S1",
  bookedOn: "2026-03-04",
  currency: "EUR",
  amount: 500,
  isCredit: false,
  isReturn: false,
}
const amt = (amount: string, currency = "EUR") => `<Amt Ccy="${currency}">${amount}</Amt>`
const returned = (rsn: string) => `<RtrInf>${rsn}</RtrInf>`

describe("an entry", () => {
  it("without details is a line about no order", () => {
    expect(lines({ reference: "R1" })).toEqual([{ ...base, key: `${ourIban}|R1|||-500|EUR`, orderIds: [] }])
  })

  it("with a payment has its order, its text, and its reason if it came back", () => {
    const own = { ...base, refusal: "BANK_REJECTED", orderIds: ["E1"], key: `${ourIban}|R1|E1||-500|EUR` }
    const rmt = "<RmtInf><Ustrd>Invoice 1</Ustrd><Ustrd>more</Ustrd></RmtInf>"
    expect(lines({ reference: "R1", details: detail("E1") })).toEqual([own])
    expect(lines({ reference: "R1", details: detail("E1", rmt) })).toEqual([{ ...own, text: "Invoice 1" }])
    expect(lines({ reference: "R1", details: detail("E1", returned("<Rsn><Cd>AC04</Cd></Rsn>")) })).toEqual([
      { ...own, isReturn: true, code: "AC04", refusal: "ACCOUNT_INVALID" },
    ])
    expect(lines({ reference: "R1", details: detail("E1", returned("<Rsn><Prtry>OWN</Prtry></Rsn>")) })).toEqual([
      { ...own, isReturn: true, code: "OWN" },
    ])
    expect(lines({ reference: "R1", details: detail("E1", returned("")) })).toEqual([{ ...own, isReturn: true }])
  })

  it.each([
    ["true", true],
    ["1", true],
    ["false", false],
    ["0", false],
    [undefined, false],
  ])("with the reversal indicator %s is a return: %s", (reversal, isReturn) => {
    const more = reversal === undefined ? {} : { reversal }
    expect(lines(more, { ...more, details: detail("E1") }).map((line) => line.isReturn)).toEqual([isReturn, isReturn])
  })

  it.each([
    ["<Btch><PmtInfId>CS1</PmtInfId></Btch>", "CS1"],
    ["<Btch><MsgId>CS2</MsgId></Btch>", "CS2"],
    ["<Btch><MsgId>CS2</MsgId><PmtInfId>CS1</PmtInfId></Btch>", "CS1"],
    ["<Btch><MsgId>CS2</MsgId><PmtInfId>NOTPROVIDED</PmtInfId></Btch>", "CS2"],
  ])("with the batch %s is the total of %s", (details, batchId) => {
    const total = { ...base, orderIds: [], batchId }
    expect(lines({ reference: "R1", details })).toEqual([{ ...total, key: `${ourIban}|R1||${batchId}|-500|EUR` }])
    // Without a reference the batch and its day identify it.
    expect(lines({ details })).toEqual([{ ...total, key: `${ourIban}|2026-03-04||${batchId}|-500|EUR` }])
  })

  it("with a batch that has no id is about no order", () => {
    const [line] = lines({ reference: "R1", details: "<Btch><NbOfTxs>2</NbOfTxs></Btch>" })
    expect(line).toEqual({ ...base, key: `${ourIban}|R1|||-500|EUR`, orderIds: [] })
  })

  it("with payments that have amounts is a line for each", () => {
    const details = detail("E1", amt("2.00")) + detail("E2", `<AmtDtls><TxAmt>${amt("3.00")}</TxAmt></AmtDtls>`)
    expect(lines({ details }).map(({ amount, key, orderIds }) => [amount, key, orderIds])).toEqual([
      [200, `${ourIban}|2026-03-04|E1||-200|EUR`, ["E1"]],
      [300, `${ourIban}|2026-03-04|E2||-300|EUR`, ["E2"]],
    ])
  })

  it("with payments in both directions adds up to its own", () => {
    const credit = "<CdtDbtInd>CRDT</CdtDbtInd>"
    const debit = "<CdtDbtInd>DBIT</CdtDbtInd>"
    const details = detail("E1", amt("7.00") + debit) + detail("E2", amt("2.00") + credit)
    expect(lines({ details }).map(({ amount, isCredit }) => [amount, isCredit])).toEqual([
      [700, false],
      [200, true],
    ])
    const [only] = lines({ details: detail("E1", amt("5.00") + credit) })
    expect(only?.isCredit).toBe(true)
    for (const [first, second] of [
      ["7.00", "2.00"],
      ["1.00", "2.00"],
    ] as const) {
      expect(() => lines({ details: detail("E1", amt(first)) + detail("E2", amt(second)) })).toThrow(
        "entry 1 of S1: the payments do not add up to the entry",
      )
    }
  })

  it("with payments of another currency or without amounts is a line as a whole", () => {
    const some = detail("E1", amt("2.00")) + detail("E2")
    const other = detail("E1", amt("2.00")) + detail("E2", amt("3.00", "USD"))
    for (const details of [some, other]) {
      expect(lines({ reference: "R1", details: `<Btch><PmtInfId>CS1</PmtInfId></Btch>${details}` })).toEqual([
        { ...base, orderIds: [], batchId: "CS1", key: `${ourIban}|R1||CS1|-500|EUR` },
      ])
    }
  })

  it("with one payment has the amount of the entry, in whatever currency the payment was ordered", () => {
    const [line] = lines({ details: detail("E1", amt("9.00", "USD")) })
    expect([line?.amount, line?.currency]).toEqual([500, "EUR"])
  })

  it("with a payment that has no id is about no order", () => {
    const found = lines({ details: detail("NOTPROVIDED") }, { details: detail(undefined) })
    expect(found.map(({ orderIds }) => orderIds)).toEqual([[], []])
  })

  it.each([
    ["<BookgDt><Dt>2026-03-05</Dt></BookgDt><ValDt><Dt>2026-03-06</Dt></ValDt>", "2026-03-05"],
    ["<BookgDt><DtTm>2026-03-05T23:59:59+01:00</DtTm></BookgDt>", "2026-03-05"],
    ["<ValDt><Dt>2026-03-06</Dt></ValDt>", "2026-03-06"],
    ["<BookgDt/><ValDt><DtTm>2026-03-06T00:00:00</DtTm></ValDt>", "2026-03-06"],
  ])("with the dates %s is booked on %s", (dates, bookedOn) => {
    expect(lines({ dates }).map((line) => line.bookedOn)).toEqual([bookedOn])
  })

  it("without a date, with an unknown currency or an inexact amount makes the statement invalid", () => {
    expect(() => lines({}, { dates: "" })).toThrow("entry 2 of S1 has neither BookgDt nor ValDt")
    expect(() => lines({ currency: "XXX" })).toThrow("entry 1 of S1 is in a currency that is not known")
    expect(() => lines({ amount: "5.001" })).toThrow("entry 1 of S1 is not an exact amount of EUR")
    expect(() => lines({ currency: "JPY", amount: "5.5" })).toThrow("entry 1 of S1 is not an exact amount of JPY")
  })

  it.each(["PDNG", "INFO", "FUTR"])("that is %s is no line", (code) => {
    expect(lines({ status: `<Cd>${code}</Cd>` })).toEqual([])
    expect(read(statement(entry({ status: code }), balance("ITBD", "1"), "02")).lines).toEqual([])
  })

  it("of version .02 has its status as a text", () => {
    expect(read(statement(entry({ status: "BOOK" }), balance("ITBD", "1"), "02")).lines).toHaveLength(1)
    expect(read(notification(entry({ status: "BOOK" }), "02")).lines).toHaveLength(1)
    expect(() => read(statement(entry({ status: "BOOK" })))).toThrow(/Sts must have elements$/u)
  })
})

describe("the key of a line", () => {
  const keys = (...entries: ReadonlyArray<EntryParts>) =>
    lines(...entries).map(({ key }) => key.slice(ourIban.length + 1))

  it("has the bank's reference, or the day of a payment with an id, or the place in the statement", () => {
    expect(
      keys(
        { reference: "R1", entryReference: "N1" },
        { reference: "NOTPROVIDED", details: detail("E1") },
        { entryReference: "N1" },
        { entryReference: "NOTPROVIDED" },
        { indicator: "CRDT" },
      ),
    ).toEqual(["R1|||-500|EUR", "2026-03-04|E1||-500|EUR", "S1/N1|||-500|EUR", "S1/3|||-500|EUR", "S1/4|||500|EUR"])
  })

  it("is counted where lines are otherwise equal", () => {
    const same = { details: detail("E1") }
    expect(keys(same, same, { ...same, amount: "6.00" }, same)).toEqual([
      "2026-03-04|E1||-500|EUR",
      "2026-03-04|E1||-500|EUR|2",
      "2026-03-04|E1||-600|EUR",
      "2026-03-04|E1||-500|EUR|3",
    ])
  })
})

describe("the summary of a statement", () => {
  const summed = (content: string, ...entries: ReadonlyArray<EntryParts>) =>
    read(
      statement(
        entries.map(entry).join(""),
        `${balance("ITBD", "1")}<TxsSummry><TtlNtries>${content}</TtlNtries></TxsSummry>`,
      ),
    ).lines.length
  const count = "S1 has not the number of entries that it names"
  const sum = "the entries of S1 do not add up to the sum that it names"

  it("has the number of all entries, also of pending ones", () => {
    expect(summed("<NbOfNtries>2</NbOfNtries>", {}, { status: "<Cd>PDNG</Cd>" })).toBe(1)
    expect(summed("<NbOfNtries>0</NbOfNtries>")).toBe(0)
    expect(() => summed("<NbOfNtries>1</NbOfNtries>", {}, {})).toThrow(count)
    expect(() => summed("<NbOfNtries>1</NbOfNtries>")).toThrow(count)
  })

  it("has the sum of all amounts, whatever their direction, in one currency", () => {
    const two = [{ indicator: "CRDT" }, { amount: "7.00" }] as const
    expect(summed("<Sum>12</Sum>", ...two)).toBe(2)
    expect(summed("<Sum>12.00</Sum>", ...two)).toBe(2)
    expect(() => summed("<Sum>12.01</Sum>", ...two)).toThrow(sum)
    expect(() => summed("<Sum>12.001</Sum>", ...two)).toThrow(sum)
    expect(() => summed("<Sum>2</Sum>", ...two)).toThrow(sum)
    expect(summed("<Sum>99</Sum>", {}, { currency: "USD" })).toBe(2)
    expect(summed("<Sum>99</Sum>")).toBe(0)
    expect(summed("<Sum>5</Sum>", { currency: "JPY", amount: "5" })).toBe(1)
    expect(() => summed("<Sum>1</Sum>", { amount: "90071992547409.91" }, { amount: "0.01" })).toThrow(
      "a sum is not exact",
    )
  })
})

describe("the balances of a statement", () => {
  const balanced = (balances: string, ...entries: ReadonlyArray<EntryParts>) =>
    read(statement(entries.map(entry).join(""), balances)).lines.length
  const message = "the entries of S1 do not lead from its opening to its closing balance"

  it.each(["OPBD", "PRCD"])("lead from %s to CLBD by the booked entries", (opening) => {
    const from = balance(opening, "10.00")
    const entries = [{}, { indicator: "CRDT", amount: "1.00" }, { status: "<Cd>PDNG</Cd>", amount: "3.00" }] as const
    expect(balanced(from + balance("CLBD", "6.00"), ...entries)).toBe(2)
    expect(() => balanced(from + balance("CLBD", "6.01"), ...entries)).toThrow(message)
    expect(() => balanced(from + balance("CLBD", "6.00", "DBIT"), ...entries)).toThrow(message)
  })

  it("may be below zero", () => {
    expect(balanced(balance("OPBD", "1.00", "DBIT") + balance("CLBD", "6.00", "DBIT"), {})).toBe(1)
    expect(() => balanced(balance("OPBD", "1.00", "DBIT") + balance("CLBD", "4.00", "CRDT"), {})).toThrow(message)
  })

  it("are not compared if one of them is missing", () => {
    expect(balanced(balance("OPBD", "1.00") + balance("CLAV", "9.00"), {})).toBe(1)
    expect(balanced(balance("CLBD", "9.00") + balance("ITBD", "1.00"), {})).toBe(1)
  })
})

describe("a file", () => {
  it("has the lines of all its statements, each about our account", () => {
    const second = `<Stmt><Id>S2</Id>${acct}${balance("ITBD", "1")}${entry({ indicator: "CRDT" })}</Stmt>`
    const two = statement(entry()).replace("</BkToCstmrStmt>", `${second}</BkToCstmrStmt>`)
    expect(read(two).lines.map(({ isCredit, statementId }) => [isCredit, statementId])).toEqual([
      [false, "S1"],
      [true, "S2"],
    ])
    const other = second.replace(ourIban, "FR1420041010050500013M02606")
    expect(() => read(two.replace(second, other))).toThrow("S2 is not about our account")
    const local = second.replace(/<IBAN>.*<\/IBAN>/u, "<Othr><Id>1</Id></Othr>")
    expect(() => read(two.replace(second, local))).toThrow("S2 is not about our account")
  })

  it("of notifications has lines, too", () => {
    const { kind, lines: found, messageId, notices } = read(notification(entry({ reference: "R1" })))
    expect([kind, messageId, notices, found]).toEqual([
      "camt.054",
      "M1",
      [],
      [{ ...base, statementId: "N1", key: `${ourIban}|R1|||-500|EUR`, orderIds: [] }],
    ])
    expect(read(statement("")).kind).toBe("camt.053")
  })
})
