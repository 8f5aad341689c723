/**
 * Reads a NACHA file strictly: the order of its records, their fields, and every count, hash and total. Ours and the bank's files have the
 * same form.
 * Source: Nacha Operating Rules; D-530.
 */
import { refuse } from "../text/FileProblem.ts"
import { blockingFactor, padding, type RecordName, readRecord, recordLength } from "./Records.ts"
import { entryHashOf } from "./RoutingNumbers.ts"

type Record94 = ReturnType<typeof readRecord>

export interface NachaEntry {
  readonly entry: Record94
  readonly addenda: ReadonlyArray<{ readonly type: string; readonly fields: Record94 }>
}

export interface NachaBatch {
  readonly header: Record94
  readonly entries: ReadonlyArray<NachaEntry>
}

export interface NachaFile {
  readonly header: Record94
  readonly batches: ReadonlyArray<NachaBatch>
}

const addendaRecords: Readonly<Record<string, RecordName>> = {
  "05": "paymentAddenda",
  "98": "changeAddenda",
  "99": "returnAddenda",
}

/** The last digit of a transaction code up to 4 is a credit, from 5 on a debit. */
export const isCreditCode = (code: string): boolean => Number(code[1]) < 5

interface Counted {
  entryCount: number
  hash: number
  debits: number
  credits: number
}

const none = (): Counted => ({ entryCount: 0, hash: 0, debits: 0, credits: 0 })

const add = (to: Counted, { credits, debits, entryCount, hash }: Counted): void => {
  to.entryCount += entryCount
  to.hash = (to.hash + hash) % 10_000_000_000
  to.debits += debits
  to.credits += credits
}

const check = (control: Record94, found: Counted, place: string): void => {
  const named = {
    entryCount: Number(control["entryCount"]),
    hash: Number(control["entryHash"]),
    debits: Number(control["debits"]),
    credits: Number(control["credits"]),
  }
  for (const [name, value] of Object.entries(named)) {
    if (Reflect.get(found, name) !== value) refuse(`${place}: ${name} differs from what the records add up to`)
  }
}

const countedOf = ({ addenda, entry }: NachaEntry): Counted => {
  const amount = Number(entry["amount"])
  const isCredit = isCreditCode(entry["transactionCode"] ?? "")
  return {
    entryCount: 1 + addenda.length,
    hash: entryHashOf([entry["rdfi"] ?? ""]),
    debits: isCredit ? 0 : amount,
    credits: isCredit ? amount : 0,
  }
}

const linesOf = (bytes: Uint8Array): ReadonlyArray<string> => {
  const text = new TextDecoder("latin1").decode(bytes)
  if (!/^[\x20-\x7e\r\n]*$/u.test(text)) refuse("the file has characters that a NACHA file has not")
  const lines = text.split(/\r?\n/u)
  while (lines.at(-1) === "") lines.pop()
  const wrong = lines.findIndex((line) => line.length !== recordLength)
  if (wrong >= 0) refuse(`record ${wrong + 1} has not ${recordLength} characters`)
  return lines
}

export const readNacha = (bytes: Uint8Array): NachaFile => {
  const lines = linesOf(bytes)
  let at = 0
  const place = () => `record ${at + 1}`
  const isNext = (type: string) => lines[at]?.startsWith(type) === true
  const take = (record: RecordName): Record94 => {
    const line = lines[at]
    if (line === undefined) return refuse("the file ends before its control record")
    const fields = readRecord(record, line, place())
    at += 1
    return fields
  }
  const takeEntry = (): NachaEntry => {
    const entry = take("entry")
    const addenda: Array<NachaEntry["addenda"][number]> = []
    while (isNext("7")) {
      const type = lines[at]?.slice(1, 3) ?? ""
      const record = addendaRecords[type] ?? refuse(`${place()}: addenda of type ${type} are not read`)
      addenda.push({ type, fields: take(record) })
    }
    if ((entry["addendaIndicator"] === "1") !== addenda.length > 0) refuse(`${place()}: the addenda indicator is wrong`)
    return { entry, addenda }
  }
  const total = none()
  const takeBatch = (): NachaBatch => {
    const header = take("batchHeader")
    const own = none()
    const entries: Array<NachaEntry> = []
    while (isNext("6")) {
      const entry = takeEntry()
      entries.push(entry)
      add(own, countedOf(entry))
    }
    const where = place()
    const control = take("batchControl")
    check(control, own, where)
    if (control["batchNumber"] !== header["batchNumber"]) refuse(`${where}: the batch number differs from its header`)
    add(total, own)
    return { header, entries }
  }

  const header = take("fileHeader")
  const batches: Array<NachaBatch> = []
  while (isNext("5")) batches.push(takeBatch())
  const where = place()
  const control = take("fileControl")
  check(control, total, where)
  if (Number(control["batchCount"]) !== batches.length) refuse(`${where}: batchCount is wrong`)
  if (Number(control["blockCount"]) !== Math.ceil(at / blockingFactor)) refuse(`${where}: blockCount is wrong`)
  if (lines.slice(at).some((line) => line !== padding)) refuse("the file goes on after its control record")
  return { header, batches }
}
