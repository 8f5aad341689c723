/** The state of bank files in memory does what every store does. */
import { BankFileStore, MemoryBankFileStore } from "@countersign/adapter-bank-files"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { storeSuite } from "./StoreSuite.ts"

describe("a store in memory", () => {
  storeSuite(async () => MemoryBankFileStore.make())

  it("is a layer, of which each use has its own state", async () => {
    const next = BankFileStore.use((store) => store.transact((rows) => rows.numbers("a", 1)))
    const twice = Effect.all([next, next])
    const run = () => Effect.runPromise(Effect.provide(twice, MemoryBankFileStore.layer))
    expect([await run(), await run()]).toEqual([
      [[1], [2]],
      [[1], [2]],
    ])
  })

  it("runs one transaction at a time", async () => {
    const store = MemoryBankFileStore.make()
    const number = store.transact((rows) => Effect.tap(rows.numbers("a", 1), () => Effect.yieldNow))
    const all = await Effect.runPromise(Effect.all([number, number, number], { concurrency: 3 }))
    expect(all.flat()).toEqual([1, 2, 3])
  })
})
