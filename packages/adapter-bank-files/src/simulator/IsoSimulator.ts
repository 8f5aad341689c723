/**
 * A bank that takes ISO 20022 files: it collects what is in `out/`, and answers with the files of a day in `in/`, with the faults that a test
 * asks for. Its state is in memory.
 * Source: D-530.
 */
import { Effect } from "effect"
import type { BankFolder, FolderUnavailable } from "../folder/BankFolder.ts"
import { bankFolder } from "../folder/BankFolder.ts"
import { notification, type SimulatedEntry, statement, statusReport } from "./IsoAnswers.ts"
import { readPayments } from "./PaymentFiles.ts"
import type { Fate, Fault, OutgoingFile, SimulatedPayment } from "./SimulatedBank.ts"

/** The folder and the account of a simulated bank, and what becomes of its payments. */
export interface IsoSimulatorOptions {
  readonly folder: string | BankFolder
  /** The account whose statements the bank writes. */
  readonly iban: string
  /** Default: `EUR`. */
  readonly currency?: string
  /** Smallest unit of the currency. Default: 100,000,000. */
  readonly openingBalance?: number
  /** Default: everything is booked. */
  readonly fate?: (payment: SimulatedPayment) => Fate
}

/** What a test does with a simulated bank of this format. */
export interface SimulatedBank {
  /** Takes the files of `out/`, and returns the payments in them. */
  readonly collect: Effect.Effect<ReadonlyArray<SimulatedPayment>, FolderUnavailable>
  /** Books what was collected, and writes the files of a day. */
  readonly endDay: (date: string, faults?: ReadonlyArray<Fault>) => Effect.Effect<void, FolderUnavailable>
  /** All payments that were collected, in their order: one that was sent twice is here twice. */
  readonly payments: () => ReadonlyArray<SimulatedPayment>
}

const booked: Fate = { _tag: "Book" }

export const isoSimulator = ({
  currency = "EUR",
  fate = () => booked,
  folder: place,
  iban,
  openingBalance = 100_000_000,
}: IsoSimulatorOptions): SimulatedBank & { readonly balance: () => number } => {
  const folder = typeof place === "string" ? bankFolder(place) : place
  const all: Array<SimulatedPayment> = []
  let collected: Array<SimulatedPayment> = []
  let due: Array<{ readonly payment: SimulatedPayment; readonly code: string; readonly days: number }> = []
  let late: Array<OutgoingFile> = []
  let balance = openingBalance
  let count = 0

  const next = (prefix: string) => {
    count += 1
    return `${prefix}${String(count).padStart(8, "0")}`
  }

  const collect = Effect.gen(function* () {
    const found: Array<SimulatedPayment> = []
    for (const name of yield* folder.list("out")) {
      const bytes = yield* folder.read("out", name, 64 * 1024 * 1024)
      if (typeof bytes === "string") continue
      found.push(...readPayments(name, bytes))
      yield* folder.remove("out", name)
    }
    all.push(...found)
    collected.push(...found)
    return found
  })

  const entryOf = (payment: SimulatedPayment, returnCode?: string): SimulatedEntry => {
    const { amount, currency, direction, id } = payment
    const isCredit = (direction === "pull") === (returnCode === undefined)
    const returned = returnCode === undefined ? {} : { returnCode }
    return { reference: next("REF"), currency, amount, isCredit, endToEndId: id, ...returned }
  }

  const statusFiles = (date: string): ReadonlyArray<OutgoingFile> =>
    [...Map.groupBy(collected, ({ batchId }) => batchId)].map(([batchId, payments]) => {
      const rejected = payments.flatMap((payment) => {
        const own = fate(payment)
        return own._tag === "Reject" ? [[payment, own.code] as const] : []
      })
      const message = payments[0]?.direction === "pull" ? "pain.008.001.08" : "pain.001.001.09"
      const id = next("STS")
      return { name: `b-status-${id}.xml`, content: statusReport(id, date, batchId, message, rejected) }
    })

  /** The entries of the day: what was collected, what comes back, and what others did. */
  const entriesOf = (isForeign: boolean): ReadonlyArray<SimulatedEntry> => {
    const back = due.filter(({ days }) => days <= 0)
    due = due.filter(({ days }) => days > 0).map((each) => ({ ...each, days: each.days - 1 }))
    const forward = collected.filter((payment) => fate(payment)._tag !== "Reject")
    for (const payment of forward) {
      const own = fate(payment)
      if (own._tag === "Return") due.push({ payment, code: own.code, days: own.days })
    }
    collected = []
    const foreign: ReadonlyArray<SimulatedEntry> = isForeign
      ? [
          { reference: next("REF"), currency, amount: 1234, isCredit: true, endToEndId: `INVOICE-${count}` },
          { reference: next("REF"), currency, amount: 250, isCredit: false },
        ]
      : []
    return [
      ...forward.map((payment) => entryOf(payment)),
      ...back.map(({ code, payment }) => entryOf(payment, code)),
      ...foreign,
    ]
  }

  const endDay = Effect.fnUntraced(function* (date: string, faults: ReadonlyArray<Fault> = []) {
    const has = (fault: Fault) => faults.includes(fault)
    yield* collect
    const statuses = statusFiles(date)
    const entries = entriesOf(has("foreign"))
    const opening = balance
    balance = entries.reduce((value, { amount, isCredit }) => value + (isCredit ? amount : -amount), opening)
    const ids = { notice: next("NTF"), statement: next("STM"), wrong: next("STM") }
    const day = { date, iban, currency, opening, closing: balance, entries }
    const whole = statement({ ...day, id: ids.statement })
    const files: Array<OutgoingFile> = [
      ...statuses,
      // The statement has the same entries again.
      ...(entries.length === 0
        ? []
        : [{ name: `c-notice-${ids.notice}.xml`, content: notification(ids.notice, date, iban, entries) }]),
      { name: `${has("reordered") ? "a" : "d"}-statement-${ids.statement}.xml`, content: whole },
    ]
    if (has("duplicate")) files.push(...files.map(({ content, name }) => ({ name: `again-${name}`, content })))
    if (has("wrongTotals")) {
      const content = statement({ ...day, id: ids.wrong, closing: balance + 1 })
      files.push({ name: `e-statement-${ids.wrong}.xml`, content })
    }
    const complete = late
    late = []
    if (has("half")) {
      late = files.filter(({ name }) => name.includes("statement") && !name.startsWith("e-"))
      for (const { content, name } of late) yield* folder.write("in", name, content.slice(0, content.length / 2))
    }
    for (const { content, name } of [...complete, ...files.filter((file) => !late.includes(file))]) {
      yield* folder.write("in", name, content)
    }
  })

  return { collect, endDay, payments: () => all, balance: () => balance }
}
