/**
 * Takes the files of `in/`, each once: a transaction keeps the digest, the lines and what they change, and only then is the file moved. A
 * process that dies between the two finds the digest the next time, and moves the file.
 * Source: D-530.
 */
import { createHash } from "node:crypto"
import { Clock, Effect, Result } from "effect"
import type { Bank } from "./Bank.ts"
import { bankLock } from "./BuildBatches.ts"
import type { BankLine } from "./orders/BankFile.ts"
import type { BankFileStore, BankRows } from "./orders/BankFileStore.ts"
import type { ReadFile } from "./orders/BankFormat.ts"
import type { BankOrder } from "./orders/BankOrder.ts"
import { eventOfLine, isTotalOf, orderIndex, orderOf } from "./orders/Matching.ts"
import { afterEvent, type OrderEvent } from "./orders/OrderEvent.ts"
import { FileProblem } from "./text/FileProblem.ts"

/** What became of the files that were found in `in/`, by name. */
export interface TakenFiles {
  /** Files that were taken now. */
  readonly done: ReadonlyArray<string>
  /** Files whose content was taken before. */
  readonly repeated: ReadonlyArray<string>
  /** Files that cannot be read, or are too large or incomplete for too long. */
  readonly rejected: ReadonlyArray<{ readonly name: string; readonly reason: string }>
  /** Files that are not complete yet. */
  readonly waiting: ReadonlyArray<string>
}

/** When an incomplete file was first seen with this content. It is forgotten with the process, which then waits again. */
export type Patience = Map<string, { readonly digest: string; readonly since: number }>

type Outcome = "done" | "repeated" | "gone" | "waiting" | { readonly reason: string }

/** The orders that a file names, and what it changes in them. */
const changedOrders = (
  orders: ReadonlyMap<string, BankOrder>,
  { notices }: ReadFile,
  lines: ReadonlyArray<BankLine>,
  now: number,
): ReadonlyArray<BankOrder> => {
  const current = new Map(orders)
  const index = orderIndex(orders.values())
  const changed = new Set<string>()
  const apply = (reference: string, event: OrderEvent | undefined) => {
    const order = current.get(reference)
    if (order === undefined || event === undefined) return
    const next = afterEvent(order, event, now)
    if (next === order) return
    current.set(reference, next)
    changed.add(reference)
  }
  const ofBatch = (id: string) => [...current.values()].filter(({ batchId }) => batchId === id)
  for (const { batchId, event, orderIds } of notices) {
    const order = orderIds === undefined ? undefined : orderOf(index, orderIds)
    if (order !== undefined) apply(order.reference, event)
    if (batchId !== undefined) for (const { reference } of ofBatch(batchId)) apply(reference, event)
  }
  for (const line of lines) {
    const order = orderOf(index, line.orderIds)
    if (order !== undefined) apply(order.reference, eventOfLine(line, order))
    const { batchId } = line
    if (batchId === undefined || !isTotalOf(line, ofBatch(batchId))) continue
    for (const { reference } of ofBatch(batchId)) apply(reference, { _tag: "Confirmed" })
  }
  return [...changed].flatMap((reference) => current.get(reference) ?? [])
}

const keep = Effect.fnUntraced(function* (
  bank: Bank,
  rows: BankRows,
  file: { readonly name: string; readonly digest: string },
  read: ReadFile,
) {
  const now = yield* Clock.currentTimeMillis
  yield* rows.lock(bankLock(bank))
  const { kind, messageId, notices } = read
  const isNew = yield* rows.addFile({ ...file, bank: bank.name, kind, messageId, takenAt: now })
  if (!isNew) return "repeated" as const
  const stated = read.lines.map((line): BankLine => {
    const { digest } = file
    return { ...line, key: `${bank.name}|${line.key}`, bank: bank.name, digest }
  })
  const lines = yield* rows.addLines(stated)
  const named = [...notices, ...lines]
  const ids = [...new Set(named.flatMap(({ orderIds = [] }) => orderIds))]
  const batchIds = [...new Set(named.flatMap(({ batchId = [] }) => batchId))]
  const found = [...(yield* rows.ordersById(bank.name, ids))]
  for (const id of batchIds) found.push(...(yield* rows.ordersOfBatch(id)))
  // Another bank may have a batch with this id.
  const own = found.filter((order) => order.bank === bank.name)
  const orders = new Map(own.map((order) => [order.reference, order]))
  yield* rows.putOrders(changedOrders(orders, read, lines, now))
  return "done" as const
})

const parse = (bank: Bank, bytes: Uint8Array): Result.Result<ReadFile, string> => {
  try {
    return Result.succeed(bank.format.read(bytes))
  } catch (problem) {
    if (problem instanceof FileProblem) return Result.fail(problem.message)
    throw problem
  }
}

/** The name of a file of the bank where it is kept: two files of one name have two. */
const keptName = (digest: string, name: string): string => `${digest.slice(0, 12)}-${name.slice(-120)}`

const digestOf = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex")

export const takeFiles = Effect.fnUntraced(function* (bank: Bank, store: BankFileStore["Service"], patience: Patience) {
  const { bytesMax, folder } = bank

  const reject = Effect.fnUntraced(function* (name: string, digest: string, reason: string) {
    const at = new Date(yield* Clock.currentTimeMillis).toISOString()
    const kept = keptName(digest, name)
    yield* folder.write(
      "rejected",
      `${kept}.reason.json`,
      `${JSON.stringify({ file: name, digest, reason, at }, null, 2)}\n`,
    )
    yield* folder.move("in", name, "rejected", kept)
    return { reason }
  })

  /** A file that cannot be read may be half of one: it is rejected only when it stays as it is. */
  const waitOrReject = Effect.fnUntraced(function* (name: string, digest: string, reason: string) {
    const now = yield* Clock.currentTimeMillis
    const known = patience.get(name)
    if (known?.digest === digest && now - known.since >= bank.patienceMillis) {
      patience.delete(name)
      return yield* reject(name, digest, reason)
    }
    if (known?.digest !== digest) patience.set(name, { digest, since: now })
    return "waiting" as const
  })

  const take = Effect.fnUntraced(function* (name: string) {
    const bytes = yield* folder.read("in", name, bytesMax)
    if (bytes === "gone") return "gone" as const
    if (bytes === "changing") return "waiting" as const
    if (bytes === "large") return yield* reject(name, digestOf(name), `the file has more than ${bytesMax} bytes`)
    const digest = digestOf(bytes)
    const isKnown = yield* store.transact((rows) => rows.hasFile(bank.name, digest))
    if (!isKnown) {
      const read = parse(bank, bytes)
      if (Result.isFailure(read)) return yield* waitOrReject(name, digest, read.failure)
      const kept = yield* store.transact((rows) => keep(bank, rows, { name, digest }, read.success))
      if (kept === "done") {
        yield* folder.move("in", name, "done", keptName(digest, name))
        return kept
      }
    }
    yield* folder.move("in", name, "done", keptName(digest, name))
    return "repeated" as const
  })

  const names = yield* folder.list("in")
  const outcomes: Array<readonly [string, Outcome]> = []
  for (const name of names) outcomes.push([name, yield* take(name)])
  for (const name of patience.keys()) if (!names.includes(name)) patience.delete(name)
  const those = (outcome: Outcome) => outcomes.filter(([, each]) => each === outcome).map(([name]) => name)
  const taken: TakenFiles = {
    done: those("done"),
    repeated: those("repeated"),
    waiting: those("waiting"),
    rejected: outcomes.flatMap(([name, outcome]) => (typeof outcome === "string" ? [] : { name, ...outcome })),
  }
  return taken
})
