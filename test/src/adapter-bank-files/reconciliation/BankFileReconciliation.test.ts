/** The reconciliation of banks for the service: which records it reads, how often, and when the store does not answer. */
import { type BankFileStore, type BankOrder, MemoryBankFileStore } from "@countersign/adapter-bank-files"
import { PortUnavailable } from "@countersign/core/ports"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { BankFilesUnavailable } from "../../../../packages/adapter-bank-files/src/orders/BankFileStore.ts"
import { recordsSince } from "../../../../packages/adapter-bank-files/src/ReconcileBank.ts"
import { achBank, bankWorld, euroBank, ibanAccount } from "../BankWorld.ts"
import { exampleLine, exampleOrder } from "../ExampleRows.ts"
import { memoryFolder } from "../MemoryFolder.ts"

const now = Date.parse("2026-03-31T12:00:00Z")
const { folder } = memoryFolder()
const bank = euroBank({ folder })
const order = (n: number, more: Partial<BankOrder> = {}) =>
  exampleOrder(n, { amount: 100, state: "BOOKED", acceptedAt: now - 1000, changedAt: now - 1000, ...more })
const line = (key: string, more: object = {}) =>
  exampleLine(key, { bookedOn: "2026-03-31", amount: 100, orderIds: [], ...more })
const storeWith = async (orders: ReadonlyArray<BankOrder>, lines: ReadonlyArray<ReturnType<typeof line>> = []) => {
  const store = MemoryBankFileStore.make()
  await Effect.runPromise(
    store.transact((rows) => Effect.andThen(rows.putOrders(orders), Effect.asVoid(rows.addLines(lines)))),
  )
  return store
}
const period = { from: "2026-03-01", to: "2026-03-31" }
const unavailable: BankFileStore["Service"] = {
  transact: () => Effect.fail(new BankFilesUnavailable({ cause: new Error("refused") })),
}
const answers = new PortUnavailable({
  operation: "BankReconciliation",
  cause: "the store of bank files does not answer",
})

describe("the records of a bank", () => {
  it("are its orders since the first local instant of a day until now", async () => {
    const from = Date.parse("2026-02-28T23:00:00Z")
    const times = [from - 1, from, now, now + 1]
    const store = await storeWith([
      ...times.map((acceptedAt, n) => order(n, { acceptedAt })),
      order(9, { bank: "ach", acceptedAt: from }),
    ])
    const { orders } = await Effect.runPromise(recordsSince(bank, store, "2026-03-01", now))
    expect(orders.map(({ reference }) => reference)).toEqual(["Transaction:1", "Transaction:2"])
  })

  it("are its lines since a day, up to a week ahead", async () => {
    const days = ["2026-02-28", "2026-03-01", "2026-04-07", "2026-04-08"]
    const store = await storeWith(
      [],
      [...days.map((bookedOn) => line(bookedOn, { bookedOn })), line("x", { bank: "ach" })],
    )
    const { lines } = await Effect.runPromise(recordsSince(bank, store, "2026-03-01", now))
    expect(lines.map(({ key }) => key)).toEqual(["2026-03-01", "2026-04-07"])
  })

  it("have older orders that lines name by their ids or by their file", async () => {
    const old = { acceptedAt: 1 }
    const store = await storeWith(
      [
        order(1),
        order(2, old),
        order(3, old),
        order(4, { ...old, batchId: "B1" }),
        order(5, { ...old, bank: "ach", batchId: "B1" }),
        order(6, { ...old, bank: "ach" }),
        order(7, old),
      ],
      [line("1", { orderIds: ["E1"] }), line("2", { orderIds: ["E2", "I3", "E6"] }), line("3", { batchId: "B1" })],
    )
    const { orders } = await Effect.runPromise(recordsSince(bank, store, "2026-03-01", now))
    expect(orders.map(({ reference }) => reference).toSorted()).toEqual([
      "Transaction:1",
      "Transaction:2",
      "Transaction:3",
      "Transaction:4",
    ])
  })
})

