/** The state of bank files behaves the same in memory and on PostgreSQL, also when processes meet. */
import { type BankFileStore, MemoryBankFileStore, PostgresBankFileStore } from "@countersign/adapter-bank-files"
import { isoSimulator } from "@countersign/adapter-bank-files/simulator"
import { Rails } from "@countersign/core/ports"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { create, type TestDatabase } from "../adapter-postgres/TestDatabase.ts"
import { bankWorld, euroBank, ibanAccount, ourIban } from "./BankWorld.ts"
import { memoryFolder } from "./MemoryFolder.ts"
import { storeSuite } from "./store/StoreSuite.ts"

let database: TestDatabase
beforeAll(async () => {
  database = await create(10)
})
afterAll(() => database.close())

const onPostgres = async () => {
  await database.pool.query("drop schema if exists countersign_bank_files cascade")
  await Promise.all([1, 2, 3, 4, 5, 6].map(() => Effect.runPromise(PostgresBankFileStore.migrate(database.pool))))
  return PostgresBankFileStore.make(database.pool)
}

const stores: ReadonlyArray<readonly [string, () => Promise<BankFileStore["Service"]>]> = [
  ["memory", async () => MemoryBankFileStore.make()],
  ["PostgreSQL", onPostgres],
]

const reference = (n: number) => `Transaction:00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

describe("a store on PostgreSQL", () => storeSuite(onPostgres))

describe.each(stores)("in %s", (_, open) => {
  const start = async () => {
    const store = await open()
    const memory = memoryFolder()
    const worlds = [1, 2, 3].map(() => bankWorld([euroBank({ folder: memory.folder })], "2026-03-04T09:00:00Z", store))
    const [first, second, third] = worlds
    if (first === undefined || second === undefined || third === undefined) throw new Error("no world")
    const at = (time: string) => {
      for (const world of worlds) world.at(time)
    }
    return { at, first, memory, second, store, third, worlds }
  }

  it("an order that arrives at several processes at once is kept once", async () => {
    const { at, first, memory, worlds } = await start()
    const answers = await Promise.all(
      [...worlds, ...worlds].map(({ push }, n) => push(reference(1), ibanAccount(), 100 + n)),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    at("2026-03-04T14:00:00Z")
    await Promise.all(worlds.map(({ cycle }) => cycle()))
    const bank = isoSimulator({ folder: memory.folder, iban: ourIban })
    expect(await first.run(bank.collect)).toMatchObject([{ id: "00000000000040008000000000000001" }])
  })

  it("orders are cancelled or sent, and never both", async () => {
    const { at, first, memory, second, third } = await start()
    const references = Array.from({ length: 12 }, (_, n) => reference(n))
    for (const each of references) await first.push(each, ibanAccount(), 100)
    at("2026-03-04T14:00:00Z")
    const cancel = (of: string) =>
      second.run(
        Rails.use((rails) =>
          rails.cancel({ reference: of, direction: "push", account: ibanAccount(), submittedAt: second.now() }),
        ),
      )
    const [answers] = await Promise.all([Promise.all(references.map(cancel)), first.cycle(), third.cycle()])
    const bank = isoSimulator({ folder: memory.folder, iban: ourIban })
    const sent = await first.run(bank.collect)
    expect(sent.length + answers.filter(({ _tag }) => _tag === "Done").length).toBe(12)
    const states = await Promise.all(references.map((each) => first.order(each)))
    expect(states.filter((order) => order?.state === "BATCHED")).toHaveLength(sent.length)
    expect(states.filter((order) => order?.state === "CANCELLED")).toHaveLength(12 - sent.length)
  })

  it("a file that several processes find is taken once, and its outcome is reported", async () => {
    const { at, first, memory, worlds } = await start()
    await first.push(reference(1), ibanAccount(), 100)
    at("2026-03-04T14:00:00Z")
    await first.cycle()
    const bank = isoSimulator({ folder: memory.folder, iban: ourIban })
    await first.run(bank.endDay("2026-03-04", ["duplicate"]))
    await Promise.all(worlds.map(({ cycle }) => cycle()))
    const outcomes = worlds.flatMap(({ reports }) => reports).map(({ outcome }) => outcome._tag)
    expect([...new Set(outcomes)]).toEqual(["Done"])
    const { matched, orders } = await first.run(first.files.reconcile("euro", { from: "2026-03-01" }))
    expect([matched.length, orders.agreed, memory.names("in")]).toEqual([1, [reference(1)], []])
  })

  it("a transaction that fails leaves nothing, and numbers are never given twice", async () => {
    const { store } = await start()
    const failed = store.transact((rows) =>
      Effect.gen(function* () {
        yield* rows.addFile({ bank: "euro", digest: "d", name: "n", kind: "k", messageId: "m", takenAt: 1 })
        return yield* Effect.fail("refused" as const)
      }),
    )
    expect(await Effect.runPromise(Effect.flip(failed))).toBe("refused")
    expect(await Effect.runPromise(store.transact((rows) => rows.hasFile("euro", "d")))).toBe(false)
    const numbers = await Promise.all(
      [1, 2, 3, 4, 5].map((count) => Effect.runPromise(store.transact((rows) => rows.numbers("batch", count)))),
    )
    expect(numbers.flat().toSorted((a, b) => a - b)).toEqual(Array.from({ length: 15 }, (_, n) => n + 1))
  })
})

it("processes that start together make the schema once", async () => {
  for (let round = 0; round < 20; round++) await onPostgres()
  const { rows } = await database.pool.query("select number from countersign_bank_files.version")
  expect(rows).toEqual([{ number: 1 }])
})

it("a database that does not answer leaves the outcome of an order unknown", async () => {
  const store = PostgresBankFileStore.make({ connect: () => Promise.reject(new Error("connection refused")) })
  const world = bankWorld([euroBank({ folder: memoryFolder().folder })], "2026-03-04T09:00:00Z", store)
  const unknown = { _tag: "Unknown", cause: "the store of bank files does not answer" }
  expect(await world.push(reference(1), ibanAccount(), 100)).toEqual(unknown)
  expect(await world.inquire(reference(1), ibanAccount())).toEqual(unknown)
  await expect(world.cycle()).rejects.toMatchObject({ _tag: "BankFilesUnavailable" })
})
