/** What a status report says about payments, groups of payments and files. */
import { describe, expect, it } from "vitest"
import { read, statusReport } from "./IsoMessages.ts"

const reason = (code: string) => `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn></StsRsnInf>`
const original = (more = "") =>
  `<OrgnlGrpInfAndSts><OrgnlMsgId>CS1</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>${more}</OrgnlGrpInfAndSts>`
const group = (content: string) => `<OrgnlPmtInfAndSts><OrgnlPmtInfId>CS1</OrgnlPmtInfId>${content}</OrgnlPmtInfAndSts>`
const payment = (id: string, status: string, more = "") =>
  `<TxInfAndSts><OrgnlEndToEndId>${id}</OrgnlEndToEndId><TxSts>${status}</TxSts>${more}</TxInfAndSts>`

const rejected = (code: string, refusal: string) => ({ _tag: "Rejected", code, refusal })
const confirmed = { _tag: "Confirmed" }
const notices = (content: string) => read(statusReport(content)).notices

describe("a status report", () => {
  it.each(["03", "10", "12"])("of version %s is about payments and has no lines", (version) => {
    expect(read(statusReport(original(), version))).toEqual({
      kind: "pain.002",
      messageId: "M1",
      notices: [],
      lines: [],
    })
  })

  it.each(["ACSC", "ACCC"])("with the status %s confirms a payment, a group and a file", (status) => {
    const group1 = group(`<PmtInfSts>${status}</PmtInfSts>${payment("E1", status)}`)
    expect(notices(`${original(`<GrpSts>${status}</GrpSts>`)}${group1}`)).toEqual([
      { orderIds: ["E1"], event: confirmed },
      { batchId: "CS1", event: confirmed },
      { batchId: "CS1", event: confirmed },
    ])
  })

  it.each(["ACCP", "ACSP", "ACTC", "ACWC", "PDNG", "RCVD", "PART"])("with the status %s changes nothing", (status) => {
    const group1 = group(`<PmtInfSts>${status}</PmtInfSts>${payment("E1", status)}`)
    expect(notices(`${original(`<GrpSts>${status}</GrpSts>`)}${group1}`)).toEqual([])
  })

  it("rejects a payment for its own reason, or that of its group, or that of its file", () => {
    const own = payment("E1", "RJCT", reason("AC04"))
    const other = payment("E2", "RJCT")
    expect(notices(original(reason("AM04")) + group(reason("MD07") + own + other))).toEqual([
      { orderIds: ["E1"], event: rejected("AC04", "ACCOUNT_INVALID") },
      { orderIds: ["E2"], event: rejected("MD07", "ACCOUNT_INVALID") },
    ])
    expect(notices(original(reason("AM04")) + group(own + other))).toEqual([
      { orderIds: ["E1"], event: rejected("AC04", "ACCOUNT_INVALID") },
      { orderIds: ["E2"], event: rejected("AM04", "INSUFFICIENT_FUNDS") },
    ])
    expect(notices(original() + group(other))).toEqual([{ orderIds: ["E2"], event: rejected("NARR", "BANK_REJECTED") }])
  })

  it("rejects a group and a file after the payments that have their own status", () => {
    const group1 = group(`<PmtInfSts>RJCT</PmtInfSts>${reason("AC01")}${payment("E1", "ACSC")}`)
    expect(notices(original(`<GrpSts>RJCT</GrpSts>${reason("FF01")}`) + group1)).toEqual([
      { orderIds: ["E1"], event: confirmed },
      { batchId: "CS1", event: rejected("AC01", "ACCOUNT_INVALID") },
      { batchId: "CS1", event: rejected("FF01", "EXECUTION_FAILED") },
    ])
    expect(notices(original("<GrpSts>RJCT</GrpSts>"))).toEqual([
      { batchId: "CS1", event: rejected("NARR", "BANK_REJECTED") },
    ])
    expect(notices(original() + group("<PmtInfSts>RJCT</PmtInfSts>"))).toEqual([
      { batchId: "CS1", event: rejected("NARR", "BANK_REJECTED") },
    ])
  })

  it("has the first reason with a code, which may be the bank's own", () => {
    const texts = "<StsRsnInf><AddtlInf>x</AddtlInf></StsRsnInf>"
    const own = "<StsRsnInf><Rsn><Prtry>OWN-1</Prtry></Rsn></StsRsnInf>"
    expect(notices(original() + group(payment("E1", "RJCT", texts + own + reason("AC04"))))).toEqual([
      { orderIds: ["E1"], event: rejected("OWN-1", "BANK_REJECTED") },
    ])
  })

  it("is refused if a payment has a status that counts, and no id", () => {
    const nameless = (status: string) => group(`<TxInfAndSts><TxSts>${status}</TxSts></TxInfAndSts>`)
    const message = "a payment of the report has a status and no OrgnlEndToEndId"
    for (const status of ["RJCT", "ACSC"]) expect(() => notices(original() + nameless(status))).toThrow(message)
    expect(notices(original() + nameless("ACCP"))).toEqual([])
    expect(notices(original() + group("<TxInfAndSts/>"))).toEqual([])
  })
})