describe("a comparison", () => {
  const fact = { reference: "Transaction:1", currency: "EUR", amount: 100, isExecuted: true }
  const compare = (store: BankFileStore["Service"], factsOf: () => Effect.Effect<ReadonlyArray<typeof fact>>) => {
    const { files, run } = bankWorld([bank, achBank({ folder: memoryFolder().folder })], "2026-03-31T12:00:00Z", store)
    return run(files.reconciliation.compare("euro", period, factsOf))
  }

  it("asks the ledger once if no order changes meanwhile", async () => {
    let asked = 0
    const store = await storeWith([order(1)], [line("1", { orderIds: ["E1"] })])
    const { lines, orders } = await compare(store, () =>
      Effect.sync(() => {
        asked += 1
        return [fact]
      }),
    )
    expect([asked, lines.map(({ verdict }) => verdict), orders.map(({ verdict }) => verdict)]).toEqual([
      1,
      ["MATCHED"],
      ["AGREED"],
    ])
  })

  it("asks again if an order changed or arrived meanwhile, three times at most", async () => {
    for (const [changes, expected] of [
      [1, 2],
      [2, 3],
      [9, 3],
    ] as const) {
      let asked = 0
      const store = await storeWith([order(1)])
      await compare(store, () =>
        Effect.suspend(() => {
          asked += 1
          const changed = asked % 2 === 1 ? order(1, { changedAt: now - 1000 + asked }) : order(10 + asked)
          const put = store.transact((rows) => rows.putOrders(asked <= changes ? [changed] : []))
          return Effect.as(Effect.orDie(put), [fact])
        }),
      )
      expect([changes, asked]).toEqual([changes, expected])
    }
  })

  it("reads the lines of 60 days before the period, by which a second line of an order is known", async () => {
    const earlier = async (bookedOn: string) => {
      const lines = [line("1", { orderIds: ["E1"], bookedOn }), line("2", { orderIds: ["E1"] })]
      const { lines: found } = await compare(await storeWith([order(1)], lines), () => Effect.succeed([fact]))
      return found.map(({ problem, verdict }) => problem ?? verdict)
    }
    expect(await earlier("2025-12-31")).toEqual(["DOUBLED"])
    expect(await earlier("2025-12-30")).toEqual(["MATCHED"])
  })

  it("of a bank that does not exist is a mistake, and of a store that does not answer is unavailable", async () => {
    const { files, run } = bankWorld([bank], "2026-03-31T12:00:00Z", unavailable)
    const factsOf = () => Effect.succeed([])
    await expect(run(files.reconciliation.compare("ach", period, factsOf))).rejects.toThrow(
      new RangeError("there is no bank ach"),
    )
    await expect(run(files.reconciliation.compare("euro", period, factsOf))).rejects.toEqual(answers)
  })
})

describe("a payment without an order", () => {
  const payment = (n: number, more: object = {}) => ({
    reference: `Transaction:${n}`,
    direction: "push" as const,
    account: ibanAccount(),
    amount: 100,
    submittedAt: now,
    ...more,
  })

  it("is one that a bank carries and has no order of", async () => {
    const banks = [bank, achBank({ folder: memoryFolder().folder })]
    const { files, run } = bankWorld(banks, "2026-03-31T12:00:00Z", await storeWith([order(1)]))
    const payments = [
      payment(1),
      payment(2),
      payment(3, { account: { ...ibanAccount(), currency: "GBP" } }),
      payment(4, { rail: "SEPA_INSTANT" }),
      payment(5, { direction: "pull" }),
    ]
    expect(await run(files.reconciliation.withoutOrder(payments))).toEqual(["Transaction:2", "Transaction:5"])
  })

  it("is not looked for in the store if no bank carries it", async () => {
    const { files, run } = bankWorld([bank], "2026-03-31T12:00:00Z", unavailable)
    const other = payment(1, { account: { ...ibanAccount(), currency: "GBP" } })
    expect(await run(files.reconciliation.withoutOrder([other]))).toEqual([])
    expect(await run(files.reconciliation.withoutOrder([]))).toEqual([])
    await expect(run(files.reconciliation.withoutOrder([payment(1)]))).rejects.toEqual(answers)
  })
})
