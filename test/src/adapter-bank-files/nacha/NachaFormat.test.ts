/** What a bank of NACHA files carries, refuses and reads, and which companies it can have. */
import type { RailAccount } from "@countersign/core/ports"
import { describe, expect, it } from "vitest"
import { nachaFormat, problemOfNacha } from "../../../../packages/adapter-bank-files/src/nacha/NachaFormat.ts"
import {
  checkDigitOf,
  entryHashOf,
  isRoutingNumber,
} from "../../../../packages/adapter-bank-files/src/nacha/RoutingNumbers.ts"
import { FileProblem } from "../../../../packages/adapter-bank-files/src/text/FileProblem.ts"
import { achAccount, companyId, ibanAccount, odfi } from "../BankWorld.ts"
import { achOrder, batchOf, company } from "./NachaOrders.ts"
import { fileOf, type ReturnParts, returnFile, returnRecords } from "./ReturnFile.ts"

const format = nachaFormat(company)

describe("our company", () => {
  const characters = (name: string, length: number) => `\`${name}\` must have at most ${length} printable characters.`
  const id = "`companyId` must have 10 characters."
  const origin = "`origin` must have 9 or 10 characters."
  it.each([
    [{}, undefined],
    [{ odfi: "021000022" }, "`odfi` must be a routing number of nine digits."],
    [{ companyId: "123456789" }, id],
    [{ companyId: "12345678901" }, id],
    [{ companyId: "12345 7890" }, id],
    [{ companyId: "1-3456789~" }, undefined],
    [{ origin: "021000021" }, undefined],
    [{ origin: " 021000021" }, undefined],
    [{ origin: "02100002" }, origin],
    [{ origin: "02100002100" }, origin],
    [{ origin: "02100002ä" }, origin],
    [{ companyName: "Engines Ltd" }, undefined],
    [{ companyName: "x".repeat(16) }, undefined],
    [{ companyName: "x".repeat(17) }, characters("companyName", 16)],
    [{ companyName: "" }, characters("companyName", 16)],
    [{ companyName: "Müller" }, characters("companyName", 16)],
    [{ bankName: "x".repeat(23) }, undefined],
    [{ bankName: "x".repeat(24) }, characters("bankName", 23)],
    [{ description: "x".repeat(10) }, undefined],
    [{ description: "x".repeat(11) }, characters("description", 10)],
    [{ description: "" }, characters("description", 10)],
  ])("with %j has the problem %j", (more, problem) => {
    expect(problemOfNacha({ ...company, ...more })).toBe(problem)
  })
})

