/** The messages that are written, element by element, and what is never written. */
import type { BankOrder } from "@countersign/adapter-bank-files"
import { describe, expect, it } from "vitest"
import {
  decimalsOf,
  writeCreditTransfers,
  writeDirectDebits,
} from "../../../../packages/adapter-bank-files/src/iso20022/PaymentMessages.ts"
import { batchOf, isoOrder, ours, theirIban } from "./IsoOrders.ts"

/** A document without its indentation. */
const flat = (content: string): string => content.replaceAll(/\n\s*/gu, "")
const mandate = { id: "MANDATE-1", signedOn: "2026-01-02" }
const debit = (more: Partial<BankOrder> = {}) => isoOrder({ direction: "pull", mandate, ...more })

describe("a file of direct debits", () => {
  it("has every element of pain.008.001.08 that the scheme needs, in its order", () => {
    const first = debit({ amount: 100, remittance: "Invoice 1" })
    const second = debit({
      reference: "Transaction:2",
      endToEndId: "E2",
      amount: 5,
      mandate: { id: "M2", signedOn: "2025-05-05" },
      party: { name: "Bob", isBusiness: false, account: { _tag: "Iban", iban: theirIban, bic: "BNPAFRPP" } },
    })
    expect(flat(writeDirectDebits(batchOf(first, second), ours))).toBe(
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.008.001.08"><CstmrDrctDbtInitn>',
        "<GrpHdr><MsgId>CS1</MsgId><CreDtTm>2026-12-24T15:00:00</CreDtTm><NbOfTxs>2</NbOfTxs><CtrlSum>1.05</CtrlSum>",
        "<InitgPty><Nm>Engines Ltd</Nm></InitgPty></GrpHdr>",
        "<PmtInf><PmtInfId>CS1</PmtInfId><PmtMtd>DD</PmtMtd><BtchBookg>false</BtchBookg>",
        "<NbOfTxs>2</NbOfTxs><CtrlSum>1.05</CtrlSum>",
        "<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl><LclInstrm><Cd>CORE</Cd></LclInstrm><SeqTp>RCUR</SeqTp></PmtTpInf>",
        "<ReqdColltnDt>2026-12-28</ReqdColltnDt>",
        "<Cdtr><Nm>Engines Ltd</Nm></Cdtr>",
        "<CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></CdtrAcct>",
        "<CdtrAgt><FinInstnId><BICFI>COBADEFFXXX</BICFI></FinInstnId></CdtrAgt><ChrgBr>SLEV</ChrgBr>",
        "<CdtrSchmeId><Id><PrvtId><Othr><Id>DE98ZZZ09999999999</Id>",
        "<SchmeNm><Prtry>SEPA</Prtry></SchmeNm></Othr></PrvtId></Id></CdtrSchmeId>",
        '<DrctDbtTxInf><PmtId><EndToEndId>E1</EndToEndId></PmtId><InstdAmt Ccy="EUR">1.00</InstdAmt>',
        "<DrctDbtTx><MndtRltdInf><MndtId>MANDATE-1</MndtId><DtOfSgntr>2026-01-02</DtOfSgntr></MndtRltdInf></DrctDbtTx>",
        "<DbtrAgt><FinInstnId><Othr><Id>NOTPROVIDED</Id></Othr></FinInstnId></DbtrAgt>",
        "<Dbtr><Nm>Ada Lovelace</Nm></Dbtr><DbtrAcct><Id><IBAN>FR1420041010050500013M02606</IBAN></Id></DbtrAcct>",
        "<RmtInf><Ustrd>Invoice 1</Ustrd></RmtInf></DrctDbtTxInf>",
        '<DrctDbtTxInf><PmtId><EndToEndId>E2</EndToEndId></PmtId><InstdAmt Ccy="EUR">0.05</InstdAmt>',
        "<DrctDbtTx><MndtRltdInf><MndtId>M2</MndtId><DtOfSgntr>2025-05-05</DtOfSgntr></MndtRltdInf></DrctDbtTx>",
        "<DbtrAgt><FinInstnId><BICFI>BNPAFRPP</BICFI></FinInstnId></DbtrAgt>",
        "<Dbtr><Nm>Bob</Nm></Dbtr><DbtrAcct><Id><IBAN>FR1420041010050500013M02606</IBAN></Id></DbtrAcct></DrctDbtTxInf>",
        "</PmtInf></CstmrDrctDbtInitn></Document>",
      ].join(""),
    )
  })

  it("is not written without a creditor identifier, or for an order without a mandate", () => {
    const { creditorId: _, ...without } = ours
    expect(() => writeDirectDebits(batchOf(debit()), without)).toThrow("direct debits need `creditorId`")
    expect(() => writeDirectDebits(batchOf(isoOrder({ direction: "pull" })), ours)).toThrow(
      "the order Transaction:1 has no mandate",
    )
  })

  it("books the total if the account says so", () => {
    const content = writeDirectDebits(batchOf(debit()), { ...ours, booksBatches: true })
    expect(content).toContain("<BtchBookg>true</BtchBookg>")
  })
})

