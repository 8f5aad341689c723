/** A process that dies at any point leaves a state from which the next one goes on, and nothing happens twice. Source: D-530. */
import { type BankFileStore, MemoryBankFileStore } from "@countersign/adapter-bank-files"
import { type Fate, isoSimulator, nachaSimulator } from "@countersign/adapter-bank-files/simulator"
import { Rails } from "@countersign/core/ports"
import { describe, expect, it } from "vitest"
import { achAccount, achBank, bankWorld, companyId, euroBank, ibanAccount, odfi, ourIban } from "./BankWorld.ts"
import { dyingProcess, ProcessDied } from "./DyingProcess.ts"
import { type MemoryFolder, memoryFolder } from "./MemoryFolder.ts"

const reference = (n: number) => `Transaction:00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

const formats = {
  "ISO 20022": {
    bankIn: euroBank,
    account: ibanAccount(),
    bad: { _tag: "Reject", code: "AC04" },
    simulate: (memory: MemoryFolder, fate: (payment: { readonly amount: number }) => Fate) =>
      isoSimulator({ folder: memory.folder, iban: ourIban, fate }),
  },
  NACHA: {
    bankIn: achBank,
    account: achAccount(),
    bad: { _tag: "Reject", code: "R02" },
    simulate: (memory: MemoryFolder, fate: (payment: { readonly amount: number }) => Fate) =>
      nachaSimulator({ folder: memory.folder, odfi, companyId, fate }),
  },
} as const

type Format = (typeof formats)[keyof typeof formats]

const fateOf =
  ({ bad }: Format) =>
  ({ amount }: { readonly amount: number }): Fate =>
    amount === 2 ? bad : amount === 3 ? { _tag: "Return", code: bad.code, days: 1 } : { _tag: "Book" }

/** Five days with four orders, in which each process is one that dies at its own point. */
const run = async (format: Format, deaths: ReadonlyArray<number>, isCollectedAtOnce: boolean) => {
  const memory = memoryFolder()
  const store = MemoryBankFileStore.make()
  const bank = format.simulate(memory, fateOf(format))
  const points: Array<number> = []
  const queue = [...deaths]
  const start = (at: number, own: BankFileStore["Service"]) => {
    const dying = dyingProcess(own, memory, queue.shift() ?? Number.POSITIVE_INFINITY)
    const world = bankWorld([format.bankIn({ folder: dying.folder })], "2026-03-04T09:00:00Z", dying.store)
    world.at(at)
    return { dying, world }
  }
  let current = start(Date.parse("2026-03-04T09:00:00Z"), store)
  const reports: Array<(typeof current.world.reports)[number]> = []
  const restart = () => {
    const { dying, world } = current
    points.push(dying.points())
    reports.push(...world.reports.splice(0))
    current = start(world.now(), store)
  }
  /** Does a step until a process lives to its end. */
  const survive = async (step: (world: typeof current.world) => Promise<unknown>) => {
    for (;;) {
      try {
        return await step(current.world)
      } catch (problem) {
        if (!(problem instanceof ProcessDied)) throw problem
        restart()
        if (isCollectedAtOnce) await current.world.run(bank.collect)
      }
    }
  }
  for (const n of [1, 2, 3, 4]) {
    await survive(async ({ now, push, run: asking }) => {
      const request = { reference: reference(n), destination: format.account, amount: n, submittedAt: now() }
      const known = await asking(Rails.use((rails) => rails.inquire({ _tag: "Push", request })))
      return known._tag === "NotReceived" ? push(reference(n), format.account, n) : known
    })
    if (n === 2) {
      current.world.at("2026-03-04T22:00:00Z")
      await survive(({ cycle }) => cycle())
    }
  }
  await current.world.run(bank.endDay("2026-03-04"))
  await survive(({ cycle }) => cycle())
  for (const day of [5, 6, 9, 10]) {
    const date = `2026-03-${String(day).padStart(2, "0")}`
    current.world.at(`${date}T22:00:00Z`)
    await survive(({ cycle }) => cycle())
    await current.world.run(bank.endDay(date))
    await survive(({ cycle }) => cycle())
  }
  // What looks at the result lives.
  queue.length = 0
  restart()
  return { bank, current, memory, points, reports, store }
}

const orderIdOf = async ({ current }: Awaited<ReturnType<typeof run>>, n: number) => {
  const { endToEndId = "", individualId = "" } = (await current.world.order(reference(n))) ?? {}
  return [endToEndId, individualId]
}

const check = async (result: Awaited<ReturnType<typeof run>>): Promise<void> => {
  const { bank, current, memory, reports } = result
  // The bank has each payment once.
  const ids = bank.payments().map(({ id }) => id)
  expect(ids).toHaveLength(4)
  for (const n of [1, 2, 3, 4]) {
    const own = await orderIdOf(result, n)
    expect(ids.filter((id) => own.includes(id))).toHaveLength(1)
  }
  // Each order has its end, which was reported, if perhaps more than once.
  const states = await Promise.all([1, 2, 3, 4].map((n) => current.world.order(reference(n))))
  expect(states.map((order) => [order?.state, order?.isReported])).toEqual([
    ["BOOKED", true],
    ["REJECTED", true],
    ["RETURNED", true],
    ["BOOKED", true],
  ])
  const last = new Map(reports.map(({ outcome, reference: of }) => [of, outcome._tag]))
  expect([1, 2, 3, 4].map((n) => last.get(reference(n)))).toEqual(["Done", "Refused", "Returned", "Done"])
  // Nothing is left over, and every line agrees.
  const left = (["out", "in", "staging", "rejected"] as const).flatMap((place) => memory.names(place))
  expect(left).toEqual([])
  const found = await current.world.run(
    current.world.files.reconcile(current.world.files.names[0] ?? "", { from: "2026-03-01" }),
  )
  expect([found.suspicious, found.unmatched, found.orders.suspicious, found.orders.open]).toEqual([[], [], [], []])
}

describe.each(Object.entries(formats))("with files of %s", (_, format) => {
  it("a death at each point changes nothing", async () => {
    const { points } = await run(format, [], true)
    const [count = 0] = points
    expect(count).toBeGreaterThan(100)
    // The bank collects a file before the next process starts, which is the harder case, or only in the evening.
    for (let at = 1; at <= count; at++) await check(await run(format, [at], true))
    for (let at = 1; at <= count; at += 3) await check(await run(format, [at], false))
  })

  it("many deaths change nothing", async () => {
    for (let step = 1; step <= 15; step++) {
      const deaths = Array.from({ length: 60 }, (_, n) => 1 + ((n * step * 7) % 40))
      await check(await run(format, deaths, step % 2 === 0))
    }
  })
})
