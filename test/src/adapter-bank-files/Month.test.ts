/** A month of business days with two banks and all their faults: every line, order and outcome agrees, in memory and on PostgreSQL. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import {
  type BankFileStore,
  bankFolder,
  MemoryBankFileStore,
  PostgresBankFileStore,
  reconciliationTable,
} from "@countersign/adapter-bank-files"
import { type Fate, faults, isoSimulator, nachaSimulator } from "@countersign/adapter-bank-files/simulator"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { randomIntegers } from "../../../packages/test/src/random/RandomIntegers.ts"
import { create } from "../adapter-postgres/TestDatabase.ts"
import {
  achAccount,
  achBank,
  bankWorld,
  companyId,
  euroBank,
  ibanAccount,
  odfi,
  ourIban,
  temporaryFolder,
} from "./BankWorld.ts"
import { type MemoryFolder, memoryFolder } from "./MemoryFolder.ts"

const dayMillis = 24 * 60 * 60 * 1000
const referenceOf = (n: number) => `Transaction:00000000-0000-4000-8000-${String(n).padStart(12, "0")}`
const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10)

/** The last digit of an amount is its fate. */
const fateOf =
  (code: string, pace: number) =>
  ({ amount }: { readonly amount: number }): Fate => {
    if (amount % 10 === 1) return { _tag: "Reject", code }
    return amount % 10 < 4 ? { _tag: "Return", code, days: (amount % 10) * pace } : { _tag: "Book" }
  }

const expectedOf = (amount: number): string =>
  amount % 10 === 1 ? "REJECTED" : amount % 10 < 4 ? "RETURNED" : "BOOKED"

interface Length {
  /** Days with orders, and days until everything has come back. */
  readonly days: number
  readonly more: number
  /** How late returns are. */
  readonly pace: number
}

const whole: Length = { days: 31, more: 29, pace: 5 }
/** What a database shows in a fifth of the time. */
const short: Length = { days: 8, more: 8, pace: 1 }

type Place = Pick<MemoryFolder, "folder" | "names" | "content">

/** A folder of the file system. */
const placeAt = (path: string): Place => ({
  folder: bankFolder(path),
  names: (place) => readdirSync(join(path, place)).toSorted(),
  content: (place, name) => readFileSync(join(path, place, name), "utf8"),
})

/** Runs two processes. */
const month = async (
  store: BankFileStore["Service"],
  seed: number,
  { days, more, pace }: Length,
  [euro, ach]: readonly [Place, Place],
) => {
  const random = randomIntegers(seed)
  // The rest of a file that is half on Friday comes on Monday.
  const patienceMillis = 3.5 * dayMillis
  const banks = () => [
    euroBank({ folder: euro.folder, ordersPerFileMax: 3, patienceMillis }),
    achBank({ folder: ach.folder, patienceMillis }),
  ]
  const start = "2026-03-02T08:00:00Z"
  const worlds = [bankWorld(banks(), start, store), bankWorld(banks(), start, store)] as const
  const iso = isoSimulator({ folder: euro.folder, iban: ourIban, fate: fateOf("AC04", pace) })
  const nacha = nachaSimulator({ folder: ach.folder, odfi, companyId, fate: fateOf("R02", pace) })
  const amounts = new Map<string, number>()
  const at = (time: number) => {
    for (const world of worlds) world.at(time)
  }
  const both = () => Promise.all(worlds.map(({ cycle }) => cycle()))

  for (let day = 0; day < days + more; day++) {
    const morning = Date.parse(start) + day * dayMillis
    const [own] = worlds
    for (let n = 0; day < days && n < 4; n++) {
      at(morning + n * 3_600_000)
      const reference = referenceOf(amounts.size)
      const amount = 100 + amounts.size
      amounts.set(reference, amount)
      const account =
        random(2) === 0 ? ibanAccount() : achAccount(random(2) === 0 ? { bankAccountType: "SAVINGS" } : {})
      await (random(3) === 0 ? own.pull(reference, account, amount) : own.push(reference, account, amount, "Invoice"))
    }
    at(morning + 14 * 3_600_000)
    await both()
    const date = dateOf(morning)
    if (![0, 6].includes(new Date(morning).getUTCDay())) {
      const today = day < days + more - 5 ? faults.filter(() => random(4) === 0) : []
      await own.run(iso.endDay(date, today))
      await own.run(nacha.endDay(date, today))
    }
    await both()
  }
  const [own] = worlds
  const reports = worlds.flatMap((world) => world.reports)
  const ledger = [...amounts].map(([reference, amount]) => {
    const tags = reports.filter((report) => report.reference === reference).map(({ outcome }) => outcome._tag)
    // The service drops an execution that is reported after the return.
    return { reference, amount, isExecuted: !tags.some((tag) => tag !== "Done") }
  })
  const reconciled = await Promise.all(
    own.files.names.map((name) => {
      const currency = name === "euro" ? "EUR" : "USD"
      const facts = ledger.map((fact) => ({ ...fact, currency }))
      return own.run(own.files.reconcile(name, { from: "2026-03-01", ledger: facts }))
    }),
  )
  const orders = await own.run(store.transact((rows) => rows.orders([...amounts.keys()])))
  const left = [euro, ach].flatMap(({ names }) => [...names("in"), ...names("staging"), ...names("out")])
  const rejected = [euro, ach].flatMap(({ content, names }) =>
    names("rejected").map((name) => [name, content("rejected", name)] as const),
  )
  return { amounts, iso, left, nacha, orders, reconciled, rejected, reports }
}

