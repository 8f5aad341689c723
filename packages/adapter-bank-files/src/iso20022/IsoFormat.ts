/**
 * The files of a bank that speaks ISO 20022: credit transfers and direct debits out, status reports, statements and notifications in.
 * Source: D-530.
 */
import { PaymentRails } from "@countersign/core/ports"
import { isValidBIC, isValidIBAN } from "ibantools"
import type { BankFormat, PartyAnswer } from "../orders/BankFormat.ts"
import { holderOf } from "../orders/Holder.ts"
import { isoText } from "../text/Characters.ts"
import { refuse } from "../text/FileProblem.ts"
import { problemOf } from "../xml/Shape.ts"
import { readXml } from "../xml/XmlReader.ts"
import type { IsoAccount } from "./IsoOptions.ts"
import { writeCreditTransfers, writeDirectDebits } from "./PaymentMessages.ts"
import { readShapes } from "./ReadShapes.ts"
import { readStatements } from "./Statements.ts"
import { readStatusReport } from "./StatusReports.ts"
import { namespaceOf } from "./WrittenShapes.ts"

/** 11 digits before the decimals, as SEPA has. */
const amountMax = 99_999_999_999

/** A batch of the day does not carry what has to arrive within a minute. */
const instantSeconds = 60

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" ? value.replaceAll(" ", "") : undefined

const invalid = (code: string): PartyAnswer => ({ _tag: "Refused", refusal: "ACCOUNT_INVALID", code })

/** Returns what is wrong with our account. */
export const problemOfIso = ({ bic, creditorId, iban, mandateOf, name }: IsoAccount): string | undefined => {
  if (!isValidIBAN(iban)) return "`iban` must be a valid IBAN without spaces."
  if (bic !== undefined && !isValidBIC(bic)) return "`bic` must be a valid BIC."
  if (isoText(name, 70) !== name) return "`name` must have at most 70 characters of the Latin set."
  const hasBoth = (creditorId === undefined) === (mandateOf === undefined)
  if (!hasBoth) return "`creditorId` and `mandateOf` must be set together."
  return creditorId === undefined || /^[A-Z]{2}\d{2}[A-Za-z0-9+?/\-:().,']{3,31}$/u.test(creditorId)
    ? undefined
    : "`creditorId` must be a creditor identifier."
}

export const isoFormat = (ours: IsoAccount): BankFormat => {
  const { currencies = ["EUR"], mandateOf } = ours
  const partyOf: BankFormat["partyOf"] = ({ account, amount, direction }) => {
    const iban = textOf(account.accountInfo["iban"])?.toUpperCase()
    const bic = textOf(account.accountInfo["swiftCode"])?.toUpperCase()
    if (iban === undefined || !isValidIBAN(iban)) return invalid("AC01")
    if (bic !== undefined && !isValidBIC(bic)) return invalid("RC01")
    const holder = holderOf(account)
    const name = isoText(holder.name, 70)
    if (name === undefined) return invalid("BE01")
    if (amount < 1) return { _tag: "Refused", refusal: "EXECUTION_FAILED", code: "AM01" }
    if (amount > amountMax) return { _tag: "Refused", refusal: "BANK_REJECTED", code: "AM02" }
    const iso = { _tag: "Iban" as const, iban, ...(bic === undefined ? {} : { bic }) }
    const party = { name, isBusiness: holder.isBusiness, account: iso }
    if (direction === "push") return { _tag: "Party", party }
    const mandate = mandateOf?.(account)
    if (mandate === undefined || isoText(mandate.id, 35) !== mandate.id) {
      return { _tag: "Refused", refusal: "BANK_REJECTED", code: "MD01" }
    }
    return { _tag: "Party", party, mandate }
  }
  return {
    extension: "xml",
    confirms: true,
    settlementDays: { push: 0, pull: 0 },
    carries: ({ accountInfo, currency }, direction, rail) =>
      currencies.includes(currency) &&
      "iban" in accountInfo &&
      (rail === undefined || PaymentRails.get(rail).settlementSeconds > instantSeconds) &&
      (direction === "push" || (currency === "EUR" && mandateOf !== undefined)),
    partyOf,
    remittanceOf: (text) => isoText(text, 140),
    kindOf: ({ currency, direction }) => `${direction}.${currency}`,
    sumMax: Number.MAX_SAFE_INTEGER,
    batchIdOf: (number) => `CS${String(number).padStart(12, "0")}`,
    write: (input) => ({
      content:
        input.orders[0]?.direction === "pull" ? writeDirectDebits(input, ours) : writeCreditTransfers(input, ours),
    }),
    read: (bytes) => {
      const { namespace, root } = readXml(bytes)
      const message = Object.keys(readShapes).find((each) => namespaceOf(each) === namespace)
      const shape = message === undefined ? undefined : readShapes[message]
      if (message === undefined || shape === undefined) return refuse("the message is not one that is read")
      if (root.name !== "Document") refuse("the root must be Document")
      const problem = problemOf(root, shape)
      if (problem !== undefined) refuse(problem)
      if (message.startsWith("pain.002")) return readStatusReport(root)
      return readStatements(root, message.startsWith("camt.053") ? "camt.053" : "camt.054", ours.iban)
    },
  }
}
