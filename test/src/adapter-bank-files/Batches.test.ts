/** How a cycle builds and writes batches, also where another process or the folder interferes. */
import { type BankFolder, MemoryBankFileStore } from "@countersign/adapter-bank-files"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { FolderUnavailable } from "../../../packages/adapter-bank-files/src/folder/BankFolder.ts"
import { achAccount, achBank, bankWorld, euroBank, ibanAccount } from "./BankWorld.ts"
import { exampleBatch } from "./ExampleRows.ts"
import { type MemoryFolder, memoryFolder } from "./MemoryFolder.ts"

const start = "2026-03-04T09:00:00Z"
const cutOff = "2026-03-04T14:00:00Z"
const euroWorld = (more: object = {}, { folder, ...memory }: MemoryFolder = memoryFolder()) => ({
  memory: { ...memory, folder },
  ...bankWorld([euroBank({ folder, ...more })], start),
})

describe("building", () => {
  it("makes a file for each kind and each part of a cut-off, and numbers what it makes", async () => {
    const { at, cycle, files, memory, order, pull, push, run, store } = euroWorld({ ordersPerFileMax: 2 })
    for (const n of [1, 2, 3]) await push(`Transaction:${n}`, ibanAccount(), n)
    await pull("Transaction:4", ibanAccount(), 4)
    at(cutOff)
    const { banks } = await cycle()
    const ids = ["CS000000000001", "CS000000000002", "CS000000000003"]
    expect(banks).toMatchObject([{ bank: "euro", built: ids, written: ids.map((id) => `${id}.xml`), settled: 0 }])
    const batches = await run(store.transact((rows) => Effect.forEach(ids, rows.batch)))
    expect(batches.map((batch) => [batch?.kind, batch?.part, batch?.state, batch?.cutOff, batch?.bank])).toEqual([
      ["push.EUR", 1, "WRITTEN", Date.parse(cutOff), "euro"],
      ["push.EUR", 2, "WRITTEN", Date.parse(cutOff), "euro"],
      ["pull.EUR", 1, "WRITTEN", Date.parse(cutOff), "euro"],
    ])
    expect(batches.map((batch) => memory.content("out", batch?.fileName ?? ""))).toEqual(
      batches.map((batch) => batch?.content),
    )
    const kept = await order("Transaction:3")
    expect(kept).toMatchObject({ state: "BATCHED", batchId: ids[1], changedAt: Date.parse(cutOff) })
    expect([kept && "traceNumber" in kept, kept && "settlesAt" in kept]).toEqual([false, false])
    expect(files.names).toEqual(["euro"])
  })

  it("dates what was interrupted on the day it is built, and settles by the business days of its direction", async () => {
    const memory = memoryFolder()
    const { at, cycle, order, pull, push } = bankWorld([achBank({ folder: memory.folder })], "2026-03-04T15:00:00Z")
    await push("Transaction:1", achAccount(), 1)
    await pull("Transaction:2", achAccount(), 2)
    // A Saturday: the next business day is Monday.
    at("2026-03-07T12:00:00Z")
    await cycle()
    const [, header = ""] = memory.content("out", "C0000001.ach").split("\n")
    expect(header.slice(69, 75)).toBe("260310")
    expect(await order("Transaction:1")).toMatchObject({
      traceNumber: "021000020000001",
      settlesAt: Date.parse("2026-03-10T20:00:00Z"),
    })
    expect(await order("Transaction:2")).toMatchObject({
      traceNumber: "021000020000002",
      settlesAt: Date.parse("2026-03-12T20:00:00Z"),
    })
    at("2026-03-10T19:59:59Z")
    expect(await cycle()).toMatchObject({ banks: [{ settled: 0 }], reported: 0 })
    at("2026-03-10T20:00:00Z")
    expect(await cycle()).toMatchObject({ banks: [{ settled: 1 }], reported: 1 })
    expect((await order("Transaction:1"))?.state).toBe("BOOKED")
  })
})

describe("writing", () => {
  it("renames the file of the chosen attempt alone", async () => {
    const { cycle, memory, run, store } = euroWorld()
    await run(store.transact((rows) => rows.addBatch(exampleBatch("CS1", { state: "STAGED", attempt: 7 }))))
    await Effect.runPromise(memory.folder.write("staging", "CS1.xml.6", "other"))
    await Effect.runPromise(memory.folder.write("staging", "CS1.xml.7", "chosen"))
    await Effect.runPromise(memory.folder.write("staging", "CS2.xml.1", "of a batch that does not exist"))
    await Effect.runPromise(memory.folder.write("staging", "notes", "of another name"))
    expect(await cycle()).toMatchObject({ banks: [{ written: ["CS1.xml"] }] })
    expect([memory.names("out"), memory.content("out", "CS1.xml")]).toEqual([["CS1.xml"], "chosen"])
    expect(memory.names("staging")).toEqual(["CS2.xml.1", "notes"])
    expect((await run(store.transact((rows) => rows.batch("CS1"))))?.state).toBe("WRITTEN")
  })

  it("keeps what other attempts staged while the batch is not written", async () => {
    const memory = memoryFolder()
    const folder: BankFolder = {
      ...memory.folder,
      move: () => Effect.fail(new FolderUnavailable({ operation: "move", code: "EIO" })),
    }
    const { cycle, run, store } = bankWorld([euroBank({ folder })], start)
    await run(store.transact((rows) => rows.addBatch(exampleBatch("CS1"))))
    expect(await cycle()).toEqual({
      banks: [{ bank: "euro", problem: "the folder of the bank cannot be used: move, EIO" }],
      reported: 0,
    })
    expect(memory.names("staging")).toEqual(["CS1.xml.1"])
    expect(await run(store.transact((rows) => rows.batch("CS1")))).toEqual(
      exampleBatch("CS1", { state: "STAGED", attempt: 1 }),
    )
  })

  it("writes a batch that is staged elsewhere meanwhile by that attempt, and removes its own", async () => {
    const memory = memoryFolder()
    const store = MemoryBankFileStore.make()
    const stagedElsewhere = exampleBatch("CS1", { state: "STAGED", attempt: 99 })
    const folder: BankFolder = {
      ...memory.folder,
      write: (to, name, content) =>
        Effect.andThen(
          Effect.orDie(store.transact((rows) => rows.putBatch(stagedElsewhere))),
          memory.folder.write(to, name, content),
        ),
    }
    const { cycle, run } = bankWorld([euroBank({ folder })], start, store)
    await run(store.transact((rows) => rows.addBatch(exampleBatch("CS1"))))
    await Effect.runPromise(memory.folder.write("staging", "CS1.xml.99", "chosen"))
    await cycle()
    expect([memory.names("staging"), memory.content("out", "CS1.xml")]).toEqual([[], "chosen"])
  })

  it("writes nothing again that another process has written meanwhile", async () => {
    const memory = memoryFolder()
    const store = MemoryBankFileStore.make()
    const folder: BankFolder = {
      ...memory.folder,
      write: (to, name, content) =>
        Effect.andThen(
          Effect.orDie(store.transact((rows) => rows.putBatch(exampleBatch("CS1", { state: "WRITTEN", attempt: 99 })))),
          memory.folder.write(to, name, content),
        ),
    }
    const { cycle, run } = bankWorld([euroBank({ folder })], start, store)
    await run(store.transact((rows) => rows.addBatch(exampleBatch("CS1"))))
    expect(await cycle()).toMatchObject({ banks: [{ written: ["CS1.xml"] }] })
    expect([memory.names("staging"), memory.names("out")]).toEqual([[], []])
  })
})
