/** What an element of a message that is read may hold: everything else makes the file invalid. */
import { describe, expect, it } from "vitest"
import { balance, detail, entry, notification, read, statement, statusReport } from "./IsoMessages.ts"

const reason = "<StsRsnInf><Rsn><Cd>AC04</Cd></Rsn></StsRsnInf>"
const payment = `<TxInfAndSts><OrgnlEndToEndId>E1</OrgnlEndToEndId><TxSts>ACCP</TxSts>${reason}</TxInfAndSts>`
const report = statusReport(
  `<OrgnlGrpInfAndSts><OrgnlMsgId>CS1</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId><GrpSts>ACCP</GrpSts></OrgnlGrpInfAndSts>` +
    `<OrgnlPmtInfAndSts><OrgnlPmtInfId>CS1</OrgnlPmtInfId><PmtInfSts>ACCP</PmtInfSts>${payment}</OrgnlPmtInfAndSts>`,
)
const amt = '<Amt Ccy="EUR">5.00</Amt>'
const more = `${amt}<CdtDbtInd>DBIT</CdtDbtInd><AmtDtls><TxAmt>${amt}</TxAmt></AmtDtls><RmtInf><Ustrd>x</Ustrd></RmtInf>`
const entries = entry({
  entryReference: "N1",
  reference: "R1",
  reversal: "false",
  dates: "<BookgDt><Dt>2026-03-04</Dt></BookgDt><ValDt><DtTm>2026-03-04T20:00:00Z</DtTm></ValDt>",
  details: `<Btch><MsgId>B1</MsgId><PmtInfId>P1</PmtInfId><NbOfTxs>1</NbOfTxs></Btch>${detail(
    "E1",
    `${more}<RtrInf><Rsn><Prtry>OWN</Prtry></Rsn></RtrInf>`,
  )}`,
})
const summary = "<TxsSummry><TtlNtries><NbOfNtries>1</NbOfNtries><Sum>5.00</Sum></TtlNtries></TxsSummry>"
const account = statement(entries, balance("ITBD", "1") + summary)
const messages = { "pain.002": report, "camt.053": account } as const

const x = (length: number) => "x".repeat(length)
const id35 = [
  [x(35), "a//b", "ä€"],
  ["", x(36), "a\tb"],
] as const
const status = [["ACSP"], ["", "ACS", "ACSPX", "acsp", "ACS1"]] as const
const amounts = [
  ["1", "123456789012.5", "1.50000"],
  ["", ".5", "1.", "1.123456", "-1", "1234567890123456789", "1x"],
] as const

const cases: ReadonlyArray<
  readonly [keyof typeof messages, string, readonly [ReadonlyArray<string>, ReadonlyArray<string>]]
> = [
  ["pain.002", "MsgId", id35],
  [
    "pain.002",
    "CreDtTm",
    [
      [
        "2026-03-04T20:00:00",
        "2026-12-31T20:00:00.123456789Z",
        "2026-10-09T20:00:00+01:00",
        "2026-01-10T20:00:00-05:00",
      ],
      [
        "",
        "2026-03-04",
        "2026-13-04T20:00:00",
        "2026-00-04T20:00:00",
        "2026-03-00T20:00:00",
        "2026-03-32T20:00:00",
        "2026-03-04T20:00:00.1234567890",
        "2026-03-04T20:00:00+1",
        "2026-03-04T20:00:00Zx",
        "x2026-03-04T20:00:00",
        "2026-03-04T20:00",
      ],
    ],
  ],
  ["pain.002", "OrgnlMsgId", id35],
  ["pain.002", "OrgnlMsgNmId", id35],
  ["pain.002", "GrpSts", status],
  ["pain.002", "OrgnlPmtInfId", id35],
  ["pain.002", "PmtInfSts", status],
  ["pain.002", "OrgnlEndToEndId", id35],
  ["pain.002", "TxSts", status],
  [
    "pain.002",
    "Cd",
    [
      ["AC04", "X", "1234"],
      ["", "AC041", "ac04", "A-04"],
    ],
  ],
  ["camt.053", "Id", [[], ["<IBAN>DE</IBAN>"]]],
  [
    "camt.053",
    "IBAN",
    [[], ["", "de89370400440532013000", "DE893704 0440", "DE89", `DE89${x(31)}`, "XDE89", "DE89a-"]],
  ],
  ["camt.053", "Amt", amounts],
  [
    "camt.053",
    "CdtDbtInd",
    [
      ["CRDT", "DBIT"],
      ["", "CREDIT", "XCRDT", "DBITX"],
    ],
  ],
  ["camt.053", "NtryRef", id35],
  [
    "camt.053",
    "RvslInd",
    [
      ["true", "false", "0", "1"],
      ["", "TRUE", "xtrue", "truex", "2", "10"],
    ],
  ],
  ["camt.053", "AcctSvcrRef", id35],
  [
    "camt.053",
    "Dt",
    [
      ["2026-01-01", "2026-12-31"],
      ["", "2026-1-1", "2026-03-04T", "x2026-03-04", "2026-02-32"],
    ],
  ],
  ["camt.053", "DtTm", [["2026-03-04T20:00:00Z"], ["2026-03-04"]]],
  ["camt.053", "EndToEndId", id35],
  ["camt.053", "PmtInfId", id35],
  [
    "camt.053",
    "NbOfTxs",
    [
      ["0", "9".repeat(15)],
      ["", "1".repeat(16), "1x", "x1", "-1"],
    ],
  ],
  ["camt.053", "NbOfNtries", [["1"], ["", "1".repeat(16), "1x", "x1"]]],
  [
    "camt.053",
    "Sum",
    [
      ["5", "5.00000"],
      ["", ".5", "5.", "5.000001", "-5", "1234567890123456789"],
    ],
  ],
  ["camt.053", "Ustrd", [[x(140)], ["", x(141), "a\nb"]]],
  ["camt.053", "Prtry", id35],
]

