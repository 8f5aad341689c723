/** The state of bank files in memory, for tests and sandboxes: it ends with the process. Source: D-530. */
import { Effect, Layer, Semaphore } from "effect"
import type { BankBatch, BankLine, ReceivedFile } from "../orders/BankFile.ts"
import { BankFileStore, type BankRows } from "../orders/BankFileStore.ts"
import type { BankOrder } from "../orders/BankOrder.ts"

interface Tables {
  readonly orders: Map<string, BankOrder>
  readonly batches: Map<string, BankBatch>
  readonly files: Map<string, ReceivedFile>
  readonly lines: Map<string, BankLine>
  readonly numbers: Map<string, number>
}

const copied = (tables: Tables): Tables => ({
  orders: new Map(tables.orders),
  batches: new Map(tables.batches),
  files: new Map(tables.files),
  lines: new Map(tables.lines),
  numbers: new Map(tables.numbers),
})

const byAge = (a: BankOrder, b: BankOrder): number =>
  a.acceptedAt - b.acceptedAt || (a.reference < b.reference ? -1 : 1)

const rowsOf = ({ batches, files, lines, numbers, orders }: Tables): BankRows => {
  const select = (accepts: (order: BankOrder) => boolean, limit = Number.POSITIVE_INFINITY) =>
    Effect.sync(() => [...orders.values()].filter(accepts).toSorted(byAge).slice(0, limit))
  return {
    // One transaction runs at a time.
    lock: () => Effect.void,
    numbers: (name, count) =>
      Effect.sync(() => {
        const last = numbers.get(name) ?? 0
        numbers.set(name, last + count)
        return Array.from({ length: count }, (_, n) => last + n + 1)
      }),
    addOrder: (order) =>
      Effect.sync(() => {
        const known = orders.get(order.reference)
        if (known !== undefined) return known
        const rival = [...orders.values()].find(
          ({ endToEndId, individualId }) => endToEndId === order.endToEndId || individualId === order.individualId,
        )
        if (rival !== undefined) throw new Error("another order has the same identifier")
        orders.set(order.reference, order)
        return order
      }),
    orders: (references) => select(({ reference }) => references.includes(reference)),
    ordersById: (bank, ids) => {
      const known = new Set(ids)
      return select(
        (order) =>
          order.bank === bank &&
          [order.endToEndId, order.individualId, order.traceNumber].some((id) => id !== undefined && known.has(id)),
      )
    },
    ordersOfBatch: (batchId) => select((order) => order.batchId === batchId),
    waiting: (bank, before, limit) =>
      select((order) => order.bank === bank && order.state === "ACCEPTED" && order.acceptedAt < before, limit),
    settling: (bank, at, limit) =>
      select(
        ({ bank: own, settlesAt, state }) =>
          own === bank && state === "BATCHED" && settlesAt !== undefined && settlesAt <= at,
        limit,
      ),
    putOrders: (changed) =>
      Effect.sync(() => {
        for (const order of changed) orders.set(order.reference, order)
      }),
    addBatch: (batch) =>
      Effect.sync(() => {
        const isKnown = [...batches.values()].some(
          ({ bank, cutOff, kind, part }) =>
            bank === batch.bank && cutOff === batch.cutOff && kind === batch.kind && part === batch.part,
        )
        if (isKnown || batches.has(batch.id)) throw new Error(`the batch ${batch.id} exists already`)
        batches.set(batch.id, batch)
      }),
    batch: (id) => Effect.sync(() => batches.get(id)),
    putBatch: (batch) => Effect.sync(() => void batches.set(batch.id, batch)),
    lastPart: (bank, cutOff, kind) =>
      Effect.sync(() =>
        [...batches.values()]
          .filter((batch) => batch.bank === bank && batch.cutOff === cutOff && batch.kind === kind)
          .reduce((last, { part }) => Math.max(last, part), 0),
      ),
    addFile: (file) =>
      Effect.sync(() => {
        const key = `${file.bank} ${file.digest}`
        const isNew = !files.has(key)
        if (isNew) files.set(key, file)
        return isNew
      }),
    addLines: (added) =>
      Effect.sync(() =>
        added.filter((line) => {
          const isNew = !lines.has(line.key)
          if (isNew) lines.set(line.key, line)
          return isNew
        }),
      ),
    listUnwritten: (bank) =>
      Effect.sync(() => [...batches.values()].filter((batch) => batch.bank === bank && batch.state !== "WRITTEN")),
    listUnreported: (limit) => select(({ isReported }) => !isReported, limit),
    listOrders: (bank, from, to) =>
      select((order) => order.bank === bank && order.acceptedAt >= from && order.acceptedAt < to),
    listLines: (bank, from, to) =>
      Effect.sync(() =>
        [...lines.values()].filter((line) => line.bank === bank && line.bookedOn >= from && line.bookedOn <= to),
      ),
    hasFile: (bank, digest) => Effect.sync(() => files.has(`${bank} ${digest}`)),
  }
}

const make = (): BankFileStore["Service"] => {
  let tables: Tables = {
    orders: new Map(),
    batches: new Map(),
    files: new Map(),
    lines: new Map(),
    numbers: new Map(),
  }
  const turns = Semaphore.makeUnsafe(1)
  return {
    transact: (body) =>
      turns.withPermits(1)(
        Effect.suspend(() => {
          const own = copied(tables)
          return Effect.map(body(rowsOf(own)), (answer) => {
            tables = own
            return answer
          })
        }),
      ),
  }
}

export const MemoryBankFileStore = { make, layer: Layer.sync(BankFileStore, make) }
