/** The files that are written, character by character, and what a format makes of accounts, texts and amounts. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  businessDayAfter,
  lastCutOff,
  nextCutOff,
} from "../../../packages/adapter-bank-files/src/calendar/BankCalendar.ts"
import { federalReserveHolidays, targetHolidays } from "../../../packages/adapter-bank-files/src/calendar/Holidays.ts"
import { checkDigitOf, isRoutingNumber } from "../../../packages/adapter-bank-files/src/nacha/RoutingNumbers.ts"
import { isoText, nachaText } from "../../../packages/adapter-bank-files/src/text/Characters.ts"
import { decimalOf, minorOf } from "../../../packages/adapter-bank-files/src/text/Decimal.ts"
import { endToEndIdOf, individualIdOf } from "../../../packages/adapter-bank-files/src/text/Identifiers.ts"
import {
  achAccount,
  achBank,
  bankWorld,
  berlin,
  euroBank,
  filesIn,
  ibanAccount,
  newYork,
  temporaryFolder,
} from "./BankWorld.ts"

const reference = (n: number) => `Transaction:00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

describe("a file of", () => {
  it("credit transfers is as the bank expects it", async () => {
    await using folder = await temporaryFolder()
    const world = bankWorld([euroBank({ folder: folder.path })], "2026-12-23T09:00:00Z")
    await world.push(reference(1), ibanAccount("Zoë Åström"), 12_345, "Invoice №1 & more")
    await world.push(reference(2), ibanAccount(), 5)
    world.at("2026-12-24T14:00:00Z")
    await world.cycle()
    const { "CS000000000001.xml": content } = await filesIn(folder.path, "out")
    expect(content).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">
  <CstmrCdtTrfInitn>
    <GrpHdr>
      <MsgId>CS000000000001</MsgId>
      <CreDtTm>2026-12-24T15:00:00</CreDtTm>
      <NbOfTxs>2</NbOfTxs>
      <CtrlSum>123.50</CtrlSum>
      <InitgPty>
        <Nm>Engines Ltd</Nm>
      </InitgPty>
    </GrpHdr>
    <PmtInf>
      <PmtInfId>CS000000000001</PmtInfId>
      <PmtMtd>TRF</PmtMtd>
      <BtchBookg>false</BtchBookg>
      <NbOfTxs>2</NbOfTxs>
      <CtrlSum>123.50</CtrlSum>
      <PmtTpInf>
        <SvcLvl>
          <Cd>SEPA</Cd>
        </SvcLvl>
      </PmtTpInf>
      <ReqdExctnDt>
        <Dt>2026-12-24</Dt>
      </ReqdExctnDt>
      <Dbtr>
        <Nm>Engines Ltd</Nm>
      </Dbtr>
      <DbtrAcct>
        <Id>
          <IBAN>DE89370400440532013000</IBAN>
        </Id>
      </DbtrAcct>
      <DbtrAgt>
        <FinInstnId>
          <BICFI>COBADEFFXXX</BICFI>
        </FinInstnId>
      </DbtrAgt>
      <ChrgBr>SLEV</ChrgBr>
      <CdtTrfTxInf>
        <PmtId>
          <EndToEndId>00000000000040008000000000000001</EndToEndId>
        </PmtId>
        <Amt>
          <InstdAmt Ccy="EUR">123.45</InstdAmt>
        </Amt>
        <Cdtr>
          <Nm>Zoe Astrom</Nm>
        </Cdtr>
        <CdtrAcct>
          <Id>
            <IBAN>FR1420041010050500013M02606</IBAN>
          </Id>
        </CdtrAcct>
        <RmtInf>
          <Ustrd>Invoice No1 more</Ustrd>
        </RmtInf>
      </CdtTrfTxInf>
      <CdtTrfTxInf>
        <PmtId>
          <EndToEndId>00000000000040008000000000000002</EndToEndId>
        </PmtId>
        <Amt>
          <InstdAmt Ccy="EUR">0.05</InstdAmt>
        </Amt>
        <Cdtr>
          <Nm>Ada Lovelace</Nm>
        </Cdtr>
        <CdtrAcct>
          <Id>
            <IBAN>FR1420041010050500013M02606</IBAN>
          </Id>
        </CdtrAcct>
      </CdtTrfTxInf>
    </PmtInf>
  </CstmrCdtTrfInitn>
</Document>
`)
  })

  it("direct debits names the mandate, and is collected on the next business day", async () => {
    await using folder = await temporaryFolder()
    const world = bankWorld([euroBank({ folder: folder.path })], "2026-12-23T09:00:00Z")
    await world.pull(reference(1), ibanAccount(), 100)
    world.at("2026-12-24T14:00:00Z")
    await world.cycle()
    const { "CS000000000001.xml": content = "" } = await filesIn(folder.path, "out")
    expect(content).toContain("<ReqdColltnDt>2026-12-28</ReqdColltnDt>")
    expect(content.replaceAll(/\s*\n\s*/gu, "")).toContain(
      "<MndtRltdInf><MndtId>MANDATE-1</MndtId><DtOfSgntr>2026-01-02</DtOfSgntr></MndtRltdInf>",
    )
  })

  it("NACHA entries has records of 94 characters in blocks of ten, with hashes and totals", async () => {
    await using folder = await temporaryFolder()
    const world = bankWorld([achBank({ folder: folder.path })], "2026-07-01T12:00:00Z")
    await world.push(reference(1), achAccount(), 12_345, "Invoice 1")
    await world.pull(reference(2), achAccount({ bankAccountType: "SAVINGS" }), 500)
    // Friday before Independence Day, a Saturday: banks are open.
    world.at("2026-07-02T20:00:00Z")
    await world.cycle()
    const { "C0000001.ach": content = "" } = await filesIn(folder.path, "out")
    const [individual1, individual2] = [1, 2].map((n) => individualIdOf(reference(n)))
    expect(content).toBe(
      [
        "101 02100002112345678902607021600B094101FIRST BANK             ENGINES LTD            C0000001",
        "5220ENGINES LTD                         1234567890PPDPAYMENT         260703   1021000020000001",
        `622011000015${"12345678".padEnd(17)}0000012345${individual1}${"ADA LOVELACE".padEnd(22)}  1021000020000001`,
        `705${"INVOICE 1".padEnd(80)}00010000001`,
        `82200000020001100001000000000000000000012345${"1234567890"}${" ".repeat(25)}021000020000001`,
        "5225ENGINES LTD                         1234567890PPDPAYMENT         260703   1021000020000002",
        `637011000015${"12345678".padEnd(17)}0000000500${individual2}${"ADA LOVELACE".padEnd(22)}  0021000020000002`,
        `82250000010001100001000000000500000000000000${"1234567890"}${" ".repeat(25)}021000020000002`,
        `9000002000001000000030002200002000000000500000000012345${" ".repeat(39)}`,
        "9".repeat(94),
        "",
      ].join("\n"),
    )
    expect(content.split("\n").filter((each) => each.length !== 94)).toEqual([""])
  })
})

