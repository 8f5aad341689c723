/**
 * A bank that takes NACHA files: it collects what is in `out/`, and answers with returns and notifications of change in `in/`.
 * Source: Nacha Operating Rules; D-530.
 */
import { Effect } from "effect"
import { type BankFolder, bankFolder } from "../folder/BankFolder.ts"
import { isCreditCode } from "../nacha/NachaReader.ts"
import { toBlocks } from "../nacha/NachaWriter.ts"
import { blockingFactor, writeRecord } from "../nacha/Records.ts"
import { entryHashOf } from "../nacha/RoutingNumbers.ts"
import type { SimulatedBank } from "./IsoSimulator.ts"
import { type AchPayment, readAchPayments } from "./PaymentFiles.ts"
import type { Fate, Fault, OutgoingFile } from "./SimulatedBank.ts"

/** The folder of a simulated bank, its numbers, and what becomes of its payments. */
export interface NachaSimulatorOptions {
  readonly folder: string | BankFolder
  /** The bank's routing number. */
  readonly odfi: string
  readonly companyId: string
  readonly fate?: (payment: AchPayment) => Fate
}

interface Answer {
  readonly payment: AchPayment
  readonly code: string
  /** Set for a notification of change. */
  readonly data?: string
  readonly days: number
}

/** 22 and 23 come back as 21, 27 and 28 as 26; savings accounts likewise. */
const returnCodeOf = (code: string): string => `${code[0] ?? "2"}${isCreditCode(code) ? "1" : "6"}`

const booked: Fate = { _tag: "Book" }
const shortDate = (date: string): string => date.slice(2).replaceAll("-", "")

export const nachaSimulator = ({
  companyId,
  fate = () => booked,
  folder: place,
  odfi,
}: NachaSimulatorOptions): SimulatedBank => {
  const folder = typeof place === "string" ? bankFolder(place) : place
  const all: Array<AchPayment> = []
  let due: Array<Answer> = []
  let late: Array<OutgoingFile> = []
  let count = 0

  const collect = Effect.gen(function* () {
    const found: Array<AchPayment> = []
    for (const name of yield* folder.list("out")) {
      const bytes = yield* folder.read("out", name, 64 * 1024 * 1024)
      if (typeof bytes === "string") continue
      found.push(...readAchPayments(name, bytes))
      yield* folder.remove("out", name)
    }
    all.push(...found)
    for (const payment of found) {
      const own = fate(payment)
      if (own._tag === "Reject") due.push({ payment, code: own.code, days: 0 })
      if (own._tag === "Return") due.push({ payment, code: own.code, days: own.days })
      if (own._tag === "Correct") due.push({ payment, code: own.code, data: own.data, days: 0 })
    }
    return found
  })

  const batchOf = ({ code, data, payment }: Answer, number: number, date: string): ReadonlyArray<string> => {
    const { batch, entry } = payment
    count += 1
    const trace = `${(entry["rdfi"] ?? "").slice(0, 8)}${String(count).padStart(7, "0")}`
    const isChange = data !== undefined
    const transactionCode = returnCodeOf(entry["transactionCode"] ?? "")
    const amount = isChange ? 0 : payment.amount
    const isCredit = isCreditCode(transactionCode)
    const shared = { serviceClass: 200, companyId, odfi: trace.slice(0, 8), batchNumber: number }
    const header = { ...batch.header, ...shared, effectiveDate: shortDate(date) }
    const original = { code, originalTrace: entry["traceNumber"] ?? "", originalRdfi: entry["rdfi"] ?? "" }
    return [
      writeRecord("batchHeader", isChange ? { ...header, entryClass: "COR" } : header),
      writeRecord("entry", {
        ...entry,
        transactionCode,
        rdfi: odfi.slice(0, 8),
        checkDigit: odfi.slice(8),
        amount,
        addendaIndicator: 1,
        traceNumber: trace,
      }),
      isChange
        ? writeRecord("changeAddenda", { ...original, correctedData: data, traceNumber: trace })
        : writeRecord("returnAddenda", { ...original, traceNumber: trace }),
      writeRecord("batchControl", {
        ...shared,
        entryCount: 2,
        entryHash: entryHashOf([odfi]),
        debits: isCredit ? 0 : amount,
        credits: isCredit ? amount : 0,
      }),
    ]
  }

  const fileOf = (answers: ReadonlyArray<Answer>, date: string, isWrong: boolean): OutgoingFile => {
    count += 1
    const batches = answers.flatMap((answer, at) => batchOf(answer, at + 1, date))
    const moved = answers.filter(({ data }) => data === undefined).map(({ payment }) => payment)
    const sum = (direction: "push" | "pull") =>
      moved.reduce((total, payment) => (payment.direction === direction ? total + payment.amount : total), 0)
    const header = writeRecord("fileHeader", {
      priority: 1,
      destination: companyId,
      origin: ` ${odfi}`,
      createdDate: shortDate(date),
      createdTime: "2000",
      modifier: "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[count % 36] ?? "A",
    })
    const control = writeRecord("fileControl", {
      batchCount: answers.length,
      blockCount: Math.ceil((batches.length + 2) / blockingFactor),
      entryCount: 2 * answers.length,
      entryHash: entryHashOf(answers.map(() => odfi)),
      debits: sum("pull") + (isWrong ? 1 : 0),
      credits: sum("push"),
    })
    const name = `${isWrong ? "wrong" : "returns"}-${date}-${count}.ach`
    return { name, content: toBlocks([header, ...batches, control]) }
  }

  const endDay = Effect.fnUntraced(function* (date: string, faults: ReadonlyArray<Fault> = []) {
    yield* collect
    const now = due.filter(({ days }) => days <= 0)
    due = due.filter(({ days }) => days > 0).map((each) => ({ ...each, days: each.days - 1 }))
    const files = now.length === 0 ? [] : [fileOf(now, date, false)]
    if (faults.includes("duplicate")) {
      files.push(...files.map(({ content, name }) => ({ name: `again-${name}`, content })))
    }
    if (faults.includes("wrongTotals") && now.length > 0) files.push(fileOf(now, date, true))
    const complete = late
    late = faults.includes("half") ? files.filter(({ name }) => name.startsWith("returns")) : []
    for (const { content, name } of late) yield* folder.write("in", name, content.slice(0, content.length / 2))
    for (const { content, name } of [...complete, ...files.filter((file) => !late.includes(file))]) {
      yield* folder.write("in", name, content)
    }
  })

  return { collect, endDay, payments: () => all }
}
