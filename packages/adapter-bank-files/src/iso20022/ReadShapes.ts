/**
 * The parts of pain.002, camt.053 and camt.054 that are read. Groups are open: the schemas have many more elements, which are ignored, but
 * what is read has its place, its number and its pattern. The schemas themselves are not part of this repository.
 * Source: ISO 20022 message definitions pain.002.001.10, camt.053.001.08 and camt.054.001.08, and their versions .03 and .02; D-530.
 */
import { many, one, open, optional, type Shape, some, text } from "../xml/Shape.ts"

const max = (length: number) => text(new RegExp(`^[^\\n\\r\\t]{1,${length}}$`, "u"))
const id35 = max(35)
const day = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])/u
const dateTime = text(new RegExp(`${day.source}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,9})?(?:Z|[+-]\\d{2}:\\d{2})?$`, "u"))
const date = open({ Dt: optional(text(new RegExp(`${day.source}$`, "u"))), DtTm: optional(dateTime) })
const count = text(/^\d{1,15}$/u)
const amount = text(/^\d{1,18}(?:\.\d{1,5})?$/u, { Ccy: /^[A-Z]{3}$/u })
const direction = text(/^(?:CRDT|DBIT)$/u)
const reasonCode = open({ Cd: optional(text(/^[A-Z0-9]{1,4}$/u)), Prtry: optional(id35) })
const statusReason = open({ Rsn: optional(reasonCode) })
const status = text(/^[A-Z]{4}$/u)

const pain002Shape = open({
  CstmrPmtStsRpt: one(
    open({
      GrpHdr: one(open({ MsgId: one(id35), CreDtTm: one(dateTime) })),
      OrgnlGrpInfAndSts: one(
        open({
          OrgnlMsgId: one(id35),
          OrgnlMsgNmId: one(id35),
          GrpSts: optional(status),
          StsRsnInf: some(statusReason),
        }),
      ),
      OrgnlPmtInfAndSts: some(
        open({
          OrgnlPmtInfId: one(id35),
          PmtInfSts: optional(status),
          StsRsnInf: some(statusReason),
          TxInfAndSts: some(
            open({ OrgnlEndToEndId: optional(id35), TxSts: optional(status), StsRsnInf: some(statusReason) }),
          ),
        }),
      ),
    }),
  ),
})

const account = open({
  Id: one(
    open({ IBAN: optional(text(/^[A-Z]{2}[0-9]{2}[a-zA-Z0-9]{1,30}$/u)), Othr: optional(open({ Id: one(max(34)) })) }),
  ),
  Ccy: optional(text(/^[A-Z]{3}$/u)),
})

const entry = (sts: Shape) =>
  open({
    NtryRef: optional(id35),
    Amt: one(amount),
    CdtDbtInd: one(direction),
    RvslInd: optional(text(/^(?:true|false|0|1)$/u)),
    Sts: one(sts),
    BookgDt: optional(date),
    ValDt: optional(date),
    AcctSvcrRef: optional(id35),
    NtryDtls: some(
      open({
        Btch: optional(open({ MsgId: optional(id35), PmtInfId: optional(id35), NbOfTxs: optional(count) })),
        TxDtls: some(
          open({
            Refs: optional(open({ AcctSvcrRef: optional(id35), EndToEndId: optional(id35), TxId: optional(id35) })),
            Amt: optional(amount),
            CdtDbtInd: optional(direction),
            AmtDtls: optional(open({ TxAmt: optional(open({ Amt: one(amount) })) })),
            RmtInf: optional(open({ Ustrd: some(max(140)) })),
            RtrInf: optional(open({ Rsn: optional(reasonCode) })),
          }),
        ),
      }),
    ),
  })

const balance = open({
  Tp: one(open({ CdOrPrtry: one(open({ Cd: optional(status), Prtry: optional(id35) })) })),
  Amt: one(amount),
  CdtDbtInd: one(direction),
})
const summary = open({
  TtlNtries: optional(open({ NbOfNtries: optional(count), Sum: optional(text(/^\d{1,18}(?:\.\d{1,5})?$/u)) })),
})

/** Version .02 has the status of an entry as its text, later ones as a code in it. */
const statementPart = (sts: Shape, balances: boolean) =>
  open({
    Id: one(id35),
    CreDtTm: optional(dateTime),
    Acct: one(account),
    ...(balances ? { Bal: many(balance) } : {}),
    TxsSummry: optional(summary),
    Ntry: some(entry(sts)),
  })

const header = one(open({ MsgId: one(id35), CreDtTm: one(dateTime) }))
const textStatus = text(/^[A-Z]{4}$/u)
const codeStatus = open({ Cd: optional(text(/^[A-Z]{4}$/u)), Prtry: optional(id35) })

const camt053 = (sts: Shape) =>
  open({ BkToCstmrStmt: one(open({ GrpHdr: header, Stmt: many(statementPart(sts, true)) })) })
const camt054 = (sts: Shape) =>
  open({ BkToCstmrDbtCdtNtfctn: one(open({ GrpHdr: header, Ntfctn: many(statementPart(sts, false)) })) })

/** The shape of the element `Document` by message. */
export const readShapes: Readonly<Record<string, Shape>> = {
  "pain.002.001.03": pain002Shape,
  "pain.002.001.10": pain002Shape,
  "pain.002.001.12": pain002Shape,
  "camt.053.001.02": camt053(textStatus),
  "camt.053.001.08": camt053(codeStatus),
  "camt.054.001.02": camt054(textStatus),
  "camt.054.001.08": camt054(codeStatus),
}
