/** What every store of bank files does with its rows. */
import type { BankFileStore, BankLine, BankOrder, BankRows } from "@countersign/adapter-bank-files"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { exampleBatch, exampleLine, exampleOrder } from "../ExampleRows.ts"

const order = (n: number, more: Partial<BankOrder> = {}) => exampleOrder(n, { acceptedAt: n, ...more })
const batch = exampleBatch
const line = (key: string, more: Partial<BankLine> = {}) =>
  exampleLine(key, { bookedOn: "2026-03-04", amount: 1, orderIds: [], ...more })

export const storeSuite = (open: () => Promise<BankFileStore["Service"]>): void => {
  const start = async (orders: ReadonlyArray<BankOrder> = []) => {
    const store = await open()
    const run = <A, E>(body: (rows: BankRows) => Effect.Effect<A, E>) => Effect.runPromise(store.transact(body))
    for (const each of orders) await run((rows) => rows.addOrder(each))
    const references = async (body: (rows: BankRows) => Effect.Effect<ReadonlyArray<BankOrder>, unknown>) =>
      (await run(body)).map(({ reference }) => Number(reference.slice("Transaction:".length)))
    return { references, run, store }
  }

  it("keeps the first order of a reference, as it was", async () => {
    const party = { name: "Ada", isBusiness: false, account: { _tag: "Iban", iban: "DE1" } } as const
    const whole = order(1, { party, remittance: "x", mandate: { id: "M", signedOn: "2026-01-01" }, settlesAt: 7 })
    const { run } = await start()
    expect(await run((rows) => rows.addOrder(whole))).toEqual(whole)
    expect(await run((rows) => rows.addOrder(order(1, { amount: 7 })))).toEqual(whole)
    expect(await run((rows) => rows.orders(["Transaction:1", "Transaction:2"]))).toEqual([whole])
  })

  it("keeps no second order with an id that another has", async () => {
    const { references, run } = await start([order(1)])
    for (const more of [{ endToEndId: "E1" }, { individualId: "I1" }]) {
      await expect(run((rows) => rows.addOrder(order(2, more)))).rejects.toThrow()
    }
    expect(await references((rows) => rows.orders(["Transaction:1", "Transaction:2"]))).toEqual([1])
  })

  it("finds the orders of a bank by each of their ids", async () => {
    const { references } = await start([
      order(1, { traceNumber: "T" }),
      order(2),
      order(3, { bank: "ach", traceNumber: "T" }),
    ])
    const byId = (...ids: ReadonlyArray<string>) => references((rows) => rows.ordersById("euro", ids))
    expect([
      await byId("E1"),
      await byId("I2"),
      await byId("T"),
      await byId("E1", "I2", "X"),
      await byId("E3"),
    ]).toEqual([[1], [2], [1], [1, 2], []])
    expect([await byId(), await references((rows) => rows.ordersById("ach", ["T"]))]).toEqual([[], [3]])
  })

  it("finds the orders of a batch, the oldest first", async () => {
    const { references } = await start([
      order(3, { batchId: "B" }),
      order(1, { batchId: "B" }),
      order(2, { batchId: "C" }),
      order(4),
    ])
    expect(await references((rows) => rows.ordersOfBatch("B"))).toEqual([1, 3])
  })

  it("finds waiting orders of before an instant, the oldest first, and of one age by their reference", async () => {
    const { references } = await start([
      order(5),
      order(4),
      order(3, { acceptedAt: 4 }),
      order(2, { bank: "ach" }),
      order(1, { state: "BATCHED" }),
    ])
    expect(await references((rows) => rows.waiting("euro", 6, 9))).toEqual([3, 4, 5])
    expect(await references((rows) => rows.waiting("euro", 5, 9))).toEqual([3, 4])
    expect(await references((rows) => rows.waiting("euro", 6, 2))).toEqual([3, 4])
  })

  it("finds orders in files that count as executed at an instant", async () => {
    const batched = { state: "BATCHED", settlesAt: 10 } as const
    const { references } = await start([
      order(1, batched),
      order(2, { ...batched, settlesAt: 11 }),
      order(3, { ...batched, bank: "ach" }),
      order(4, { ...batched, state: "BOOKED" }),
      order(5, { state: "BATCHED" }),
      order(6, batched),
    ])
    expect(await references((rows) => rows.settling("euro", 10, 9))).toEqual([1, 6])
    expect(await references((rows) => rows.settling("euro", 11, 2))).toEqual([1, 2])
    expect(await references((rows) => rows.settling("euro", 9, 9))).toEqual([])
  })

  it("replaces orders", async () => {
    const { references, run } = await start([order(1), order(2)])
    const changed = [
      order(1, { state: "BATCHED", batchId: "B", traceNumber: "T", settlesAt: 3, isReported: false }),
      order(2, { state: "BATCHED", batchId: "B" }),
    ]
    await run((rows) => rows.putOrders(changed))
    await run((rows) => rows.putOrders([]))
    expect(await run((rows) => rows.orders(["Transaction:1", "Transaction:2"]))).toEqual(changed)
    expect(await references((rows) => rows.waiting("euro", 99, 9))).toEqual([])
    expect(await references((rows) => rows.ordersById("euro", ["T"]))).toEqual([1])
    expect(await references((rows) => rows.ordersOfBatch("B"))).toEqual([1, 2])
    expect(await references((rows) => rows.settling("euro", 3, 9))).toEqual([1])
    expect(await references((rows) => rows.listUnreported(9))).toEqual([1])
  })

  it("lists orders that are not reported, the oldest first", async () => {
    const { references } = await start([order(3, { isReported: false }), order(2), order(1, { isReported: false })])
    expect([
      await references((rows) => rows.listUnreported(9)),
      await references((rows) => rows.listUnreported(1)),
    ]).toEqual([[1, 3], [1]])
  })

  it("lists the orders of a bank that were accepted in a period, without its end", async () => {
    const { references } = await start([
      order(4),
      order(3),
      order(2),
      order(1),
      order(5, { bank: "ach", acceptedAt: 3 }),
    ])
    expect(await references((rows) => rows.listOrders("euro", 2, 4))).toEqual([2, 3])
  })

  it("keeps batches, each cut-off's parts once", async () => {
    const { run } = await start()
    await run((rows) => rows.addBatch(batch("B1")))
    await run((rows) => rows.addBatch(batch("B2", { part: 3 })))
    await run((rows) => rows.addBatch(batch("B3", { kind: "pull.EUR", part: 7 })))
    await run((rows) => rows.addBatch(batch("B4", { bank: "ach", part: 8 })))
    await run((rows) => rows.addBatch(batch("B5", { cutOff: 6, part: 9 })))
    await run((rows) => rows.addBatch(batch("B6", { kind: "pull.EUR" })))
    await run((rows) => rows.addBatch(batch("B7", { bank: "ach" })))
    await run((rows) => rows.addBatch(batch("B8", { cutOff: 6 })))
    for (const twice of [batch("B1", { part: 99 }), batch("B9"), batch("B9", { part: 3 })]) {
      await expect(run((rows) => rows.addBatch(twice))).rejects.toThrow()
    }
    const lastPart = (bank: string, cutOff: number, kind: string) => run((rows) => rows.lastPart(bank, cutOff, kind))
    expect([
      await lastPart("euro", 5, "push.EUR"),
      await lastPart("euro", 5, "pull.EUR"),
      await lastPart("ach", 5, "push.EUR"),
      await lastPart("euro", 6, "push.EUR"),
      await lastPart("euro", 7, "push.EUR"),
    ]).toEqual([3, 7, 8, 9, 0])
    expect([await run((rows) => rows.batch("B1")), await run((rows) => rows.batch("X"))]).toEqual([
      batch("B1"),
      undefined,
    ])
  })

  it("lists the batches of a bank that are not written", async () => {
    const { run } = await start()
    await run((rows) => rows.addBatch(batch("B1")))
    await run((rows) => rows.addBatch(batch("B2", { cutOff: 6 })))
    await run((rows) => rows.addBatch(batch("B3", { cutOff: 7, state: "WRITTEN" })))
    await run((rows) => rows.addBatch(batch("B4", { bank: "ach" })))
    const staged = batch("B1", { state: "STAGED", attempt: 4 })
    await run((rows) => rows.putBatch(staged))
    expect(await run((rows) => rows.listUnwritten("euro"))).toEqual([staged, batch("B2", { cutOff: 6 })])
    await run((rows) => rows.putBatch({ ...staged, state: "WRITTEN" }))
    expect((await run((rows) => rows.listUnwritten("euro"))).map(({ id }) => id)).toEqual(["B2"])
  })

  it("keeps a file of a bank once", async () => {
    const { run } = await start()
    const file = { bank: "euro", digest: "d1", name: "n", kind: "k", messageId: "m", takenAt: 1 }
    const added = []
    for (const each of [file, { ...file, name: "other" }, { ...file, digest: "d2" }, { ...file, bank: "ach" }]) {
      added.push(await run((rows) => rows.addFile(each)))
    }
    expect(added).toEqual([true, false, true, true])
    const known = ([bank, digest]: readonly [string, string]) => run((rows) => rows.hasFile(bank, digest))
    const asked = [
      ["euro", "d1"],
      ["ach", "d1"],
      ["ach", "d2"],
      ["other", "d1"],
    ] as const
    expect(await Promise.all(asked.map(known))).toEqual([true, true, false, false])
  })

  it("keeps a line of a key once, and returns those that are new", async () => {
    const { run } = await start()
    expect(await run((rows) => rows.addLines([line("1"), line("2")]))).toEqual([line("1"), line("2")])
    expect(await run((rows) => rows.addLines([line("2", { amount: 9 }), line("3")]))).toEqual([line("3")])
    expect(await run((rows) => rows.addLines([]))).toEqual([])
    expect(await run((rows) => rows.listLines("euro", "2026-03-04", "2026-03-04"))).toEqual([
      line("1"),
      line("2"),
      line("3"),
    ])
  })

  it("lists the lines of a bank of some days, both included", async () => {
    const { run } = await start()
    const days = ["2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04"]
    await run((rows) => rows.addLines(days.map((bookedOn) => line(bookedOn, { bookedOn }))))
    await run((rows) => rows.addLines([line("other", { bank: "ach", bookedOn: "2026-03-02" })]))
    const listed = await run((rows) => rows.listLines("euro", "2026-03-02", "2026-03-03"))
    expect(listed.map(({ key }) => key)).toEqual(["2026-03-02", "2026-03-03"])
  })

  it("gives numbers of a sequence, from 1 on and each once", async () => {
    const { run } = await start()
    const next = (name: string, count: number) => run((rows) => rows.numbers(name, count))
    expect([await next("a", 3), await next("b", 1), await next("a", 0), await next("a", 2)]).toEqual([
      [1, 2, 3],
      [1],
      [],
      [4, 5],
    ])
  })

  it("locks a name, more than once in a transaction", async () => {
    const { run } = await start()
    expect(await run((rows) => Effect.andThen(rows.lock("a"), rows.lock("a")))).toBeUndefined()
  })

  it("applies nothing of a transaction that fails, of whatever table", async () => {
    const { run, store } = await start([order(1)])
    const failed = store.transact((rows) =>
      Effect.gen(function* () {
        yield* rows.addOrder(order(2))
        yield* rows.putOrders([order(1, { state: "CANCELLED" })])
        yield* rows.addBatch(batch("B1"))
        yield* rows.addFile({ bank: "euro", digest: "d1", name: "n", kind: "k", messageId: "m", takenAt: 1 })
        yield* rows.addLines([line("1")])
        yield* rows.numbers("a", 5)
        return yield* Effect.fail("refused" as const)
      }),
    )
    expect(await Effect.runPromise(Effect.flip(failed))).toBe("refused")
    expect(await run((rows) => rows.orders(["Transaction:1", "Transaction:2"]))).toEqual([order(1)])
    expect(await run((rows) => rows.batch("B1"))).toBeUndefined()
    expect(await run((rows) => rows.hasFile("euro", "d1"))).toBe(false)
    expect(await run((rows) => rows.listLines("euro", "2026-03-04", "2026-03-04"))).toEqual([])
    expect(await run((rows) => rows.numbers("a", 1))).toEqual([1])
  })
}