const check = ({
  amounts,
  iso,
  left,
  nacha,
  orders,
  reconciled,
  rejected,
  reports,
}: Awaited<ReturnType<typeof month>>) => {
  expect(amounts.size).toBeGreaterThan(30)
  // Each order is in one file, and has the end that its bank gave it.
  const sent = [...iso.payments(), ...nacha.payments()].map(({ id }) => id)
  const ids = orders.map(({ currency, endToEndId, individualId }) => (currency === "EUR" ? endToEndId : individualId))
  expect(sent.toSorted()).toEqual(ids.toSorted())
  const ends = orders.map(({ amount, state }) => [amount, state])
  const expected = orders.map((order) => {
    const own = expectedOf(order.amount)
    if (order.currency === "EUR" || own === "BOOKED") return [order.amount, own]
    // What comes back to a NACHA bank before it counts as executed was never executed.
    return [order.amount, order.changedAt < (order.settlesAt ?? 0) ? "REJECTED" : "RETURNED"]
  })
  expect(ends).toEqual(expected)
  // The service has the end of each order, and at most that it was executed before it came back.
  const tags = Map.groupBy(reports, ({ reference }) => reference)
  for (const { isReported, reference, state } of orders) {
    const own = new Set(tags.get(reference)?.map(({ outcome }) => outcome._tag))
    const end = { BOOKED: "Done", REJECTED: "Refused", RETURNED: "Returned" }[String(state)]
    expect([reference, isReported, [...own].filter((tag) => tag !== "Done" || end === "Done")]).toEqual([
      reference,
      true,
      [end],
    ])
  }
  // Every line agrees, but for those of others.
  for (const found of reconciled) {
    expect(reconciliationTable({ ...found, unmatched: [] })).not.toMatch(/problem/u)
    expect(found.orders.open).toEqual([])
  }
  expect(reconciled.flatMap(({ orders: { agreed } }) => agreed)).toHaveLength(amounts.size)
  expect(reconciled[0]?.unmatched.length).toBeGreaterThan(0)
  expect(left).toEqual([])
  // Only the files with wrong totals are rejected.
  const reasons = rejected.filter(([name]) => name.endsWith(".reason.json"))
  expect(reasons.length).toBeGreaterThan(0)
  for (const [, reason] of reasons) expect(reason).toMatch(/closing balance|differs from what the records add up to/u)
}

describe("a month with two banks, two processes and faults", () => {
  it.each([1, 2])("agrees in memory, by seed %i", async (seed) => {
    check(await month(MemoryBankFileStore.make(), seed, whole, [memoryFolder(), memoryFolder()]))
  })

  it("agrees on PostgreSQL", async () => {
    await using euro = await temporaryFolder()
    await using ach = await temporaryFolder()
    const database = await create(6)
    try {
      await Effect.runPromise(PostgresBankFileStore.migrate(database.pool))
      check(await month(PostgresBankFileStore.make(database.pool), 4, short, [placeAt(euro.path), placeAt(ach.path)]))
    } finally {
      await database.close()
    }
  })
})
