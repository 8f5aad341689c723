/** What a file of a bank is stored with, and which orders it changes: of its notices, its entries and the totals of batches. Source: `TakeFiles.ts`; D-530. */
import type { BankOrder, BankRows } from "@countersign/adapter-bank-files"
import { MemoryBankFileStore } from "@countersign/adapter-bank-files"
import { Clock, Effect } from "effect"
import { describe, expect, it } from "vitest"
import type { ReadFile } from "../../../packages/adapter-bank-files/src/orders/BankFormat.ts"
import type { OrderEvent } from "../../../packages/adapter-bank-files/src/orders/OrderEvent.ts"
import { type Patience, takeFiles } from "../../../packages/adapter-bank-files/src/TakeFiles.ts"
import { FileProblem } from "../../../packages/adapter-bank-files/src/text/FileProblem.ts"
import { achAccount, bankWorld, clockAt, euroBank, ibanAccount } from "./BankWorld.ts"
import { exampleLine, exampleOrder } from "./ExampleRows.ts"
import { memoryFolder } from "./MemoryFolder.ts"

const order = (n: number, more: Partial<BankOrder> = {}) =>
  exampleOrder(n, { state: "BATCHED", batchId: "B1", ...more })
const line = (key: string, more: Parameters<typeof exampleLine>[1] = {}): ReadFile["lines"][number] => {
  const { bank: _bank, digest: _digest, ...own } = exampleLine(key, more)
  return own
}
const confirmed: OrderEvent = { _tag: "Confirmed" }

/** A bank whose files say what a test says, with the calls of rows that change or lock something. */
const world = async (orders: ReadonlyArray<BankOrder>, read: () => Partial<ReadFile>) => {
  const memory = memoryFolder()
  const kept = MemoryBankFileStore.make()
  await Effect.runPromise(kept.transact((rows) => Effect.forEach(orders, rows.addOrder)))
  const calls: Array<readonly [string, unknown]> = []
  let hidesFiles = false
  const noting = (rows: BankRows): BankRows => ({
    ...rows,
    hasFile: (...asked) => (hidesFiles ? Effect.succeed(false) : rows.hasFile(...asked)),
    lock: (name) =>
      Effect.andThen(
        Effect.sync(() => calls.push(["lock", name])),
        rows.lock(name),
      ),
    addFile: (file) =>
      Effect.andThen(
        Effect.sync(() => calls.push(["file", file])),
        rows.addFile(file),
      ),
    putOrders: (changed) => {
      calls.push(["orders", changed.map(({ reference, state }) => `${reference} ${state}`)])
      return rows.putOrders(changed)
    },
  })
  const base = euroBank({ folder: memory.folder })
  const file = () => ({ kind: "camt.053", messageId: "M1", notices: [], lines: [], ...read() })
  const bank = { ...base, format: { ...base.format, read: file } }
  const patience: Patience = new Map()
  let now = 1000
  const take = () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const clock = clockAt(() => now)(yield* Clock.Clock)
        const store = {
          transact: <A, E>(body: (rows: BankRows) => Effect.Effect<A, E>) =>
            kept.transact((rows) => body(noting(rows))),
        }
        return yield* Effect.provideService(takeFiles(bank, store, patience), Clock.Clock, clock)
      }),
    )
  const arrive = (name: string, content: string) => Effect.runPromise(memory.folder.write("in", name, content))
  const isOvertaken = () => {
    hidesFiles = true
  }
  return {
    arrive,
    take,
    isOvertaken,
    calls,
    kept,
    patience,
    memory,
    bank,
    at: (millis: number) => {
      now = millis
    },
  }
}
const changes = async (orders: ReadonlyArray<BankOrder>, read: Partial<ReadFile>) => {
  const { arrive, calls, take } = await world(orders, () => read)
  await arrive("a", "1")
  expect(await take()).toMatchObject({ done: ["a"] })
  return calls.find(([name]) => name === "orders")?.[1]
}

