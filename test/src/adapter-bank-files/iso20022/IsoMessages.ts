/** Messages of a bank, of which a test gives the parts that it is about. */
import { isoFormat } from "../../../../packages/adapter-bank-files/src/iso20022/IsoFormat.ts"
import type { ReadFile } from "../../../../packages/adapter-bank-files/src/orders/BankFormat.ts"
import { ourIban } from "../BankWorld.ts"

const format = isoFormat({ name: "Engines Ltd", iban: ourIban })

/** Reads as the format of our account does. */
export const read = (text: string): ReadFile => format.read(new TextEncoder().encode(text))

const header = "<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-03-04T20:00:00</CreDtTm></GrpHdr>"
const document = (message: string, content: string) =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${message}">${content}</Document>`

export const statusReport = (content: string, version = "10"): string =>
  document(`pain.002.001.${version}`, `<CstmrPmtStsRpt>${header}${content}</CstmrPmtStsRpt>`)

export const acct = `<Acct><Id><IBAN>${ourIban}</IBAN></Id></Acct>`

export const balance = (code: string, amount: string, indicator = "CRDT", currency = "EUR"): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${indicator}</CdtDbtInd></Bal>`

/** A statement with a balance that is not compared. */
export const statement = (entries: string, before = balance("ITBD", "1"), version = "08"): string =>
  document(
    `camt.053.001.${version}`,
    `<BkToCstmrStmt>${header}<Stmt><Id>S1</Id>${acct}${before}${entries}</Stmt></BkToCstmrStmt>`,
  )

export const notification = (entries: string, version = "08"): string =>
  document(
    `camt.054.001.${version}`,
    `<BkToCstmrDbtCdtNtfctn>${header}<Ntfctn><Id>N1</Id>${acct}${entries}</Ntfctn></BkToCstmrDbtCdtNtfctn>`,
  )

export interface EntryParts {
  readonly amount?: string
  readonly currency?: string
  readonly indicator?: string
  readonly reversal?: string
  readonly status?: string
  readonly dates?: string
  readonly reference?: string
  readonly entryReference?: string
  readonly details?: string
}

const optional = (name: string, text: string | undefined) => (text === undefined ? "" : `<${name}>${text}</${name}>`)

export const entry = ({
  amount = "5.00",
  currency = "EUR",
  dates = "<BookgDt><Dt>2026-03-04</Dt></BookgDt>",
  details = "",
  entryReference,
  indicator = "DBIT",
  reference,
  reversal,
  status = "<Cd>BOOK</Cd>",
}: EntryParts = {}): string =>
  `<Ntry>${optional("NtryRef", entryReference)}<Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${indicator}</CdtDbtInd>${optional(
    "RvslInd",
    reversal,
  )}<Sts>${status}</Sts>${dates}${optional("AcctSvcrRef", reference)}${details === "" ? "" : `<NtryDtls>${details}</NtryDtls>`}</Ntry>`

export const detail = (id: string | undefined, more = ""): string =>
  `<TxDtls><Refs>${optional("EndToEndId", id)}</Refs>${more}</TxDtls>`