/** The place of an element in a message after it has another text. */
const textIn = (message: keyof typeof messages, name: string, text: string): string => {
  const content = messages[message]
  const changed = content.replace(new RegExp(`(<${name}(?: [^>]*)?>)[^<]*(</${name}>)`, "u"), `$1${text}$2`)
  return changed
}
const problemOf = (content: string): string | undefined => {
  try {
    read(content)
    return undefined
  } catch (problem) {
    return problem instanceof Error ? problem.message : "not an error"
  }
}

describe("a message", () => {
  it("of the tests is valid", () => {
    expect(Object.values(messages).map(problemOf)).toEqual([undefined, undefined])
  })

  it.each(cases.filter(([, name]) => name !== "Id"))(
    "%s holds in %s what its schema allows",
    (message, name, [valid, wrong]) => {
      const shapeProblem = new RegExp(`/${name} must `, "u")
      // What has the right shape may still be refused for what it says.
      for (const text of valid) expect(problemOf(textIn(message, name, text)) ?? "").not.toMatch(shapeProblem)
      for (const text of wrong) expect(problemOf(textIn(message, name, text))).toMatch(shapeProblem)
    },
  )

  it("has amounts with a currency of three letters", () => {
    for (const Ccy of ["", "EU", "EURO", "eur"]) {
      expect(problemOf(account.replaceAll('Ccy="EUR"', `Ccy="${Ccy}"`))).toMatch(/Amt must have the attribute Ccy /u)
    }
  })

  it.each(["MsgId", "CreDtTm", "GrpHdr", "OrgnlMsgId", "OrgnlMsgNmId", "OrgnlGrpInfAndSts", "OrgnlPmtInfId"])(
    "of a status report has the element %s",
    (name) => {
      const without = report.replace(new RegExp(`<${name}>.*?</${name}>`, "u"), "")
      expect(problemOf(without)).toMatch(new RegExp(` must have 1 to 1 elements ${name}$`, "u"))
    },
  )

  it.each(["MsgId", "CreDtTm", "GrpHdr", "CdtDbtInd", "Sts", "Acct", "Tp"])("of a statement has %s", (name) => {
    const without = account.replaceAll(new RegExp(`<${name}>.*?</${name}>`, "gu"), "")
    expect(problemOf(without)).toMatch(new RegExp(` must have 1 to 1 elements ${name}$`, "u"))
  })

  it.each(["NtryRef", "RvslInd", "AcctSvcrRef", "Btch", "RmtInf", "RtrInf", "AmtDtls", "TxsSummry", "PmtInfId", "Sum"])(
    "of a statement may have no %s, and not two",
    (name) => {
      const pattern = new RegExp(`<${name}>.*?</${name}>`, "u")
      const [whole = ""] = pattern.exec(account) ?? []
      expect(whole).not.toBe("")
      expect(problemOf(account.replaceAll(new RegExp(pattern, "gu"), ""))).toBeUndefined()
      expect(problemOf(account.replace(whole, `${whole}${whole}`))).toMatch(
        new RegExp(` must have 0 to 1 elements ${name}$`, "u"),
      )
    },
  )

  it("of a statement has a balance, and one of a notification needs none", () => {
    expect(problemOf(statement(entries, ""))).toMatch(/ must have 1 to any number of elements Bal$/u)
    expect(problemOf(notification(entries))).toBeUndefined()
  })

  it("names an account of at most 34 characters that is not an IBAN", () => {
    const other = (id: string) => problemOf(account.replace(/<IBAN>\w+<\/IBAN>/u, `<Othr><Id>${id}</Id></Othr>`))
    expect(other(x(34))).toBe("S1 is not about our account")
    expect(other(x(35))).toMatch(/Othr\/Id must match /u)
    expect(other("")).toMatch(/Othr\/Id must match /u)
  })

  it("has codes of balances with four letters, or the bank's own", () => {
    const code = (content: string) => problemOf(account.replace("<Cd>ITBD</Cd>", content))
    expect([code("<Cd>CLAV</Cd>"), code("<Prtry>OWN</Prtry>")]).toEqual([undefined, undefined])
    expect(code("<Cd>CLAVX</Cd>")).toMatch(/CdOrPrtry\/Cd must match /u)
    expect(code(`<Prtry>${x(36)}</Prtry>`)).toMatch(/CdOrPrtry\/Prtry must match /u)
  })

  it("has statuses of entries with four letters, or the bank's own", () => {
    const status = (content: string) => problemOf(account.replace("<Cd>BOOK</Cd>", content))
    expect(status("<Prtry>OWN</Prtry>")).toBeUndefined()
    expect(status("<Cd>BOOKED</Cd>")).toMatch(/Sts\/Cd must match /u)
    expect(status(`<Prtry>${x(36)}</Prtry>`)).toMatch(/Sts\/Prtry must match /u)
    expect(problemOf(statement(entry({ status: "BOOKED" }), balance("ITBD", "1"), "02"))).toMatch(/Sts must match /u)
  })
})