describe("a payment", () => {
  it("is carried in dollars, to a routing number, by ACH", () => {
    const usd = achAccount()
    expect([format.carries(usd, "push"), format.carries(usd, "push", "ACH")]).toEqual([true, true])
    expect([
      format.carries(usd, "push", "WIRE"),
      format.carries({ ...usd, currency: "EUR" }, "push"),
      format.carries({ ...ibanAccount(), currency: "USD" }, "push"),
    ]).toEqual([false, false, false])
  })

  it("is collected if the company has debits", () => {
    expect(
      [undefined, false, true].map((hasDebits) =>
        nachaFormat(hasDebits === undefined ? company : { ...company, hasDebits }).carries(achAccount(), "pull"),
      ),
    ).toEqual([false, false, true])
  })

  it("has its party as the file carries it", () => {
    const account = { _tag: "Routing", routingNumber: "011000015", accountNumber: "12345678" }
    const partyOf = (of: RailAccount) => format.partyOf({ account: of, amount: 1, direction: "push" })
    expect(partyOf(achAccount())).toEqual({
      _tag: "Party",
      party: { name: "ADA LOVELACE", isBusiness: false, account: { ...account, isSavings: false } },
    })
    expect(partyOf(achAccount({ bankAccountType: "SAVINGS" }, "Ada Augusta King, Countess"))).toEqual({
      _tag: "Party",
      party: { name: "ADA AUGUSTA KING, COUN", isBusiness: false, account: { ...account, isSavings: true } },
    })
    expect(partyOf(achAccount({ bankAccountType: "CHECKING", accountNumber: "A-1234567890123-Z" }))).toMatchObject({
      party: { account: { accountNumber: "A-1234567890123-Z", isSavings: false } },
    })
  })

  type Info = RailAccount["accountInfo"][string]
  const of = (more: { readonly [field: string]: Info }, fullName?: string): RailAccount => {
    const { accountInfo, ...rest } = achAccount({}, fullName)
    return { ...rest, accountInfo: { ...accountInfo, ...more } }
  }
  it.each([
    [of({ routingNumber: "011000016" }), 1, "ACCOUNT_INVALID", "R13"],
    [of({ routingNumber: null }), 1, "ACCOUNT_INVALID", "R13"],
    [of({ routingNumber: 11000015 }), 1, "ACCOUNT_INVALID", "R13"],
    [of({ accountNumber: "" }), 1, "ACCOUNT_INVALID", "R04"],
    [of({ accountNumber: "123456789012345678" }), 1, "ACCOUNT_INVALID", "R04"],
    [of({ accountNumber: "1234 5678" }), 1, "ACCOUNT_INVALID", "R04"],
    [of({ accountNumber: " 12345678" }), 1, "ACCOUNT_INVALID", "R04"],
    [of({ accountNumber: "12345678\n" }), 1, "ACCOUNT_INVALID", "R04"],
    [of({ accountNumber: 12345678 }), 1, "ACCOUNT_INVALID", "R04"],
    [of({}, "日本"), 1, "ACCOUNT_INVALID", "R45"],
    [of({}, ""), 1, "ACCOUNT_INVALID", "R45"],
    [of({}), 0, "EXECUTION_FAILED", "R19"],
    [of({}), 10_000_000_000, "BANK_REJECTED", "R19"],
  ])("case %#: of %j with the amount %i is refused as %s by %s", (account, amount, refusal, code) => {
    expect(format.partyOf({ account, amount, direction: "push" })).toEqual({ _tag: "Refused", refusal, code })
  })

  it("has an amount from a cent to ten digits", () => {
    const tags = [1, 9_999_999_999].map((amount) => format.partyOf({ account: of({}), amount, direction: "push" })._tag)
    expect(tags).toEqual(["Party", "Party"])
  })
})

describe("a file", () => {
  it("has an id of eight characters, one kind, and sums of twelve digits", () => {
    expect([1, 9_999_999, 10_000_000, 10_000_001].map(format.batchIdOf)).toEqual([
      "C0000001",
      "C9999999",
      "C0000000",
      "C0000001",
    ])
    const kinds = new Set([achOrder(1), achOrder(2, { direction: "pull" })].map(format.kindOf))
    expect([[...kinds], format.extension, format.confirms, format.sumMax]).toEqual([
      ["ach"],
      "ach",
      false,
      999_999_999_999,
    ])
    expect(format.settlementDays).toEqual({ push: 1, pull: 3 })
    const settlementDays = { push: 2, pull: 5 }
    expect(nachaFormat({ ...company, settlementDays }).settlementDays).toEqual(settlementDays)
    expect(format.remittanceOf("x".repeat(81))).toBe("X".repeat(80))
    expect(format.remittanceOf("日本")).toBeUndefined()
    expect(format.write(batchOf([achOrder(1)])).content).toMatch(/^101 021000021/u)
  })
})

