/** What a bank of ISO 20022 files carries, refuses and reads, and which accounts of ours it can have. */
import type { RailAccount } from "@countersign/core/ports"
import { describe, expect, it } from "vitest"
import { isoFormat, problemOfIso } from "../../../../packages/adapter-bank-files/src/iso20022/IsoFormat.ts"
import { ibanAccount } from "../BankWorld.ts"
import { entry, notification, read, statement, statusReport } from "./IsoMessages.ts"
import { batchOf, isoOrder, ours } from "./IsoOrders.ts"

const format = isoFormat(ours)
const { creditorId: _, mandateOf: __, ...creditsOnly } = ours
type Info = RailAccount["accountInfo"][string]
const account = (accountInfo: { readonly [field: string]: Info }): RailAccount => {
  const { accountInfo: known, ...rest } = ibanAccount()
  return { ...rest, accountInfo: { ...known, ...accountInfo } }
}
const partyOf = (of: RailAccount, more: object = {}) =>
  format.partyOf({ account: of, amount: 1, direction: "push", ...more })

describe("our account", () => {
  const latin = "`name` must have at most 70 characters of the Latin set."
  const together = "`creditorId` and `mandateOf` must be set together."
  const creditor = "`creditorId` must be a creditor identifier."
  const { mandateOf = () => undefined } = ours
  it.each([
    [ours, undefined],
    [creditsOnly, undefined],
    [{ ...creditsOnly, iban: "DE89 3704 0044 0532 0130 00" }, "`iban` must be a valid IBAN without spaces."],
    [{ ...creditsOnly, iban: "DE88370400440532013000" }, "`iban` must be a valid IBAN without spaces."],
    [{ ...ours, bic: "COBA" }, "`bic` must be a valid BIC."],
    [{ ...ours, name: "x".repeat(70) }, undefined],
    [{ ...ours, name: "x".repeat(71) }, latin],
    [{ ...ours, name: "Müller" }, latin],
    [{ ...ours, name: "" }, latin],
    [{ ...creditsOnly, mandateOf }, together],
    [{ ...creditsOnly, creditorId: "DE98ZZZ09999999999" }, together],
    [{ ...ours, creditorId: "DE98ZZZ" }, undefined],
    [{ ...ours, creditorId: `DE98${"x".repeat(31)}` }, undefined],
    [{ ...ours, creditorId: `DE98${"x".repeat(32)}` }, creditor],
    [{ ...ours, creditorId: "DE98ZZ" }, creditor],
    [{ ...ours, creditorId: "de98ZZZ09999999999" }, creditor],
    [{ ...ours, creditorId: "xDE98ZZZ09999999999" }, creditor],
    [{ ...ours, creditorId: "DEX8ZZZ09999999999" }, creditor],
    [{ ...ours, creditorId: "DE98ZZZ_9999999999" }, creditor],
    [{ ...ours, creditorId: "DE98ZZZ9_" }, creditor],
  ])("case %#: %o has the problem %j", (own, problem) => {
    expect(problemOfIso(own)).toBe(problem)
  })
})

