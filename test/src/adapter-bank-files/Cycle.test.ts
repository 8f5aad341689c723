/** How a cycle takes files and reports outcomes, also where they meet something unexpected. */
import type { BankFolder } from "@countersign/adapter-bank-files"
import { Clock, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { FolderUnavailable } from "../../../packages/adapter-bank-files/src/folder/BankFolder.ts"
import { BankFilesUnavailable } from "../../../packages/adapter-bank-files/src/orders/BankFileStore.ts"
import { reportTo } from "../../../packages/adapter-bank-files/src/ReportOutcomes.ts"
import { achBank, bankWorld, euroBank, ibanAccount } from "./BankWorld.ts"
import { entry, statement, statusReport } from "./iso20022/IsoMessages.ts"
import { type MemoryFolder, memoryFolder } from "./MemoryFolder.ts"

const start = "2026-03-04T09:00:00Z"
const cutOff = "2026-03-04T14:00:00Z"
const euroWorld = (more: object = {}, { folder, ...memory }: MemoryFolder = memoryFolder()) => ({
  memory: { ...memory, folder },
  ...bankWorld([euroBank({ folder, ...more })], start),
})
const put = ({ folder }: MemoryFolder, name: string, content: string) =>
  Effect.runPromise(folder.write("in", name, content))
const place = (memory: MemoryFolder) =>
  (["in", "out", "staging", "done", "rejected"] as const).map((each) => memory.names(each).length)

describe("taking", () => {
  it("takes a file once, and keeps one with the same content beside it", async () => {
    const { cycle, memory, run, store } = euroWorld()
    const content = statement(entry({ reference: "R1", indicator: "CRDT" }))
    await put(memory, "a.xml", content)
    await put(memory, "b.xml", content)
    const { banks } = await cycle()
    expect(banks).toMatchObject([{ taken: { done: ["a.xml"], repeated: ["b.xml"], rejected: [], waiting: [] } }])
    expect(memory.names("done").map((name) => name.slice(12))).toEqual(["-a.xml", "-b.xml"])
    const lines = await run(store.transact((rows) => rows.listLines("euro", "2026-01-01", "2026-12-31")))
    expect(lines).toMatchObject([{ bank: "euro", key: expect.stringMatching(/^euro\|DE89370400440532013000\|R1\|/u) }])
    expect(lines[0]?.digest.slice(0, 12)).toBe(memory.names("done")[0]?.slice(0, 12))
    await put(memory, "c.xml", content)
    expect(await cycle()).toMatchObject({ banks: [{ taken: { done: [], repeated: ["c.xml"] } }] })
    expect(place(memory)).toEqual([0, 0, 0, 3, 0])
  })

  it("keeps the last 120 characters of a long name", async () => {
    const { cycle, memory } = euroWorld()
    await put(memory, `${"x".repeat(60)}${"y".repeat(120)}`, statement(""))
    await cycle()
    expect(memory.names("done").map((name) => name.slice(12))).toEqual([`-${"y".repeat(120)}`])
  })

  it("waits for a file that changes, and leaves one that is gone", async () => {
    const memory = memoryFolder()
    const states = ["changing", "gone"] as const
    for (const state of states) {
      const folder: BankFolder = { ...memory.folder, read: () => Effect.succeed(state) }
      const { cycle } = bankWorld([euroBank({ folder, patienceMillis: 0 })], start)
      await put(memory, "a.xml", "<")
      const expected = { done: [], repeated: [], rejected: [], waiting: state === "changing" ? ["a.xml"] : [] }
      for (let n = 0; n < 2; n++) expect(await cycle()).toMatchObject({ banks: [{ taken: expected }] })
    }
  })

  it("waits for a file anew after it was gone", async () => {
    const { at, cycle, memory } = euroWorld()
    await put(memory, "a.xml", "<")
    await cycle()
    await Effect.runPromise(memory.folder.remove("in", "a.xml"))
    at("2026-03-04T09:10:00Z")
    await cycle()
    await put(memory, "a.xml", "<")
    at("2026-03-04T09:20:00Z")
    expect(await cycle()).toMatchObject({ banks: [{ taken: { waiting: ["a.xml"], rejected: [] } }] })
    at("2026-03-04T09:35:00Z")
    expect(await cycle()).toMatchObject({ banks: [{ taken: { waiting: [], rejected: [{ name: "a.xml" }] } }] })
    // And once more after it was rejected.
    await put(memory, "a.xml", "<")
    expect(await cycle()).toMatchObject({ banks: [{ taken: { waiting: ["a.xml"], rejected: [] } }] })
  })

  it("rejects with a file that says why", async () => {
    const { cycle, memory } = euroWorld({ bytesMax: 3 })
    await put(memory, "a.xml", "1234")
    await cycle()
    const [kept = "", reason = ""] = memory.names("rejected")
    expect([kept.slice(12), reason]).toEqual(["-a.xml", `${kept}.reason.json`])
    const written = memory.content("rejected", reason)
    const { digest } = JSON.parse(written)
    expect(kept.slice(0, 12)).toBe(digest.slice(0, 12))
    const own = { file: "a.xml", digest, reason: "the file has more than 3 bytes", at: "2026-03-04T09:00:00.000Z" }
    expect(written).toBe(`${JSON.stringify(own, null, 2)}\n`)
    expect(digest).toMatch(/^[0-9a-f]{64}$/u)
  })

  const sent = async () => {
    const world = euroWorld()
    for (const n of [1, 2, 3]) await world.push(`Transaction:${n}`, ibanAccount(), 100 * n)
    world.at(cutOff)
    await world.cycle()
    const orders = await Promise.all([1, 2, 3].map((n) => world.order(`Transaction:${n}`)))
    const ids = orders.map((order) => order?.endToEndId ?? "")
    const states = async () => {
      const found = await Promise.all([1, 2, 3].map((n) => world.order(`Transaction:${n}`)))
      return found.map((order) => order?.state)
    }
    return { ...world, ids, states }
  }
  const original = "<OrgnlGrpInfAndSts><OrgnlMsgId>CS000000000001</OrgnlMsgId><OrgnlMsgNmId>x</OrgnlMsgNmId>"
  const reason = "<StsRsnInf><Rsn><Cd>AC04</Cd></Rsn></StsRsnInf>"

  it("applies the status of a payment before that of its group", async () => {
    const { cycle, ids, memory, order, reports, states } = await sent()
    const payment = `<TxInfAndSts><OrgnlEndToEndId>${ids[1]}</OrgnlEndToEndId><TxSts>ACSC</TxSts></TxInfAndSts>`
    const unknown = payment.replace(ids[1] ?? "", "X")
    const group = `<OrgnlPmtInfAndSts><OrgnlPmtInfId>CS000000000001</OrgnlPmtInfId><PmtInfSts>RJCT</PmtInfSts>${reason}${payment}${unknown}</OrgnlPmtInfAndSts>`
    await put(memory, "a.xml", statusReport(`${original}</OrgnlGrpInfAndSts>${group}`))
    await cycle()
    expect(await states()).toEqual(["REJECTED", "BOOKED", "REJECTED"])
    expect(await order("Transaction:1")).toMatchObject({ code: "AC04", refusal: "ACCOUNT_INVALID", isReported: true })
    expect(reports.map(({ outcome, platformId }) => [outcome._tag, platformId])).toEqual([
      ["Refused", "Platform:1"],
      ["Done", "Platform:1"],
      ["Refused", "Platform:1"],
    ])
  })

  it("books the orders of a file by its total, but for those that were rejected", async () => {
    const { cycle, ids, memory, states } = await sent()
    const total = (amount: string) =>
      statement(entry({ reference: `R${amount}`, amount, details: "<Btch><PmtInfId>CS000000000001</PmtInfId></Btch>" }))
    await put(memory, "a.xml", total("6.01"))
    await cycle()
    expect(await states()).toEqual(["BATCHED", "BATCHED", "BATCHED"])
    const payment = `<TxInfAndSts><OrgnlEndToEndId>${ids[2]}</OrgnlEndToEndId><TxSts>RJCT</TxSts></TxInfAndSts>`
    const group = `<OrgnlPmtInfAndSts><OrgnlPmtInfId>CS000000000001</OrgnlPmtInfId>${payment}</OrgnlPmtInfAndSts>`
    await put(memory, "b.xml", statusReport(`${original}</OrgnlGrpInfAndSts>${group}`))
    await put(memory, "c.xml", total("3.00"))
    await cycle()
    expect(await states()).toEqual(["BOOKED", "BOOKED", "REJECTED"])
  })

  it("changes nothing by an entry that has not the amount of its order", async () => {
    const { cycle, ids, memory, states } = await sent()
    const details = `<TxDtls><Refs><EndToEndId>${ids[0]}</EndToEndId></Refs></TxDtls>`
    await put(memory, "a.xml", statement(entry({ amount: "1.01", details })))
    expect(await cycle()).toMatchObject({ banks: [{ taken: { done: ["a.xml"] } }], reported: 0 })
    expect(await states()).toEqual(["BATCHED", "BATCHED", "BATCHED"])
    await put(memory, "b.xml", statement(entry({ amount: "1.00", details })))
    await cycle()
    expect(await states()).toEqual(["BOOKED", "BATCHED", "BATCHED"])
  })

  it("does not follow a file of another bank about a batch with the same id", async () => {
    const { memory, states, store, ids } = await sent()
    const other = memoryFolder()
    const { cycle } = bankWorld([euroBank({ folder: other.folder, name: "other" })], cutOff, store)
    await put(other, "a.xml", statusReport(`${original}<GrpSts>RJCT</GrpSts></OrgnlGrpInfAndSts>`))
    const details = `<TxDtls><Refs><EndToEndId>${ids[0]}</EndToEndId></Refs></TxDtls>`
    await put(other, "b.xml", statement(entry({ amount: "1.00", details })))
    expect(await cycle()).toMatchObject({ banks: [{ taken: { done: ["a.xml", "b.xml"] } }], reported: 0 })
    expect([await states(), memory.names("in")]).toEqual([["BATCHED", "BATCHED", "BATCHED"], []])
  })
})

describe("reporting", () => {
  it("ends at the first report that fails, and repeats it the next time", async () => {
    const { order, push, run, store } = euroWorld()
    for (const n of [1, 2, 3]) await push(`Transaction:${n}`, ibanAccount(), n)
    const orders = await Promise.all([1, 2, 3].map((n) => order(`Transaction:${n}`)))
    const booked = orders.flatMap((each) =>
      each === undefined ? [] : { ...each, state: "BOOKED" as const, isReported: false },
    )
    await run(store.transact((rows) => rows.putOrders(booked)))
    const reported: Array<string> = []
    const failing = reportTo(store, ({ reference }) =>
      reference === "Transaction:2" && reported.length < 2
        ? Effect.fail("busy" as const)
        : Effect.sync(() => void reported.push(reference)),
    )
    expect(await run(Effect.flip(failing))).toBe("busy")
    reported.push("-")
    expect(await run(failing)).toBe(2)
    expect(reported).toEqual(["Transaction:1", "-", "Transaction:2", "Transaction:3"])
    expect(await run(failing)).toBe(0)
  })

  it("does not note a report of a state that the order has left", async () => {
    const { order, push, run, store } = euroWorld()
    await push("Transaction:1", ibanAccount(), 1)
    const kept = await order("Transaction:1")
    if (kept === undefined) throw new Error("no order")
    const change = (state: "BOOKED" | "RETURNED") =>
      store.transact((rows) => rows.putOrders([{ ...kept, state, isReported: false }]))
    await run(change("BOOKED"))
    const outcomes: Array<string> = []
    const report = reportTo(store, (_, { _tag }) => {
      outcomes.push(_tag)
      return outcomes.length === 1 ? Effect.orDie(change("RETURNED")) : Effect.void
    })
    expect([await run(report), (await order("Transaction:1"))?.isReported]).toEqual([1, false])
    expect([await run(report), outcomes, (await order("Transaction:1"))?.isReported]).toEqual([
      1,
      ["Done", "Returned"],
      true,
    ])
  })

  it("reports hundreds of outcomes in one cycle", async () => {
    const { order, push, run, store } = euroWorld()
    await push("Transaction:1", ibanAccount(), 1)
    const kept = await order("Transaction:1")
    if (kept === undefined) throw new Error("no order")
    const many = Array.from({ length: 201 }, (_, n) => ({
      ...kept,
      reference: `Transaction:${1000 + n}`,
      endToEndId: `E${n}`,
      individualId: `I${n}`,
      state: "BOOKED" as const,
      isReported: false,
    }))
    await run(store.transact((rows) => rows.putOrders(many)))
    const reported = new Set<string>()
    const report = reportTo(store, ({ reference }) => Effect.sync(() => void reported.add(reference)))
    expect([await run(report), reported.size, await run(report)]).toEqual([201, 201, 0])
  })
})

describe("the exchange of a service", () => {
  it("reports by the function that it is given, and goes on after a store that did not answer", async () => {
    const { at, files, push, run } = euroWorld()
    await push("Transaction:1", ibanAccount(), 1)
    at(cutOff)
    const failing = () => Effect.fail("busy" as const)
    expect(await run(files.exchanging.cycle(failing))).toBeUndefined()
    const broken = bankWorld([euroBank({ folder: memoryFolder().folder })], start, {
      transact: () => Effect.fail(new BankFilesUnavailable({ cause: new Error("refused") })),
    })
    expect(await broken.run(broken.files.exchanging.cycle(failing))).toBeUndefined()
  })

  it("goes on with the next bank after a folder that cannot be used", async () => {
    const broken: BankFolder = {
      ...memoryFolder().folder,
      prepare: Effect.fail(new FolderUnavailable({ operation: "prepare", code: "EACCES" })),
    }
    const { folder } = memoryFolder()
    const { cycle } = bankWorld([euroBank({ folder: broken }), achBank({ folder })], start)
    expect(await cycle()).toEqual({
      banks: [
        { bank: "euro", problem: "the folder of the bank cannot be used: prepare, EACCES" },
        {
          bank: "ach",
          built: [],
          written: [],
          settled: 0,
          taken: { done: [], repeated: [], rejected: [], waiting: [] },
        },
      ],
      reported: 0,
    })
  })

  it("knows the names of its banks", async () => {
    const { files, run } = euroWorld()
    await expect(run(files.reconcile("ach", { from: "2026-03-01" }))).rejects.toThrow("there is no bank ach: euro")
    expect(await run(Clock.currentTimeMillis)).toBe(Date.parse(start))
  })
})
