/** Orders, files and outcomes of two banks from the acceptance to the return. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { isoSimulator, nachaSimulator } from "@countersign/adapter-bank-files/simulator"
import { Rails } from "@countersign/core/ports"
import { describe, expect, it } from "vitest"
import {
  achAccount,
  achBank,
  bankWorld,
  companyId,
  euroBank,
  filesIn,
  ibanAccount,
  odfi,
  ourIban,
  temporaryFolder,
} from "./BankWorld.ts"

const reference = (n: number) => `Transaction:00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

describe("a bank of ISO 20022 files", () => {
  it("accepts an order, sends it at the cut-off, and reports the booking", async () => {
    await using folder = await temporaryFolder()
    const world = bankWorld([euroBank({ folder: folder.path })], "2026-03-04T09:00:00Z")
    const bank = isoSimulator({ folder: folder.path, iban: ourIban })
    // 15:00 in Berlin is 14:00 in UTC; the service asks six hours later.
    const later = { _tag: "Later", at: Date.parse("2026-03-04T20:00:00Z"), isQueued: true }
    expect(await world.push(reference(1), ibanAccount(), 12_345, "Invoice 1")).toEqual(later)
    await world.cycle()
    expect(await filesIn(folder.path, "out")).toEqual({})

    world.at("2026-03-04T14:00:00Z")
    await world.push(reference(2), ibanAccount(), 500)
    const { banks } = await world.cycle()
    expect(banks).toMatchObject([{ built: ["CS000000000001"], written: ["CS000000000001.xml"] }])
    // The order of the instant of the cut-off is in the next batch.
    expect(await world.order(reference(2))).toMatchObject({ state: "ACCEPTED" })
    expect(await world.order(reference(1))).toMatchObject({ state: "BATCHED", batchId: "CS000000000001" })
    expect(await world.inquire(reference(1), ibanAccount())).toEqual({
      _tag: "Later",
      at: Date.parse("2026-03-04T20:00:00Z"),
    })

    const [payment] = await world.run(bank.collect)
    expect(payment).toMatchObject({ amount: 12_345, name: "Ada Lovelace", direction: "push" })
    await world.run(bank.endDay("2026-03-04"))
    const { reported } = await world.cycle()
    expect([reported, world.reports]).toEqual([
      1,
      [{ platformId: "Platform:1", reference: reference(1), outcome: { _tag: "Done" } }],
    ])
    expect(await world.inquire(reference(1), ibanAccount())).toEqual({ _tag: "Done" })
    expect(await filesIn(folder.path, "in")).toEqual({})
    expect(await world.cycle()).toMatchObject({ reported: 0, banks: [{ built: [], written: [] }] })
  })

  it("reports a rejection with its reason, and a return after the booking", async () => {
    await using folder = await temporaryFolder()
    const world = bankWorld([euroBank({ folder: folder.path })], "2026-03-04T09:00:00Z")
    const bank = isoSimulator({
      folder: folder.path,
      iban: ourIban,
      fate: ({ amount }) =>
        amount === 1 ? { _tag: "Reject", code: "AC04" } : { _tag: "Return", code: "AC06", days: 9 },
    })
    await world.push(reference(1), ibanAccount(), 1)
    await world.pull(reference(2), ibanAccount(), 2)
    world.at("2026-03-04T14:30:00Z")
    await world.cycle()
    expect(Object.keys(await filesIn(folder.path, "out"))).toHaveLength(2)
    for (let day = 4; day <= 14; day++) {
      await world.run(bank.endDay(`2026-03-${String(day).padStart(2, "0")}`))
      await world.cycle()
    }
    expect(world.reports.map(({ outcome, reference: of }) => [of, outcome])).toEqual([
      [reference(1), { _tag: "Refused", reason: "ACCOUNT_INVALID" }],
      [reference(2), { _tag: "Done" }],
      [reference(2), { _tag: "Returned" }],
    ])
    expect(await world.order(reference(2))).toMatchObject({ state: "RETURNED", code: "AC06" })
  })

  it("cancels an order until its cut-off, and none that is in a file", async () => {
    await using folder = await temporaryFolder()
    const world = bankWorld([euroBank({ folder: folder.path })], "2026-03-04T09:00:00Z")
    const cancel = (of: string) =>
      world.run(
        Rails.use((rails) =>
          rails.cancel({ reference: of, direction: "push", account: ibanAccount(), submittedAt: world.now() }),
        ),
      )
    await world.push(reference(1), ibanAccount(), 100)
    expect([await cancel(reference(1)), await cancel(reference(1))]).toEqual([{ _tag: "Done" }, { _tag: "Done" }])
    await world.push(reference(2), ibanAccount(), 100)
    world.at("2026-03-04T14:30:00Z")
    await world.cycle()
    expect(await cancel(reference(2))).toEqual({ _tag: "Refused", reason: "BANK_REJECTED" })
    expect(await world.run(isoSimulator({ folder: folder.path, iban: ourIban }).collect)).toHaveLength(1)
  })

  it("refuses and remembers what no bank carries", async () => {
    await using folder = await temporaryFolder()
    const world = bankWorld([euroBank({ folder: folder.path })], "2026-03-04T09:00:00Z")
    const cases = [
      [achAccount(), "BANK_REJECTED"],
      [ibanAccount("阿达"), "ACCOUNT_INVALID"],
      [
        { ...ibanAccount(), accountInfo: { accountType: "EUR_ACCOUNT", iban: "FR1420041010050500013M02607" } },
        "ACCOUNT_INVALID",
      ],
    ] as const
    for (const [at, [account, reason]] of cases.entries()) {
      const refused = { _tag: "Refused", reason }
      expect(await world.push(reference(at), account, 100)).toEqual(refused)
      expect(await world.push(reference(at), ibanAccount(), 100)).toEqual(refused)
      expect(await world.inquire(reference(at), account)).toEqual(refused)
    }
    expect(await world.inquire(reference(99), ibanAccount())).toEqual({ _tag: "NotReceived" })
  })
})

describe("a bank of NACHA files", () => {
  it("executes orders by the passing of time, unless they come back", async () => {
    await using folder = await temporaryFolder()
    const world = bankWorld([achBank({ folder: folder.path })], "2026-03-04T15:00:00Z")
    const bank = nachaSimulator({
      folder: folder.path,
      odfi,
      companyId,
      fate: ({ amount }) =>
        amount === 2
          ? { _tag: "Reject", code: "R03" }
          : amount === 3
            ? { _tag: "Return", code: "R10", days: 30 }
            : { _tag: "Correct", code: "C01", data: "87654321" },
    })
    await world.push(reference(1), achAccount(), 1, "Invoice 1")
    await world.push(reference(2), achAccount({ bankAccountType: "SAVINGS" }), 2)
    await world.pull(reference(3), achAccount(), 3)
    world.at("2026-03-04T21:00:00Z")
    await world.cycle()
    await world.run(bank.endDay("2026-03-05"))
    world.at("2026-03-05T20:59:59Z")
    await world.cycle()
    expect(world.reports.map(({ reference: of }) => of)).toEqual([reference(2)])
    expect(await world.order(reference(1))).toMatchObject({
      state: "BATCHED",
      correction: { code: "C01", data: "87654321" },
    })

    world.at("2026-03-05T21:00:00Z")
    await world.cycle()
    world.at("2026-03-09T20:00:00Z")
    await world.cycle()
    for (let day = 6; day <= 40; day++) {
      await world.run(bank.endDay(new Date(Date.UTC(2026, 2, day)).toISOString().slice(0, 10)))
      await world.cycle()
    }
    expect(world.reports.map(({ outcome, reference: of }) => [of, outcome])).toEqual([
      [reference(2), { _tag: "Refused", reason: "ACCOUNT_INVALID" }],
      [reference(1), { _tag: "Done" }],
      [reference(3), { _tag: "Done" }],
      [reference(3), { _tag: "Returned" }],
    ])
  })
})

describe("a batch", () => {
  it("that would exceed the totals of a file, or its number of orders, goes on in a second file", async () => {
    await using folder = await temporaryFolder()
    const bank = achBank({ folder: folder.path, ordersPerFileMax: 102 })
    const world = bankWorld([bank], "2026-03-04T15:00:00Z")
    for (let n = 0; n < 103; n++) await world.push(reference(n), achAccount(), 9_999_999_999)
    world.at("2026-03-04T21:00:00Z")
    expect(await world.cycle()).toMatchObject({ banks: [{ written: ["C0000001.ach", "C0000002.ach"] }] })
    const simulated = nachaSimulator({ folder: folder.path, odfi, companyId })
    const sent = await world.run(simulated.collect)
    expect([100, 3]).toEqual([...Map.groupBy(sent, ({ batchId }) => batchId).values()].map(({ length }) => length))
  })

  it("cannot have options that a file cannot hold", () => {
    for (const ordersPerFileMax of [0, 1.5, 100_001]) {
      expect(() => achBank({ folder: "x", ordersPerFileMax })).toThrow("`ordersPerFileMax` must be an integer")
    }
    expect(() => achBank({ folder: "x", name: "A bank" })).toThrow("`name` must have lower-case letters")
    expect(() =>
      euroBank({ folder: "x", calendar: { timeZone: "Mars/Olympus", cutOff: "15:00", holidays: () => [] } }),
    ).toThrow("`timeZone`")
    expect(() =>
      euroBank({ folder: "x", calendar: { timeZone: "Europe/Berlin", cutOff: "24:00", holidays: () => [] } }),
    ).toThrow("`cutOff`")
  })
})

describe("a file in the folder", () => {
  it("waits while it is incomplete, and is rejected with a reason if it stays so", async () => {
    await using folder = await temporaryFolder()
    const world = bankWorld([euroBank({ folder: folder.path })], "2026-03-04T09:00:00Z")
    await world.cycle()
    await writeFile(join(folder.path, "in", "half.xml"), "<Document><BkToCstmrStmt>")
    await writeFile(join(folder.path, "in", "unfinished.xml.part"), "<Document>")
    expect(await world.cycle()).toMatchObject({ banks: [{ taken: { waiting: ["half.xml"] } }] })
    world.at("2026-03-04T09:14:59Z")
    await world.cycle()
    await writeFile(join(folder.path, "in", "half.xml"), "<Document><BkToCstmrStmt><GrpHdr>")
    world.at("2026-03-04T09:15:00Z")
    // It has grown: its time begins again.
    expect(await world.cycle()).toMatchObject({ banks: [{ taken: { waiting: ["half.xml"], rejected: [] } }] })
    world.at("2026-03-04T09:30:00Z")
    expect(await world.cycle()).toMatchObject({ banks: [{ taken: { waiting: [], rejected: [{ name: "half.xml" }] } }] })
    const rejected = await filesIn(folder.path, "rejected")
    const [kept = "", reason = ""] = Object.keys(rejected)
    expect([kept, reason]).toEqual([expect.stringMatching(/^[0-9a-f]{12}-half\.xml$/u), `${kept}.reason.json`])
    expect(JSON.parse(rejected[reason] ?? "")).toMatchObject({
      file: "half.xml",
      reason: expect.stringContaining("not well-formed"),
      at: "2026-03-04T09:30:00.000Z",
    })
    expect(Object.keys(await filesIn(folder.path, "in"))).toEqual(["unfinished.xml.part"])
  })

  it("that is too large is rejected without being read", async () => {
    await using folder = await temporaryFolder()
    const world = bankWorld([euroBank({ folder: folder.path, bytesMax: 100 })], "2026-03-04T09:00:00Z")
    await world.cycle()
    await writeFile(join(folder.path, "in", "large.xml"), "x".repeat(101))
    expect(await world.cycle()).toMatchObject({
      banks: [{ taken: { rejected: [{ name: "large.xml", reason: "the file has more than 100 bytes" }] } }],
    })
  })
})