describe("a payment", () => {
  it("is carried in the currencies of the account, to an IBAN, and not within a minute", () => {
    const euro = ibanAccount()
    const dollars: RailAccount = { ...euro, currency: "USD" }
    const local = { ...euro, accountInfo: { accountType: "EUR_ACCOUNT", accountNumber: "1" } }
    expect(format.carries(euro, "push")).toBe(true)
    expect([format.carries(dollars, "push"), format.carries(local, "push")]).toEqual([false, false])
    expect(isoFormat({ ...ours, currencies: ["USD"] }).carries(dollars, "push")).toBe(true)
    expect(isoFormat({ ...ours, currencies: ["USD"] }).carries(euro, "push")).toBe(false)
    expect([format.carries(euro, "push", "SEPA"), format.carries(euro, "push", "SEPA_INSTANT")]).toEqual([true, false])
  })

  it("is collected in euros, by an account with mandates", () => {
    const euro = ibanAccount()
    const dollars: RailAccount = { ...euro, currency: "USD" }
    const both = isoFormat({ ...ours, currencies: ["EUR", "USD"] })
    expect([both.carries(euro, "pull"), both.carries(dollars, "pull"), both.carries(dollars, "push")]).toEqual([
      true,
      false,
      true,
    ])
    expect(isoFormat(creditsOnly).carries(euro, "pull")).toBe(false)
  })

  it("has its party as the file carries it", () => {
    const iban = "FR1420041010050500013M02606"
    const party = { name: "Ada Lovelace", isBusiness: false, account: { _tag: "Iban", iban } }
    expect(partyOf(ibanAccount())).toEqual({ _tag: "Party", party })
    expect(partyOf(account({ iban: "fr14 2004 1010 0505 0001 3m02 606", swiftCode: "bnpa frpp" }))).toEqual({
      _tag: "Party",
      party: { ...party, account: { _tag: "Iban", iban, bic: "BNPAFRPP" } },
    })
    const business = account({ beneficiary: { beneficiaryType: "BUSINESS", businessInfo: { legalName: "Øl AS" } } })
    expect(partyOf(business)).toEqual({ _tag: "Party", party: { ...party, name: "Ol AS", isBusiness: true } })
    expect(partyOf(ibanAccount(), { direction: "pull" })).toEqual({
      _tag: "Party",
      party,
      mandate: { id: "MANDATE-1", signedOn: "2026-01-02" },
    })
  })

  it.each([
    [account({ iban: "FR1420041010050500013M02607" }), 1, "ACCOUNT_INVALID", "AC01"],
    [account({ iban: null }), 1, "ACCOUNT_INVALID", "AC01"],
    [account({ iban: 5 }), 1, "ACCOUNT_INVALID", "AC01"],
    [account({ swiftCode: "BNPA" }), 1, "ACCOUNT_INVALID", "RC01"],
    [ibanAccount("日本"), 1, "ACCOUNT_INVALID", "BE01"],
    [ibanAccount(""), 1, "ACCOUNT_INVALID", "BE01"],
    [ibanAccount(), 0, "EXECUTION_FAILED", "AM01"],
    [ibanAccount(), -1, "EXECUTION_FAILED", "AM01"],
    [ibanAccount(), 100_000_000_000, "BANK_REJECTED", "AM02"],
  ])("case %#: of %j with the amount %i is refused as %s by %s", (of, amount, refusal, code) => {
    expect(partyOf(of, { amount })).toEqual({ _tag: "Refused", refusal, code })
  })

  it("has an amount from a cent to eleven digits", () => {
    expect([1, 99_999_999_999].map((amount) => partyOf(ibanAccount(), { amount })._tag)).toEqual(["Party", "Party"])
  })

  it("is not collected without a mandate that a file can name", () => {
    const refused = { _tag: "Refused", refusal: "BANK_REJECTED", code: "MD01" }
    for (const id of ["", "a//b", "ä", "x".repeat(36), "/a"]) {
      const bank = isoFormat({ ...ours, mandateOf: () => ({ id, signedOn: "2026-01-02" }) })
      expect(bank.partyOf({ account: ibanAccount(), amount: 1, direction: "pull" })).toEqual(refused)
      expect(bank.partyOf({ account: ibanAccount(), amount: 1, direction: "push" })._tag).toBe("Party")
    }
    for (const mandateOf of [() => undefined, undefined]) {
      const { mandateOf: _, ...rest } = ours
      const bank = isoFormat(mandateOf === undefined ? rest : { ...rest, mandateOf })
      expect(bank.partyOf({ account: ibanAccount(), amount: 1, direction: "pull" })).toEqual(refused)
    }
  })
})

describe("a file", () => {
  it("has an id, a kind and an extension", () => {
    expect([format.batchIdOf(1), format.batchIdOf(123_456_789_012), format.extension]).toEqual([
      "CS000000000001",
      "CS123456789012",
      "xml",
    ])
    expect([format.kindOf(isoOrder()), format.kindOf(isoOrder({ direction: "pull", currency: "USD" }))]).toEqual([
      "push.EUR",
      "pull.USD",
    ])
    expect([format.confirms, format.settlementDays, format.sumMax]).toEqual([
      true,
      { push: 0, pull: 0 },
      Number.MAX_SAFE_INTEGER,
    ])
    expect(format.remittanceOf("x".repeat(141))).toHaveLength(140)
    expect(format.remittanceOf("日本")).toBeUndefined()
  })

  it("is of credit transfers or of direct debits", () => {
    expect(format.write(batchOf(isoOrder())).content).toContain("<CstmrCdtTrfInitn>")
    const debit = isoOrder({ direction: "pull", mandate: { id: "M1", signedOn: "2026-01-02" } })
    expect(format.write(batchOf(debit)).content).toContain("<CstmrDrctDbtInitn>")
    expect(format.write(batchOf(isoOrder())).traceNumbers).toBeUndefined()
  })

  it.each(["camt.053.001.02", "camt.053.001.08", "camt.054.001.02", "camt.054.001.08"])("of %s is read", (message) => {
    const status = message.endsWith(".02") ? "BOOK" : "<Cd>BOOK</Cd>"
    const version = message.slice(-2)
    const content = entry({ status })
    const file = message.startsWith("camt.053")
      ? statement(content, undefined, version)
      : notification(content, version)
    expect(file).toContain(message)
    expect(read(file).kind).toBe(message.slice(0, 8))
  })

  it("of another message, another root or another shape is refused with the reason", () => {
    const namespace = "urn:iso:std:iso:20022:tech:xsd:"
    for (const message of ["camt.052.001.08", "pain.002.001.11", "pain.001.001.09", "constructor"]) {
      expect(() => read(`<Document xmlns="${namespace}${message}"/>`)).toThrow("the message is not one that is read")
    }
    expect(() => read("<Document/>")).toThrow("the message is not one that is read")
    expect(() => read(statement(entry()).replaceAll("Document", "Other"))).toThrow("the root must be Document")
    expect(() => read(statusReport(""))).toThrow("Document/CstmrPmtStsRpt must have 1 to 1 elements OrgnlGrpInfAndSts")
  })
})
