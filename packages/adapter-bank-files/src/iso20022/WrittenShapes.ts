/**
 * The parts of pain.001.001.09 and pain.008.001.08 that are written: order, number and patterns of their elements, closed, so that nothing
 * else can be written. The schemas themselves are not part of this repository: this is a transcription of the parts in use.
 * Source: ISO 20022 message definitions pain.001.001.09 and pain.008.001.08; D-530.
 */
import { choice, group, many, one, optional, text } from "../xml/Shape.ts"

export const namespaceOf = (message: string): string => `urn:iso:std:iso:20022:tech:xsd:${message}`

const latin = (lengthMax: number) => text(new RegExp(`^[A-Za-z0-9/\\-?:().,'+ ]{1,${lengthMax}}$`, "u"))
const id35 = text(/^(?!\/)(?!.*\/\/)[A-Za-z0-9/\-?:().,'+ ]{1,35}(?<!\/)$/u)
const iban = text(/^[A-Z]{2}[0-9]{2}[a-zA-Z0-9]{1,30}$/u)
const bic = text(/^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/u)
const date = text(/^\d{4}-\d{2}-\d{2}$/u)
const dateTime = text(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/u)
const count = text(/^[1-9]\d{0,14}$/u)
const sum = text(/^\d{1,16}(?:\.\d{1,2})?$/u)
const literal = (value: string) => text(new RegExp(`^${value}$`, "u"))
const amount = text(/^\d{1,16}(?:\.\d{1,2})?$/u, { Ccy: /^[A-Z]{3}$/u })

const party = group({ Nm: one(latin(70)) })
const account = group({ Id: one(group({ IBAN: one(iban) })) })
const agent = group({
  FinInstnId: one(choice({ BICFI: optional(bic), Othr: optional(group({ Id: one(literal("NOTPROVIDED")) })) })),
})
const header = group({
  MsgId: one(id35),
  CreDtTm: one(dateTime),
  NbOfTxs: one(count),
  CtrlSum: one(sum),
  InitgPty: one(party),
})
const remittance = optional(group({ Ustrd: one(latin(140)) }))
const paymentId = one(group({ EndToEndId: one(id35) }))

export const pain001Shape = group({
  CstmrCdtTrfInitn: one(
    group({
      GrpHdr: one(header),
      PmtInf: one(
        group({
          PmtInfId: one(id35),
          PmtMtd: one(literal("TRF")),
          BtchBookg: one(text(/^(?:true|false)$/u)),
          NbOfTxs: one(count),
          CtrlSum: one(sum),
          PmtTpInf: optional(group({ SvcLvl: one(group({ Cd: one(text(/^[A-Z]{4}$/u)) })) })),
          ReqdExctnDt: one(group({ Dt: one(date) })),
          Dbtr: one(party),
          DbtrAcct: one(account),
          DbtrAgt: one(agent),
          ChrgBr: one(text(/^(?:SLEV|SHAR)$/u)),
          CdtTrfTxInf: many(
            group({
              PmtId: paymentId,
              Amt: one(group({ InstdAmt: one(amount) })),
              CdtrAgt: optional(agent),
              Cdtr: one(party),
              CdtrAcct: one(account),
              RmtInf: remittance,
            }),
          ),
        }),
      ),
    }),
  ),
})

export const pain008Shape = group({
  CstmrDrctDbtInitn: one(
    group({
      GrpHdr: one(header),
      PmtInf: one(
        group({
          PmtInfId: one(id35),
          PmtMtd: one(literal("DD")),
          BtchBookg: one(text(/^(?:true|false)$/u)),
          NbOfTxs: one(count),
          CtrlSum: one(sum),
          PmtTpInf: one(
            group({
              SvcLvl: one(group({ Cd: one(literal("SEPA")) })),
              LclInstrm: one(group({ Cd: one(text(/^(?:CORE|B2B)$/u)) })),
              SeqTp: one(text(/^(?:FRST|RCUR|OOFF|FNAL)$/u)),
            }),
          ),
          ReqdColltnDt: one(date),
          Cdtr: one(party),
          CdtrAcct: one(account),
          CdtrAgt: one(agent),
          ChrgBr: one(literal("SLEV")),
          CdtrSchmeId: one(
            group({
              Id: one(
                group({
                  PrvtId: one(
                    group({
                      Othr: one(group({ Id: one(id35), SchmeNm: one(group({ Prtry: one(literal("SEPA")) })) })),
                    }),
                  ),
                }),
              ),
            }),
          ),
          DrctDbtTxInf: many(
            group({
              PmtId: paymentId,
              InstdAmt: one(amount),
              DrctDbtTx: one(group({ MndtRltdInf: one(group({ MndtId: one(id35), DtOfSgntr: one(date) })) })),
              DbtrAgt: one(agent),
              Dbtr: one(party),
              DbtrAcct: one(account),
              RmtInf: remittance,
            }),
          ),
        }),
      ),
    }),
  ),
})