describe("a file of credit transfers", () => {
  it("in another currency than the euro has its decimals, shared charges, and no scheme", () => {
    const { bic: _, ...without } = ours
    const order = isoOrder({
      currency: "JPY",
      amount: 12_345,
      party: { name: "Bob", isBusiness: true, account: { _tag: "Iban", iban: theirIban, bic: "BNPAFRPP" } },
    })
    expect(flat(writeCreditTransfers(batchOf(order), { ...without, booksBatches: true }))).toBe(
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn>',
        "<GrpHdr><MsgId>CS1</MsgId><CreDtTm>2026-12-24T15:00:00</CreDtTm><NbOfTxs>1</NbOfTxs><CtrlSum>12345</CtrlSum>",
        "<InitgPty><Nm>Engines Ltd</Nm></InitgPty></GrpHdr>",
        "<PmtInf><PmtInfId>CS1</PmtInfId><PmtMtd>TRF</PmtMtd><BtchBookg>true</BtchBookg>",
        "<NbOfTxs>1</NbOfTxs><CtrlSum>12345</CtrlSum><ReqdExctnDt><Dt>2026-12-24</Dt></ReqdExctnDt>",
        "<Dbtr><Nm>Engines Ltd</Nm></Dbtr><DbtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></DbtrAcct>",
        "<DbtrAgt><FinInstnId><Othr><Id>NOTPROVIDED</Id></Othr></FinInstnId></DbtrAgt><ChrgBr>SHAR</ChrgBr>",
        "<CdtTrfTxInf><PmtId><EndToEndId>E1</EndToEndId></PmtId>",
        '<Amt><InstdAmt Ccy="JPY">12345</InstdAmt></Amt>',
        "<CdtrAgt><FinInstnId><BICFI>BNPAFRPP</BICFI></FinInstnId></CdtrAgt>",
        "<Cdtr><Nm>Bob</Nm></Cdtr><CdtrAcct><Id><IBAN>FR1420041010050500013M02606</IBAN></Id></CdtrAcct></CdtTrfTxInf>",
        "</PmtInf></CstmrCdtTrfInitn></Document>",
      ].join(""),
    )
  })

  it("is not written without orders, without an exact sum, or for an order without an IBAN", () => {
    const exact = "a batch has orders with an exact sum"
    expect(() => writeCreditTransfers(batchOf(), ours)).toThrow(new RangeError(exact))
    const large = isoOrder({ amount: Number.MAX_SAFE_INTEGER })
    expect(() => writeCreditTransfers(batchOf(large, isoOrder({ amount: 1 })), ours)).toThrow(new RangeError(exact))
    const { party: _, ...nameless } = isoOrder()
    expect(() => writeCreditTransfers(batchOf(nameless), ours)).toThrow("the order Transaction:1 has no IBAN")
    const routing = { _tag: "Routing", routingNumber: "011000015", accountNumber: "1", isSavings: false } as const
    const ach = isoOrder({ party: { name: "Ada", isBusiness: false, account: routing } })
    expect(() => writeCreditTransfers(batchOf(ach), ours)).toThrow("the order Transaction:1 has no IBAN")
  })

  it("is not written if an element is not as the message requires", () => {
    expect(() => writeCreditTransfers(batchOf(isoOrder({ endToEndId: "/1" })), ours)).toThrow(
      /^a file of pain\.001\.001\.09 would not be valid: Document\/CstmrCdtTrfInitn\/PmtInf\/CdtTrfTxInf\/PmtId\/EndToEndId must match /u,
    )
  })
})

it("knows the decimals of currencies, and of no other", () => {
  expect(["EUR", "JPY", "USDC", "XXX"].map(decimalsOf)).toEqual([2, 0, 6, undefined])
})
