/**
 * Writes a NACHA file: a batch for each entry class and direction, with their totals, filled up to blocks of ten records.
 * Source: Nacha Operating Rules; D-530.
 */
import type { BatchInput, BuiltBatch } from "../orders/BankFormat.ts"
import type { BankOrder } from "../orders/BankOrder.ts"
import type { NachaCompany } from "./NachaOptions.ts"
import { blockingFactor, padding, recordLength, writeRecord } from "./Records.ts"
import { entryHashOf } from "./RoutingNumbers.ts"

/** `2026-01-31` as `260131`. */
const shortDate = (date: string): string => date.slice(2, 10).replaceAll("-", "")

interface Entry {
  readonly order: BankOrder
  readonly traceNumber: string
}

interface Totals {
  readonly entryCount: number
  readonly entryHash: number
  readonly debits: number
  readonly credits: number
}

const entryClassOf = ({ party }: BankOrder): string => (party?.isBusiness === true ? "CCD" : "PPD")

/** 200 would be a batch of both: credits and debits have batches of their own. */
const serviceClass = { push: 220, pull: 225 } as const

const codes = { push: { checking: 22, savings: 32 }, pull: { checking: 27, savings: 37 } } as const

const accountOf = ({ party, reference }: BankOrder) => {
  if (party?.account._tag !== "Routing") throw new Error(`the order ${reference} has no routing number`)
  return { name: party.name, ...party.account }
}

const writeEntry = ({ order, traceNumber }: Entry): ReadonlyArray<string> => {
  const { accountNumber, isSavings, name, routingNumber } = accountOf(order)
  const { amount, direction, individualId, remittance } = order
  const entry = writeRecord("entry", {
    transactionCode: codes[direction][isSavings ? "savings" : "checking"],
    rdfi: routingNumber.slice(0, 8),
    checkDigit: routingNumber.slice(8),
    accountNumber,
    amount,
    individualId,
    individualName: name,
    addendaIndicator: remittance === undefined ? 0 : 1,
    traceNumber,
  })
  if (remittance === undefined) return [entry]
  const entrySequence = traceNumber.slice(8)
  return [entry, writeRecord("paymentAddenda", { paymentInformation: remittance, sequence: 1, entrySequence })]
}

const totalsOf = (entries: ReadonlyArray<Entry>): Totals => {
  const sum = (direction: BankOrder["direction"]) =>
    entries.reduce((total, { order }) => (order.direction === direction ? total + order.amount : total), 0)
  return {
    entryCount: entries.reduce((count, { order }) => count + (order.remittance === undefined ? 1 : 2), 0),
    entryHash: entryHashOf(entries.map(({ order }) => accountOf(order).routingNumber)),
    debits: sum("pull"),
    credits: sum("push"),
  }
}

const kindOf = ({ order }: Entry) => `${entryClassOf(order)} ${order.direction}`

const writeBatch = (
  entries: readonly [Entry, ...ReadonlyArray<Entry>],
  batchNumber: number,
  input: BatchInput,
  company: NachaCompany,
): ReadonlyArray<string> => {
  const [{ order }] = entries
  const shared = {
    serviceClass: serviceClass[order.direction],
    companyId: company.companyId,
    odfi: company.odfi.slice(0, 8),
    batchNumber,
  }
  return [
    writeRecord("batchHeader", {
      ...shared,
      companyName: company.companyName,
      entryClass: entryClassOf(order),
      description: company.description ?? "PAYMENT",
      effectiveDate: shortDate(input.nextDate),
      originatorStatus: 1,
    }),
    ...entries.flatMap(writeEntry),
    writeRecord("batchControl", { ...shared, ...totalsOf(entries) }),
  ]
}

const fileHeader = ({ batchId, createdLocal }: BatchInput, company: NachaCompany): string =>
  writeRecord("fileHeader", {
    priority: 1,
    destination: ` ${company.odfi}`,
    origin: (company.origin ?? company.companyId).padStart(10, " "),
    createdDate: shortDate(createdLocal),
    createdTime: createdLocal.slice(11, 16).replace(":", ""),
    // Files of one day differ in it; the number of the batch goes round.
    modifier: "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[Number(batchId.replaceAll(/\D/gu, "")) % 36] ?? "A",
    destinationName: company.bankName,
    originName: company.companyName,
    referenceCode: batchId,
  })

/** Fills the last block with records of nines. */
export const toBlocks = (lines: ReadonlyArray<string>): string => {
  const missing = (blockingFactor - (lines.length % blockingFactor)) % blockingFactor
  const all = [...lines, ...Array.from({ length: missing }, () => padding)]
  if (all.some((line) => line.length !== recordLength)) throw new Error("a record has not 94 characters")
  return `${all.join("\n")}\n`
}

export const writeNacha = (input: BatchInput, company: NachaCompany): BuiltBatch => {
  const entries = input.orders.map((order, at): Entry => {
    const number = (input.numbers[at] ?? 0) % 10_000_000
    return { order, traceNumber: `${company.odfi.slice(0, 8)}${String(number).padStart(7, "0")}` }
  })
  const groups = Map.groupBy(entries, kindOf)
  const batches = [...groups.values()].flatMap((group, at) => {
    // Trace numbers ascend in a batch.
    const [first, ...rest] = group.toSorted((a, b) => (a.traceNumber < b.traceNumber ? -1 : 1))
    return first === undefined ? [] : writeBatch([first, ...rest], at + 1, input, company)
  })
  const records = batches.length + 2
  const control = writeRecord("fileControl", {
    ...totalsOf(entries),
    batchCount: groups.size,
    blockCount: Math.ceil(records / blockingFactor),
  })
  return {
    content: toBlocks([fileHeader(input, company), ...batches, control]),
    traceNumbers: entries.map(({ traceNumber }) => traceNumber),
  }
}
