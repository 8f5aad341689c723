/** The steps of a cycle with a bank one by one: what they lock, how much they take at once, and what another process has done meanwhile. Source: D-530. */
import type { BankOrder, BankRows } from "@countersign/adapter-bank-files"
import { MemoryBankFileStore } from "@countersign/adapter-bank-files"
import { Rails } from "@countersign/core/ports"
import { Clock, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { bankFileRails } from "../../../packages/adapter-bank-files/src/BankFileRails.ts"
import { buildBatches } from "../../../packages/adapter-bank-files/src/BuildBatches.ts"
import { settleOrders } from "../../../packages/adapter-bank-files/src/SettleOrders.ts"
import { writeBatches } from "../../../packages/adapter-bank-files/src/WriteBatches.ts"
import { bankWorld, clockAt, euroBank, ibanAccount } from "./BankWorld.ts"
import { exampleBatch, exampleOrder } from "./ExampleRows.ts"
import { memoryFolder } from "./MemoryFolder.ts"

const cutOff = Date.parse("2026-03-04T14:00:00Z")
const iban = { _tag: "Iban", iban: "FR1420041010050500013M02606" } as const
const party = { name: "Ada Lovelace", isBusiness: false, account: iban }

/** A store that notes some calls of its transactions, and lets another process act before the transaction with a number. */
const world = (
  meanwhile:
    | { readonly before: number; readonly act: (rows: BankRows) => Effect.Effect<unknown, unknown> }
    | undefined = undefined,
) => {
  const kept = MemoryBankFileStore.make()
  const calls: Array<string> = []
  let transactions = 0
  const noting = (rows: BankRows): BankRows => ({
    ...rows,
    lock: (name) => {
      calls.push(`lock ${name}`)
      return rows.lock(name)
    },
    waiting: (bank, before, limit) => {
      calls.push(`waiting ${limit}`)
      return rows.waiting(bank, before, limit)
    },
    settling: (bank, at, limit) => {
      calls.push(`settling ${at} ${limit}`)
      return rows.settling(bank, at, limit)
    },
    putBatch: (batch) => {
      calls.push(`batch ${batch.state}`)
      return rows.putBatch(batch)
    },
  })
  const store: typeof kept = {
    transact: (body) =>
      Effect.suspend(() => {
        transactions++
        const own = kept.transact((rows) => body(noting(rows)))
        return meanwhile?.before === transactions
          ? Effect.andThen(Effect.orDie(kept.transact((rows) => Effect.orDie(meanwhile.act(rows)))), own)
          : own
      }),
  }
  const memory = memoryFolder()
  const bank = euroBank({ folder: memory.folder })
  const run = <A>(effect: Effect.Effect<A, unknown>, at = cutOff) =>
    Effect.runPromise(
      Effect.gen(function* () {
        const clock = clockAt(() => at)(yield* Clock.Clock)
        return yield* Effect.provideService(effect, Clock.Clock, clock)
      }),
    )
  const add = (orders: ReadonlyArray<BankOrder>) => run(kept.transact((rows) => Effect.forEach(orders, rows.addOrder)))
  return { store, kept, calls, memory, bank, run, add }
}

describe("building", () => {
  it("locks the bank before it looks for orders, and ends without any", async () => {
    const { bank, calls, run, store } = world()
    expect(await run(buildBatches(bank, store))).toEqual([])
    expect(calls).toEqual(["lock bank euro", "waiting 5000"])
  })

  it("fills a file up to the sum that it can name", async () => {
    const { add, bank, kept, run, store } = world()
    await add([2, 3, 5, 1].map((amount, at) => exampleOrder(at, { amount, party, acceptedAt: at })))
    const small = { ...bank, format: { ...bank.format, sumMax: 5 } }
    const ids = await run(buildBatches(small, store))
    const orders = await run(kept.transact((rows) => Effect.forEach(ids, rows.ordersOfBatch)))
    expect(orders.map((each) => each.map(({ amount }) => amount))).toEqual([[2, 3], [5], [1]])
  })
})

describe("writing", () => {
  it("leaves the batch alone that another process has written before the file was renamed", async () => {
    // The list, the attempt and the choice come before.
    const act = (rows: BankRows) => rows.putBatch(exampleBatch("CS1", { state: "WRITTEN", attempt: 1 }))
    const { bank, calls, kept, memory, run, store } = world({ before: 4, act })
    await run(kept.transact((rows) => rows.addBatch(exampleBatch("CS1"))))
    expect(await run(writeBatches(bank, store))).toEqual(["CS1.xml"])
    expect(calls).toEqual(["batch STAGED"])
    expect(memory.names("out")).toEqual(["CS1.xml"])
  })

  it("marks the batch whose file it has renamed", async () => {
    const { bank, calls, kept, run, store } = world()
    await run(kept.transact((rows) => rows.addBatch(exampleBatch("CS1"))))
    await run(writeBatches(bank, store))
    expect(calls).toEqual(["batch STAGED", "batch WRITTEN"])
  })
})

describe("settling", () => {
  const settling = (count: number) =>
    Array.from({ length: count }, (_, n) => exampleOrder(n, { state: "BATCHED", batchId: "B1", settlesAt: cutOff }))

  it.each([
    [0, 1],
    [999, 1],
    [1000, 2],
    [1001, 2],
  ])("%d orders takes %d transactions under the lock of the bank", async (count, transactions) => {
    const { add, bank, calls, kept, run, store } = world()
    await add(settling(count))
    expect(await run(settleOrders(bank, store))).toBe(count)
    expect(calls).toEqual(
      Array.from({ length: transactions }, () => ["lock bank euro", `settling ${cutOff} 1000`]).flat(),
    )
    const orders = await run(kept.transact((rows) => rows.ordersOfBatch("B1")))
    expect(
      orders.every(({ changedAt, isReported, state }) => state === "BOOKED" && changedAt === cutOff && !isReported),
    ).toBe(true)
  })

  it("waits for the time of an order", async () => {
    const { add, bank, run, store } = world()
    await add(settling(1))
    expect(await run(settleOrders(bank, store), cutOff - 1)).toBe(0)
    expect(await run(settleOrders(bank, store), cutOff)).toBe(1)
  })
})

describe("the rails", () => {
  it("take an order without a caller for no platform", async () => {
    const { bank, kept, run, store } = world()
    const request = { reference: "Transaction:1", destination: ibanAccount(), amount: 1, submittedAt: cutOff }
    const pushed = Rails.use((rails) => rails.push(request))
    expect(await run(Effect.provide(pushed, bankFileRails([bank], store)))).toMatchObject({ _tag: "Later" })
    const [order] = await run(kept.transact((rows) => rows.orders(["Transaction:1"])))
    expect(order?.platformId).toBe("")
  })

  it("give an order to the first bank that carries it", async () => {
    const { folder } = memoryFolder()
    const { order, push } = bankWorld(
      [euroBank({ folder, name: "first" }), euroBank({ folder, name: "second" })],
      "2026-03-04T09:00:00Z",
    )
    await push("Transaction:1", ibanAccount(), 1)
    expect((await order("Transaction:1"))?.bank).toBe("first")
  })

  it("keep when an order was cancelled, and not when it is cancelled again", async () => {
    const { at, now, order, push, run } = bankWorld(
      [euroBank({ folder: memoryFolder().folder })],
      "2026-03-04T09:00:00Z",
    )
    await push("Transaction:1", ibanAccount(), 1)
    const accepted = now()
    const cancel = () =>
      run(
        Rails.use((rails) =>
          rails.cancel({
            reference: "Transaction:1",
            direction: "push",
            account: ibanAccount(),
            submittedAt: accepted,
          }),
        ),
      )
    at(accepted + 1000)
    await cancel()
    at(accepted + 2000)
    expect(await cancel()).toEqual({ _tag: "Done" })
    expect(await order("Transaction:1")).toMatchObject({ acceptedAt: accepted, changedAt: accepted + 1000 })
  })
})