describe("a file of returns", () => {
  const line = {
    key: "NACHA|021000020000007|INDIVIDUAL7|R03|011000010000001|12345",
    isMovement: false,
    statementId: "2607050930A",
    bookedOn: "2026-07-06",
    currency: "USD",
    amount: 12_345,
    isCredit: true,
    isReturn: true,
    orderIds: ["021000020000007", "INDIVIDUAL7"],
    code: "R03",
    refusal: "ACCOUNT_INVALID",
  }

  it("has a line for each return", () => {
    expect(format.read(returnFile())).toEqual({
      kind: "ach.returns",
      messageId: "2607050930A",
      notices: [],
      lines: [line],
    })
  })

  it("has a line that takes money for the return of a debit, on the day of the file if its batch has none", () => {
    const debits = { debits: 12_345, credits: 0 }
    const parts: ReturnParts = {
      entry: { transactionCode: 26 },
      batchHeader: { effectiveDate: "" },
      batchControl: debits,
      control: debits,
    }
    expect(format.read(returnFile(parts)).lines).toEqual([{ ...line, isCredit: false, bookedOn: "2026-07-05" }])
    const wrongDay = format.read(returnFile({ batchHeader: { effectiveDate: "26070a" } }))
    expect(wrongDay.lines[0]?.bookedOn).toBe("2026-07-05")
  })

  it("has a notice for each notification of change", () => {
    expect(format.read(returnFile({ isChange: true }))).toEqual({
      kind: "ach.returns",
      messageId: "2607050930A",
      notices: [
        { orderIds: ["021000020000007", "INDIVIDUAL7"], event: { _tag: "Corrected", code: "C02", data: "011000015" } },
      ],
      lines: [],
    })
  })

  it("has a line without a refusal for a code between banks", () => {
    const { refusal: _, ...between } = line
    const [found] = format.read(returnFile({ addenda: { code: "R61" } })).lines
    expect(found).toEqual({ ...between, code: "R61", key: line.key.replace("R03", "R61") })
    expect(found).not.toHaveProperty("refusal")
  })

  it.each(["R00", "R99", "C02", ""])("is refused with the return code %j", (code) => {
    expect(() => format.read(returnFile({ addenda: { code } }))).toThrow(
      new FileProblem(`the return code ${code} does not exist`),
    )
  })

  it("is for our company, or from our bank", () => {
    const ours = { destination: companyId, origin: "9999999999" }
    const bank = { destination: "9999999999", origin: odfi }
    const origin = { destination: "021000021", origin: "9999999999" }
    const neither = { destination: "9999999999", origin: "8888888888" }
    const named = nachaFormat({ ...company, origin: "021000021" })
    for (const header of [ours, bank]) expect(format.read(returnFile({ header })).lines).toHaveLength(1)
    expect(named.read(returnFile({ header: origin })).lines).toHaveLength(1)
    for (const header of [neither, origin]) {
      expect(() => format.read(returnFile({ header }))).toThrow(
        new FileProblem("the file is neither for our company nor from our bank"),
      )
    }
  })

  it("has one addenda record of a return or a change for each entry", () => {
    const message = "an entry of the bank must have one addenda record of a return or of a change"
    // One of our own files, if it were for us.
    const sent = (more: Parameters<typeof achOrder>[1]) => {
      const { content } = format.write(batchOf([achOrder(1, more)]))
      return new TextEncoder().encode(`${content.slice(0, 3)}${companyId}${content.slice(13)}`)
    }
    for (const more of [{}, { remittance: "INVOICE" }]) {
      expect(() => format.read(sent(more))).toThrow(new FileProblem(message))
    }
    const records = returnRecords({ batchControl: { entryCount: 3 }, control: { entryCount: 3 } })
    const two = records.toSpliced(3, 0, records[3] ?? "")
    expect(() => format.read(fileOf(two))).toThrow(new FileProblem(message))
  })
})

it("checks the digits of routing numbers", () => {
  expect(["01100001", "02100002", "12104288", "00000000", "99999999"].map(checkDigitOf)).toEqual([5, 1, 2, 0, 2])
  expect(["0110000150", "x011000015", "011000015x", ""].map(isRoutingNumber)).toEqual([false, false, false, false])
  expect([entryHashOf([]), entryHashOf(["011000015", "021000021"])]).toEqual([0, 3_200_003])
  expect(entryHashOf(Array.from({ length: 101 }, () => "99999999"))).toBe(99_999_899)
})