describe("a file", () => {
  it("is stored under the lock of its bank, with its digest and the time", async () => {
    const { arrive, calls, take } = await world([], () => ({}))
    await arrive("a", "1")
    await take()
    const digest = "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b"
    expect(calls).toEqual([
      ["lock", "bank euro"],
      ["file", { name: "a", digest, bank: "euro", kind: "camt.053", messageId: "M1", takenAt: 1000 }],
      ["orders", []],
    ])
  })

  it("that was stored under another name is repeated, and changes nothing", async () => {
    const { arrive, bank, calls, kept, take } = await world([order(1)], () => ({ lines: [line("1")] }))
    await arrive("a", "1")
    await arrive("b", "1")
    const file = { name: "x", bank: bank.name, kind: "k", messageId: "m", takenAt: 1 }
    const digest = "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b"
    await Effect.runPromise(kept.transact((rows) => rows.addFile({ ...file, digest })))
    expect(await take()).toEqual({ done: [], repeated: ["a", "b"], waiting: [], rejected: [] })
    expect(calls).toEqual([])
  })

  it("that another process stores meanwhile is repeated, and changes nothing", async () => {
    const { arrive, calls, isOvertaken, kept, take } = await world([order(1)], () => ({ lines: [line("1")] }))
    await arrive("a", "1")
    const file = { name: "x", bank: "euro", kind: "k", messageId: "m", takenAt: 1 }
    const digest = "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b"
    await Effect.runPromise(kept.transact((rows) => rows.addFile({ ...file, digest })))
    isOvertaken()
    expect(await take()).toEqual({ done: [], repeated: ["a"], waiting: [], rejected: [] })
    expect(calls.map(([name]) => name)).toEqual(["lock", "file"])
  })

  it("that cannot be read waits from when it was first seen so, and is rejected when it stays", async () => {
    const { arrive, at, bank, patience, take } = await world([], () => {
      throw new FileProblem("half of it")
    })
    await arrive("a", "1")
    expect(await take()).toMatchObject({ waiting: ["a"] })
    at(1000 + bank.patienceMillis - 1)
    expect(await take()).toMatchObject({ waiting: ["a"] })
    expect([...patience.values()].map(({ since }) => since)).toEqual([1000])
    at(1000 + bank.patienceMillis)
    expect(await take()).toMatchObject({ waiting: [], rejected: [{ name: "a", reason: "half of it" }] })
    expect(patience.size).toBe(0)
  })
})

describe("the orders of a file", () => {
  it("change by a notice about them, or about their batch, and not by one that says nothing new", async () => {
    const orders = [order(1), order(2), order(3, { batchId: "B2" }), order(4, { state: "BOOKED" })]
    const notices = [{ batchId: "B1", event: confirmed }]
    expect(await changes(orders, { notices })).toEqual(["Transaction:1 BOOKED", "Transaction:2 BOOKED"])
    expect(await changes(orders, { notices: [{ orderIds: ["E3"], event: confirmed }] })).toEqual([
      "Transaction:3 BOOKED",
    ])
    expect(await changes(orders, { notices: [{ orderIds: ["E4"], event: confirmed }] })).toEqual([])
    const both = [...notices, { batchId: "B2", event: confirmed }]
    expect(await changes(orders, { notices: [{ orderIds: ["E3"], event: confirmed }, ...both].slice(0, 2) })).toEqual([
      "Transaction:3 BOOKED",
      "Transaction:1 BOOKED",
      "Transaction:2 BOOKED",
    ])
  })

  it("change by the total of their batch alone, while another batch is named beside it", async () => {
    const orders = [order(1), order(2), order(3, { batchId: "B2" })]
    const total = line("1", { orderIds: [], batchId: "B1", amount: 203 })
    const other = line("2", { orderIds: [], batchId: "B2", amount: 1 })
    expect(await changes(orders, { lines: [total, other] })).toEqual(["Transaction:1 BOOKED", "Transaction:2 BOOKED"])
    expect(await changes(orders, { lines: [other] })).toEqual([])
  })

  it("do not change by an entry that an earlier file had", async () => {
    const corrected: OrderEvent = { _tag: "Corrected", code: "C01", data: "1" }
    let lines = [line("1", { amount: 1 })]
    let notices: ReadFile["notices"] = []
    const { arrive, calls, take } = await world([order(1)], () => ({ lines, notices }))
    await arrive("a", "1")
    await take()
    lines = [line("1")]
    notices = [{ orderIds: ["E1"], event: corrected }]
    await arrive("b", "2")
    expect(await take()).toMatchObject({ done: ["b"] })
    expect(calls.filter(([name]) => name === "orders").map(([, changed]) => changed)).toEqual([
      [],
      ["Transaction:1 BATCHED"],
    ])
  })
})

describe("an order that is refused at once", () => {
  it("says whether no bank carries it, or whether its text cannot be written", async () => {
    const { folder } = memoryFolder()
    const { order: kept, push } = bankWorld([euroBank({ folder })], "2026-03-04T09:00:00Z")
    expect(await push("Transaction:1", achAccount(), 5)).toEqual({ _tag: "Refused", reason: "BANK_REJECTED" })
    expect(await kept("Transaction:1")).toMatchObject({ state: "REJECTED", code: "NO_BANK", bank: "" })
    expect(await push("Transaction:2", ibanAccount(), 5, "№Ж")).toEqual({ _tag: "Refused", reason: "EXECUTION_FAILED" })
    expect(await kept("Transaction:2")).toMatchObject({ state: "REJECTED", code: "TEXT", bank: "euro" })
  })
})