describe("a calendar", () => {
  it("has the holidays of two clearing systems", () => {
    expect(targetHolidays(2026)).toEqual([
      "2026-01-01",
      "2026-04-03",
      "2026-04-06",
      "2026-05-01",
      "2026-12-25",
      "2026-12-26",
    ])
    expect(targetHolidays(2024).slice(1, 3)).toEqual(["2024-03-29", "2024-04-01"])
    expect(targetHolidays(2038).slice(1, 3)).toEqual(["2038-04-23", "2038-04-26"])
    expect(federalReserveHolidays(2026)).toEqual([
      "2026-01-01",
      "2026-01-19",
      "2026-02-16",
      "2026-05-25",
      "2026-06-19",
      "2026-07-04",
      "2026-09-07",
      "2026-10-12",
      "2026-11-11",
      "2026-11-26",
      "2026-12-25",
    ])
    expect(federalReserveHolidays(2023)[0]).toBe("2023-01-02")
  })

  it("closes batches at the local time of business days, in summer and in winter", () => {
    const cases = [
      [berlin, "2026-03-27T13:59:59Z", "2026-03-26", "2026-03-26T14:00:00Z", "2026-03-27T14:00:00Z"],
      [berlin, "2026-03-27T14:00:00Z", "2026-03-27", "2026-03-27T14:00:00Z", "2026-03-30T13:00:00Z"],
      [berlin, "2026-04-05T12:00:00Z", "2026-04-02", "2026-04-02T13:00:00Z", "2026-04-07T13:00:00Z"],
      [newYork, "2026-11-27T02:00:00Z", "2026-11-25", "2026-11-25T21:00:00Z", "2026-11-27T21:00:00Z"],
    ] as const
    for (const [calendar, time, date, last, next] of cases) {
      const now = Date.parse(time)
      expect(lastCutOff(calendar, now)).toEqual({ date, at: Date.parse(last) })
      expect(nextCutOff(calendar, now).at).toBe(Date.parse(next))
    }
    expect([0, 1, 2].map((days) => businessDayAfter(berlin, "2026-12-24", days))).toEqual([
      "2026-12-24",
      "2026-12-28",
      "2026-12-29",
    ])
    expect(businessDayAfter(berlin, "2026-12-25", 0)).toBe("2026-12-28")
  })
})

describe("texts and amounts", () => {
  it.each([
    ["Łukasz Żółć", "Lukasz Zolc"],
    ["Straße /a//b/", "Strasse /a/b"],
    ["/x/", "x"],
    ["Ольга", undefined],
    ["日本", undefined],
    ["☂", undefined],
    ["", undefined],
  ])("%j is %j in an ISO 20022 file", (text, written) => {
    expect(isoText(text, 70)).toBe(written)
  })

  it("are cut to the length of their field", () => {
    expect([isoText("abcdef", 3), nachaText("straße 5", 7), nachaText("a\tb", 9)]).toEqual(["abc", "STRASSE", "A B"])
  })

  it("are written and read without losing a unit", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.nat(4), (amount, decimals) => {
        expect(minorOf(decimalOf(amount, decimals), decimals)).toBe(amount)
      }),
    )
    const read = ["1.234", "1.2300", "1e3", "-1", "", "90071992547409.92", ".5", "1.", " 1"].map((text) =>
      minorOf(text, 2),
    )
    expect(read).toEqual([undefined, 123, undefined, undefined, undefined, undefined, undefined, 100, undefined])
  })

  it("of routing numbers have a check digit", () => {
    expect(["021000021", "011000015", "121042882"].map(isRoutingNumber)).toEqual([true, true, true])
    expect(["021000022", "000000000", "02100002", "02100002a"].map(isRoutingNumber)).toEqual([
      false,
      false,
      false,
      false,
    ])
    expect(checkDigitOf("02100002")).toBe(1)
  })

  it("of references are the same each time, and different for different ones", () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (a, b) => {
        const ids = [endToEndIdOf(`Transaction:${a}`), individualIdOf(`Transaction:${a}`)]
        expect(ids).toEqual([a.replaceAll("-", ""), expect.stringMatching(/^[A-Z2-7]{15}$/u)])
        expect(individualIdOf(`Transaction:${b}`) === ids[1]).toBe(a === b)
      }),
    )
    expect(endToEndIdOf("an invoice")).toMatch(/^[0-9a-f]{32}$/u)
  })
})
